public import Foundation
public import HoldfastModel
import HoldfastPlatform
package import HoldfastStore

/// A store of recordings on this device: the handle that an app keeps for its whole life.
///
/// Making one does no I/O and cannot fail, so that it can be a static value and be made before the
/// device was first unlocked. ``open()`` opens it; every other call waits for that.
///
/// ```swift
/// let store = RecordingStore(.applicationSupport())
/// let report = try await store.open()        // what the last launch left
/// let session = try await store.startRecording(.init(title: "Stand-up"))
/// let take = try await session.beginTake("microphone", PCMFormat(.float32, sampleRate: 48_000))
/// ```
public final class RecordingStore: Sendable {
  /// What the handle was made with.
  public let configuration: Configuration
  package let host: StoreHost

  /// A handle for the store of a configuration. No I/O; cannot fail.
  public convenience init(_ configuration: Configuration) {
    self.init(configuration, environment: .ofApp())
  }

  /// A handle whose outside is injected, for tests.
  package init(_ configuration: Configuration, environment: StoreEnvironment) {
    self.configuration = configuration
    host = StoreHost(configuration, environment)
  }

  /// Opens the store: recovers what earlier launches left and says what happened to them.
  ///
  /// Idempotent: later calls answer the first one's report. While the device is locked the store is
  /// *waiting*, and the call waits with it, until ``note(_:)`` says `protectedDataAvailable` or
  /// `foreground`, or the task is cancelled.
  ///
  /// - Throws: `newerSchema` (it is then open for reading), `damaged`, `locked`, `diskFull`,
  ///   `invalidArgument` for a directory that must not become a store, `interrupted` when the task
  ///   is cancelled while waiting.
  @discardableResult
  public func open() async throws(HoldfastError) -> LaunchReport { try await host.open() }

  /// The state of the handle, now and whenever it changes.
  public var states: Updates<State> {
    Updates(host.stateHub) { [host] in await host.state }
  }

  /// Notes what the system told, from any thread, before ``open()`` too. Never blocks on the
  /// database.
  public func note(_ event: LaunchEvent) { host.note(event) }

  /// Closes everything so that the process may be suspended: no lock, no statement and no open file
  /// is left on the store.
  ///
  /// - Returns: `.capturing` when a recording is running: then nothing was done.
  @discardableResult
  public func suspend() async -> SuspendOutcome { await host.suspend() }

  /// For expiration handlers: synchronous, from any thread; closes takes too, interrupts what runs,
  /// and waits at most 50 ms.
  ///
  /// - Returns: whether everything was closed in that time.
  @discardableResult
  public func suspendNow() -> Bool { host.suspendNow() }

  /// Opens the store again after a suspension.
  ///
  /// - Throws: as ``open()``.
  public func resume() async throws(HoldfastError) { try await host.resume() }

  /// Ends the launch cleanly. For commands and tests; an app just ends.
  package func close() async { await host.close() }
}

/// What ``RecordingStore/suspend()`` did.
public enum SuspendOutcome: Sendable {
  /// The store is closed until `resume()`.
  case suspended
  /// A recording is running; nothing was done.
  case capturing
}

extension RecordingStore {
  /// Where the handle is.
  @nonexhaustive
  public enum State: Sendable {
    /// Not opened yet, or ended.
    case closed
    /// Being opened.
    case opening
    /// Open for reading and writing.
    case open
    /// Open for reading only; the error says why.
    case readOnly(HoldfastError)
    /// Cannot be opened now; the error says why. Nothing is wrong with the store.
    case waiting(HoldfastError)
    /// Closed until `resume()`.
    case suspended
  }

  /// How a store is kept.
  public struct Configuration: Sendable {
    /// When a chunk becomes power-safe.
    public enum Durability: Sendable {
      /// Each, before it is acknowledged. The default on Linux.
      case power
      /// Every 10 s, at the end of a take, at suspension. The default on Apple platforms.
      case paced
      /// With the system.
      case process
    }

    /// The data protection class of the store's files; of meaning on Apple platforms only.
    public enum Protection: Sendable {
      /// Readable after the first unlock.
      case afterFirstUnlock
      /// Readable while unlocked; what is open stays so.
      case unlessOpen
      /// Always readable.
      case none
    }

    /// What a device backup takes of the store; of meaning on Apple platforms only.
    public enum Backup: Sendable {
      /// Database and audio.
      case everything
      /// The database; audio is fetched from its holders again.
      case metadataOnly
      /// Nothing.
      case nothing
    }

    /// The store's directory. Made at open, with its parents.
    public var directory: URL
    /// When a chunk becomes power-safe.
    public var durability: Durability
    /// The data protection class.
    public var protection: Protection
    /// What a device backup takes.
    public var backup: Backup
    /// Length of a chunk: 0.1 to 60 s.
    public var chunk: Duration
    /// Kinds of task that commit with a new recording.
    public var pipeline: [String]
    /// Bytes of room kept for a full disk; less is kept on a small disk.
    public var reserveBytes: Int64
    /// When capture may resume without the user.
    public var resume: ResumePolicy
    /// Seconds to wait for another process that writes.
    package var lockWaitSeconds: Double = 10
    /// Whether a store is made where there is none.
    package var creates = true
    /// Whether `open()` waits for a locked device.
    package var waitsForUnlock = true

    /// A configuration with this platform's defaults.
    public init(directory: URL) {
      self.directory = directory
      #if canImport(Darwin)
        durability = .paced
      #else
        durability = .power
      #endif
      protection = .afterFirstUnlock
      backup = .metadataOnly
      chunk = .seconds(1)
      pipeline = []
      reserveBytes = 8 << 20
      #if os(watchOS)
        resume = .whenForeground
      #else
        resume = .automatic
      #endif
    }

    /// A store in the app's Application Support directory (Linux: `$XDG_DATA_HOME`).
    public static func applicationSupport(_ name: String = "Holdfast") -> Configuration {
      let base =
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        ?? URL(fileURLWithPath: NSTemporaryDirectory())
      return Configuration(directory: base.appendingPathComponent(name, isDirectory: true))
    }

    /// A store in the container of an app group, for app extensions. Where there are no app groups,
    /// or the group is not in the app's entitlements, a directory of that name in Application
    /// Support.
    public static func appGroup(_ id: String) -> Configuration {
      #if canImport(Darwin)
        if let base = FileManager.default.containerURL(
          forSecurityApplicationGroupIdentifier: id)
        {
          return Configuration(
            directory: base.appendingPathComponent("Holdfast", isDirectory: true))
        }
      #endif
      return applicationSupport(id)
    }
  }
}
