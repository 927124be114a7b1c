// swift-format-ignore-file

// Stand-in: the part of BackgroundTasks that is used here, declared as in Apple's SDK. `launch`
// serves the program that calls closures on other threads.
import Foundation

public class BGTask {
  public let identifier: String
  public var expirationHandler: (() -> Void)?
  public private(set) var isCompleted: Bool?
  public func setTaskCompleted(success: Bool) { isCompleted = success }
  public init(identifier: String) { self.identifier = identifier }
}

@available(iOS 26.0, *)
public class BGContinuedProcessingTask: BGTask {
  public let progress = Progress(totalUnitCount: 1)
  public func updateTitle(_ title: String, subtitle: String) {}
}

public class BGProcessingTask: BGTask {}

public class BGTaskRequest {
  public let identifier: String
  init(identifier: String) { self.identifier = identifier }
}

public class BGProcessingTaskRequest: BGTaskRequest {
  public override init(identifier: String) { super.init(identifier: identifier) }
  public var requiresNetworkConnectivity = false
  public var requiresExternalPower = false
}

@available(iOS 26.0, *)
public class BGContinuedProcessingTaskRequest: BGTaskRequest {
  public enum SubmissionStrategy: Sendable { case fail, queue }
  public init(identifier: String, title: String, subtitle: String) {
    super.init(identifier: identifier)
  }
  public var strategy = SubmissionStrategy.queue
}

public class BGTaskScheduler: @unchecked Sendable {
  public static let shared = BGTaskScheduler()
  private var handlers: [String: (BGTask) -> Void] = [:]

  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, using: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    handlers[identifier] = launchHandler
    return true
  }

  public func submit(_ request: BGTaskRequest) throws {}

  /// What the system does when it begins a task.
  public func launch(_ task: BGTask) { handlers[task.identifier]?(task) }
}
