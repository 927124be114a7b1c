import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite

/// Notices what other processes commit, an app extension or a command beside the app: SQLite counts
/// it (`PRAGMA data_version`), and somebody has to look. No file is watched: a write-ahead log that
/// grows is no commit yet, and each system has another way of watching.
///
/// Belongs to one actor, which calls it with the connection that the number is of.
struct ForeignCommits {
  /// Between two looks while somebody observes: what a person takes for at once, and one page of
  /// memory that is read.
  static let interval: Int64 = 1_000_000_000

  private let alarm: any Alarm
  private let hub: UpdateHub
  private let state = Locked(State())

  private struct State: Sendable {
    var version: Int64?
    var isArmed = false
  }

  init(alarm: any Alarm, _ hub: UpdateHub) {
    self.alarm = alarm
    self.hub = hub
  }

  /// Tells observers when others committed since the last look. Done before each read too, so that
  /// no commit falls between a value that was read and the number that stands for it.
  func look(at connection: borrowing Connection) {
    let version = try? connection.first("PRAGMA data_version", []) { $0.int64(0) }
    guard let version else { return }
    let hasChanged = state.withLock { state in
      defer { state.version = version }
      return state.version != nil && state.version != version
    }
    if hasChanged { hub.bump() }
  }

  /// Has a body called after the interval, unless it waits for that already, or nobody observes.
  func arm(_ body: @escaping @Sendable () -> Void) {
    guard hub.isAwaited else { return }
    let wasArmed = state.withLock { state in
      defer { state.isArmed = true }
      return state.isArmed
    }
    guard !wasArmed else { return }
    let state = state
    alarm.ring(afterNanoseconds: Self.interval) {
      state.withLock { $0.isArmed = false }
      body()
    }
  }

  /// The connection is gone; the number of another one says nothing.
  func forget() { state.withLock { $0.version = nil } }
}
