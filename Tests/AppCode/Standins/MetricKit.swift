// swift-format-ignore-file

// Stand-in: the part of MetricKit that is used here, declared as in Apple's SDK.
import Foundation

public class MXMetricPayload { public func jsonRepresentation() -> Data { Data() } }
public class MXDiagnosticPayload { public func jsonRepresentation() -> Data { Data() } }

public protocol MXMetricManagerSubscriber: NSObjectProtocol {
  func didReceive(_ payloads: [MXMetricPayload])
  func didReceive(_ payloads: [MXDiagnosticPayload])
}

public class MXMetricManager: @unchecked Sendable {
  public static let shared = MXMetricManager()
  public func add(_ subscriber: any MXMetricManagerSubscriber) {}
  public var pastPayloads: [MXMetricPayload] { [] }
  public var pastDiagnosticPayloads: [MXDiagnosticPayload] { [] }
}
