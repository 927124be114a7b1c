import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastTesting
import Testing

@Suite("Recording files")
struct RecordingFilesTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test("replaying the whole log gives the real directory, byte for byte", arguments: 0..<40)
  func replay(seed: UInt64) throws {
    // Half of the sessions begin with a tree that is there already.
    var before = RandomSession(SystemFiles(), root: scratch.path, seed: seed &+ 1_000, links: false)
    if seed % 2 == 0 { before.run(60) }
    let log = try DiskLog(root: scratch.path, on: SystemFiles())
    let files = RecordingFiles(SystemFiles(), log: log)
    var session = RandomSession(files, root: scratch.path, seed: seed)
    session.run(120)
    let halfway = log.count
    let treeHalfway = try scratch.tree()
    session.run(120)
    #expect(log.count > halfway)
    let end = CrashImage(of: log, after: log.count)
    #expect(end.tree(.allKept, names: .kept) == (try scratch.tree()))
    let half = CrashImage(of: log, after: halfway)
    #expect(half.tree(.allKept, names: .kept) == treeHalfway)
    #expect(CrashImage(of: log, after: 0).tree(.allDropped, names: .dropped) == log.base)
  }

  @Test("once everything is synced, a crash takes nothing", arguments: 0..<40)
  func synced(seed: UInt64) throws {
    let log = DiskLog(root: scratch.path)
    let files = RecordingFiles(SystemFiles(), log: log)
    var session = RandomSession(files, root: scratch.path, seed: seed)
    session.run(150)
    try session.syncAll()
    let image = CrashImage(of: log, after: log.count)
    let whole = try scratch.tree()
    // Files that lost their last name may have changes that nothing covers; nobody can see them.
    #expect(image.tree(.allDropped, names: .kept) == whole)
    #expect(image.tree(.allDropped, names: .dropped) == whole)
  }

  @Test("an image is written into a new directory as it is", arguments: 0..<5)
  func writing(seed: UInt64) throws {
    let log = DiskLog(root: scratch.path)
    var session = RandomSession(
      RecordingFiles(SystemFiles(), log: log), root: scratch.path, seed: seed)
    session.run(100)
    let copy = try Scratch()
    let tree = CrashImage(of: log, after: log.count).tree(.allDropped, names: .kept)
    try tree.write(to: copy.file("image"), on: SystemFiles())
    #expect(try DiskTree(reading: copy.file("image"), on: SystemFiles()) == tree)
    #expect(throws: FileFault.self) { try tree.write(to: copy.file("image"), on: SystemFiles()) }
  }

  @Test("files written from several threads are replayed as they are")
  func threads() throws {
    let log = DiskLog(root: scratch.path)
    let files = RecordingFiles(SystemFiles(), log: log)
    let root = scratch.path
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      var dice = Dice(UInt64(number))
      guard let file = try? files.open("\(root)/\(number)", .create) else { return }
      for step in 0..<200 {
        let bytes = [UInt8](repeating: UInt8(step), count: Int.random(in: 1..<90, using: &dice))
        try? file.write(bytes, at: UInt64.random(in: 0..<500, using: &dice))
        if step % 10 == 0 { try? file.sync() }
      }
    }
    let image = CrashImage(of: log, after: log.count)
    #expect(image.tree(.allKept, names: .kept) == (try scratch.tree()))
    #expect(log.counters().writes == 800 && log.counters().syncs == 80)
  }

  @Test("what lies outside of the root is passed on and not recorded")
  func outside() throws {
    let log = DiskLog(root: scratch.file("tree"))
    log.setHook { _ in .fail(.medium) }
    let files = RecordingFiles(SystemFiles(), log: log)
    let file = try files.open(scratch.file("treehouse"), .create)
    try file.write([1], at: 0)
    try files.makeDirectory(scratch.file("other"))
    try files.makeDirectory(scratch.file("tree"))
    #expect(log.entries.isEmpty, "the root itself is not in the tree")
    #expect(throws: FileFault.self) { try files.makeDirectory(scratch.file("tree/d")) }
  }

  @Test("a change behind the log's back stops the test, and does not give a wrong image")
  func behindTheLog() async {
    await #expect(processExitsWith: .failure) {
      let log = DiskLog(root: "/tree")
      log.append(.write("unknown", offset: 0, bytes: [1]))
    }
    await #expect(processExitsWith: .failure) {
      let log = DiskLog(root: "/tree")
      log.append(.create("unknown/a"))
    }
    await #expect(processExitsWith: .success) {
      let log = DiskLog(root: "/tree")
      log.append(.makeDirectory("known"))
      log.append(.create("known/a"))
    }
  }

  @Test("a hook makes an operation fail, and the log has nothing of it")
  func faults() throws {
    let log = DiskLog(root: scratch.path)
    let files = RecordingFiles(SystemFiles(), log: log)
    let file = try files.open(scratch.file("a"), .create)
    try file.write([1, 2, 3], at: 0)
    let before = log.count
    let kinds: [FileFault.Kind] = [.full, .medium, .denied, .exhausted]
    for kind in kinds {
      log.setHook { _ in .fail(kind) }
      let calls: [(String, () throws -> Void)] = [
        ("write", { try file.write([9], at: 0) }), ("sync", { try file.sync() }),
        ("truncate", { try file.truncate(to: 0) }), ("allocate", { try file.allocate(9) }),
        ("read", { _ = try file.read(at: 0, count: 3) }),
        ("open", { _ = try files.open(scratch.file("b"), .create) }),
        ("rename", { try files.rename(scratch.file("a"), to: scratch.file("b")) }),
        ("link", { try files.link(scratch.file("a"), to: scratch.file("b")) }),
        ("remove", { try files.unlink(scratch.file("a")) }),
        ("make directory", { try files.makeDirectory(scratch.file("d")) }),
        ("sync directory", { try files.syncDirectory(scratch.path) }),
      ]
      for (verb, call) in calls {
        let fault = #expect(throws: FileFault.self) { try call() }
        #expect(fault?.kind == kind && fault?.operation == verb)
        #expect(fault.map { FileFault.Kind(errno: $0.errno) } == kind)
      }
    }
    #expect(log.count == before)
    #expect(try scratch.tree().files == ["a": [1, 2, 3]])
    log.setHook(nil)
    try file.sync()
  }

  @Test("a torn write leaves its first bytes, on the disk and in the log, and fails")
  func torn() throws {
    let log = DiskLog(root: scratch.path)
    let files = RecordingFiles(SystemFiles(), log: log)
    let file = try files.open(scratch.file("a"), .create)
    log.setHook { operation in
      if case .write = operation { .tear(keeping: 2, .full) } else { .pass }
    }
    let fault = #expect(throws: FileFault.self) { try file.write([1, 2, 3], at: 0) }
    #expect(fault?.kind == .full)
    log.setHook { _ in .tear(keeping: 0, .full) }
    #expect(throws: FileFault.self) { try file.write([4, 5], at: 2) }
    #expect(try scratch.tree().files == ["a": [1, 2]])
    #expect(log.operations == [.create("a"), .write("a", offset: 0, bytes: [1, 2])])
  }

  @Test("counts are exact, by path, and a log without entries counts the same")
  func counters() throws {
    for keepsEntries in [true, false] {
      let name = keepsEntries ? "full" : "counting"
      let root = scratch.file(name)
      try SystemFiles().makeDirectory(root)
      let log = DiskLog(root: root, keepsEntries: keepsEntries)
      let files = RecordingFiles(SystemFiles(), log: log)
      let first = try files.open("\(root)/a.reel", .create)
      let second = try files.open("\(root)/b.mark", .create)
      for number in 0..<5 {
        try first.write([UInt8](repeating: 7, count: 100), at: UInt64(number) * 100)
        try first.sync()
      }
      let early = log.counters()
      try second.write([1], at: 0)
      try files.syncDirectory(root)
      let reels = log.counters { $0.hasSuffix(".reel") }
      #expect(reels.writes == 5 && reels.bytesWritten == 500 && reels.syncs == 5)
      #expect(log.counters { $0 == "" }.directorySyncs == 1)
      let late = log.counters() - early
      #expect(late.writes == 1 && late.bytesWritten == 1 && late.syncs == 0)
      #expect(log.counters().nameChanges == 2)
      #expect(log.count == (keepsEntries ? 14 : 0))
    }
  }
}
