import HoldfastPlatform

/// A queue between one thread that puts and one that takes, bounded by cost.
///
/// Invariants: order is kept; what was put is taken or dropped by ``close()``; the cost in the
/// queue is under the limit before each put, so that memory is bounded by the limit and one
/// element.
final class Handoff<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var elements: [(element: Element, cost: UInt64)] = []
    var cost: UInt64 = 0
    var isFinished = false
    var isClosed = false
  }

  private let limit: UInt64
  private let state = Locked(State())
  private let filled = WakeSignal()
  private let room = WakeSignal()

  /// A queue that makes its putter wait from `limit` on.
  init(limit: UInt64) { self.limit = limit }

  /// Puts an element behind the others, when there is room.
  ///
  /// - Returns: false when nobody takes any more; the element is dropped.
  func put(_ element: Element, cost: UInt64) -> Bool {
    while true {
      let answer: Bool? = state.withLock { state in
        if state.isClosed { return false }
        guard state.cost < limit else { return nil }
        state.elements.append((element, cost))
        state.cost += cost
        return true
      }
      if let answer {
        filled.signal()
        return answer
      }
      room.wait()
    }
  }

  /// Says that nothing more is put.
  func finish() {
    state.withLock { $0.isFinished = true }
    filled.signal()
  }

  /// The next element, waiting for it; nil after the last.
  func take() -> Element? {
    while true {
      let (element, isOver): (Element?, Bool) = state.withLock { state in
        guard !state.elements.isEmpty else { return (nil, state.isFinished || state.isClosed) }
        let first = state.elements.removeFirst()
        state.cost -= first.cost
        return (first.element, false)
      }
      if let element {
        room.signal()
        return element
      }
      if isOver { return nil }
      filled.wait()
    }
  }

  /// Everything that is there, waiting for the first of it, for ``poke()`` or for the time to pass.
  ///
  /// - Returns: the elements, and whether they are the last.
  func takeAll(waitingNanoseconds: UInt64) -> (elements: [Element], isOver: Bool) {
    if let all = takeAllNow() { return all }
    filled.wait(timeoutNanoseconds: waitingNanoseconds)
    return takeAllNow() ?? ([], false)
  }

  private func takeAllNow() -> (elements: [Element], isOver: Bool)? {
    let all: ([Element], Bool)? = state.withLock { state in
      let isOver = state.isFinished || state.isClosed
      guard !state.elements.isEmpty || isOver else { return nil }
      let elements = state.elements.map(\.element)
      state.elements.removeAll(keepingCapacity: true)
      state.cost = 0
      return (elements, isOver)
    }
    if all != nil { room.signal() }
    return all
  }

  /// Wakes the thread that takes, though nothing was put.
  func poke() { filled.signal() }

  /// Whether nothing more is taken.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Says that nothing more is taken, and drops what is there.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.elements = []
      state.cost = 0
    }
    room.signal()
    filled.signal()
  }
}
