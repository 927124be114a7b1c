import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastTesting
import Testing

@Suite("Recording SQLite")
struct RecordingVFSTests {
  let scratch: Scratch
  let log: DiskLog
  let vfs: RecordingVFS
  let session: StoreSession

  init() throws {
    scratch = try Scratch()
    log = DiskLog(root: scratch.path)
    vfs = try RecordingVFS(log: log)
    session = StoreSession(log, vfs, path: scratch.file("s.sqlite"))
  }

  private static let modes = [
    StoreSession.Mode(),
    StoreSession.Mode(isMixed: true),
    // Only EXTRA syncs the directory after the journal was removed, which is the commit.
    StoreSession.Mode(journal: "DELETE", synchronous: "EXTRA"),
  ]

  @Test("replaying the whole log gives the real files, byte for byte", arguments: modes)
  func replay(mode: StoreSession.Mode) throws {
    session.run(mode)
    #expect(session.errors == [])
    let image = CrashImage(of: log, after: log.count)
    #expect(image.tree(.allKept, names: .kept) == (try scratch.tree()))
    #expect(session.acknowledged.count == 30)
  }

  @Test(
    "at every prefix SQLite finds a sound database with every durable row (J3)",
    arguments: modes, CrashNames.allCases)
  func everyPrefix(mode: StoreSession.Mode, names: CrashNames) throws {
    session.run(mode)
    #expect(session.durable.count >= 3)
    for count in 0...log.count {
      let image = CrashImage(of: log, after: count)
      for data in [CrashData.allKept, .allDropped] {
        let found = try Recovered(image.tree(data, names: names), name: "s.sqlite")
        #expect(found.problems.isEmpty && found.isWhole, "\(data) after \(count)")
        #expect(found.rows.isSuperset(of: session.owed(after: count)), "\(data) after \(count)")
      }
    }
  }

  @Test("each single uncovered write may be missing, and the last one torn", arguments: modes)
  func droppedAndTorn(mode: StoreSession.Mode) throws {
    session.run(mode)
    for count in 0...log.count {
      let image = CrashImage(of: log, after: count)
      var leftovers = (0..<image.uncoveredChanges).map(CrashData.oneDropped)
      let tearable = image.tearableBytes ?? 0
      leftovers += stride(from: 0, to: tearable, by: 1_536).map(CrashData.lastTorn)
      if tearable > 1 { leftovers.append(.lastTorn(tearable - 1)) }
      for data in leftovers {
        let found = try Recovered(image.tree(data, names: .kept), name: "s.sqlite")
        #expect(found.problems.isEmpty && found.isWhole, "\(data) after \(count)")
        #expect(found.rows.isSuperset(of: session.owed(after: count)), "\(data) after \(count)")
      }
    }
  }

  @Test("the model bites: without syncs, acknowledged rows are lost")
  func unsynced() throws {
    session.run(StoreSession.Mode(synchronous: "OFF"))
    #expect(log.counters().syncs == 0)
    let image = CrashImage(of: log, after: log.count)
    let kept = try Recovered(image.tree(.allKept, names: .kept), name: "s.sqlite")
    #expect(kept.rows == session.acknowledged)
    let dropped = try Recovered(image.tree(.allDropped, names: .kept), name: "s.sqlite")
    #expect(dropped.rows.isEmpty)
  }

  @Test("the model bites: a removed journal that comes back undoes a commit")
  func journalReturns() throws {
    session.run(StoreSession.Mode(journal: "DELETE", synchronous: "FULL"))
    let losses = try (0...log.count).filter { count in
      let tree = CrashImage(of: log, after: count).tree(.allKept, names: .dropped)
      let found = try Recovered(tree, name: "s.sqlite")
      #expect(found.problems.isEmpty && found.isWhole)
      return !found.rows.isSuperset(of: session.owed(after: count))
    }
    #expect(!losses.isEmpty)
  }

