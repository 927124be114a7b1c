import HoldfastModel
import HoldfastPlatform
import HoldfastStore

/// Gives an app the time that the system grants after it went to the background:
/// `UIApplication.beginBackgroundTask`, or `ProcessInfo.performExpiringActivity` on the watch.
public protocol GraceProvider: Sendable {
  /// Begins the time before it returns, runs the body, and gives the time back when the body has
  /// returned. Calls `expired` when the time runs out before.
  func withGrace(
    _ name: String, expired: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable @concurrent () async -> Void)
}

/// Joins a store and its work to the app's coming and going.
///
/// In the background work goes on for as long as the system grants, and ends before that runs out,
/// everything saved: the grace time, or longer while a continued task runs
/// (``WorkRunner/adopt(_:)``). Then the store is suspended, unless it captures. Both ends are
/// journaled, so that the next launch can say what happened.
public final class Lifecycle: Sendable {
  /// Seconds of the grace time that are used: the system grants about 30.
  public static let graceSeconds: Double = 25

  private let store: RecordingStore
  private let work: WorkRunner
  private let grace: any GraceProvider
  private let turn = Locked<UInt64>(0)

  /// A lifecycle; nothing is done before the first call.
  public init(_ store: RecordingStore, _ work: WorkRunner, grace: some GraceProvider) {
    self.store = store
    self.work = work
    self.grace = grace
  }

  /// The app is in the foreground: the store is opened again if it was suspended, and work runs.
  public func becameActive() {
    store.note(.foreground)
    turn.withLock { $0 += 1 }
    work.start()
    Task { [store, work] in
      try? await store.resume()
      work.start()
    }
  }

  /// The app went to the background. The grace time has begun when this returns.
  ///
  /// - Parameter last: what the app has to do itself before it is suspended.
  public func enteredBackground(
    last: @escaping @Sendable @concurrent () async -> Void = {}
  ) {
    store.note(.background)
    let mine = turn.withLock { turn in
      turn += 1
      return turn
    }
    let end = ContinuousClock.now + .seconds(Self.graceSeconds)
    store.note(LaunchEvent(LaunchEventName.graceBegan.rawValue, "\(Self.graceSeconds)"))
    grace.withGrace("holdfast") { [store, work] in
      store.note(LaunchEvent(LaunchEventName.graceEnded.rawValue, "expired"))
      guard !work.holdsTask else { return }
      work.expire()
      store.suspendNow()
    } _: { [self] in
      await last()
      if !work.holdsTask { _ = await work.drain(until: end) }
      // The user may have come back meanwhile.
      guard turn.withLock({ $0 }) == mine else { return }
      let goesOn = work.holdsTask
      store.note(LaunchEvent(LaunchEventName.graceEnded.rawValue, goesOn ? "continued" : "done"))
      guard goesOn else { return await suspend(mine) }
      Task {
        await work.tasksEnded()
        await suspend(mine)
      }
    }
  }

  /// Suspends the store, unless the app came to the foreground since.
  private func suspend(_ mine: UInt64) async {
    guard turn.withLock({ $0 }) == mine else { return }
    work.expire()
    if await store.suspend() == .capturing { work.start() }
  }
}
