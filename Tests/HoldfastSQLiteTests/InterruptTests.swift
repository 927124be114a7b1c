import Foundation
import HoldfastSQLite
import Testing

@Suite("Interrupting")
struct InterruptTests {
  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n
    """

  @Test("an interrupt from another thread ends a running query, and the connection works on")
  func query() throws {
    let store = try Connection(path: ":memory:", .creating)
    let handle = store.interruptHandle
    let started = DispatchSemaphore(value: 0)
    let thread = Thread {
      started.wait()
      handle.interrupt()
    }
    thread.start()
    var rows: Int64 = 0
    let found = code {
      try store.query(Self.endless) { _ in
        rows += 1
        if rows == 1 { started.signal() }
      }
    }
    #expect(found == .interrupt)
    #expect(store.hasOpenStatements == false)
    #expect(try store.integer("SELECT 5") == 5)
  }

  @Test("an interrupted write takes its transaction with it")
  func write() throws {
    let scratch = try Scratch()
    let store = try makeStore(scratch.file("i.sqlite"))
    let handle = store.interruptHandle
    let finished = Flag()
    let stopped = DispatchSemaphore(value: 0)
    let thread = Thread {
      // The write may not have begun at the first call, so it is called until it had an effect.
      while !finished.isSet { handle.interrupt() }
      stopped.signal()
    }
    let found = code {
      try store.transaction(.write) {
        try store.run("INSERT INTO pair VALUES (-1, 'first')")
        thread.start()
        defer {
          finished.set()
          stopped.wait()
        }
        try store.run("INSERT INTO pair SELECT i, 'x' FROM (\(Self.endless))")
      }
    }
    #expect(found == .interrupt)
    #expect(store.isInTransaction == false)
    #expect(try store.integer("SELECT count(*) FROM pair") == 0)
  }

  @Test("an interrupt after the connection is closed does nothing")
  func afterClose() throws {
    let store = try Connection(path: ":memory:", .creating)
    let handle = store.interruptHandle
    try store.close()
    handle.interrupt()
    let other = try Connection(path: ":memory:", .creating)
    #expect(try other.integer("SELECT 1") == 1)
  }

  @Test("interrupts that race with closing never touch a closed connection", arguments: 0..<20)
  func race(round: Int) throws {
    let store = try Connection(path: ":memory:", .creating)
    let handle = store.interruptHandle
    let started = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    let finished = Flag()
    let thread = Thread {
      started.signal()
      while !finished.isSet { handle.interrupt() }
      ended.signal()
    }
    thread.start()
    started.wait()
    try store.close()
    finished.set()
    ended.wait()
  }
}

/// A truth that is set once and read from another thread.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false
  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