  @Test("whatever operation fails once, nothing acknowledged is lost (J8)")
  func everyFault() throws {
    session.run(StoreSession.Mode())
    let total = Counter()
    for kind in [FileFault.Kind.full, .medium] {
      for failing in 0..<log.count {
        let other = try RecordingVFSTests()
        let counter = Counter()
        other.log.setHook { operation in
          if case .open = operation { return .pass }
          if case .read = operation { return .pass }
          return counter.next() == failing ? .tear(keeping: 512, kind) : .pass
        }
        other.session.run(StoreSession.Mode())
        other.log.setHook(nil)
        if !other.session.errors.isEmpty { _ = total.next() }
        let tree = try other.scratch.tree()
        let found = try Recovered(tree, name: "s.sqlite")
        #expect(found.problems.isEmpty && found.isWhole, "\(kind) at \(failing)")
        #expect(found.rows.isSuperset(of: other.session.acknowledged), "\(kind) at \(failing)")
        let image = CrashImage(of: other.log, after: other.log.count)
        #expect(image.tree(.allKept, names: .kept) == tree)
      }
    }
    #expect(total.value > log.count, "most faults are noticed")
  }

  @Test("a fault reaches SQLite's caller as the code that the real VFS gives")
  func codes() throws {
    let store = try Connection(
      path: scratch.file("c.sqlite"), OpenOptions(access: .create, vfs: vfs.name))
    try store.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
    func failing(_ verdict: DiskVerdict, where isMeant: @escaping @Sendable (DiskOperation) -> Bool)
      -> ResultCode?
    {
      log.setHook { isMeant($0) ? verdict : .pass }
      defer { log.setHook(nil) }
      do {
        try store.run("INSERT INTO t VALUES (1)")
        guard try store.checkpoint(.truncate).isComplete else { return .busy }
        return nil
      } catch {
        return error.code
      }
    }
    let isWrite: @Sendable (DiskOperation) -> Bool = {
      if case .write = $0 { true } else { false }
    }
    #expect(failing(.fail(.full), where: isWrite) == .full)
    #expect(failing(.fail(.medium), where: isWrite) == .ioErrorWrite)
    #expect(failing(.tear(keeping: 7, .medium), where: isWrite) == .ioErrorWrite)
    #expect(
      failing(.fail(.medium)) { if case .sync = $0 { true } else { false } } == .ioErrorFsync)
    #expect(
      failing(.fail(.medium)) { if case .truncate = $0 { true } else { false } }
        == .ioErrorTruncate)
    log.setHook { if case .read = $0 { .fail(.medium) } else { .pass } }
    do {
      _ = try Connection(path: scratch.file("c.sqlite"), OpenOptions(vfs: vfs.name))
      Issue.record("opened what cannot be read")
    } catch {
      #expect(error.code == .ioErrorRead)
    }
    log.setHook { _ in .fail(.denied) }
    do {
      _ = try Connection(path: scratch.file("d"), OpenOptions(access: .create, vfs: vfs.name))
      Issue.record("opened against the hook")
    } catch {
      #expect(error.code.primary == .cannotOpen)
    }
    log.setHook(nil)
    #expect(try store.integrityProblems(limit: 1, quick: false).isEmpty)
  }

  @Test("the guard sees every write to database and WAL, so a write without the lock shows (J7)")
  func writeGuard() throws {
    let lock = Locked(false)
    let strays = Locked<[DiskOperation]>([])
    let guarded = Counter()
    vfs.setWriteGuard { operation in
      _ = guarded.next()
      if !lock.withLock({ $0 }) { strays.withLock { $0.append(operation) } }
    }
    func locked(_ body: () throws -> Void) rethrows {
      lock.withLock { $0 = true }
      defer { lock.withLock { $0 = false } }
      try body()
    }
    let path = scratch.file("g.sqlite")
    let store = try Connection(path: path, OpenOptions(access: .create, vfs: vfs.name))
    try locked { try store.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a)") }
    try locked { _ = try store.run("INSERT INTO t VALUES (1)") }
    let reader = try Connection(path: path, OpenOptions(vfs: vfs.name, queryOnly: true))
    #expect(try reader.first("SELECT a FROM t") { $0.int64(0) } == 1)
    #expect(strays.withLock { $0 }.isEmpty && guarded.value > 0)
    #expect(guarded.value == Int(log.counters { !$0.hasSuffix("-journal") }.writes))
    _ = try store.checkpoint(.truncate)
    let seen = strays.withLock { $0 }
    #expect(Set(seen.map(\.path)) == ["g.sqlite", "g.sqlite-wal"])
    vfs.setWriteGuard(nil)
    try store.run("INSERT INTO t VALUES (2)")
    #expect(strays.withLock { $0 }.count == seen.count)
  }

  @Test("counts of a WAL commit are exact: one sync, one frame a page")
  func counters() throws {
    let store = try Connection(
      path: scratch.file("n.sqlite"), OpenOptions(access: .create, vfs: vfs.name))
    try store.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
    let isWAL: (String) -> Bool = { $0 == "n.sqlite-wal" }
    let before = log.counters(where: isWAL)
    let frames = store.walFrames
    try store.run("INSERT INTO t VALUES (1)")
    let commit = log.counters(where: isWAL) - before
    #expect(commit.syncs == 1)
    #expect(commit.bytesWritten == UInt64(store.walFrames - frames) * (4_096 + 24))
    try store.setSynchronous(.normal)
    let middle = log.counters(where: isWAL)
    try store.run("INSERT INTO t VALUES (2)")
    #expect((log.counters(where: isWAL) - middle).syncs == 0)
  }

  @Test("files outside of the root, and temporary ones, pass through unseen")
  func outside() throws {
    let elsewhere = try Scratch()
    log.setHook { _ in .fail(.medium) }
    let store = try Connection(
      path: elsewhere.file("e.sqlite"), OpenOptions(access: .create, vfs: vfs.name))
    try store.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE t(a);
      PRAGMA temp_store = FILE;
      CREATE TEMP TABLE u(a);
      INSERT INTO u VALUES (randomblob(3000000));
      """)
    #expect(log.entries.isEmpty)
  }

  @Test("connections work on after the VFS is gone, and its name is free")
  func unregistering() throws {
    let path = scratch.file("u.sqlite")
    var own: RecordingVFS? = try RecordingVFS(log: log, name: "holdfast-test-unregister")
    let options = OpenOptions(access: .create, vfs: own?.name)
    let taken = #expect(throws: FileFault.self) {
      _ = try RecordingVFS(log: log, name: "holdfast-test-unregister")
    }
    #expect(taken?.kind == .exists)
    let store = try Connection(path: path, options)
    try store.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
    own = nil
    try store.run("INSERT INTO t VALUES (1)")
    #expect(try store.checkpoint(.truncate).isComplete)
    try store.close()
    let image = CrashImage(of: log, after: log.count)
    #expect(image.tree(.allKept, names: .kept) == (try scratch.tree()))
    #expect(throws: SQLiteError.self) { _ = try Connection(path: path, options) }
    own = try RecordingVFS(log: log, name: "holdfast-test-unregister")
    #expect(own != nil)
  }

  @Test("one log takes the files of both seams, in their order")
  func bothSeams() throws {
    let files = RecordingFiles(SystemFiles(), log: log)
    let reel = try files.open(scratch.file("reel"), .create)
    try reel.write([1], at: 0)
    let store = try Connection(
      path: scratch.file("b.sqlite"), OpenOptions(access: .create, vfs: vfs.name))
    try store.execute("CREATE TABLE t(a)")
    try store.close()
    try reel.sync()
    let paths = log.operations.map(\.path)
    #expect(paths.first == "reel" && paths.last == "reel" && paths.contains("b.sqlite"))
    #expect(log.operations.last == .sync("reel"))
    #expect(
      CrashImage(of: log, after: log.count).tree(.allKept, names: .kept) == (try scratch.tree()))
  }
}

/// Counts from 0, from any thread.
final class Counter: Sendable {
  private let count = Locked(0)
  var value: Int { count.withLock { $0 } }
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count - 1
    }
  }
}
