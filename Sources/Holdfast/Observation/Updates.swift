import HoldfastPlatform

/// A value that changes: the current one first, then each newest one. Never throws; an observer
/// that is slow skips what it missed.
///
/// ```swift
/// for await list in store.recordings() { show(list) }
/// ```
public struct Updates<Value: Sendable>: AsyncSequence, Sendable {
  /// What an iteration gives.
  public typealias Element = Value

  private let hub: UpdateHub
  private let read: @Sendable () async -> Value?

  /// - Parameters:
  ///   - hub: says when something may have changed.
  ///   - read: the value now; nil ends the sequence.
  package init(_ hub: UpdateHub, read: @escaping @Sendable () async -> Value?) {
    self.hub = hub
    self.read = read
  }

  /// One observation.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let hub: UpdateHub
    fileprivate let read: @Sendable () async -> Value?
    fileprivate var seen: UInt64?

    /// The current value at the first call; later the newest, as soon as there is one. Nil when the
    /// observing task is cancelled or the source has ended.
    public mutating func next() async -> Value? {
      if let seen {
        guard await hub.wait(after: seen) else { return nil }
      }
      if Task.isCancelled { return nil }
      // The version is taken before the value: a change in between is seen at the next call.
      seen = hub.version
      return await read()
    }
  }

  /// Begins an observation.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(hub: hub, read: read, seen: nil)
  }
}

/// Tells observers that something may have changed.
package final class UpdateHub: Sendable {
  private struct State: Sendable {
    var version: UInt64 = 1
    var isFinished = false
    var nextKey: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var began: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  package init() {}

  /// Grows with each change.
  package var version: UInt64 { state.withLock { $0.version } }

  /// Whether somebody waits for a change now.
  package var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

  /// Has a body called whenever somebody begins to wait and nobody did before; on any thread.
  package func whenAwaited(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.began = body }
  }

  /// Says that something may have changed. Cheap; from any thread.
  package func bump() {
    let waiters = state.withLock { state in
      state.version += 1
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  /// Ends all observations.
  package func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: false) }
  }

  /// Waits for a version above the one seen.
  ///
  /// - Returns: false when there will be none, or the task is cancelled.
  package func wait(after seen: UInt64) async -> Bool {
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var began: (@Sendable () -> Void)?
        let answer: Bool? = state.withLock { state in
          if state.version > seen { return true }
          if state.isFinished || Task.isCancelled { return false }
          if state.waiters.isEmpty { began = state.began }
          state.waiters[key] = continuation
          return nil
        }
        began?()
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: key) }
      waiter?.resume(returning: false)
    }
  }
}
