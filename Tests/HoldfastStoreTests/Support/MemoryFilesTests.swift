import HoldfastModel
import Testing

@Suite("Files in memory")
struct MemoryFilesTests {
  private let files = MemoryFiles(directory: "s")

  private func newFile(_ path: String) throws -> any OpenFile {
    try files.open(path, [.write, .create, .exclusive])
  }

  @Test("reads give what was written, and fewer bytes only at the end")
  func reading() throws {
    let file = try newFile("s/a")
    try file.write([1, 2, 3, 4], at: 2)
    #expect(try file.size() == 6)
    #expect(try file.read(at: 1, count: 3) == [0, 1, 2])
    #expect(try file.read(at: 4, count: 9) == [3, 4])
    #expect(try file.read(at: 7, count: 9) == [])
    var buffer: [UInt8] = [9, 9, 9]
    #expect(try file.read(at: 4, into: &buffer) == 2)
    #expect(buffer == [3, 4, 9])
  }

  @Test("a crash keeps what was synced with its directory, and nothing else")
  func crash() throws {
    let file = try newFile("s/a")
    try file.write([1, 2], at: 0)
    try file.sync()
    try files.syncDirectory("s")
    try file.write([3], at: 2)
    let unnamed = try newFile("s/b")
    try unnamed.write([4], at: 0)
    try unnamed.sync()
    files.crash()
    #expect(files.bytes("s/a") == [1, 2])
    #expect(files.bytes("s/b") == nil)
    #expect(throws: FileFault.self) { try file.size() }
  }

  @Test("a file is lost with a directory that was not made durable above it")
  func directoryChain() throws {
    try files.makeDirectory("s/d")
    let file = try newFile("s/d/a")
    try file.write([1], at: 0)
    try file.sync()
    try files.syncDirectory("s/d")
    files.crash()
    #expect(files.bytes("s/d/a") == nil)
  }

  @Test("a crash keeps of the unsynced what the test says, and can tear the last write")
  func selection() throws {
    let file = try newFile("s/a")
    try files.syncDirectory("s")
    try file.write([1, 1, 1, 1], at: 0)
    try file.write([2, 2, 2, 2], at: 4)
    files.crash(keeping: { $0 == 1 }, tearing: true)
    #expect(files.bytes("s/a") == [0, 0, 0, 0, 2, 2])
  }

  @Test("after a failed sync a later one saves only what was written since")
  func failedSync() throws {
    let file = try newFile("s/a")
    try files.syncDirectory("s")
    try file.write([1], at: 0)
    files.script = { $0.operation == "sync" && $0.number == 1 ? .init(kind: .medium) : nil }
    #expect(throws: FileFault.self) { try file.sync() }
    try file.write([2], at: 1)
    try file.sync()
    #expect(files.bytes("s/a") == [1, 2])
    files.crash()
    #expect(files.bytes("s/a") == [0, 2])
  }

  @Test("a failing write leaves the prefix that the test says")
  func failedWrite() throws {
    let file = try newFile("s/a")
    files.script = { _ in .init(kind: .full, prefix: 2) }
    #expect(throws: FileFault.self) { try file.write([1, 2, 3], at: 0) }
    #expect(files.bytes("s/a") == [1, 2])
  }

  @Test("a rename is lost or kept whole")
  func renaming() throws {
    _ = try newFile("s/a")
    try files.syncDirectory("s")
    try files.rename("s/a", to: "s/b")
    files.crash()
    #expect(try files.list("s") == ["a"])
    try files.rename("s/a", to: "s/b")
    try files.syncDirectory("s")
    files.crash()
    #expect(try files.list("s") == ["b"])
  }

  @Test("names are exclusive, typed and listed in order")
  func names() throws {
    _ = try newFile("s/b")
    try files.makeDirectory("s/a")
    #expect(try files.list("s") == ["a", "b"])
    #expect(throws: FileFault.self) { try newFile("s/b") }
    #expect(throws: FileFault.self) { try files.makeDirectory("s/a") }
    #expect(throws: FileFault.self) { try files.open("s/a", .read) }
    #expect(throws: FileFault.self) { try files.open("s/x", .read) }
    #expect(try files.status("s/a")?.kind == .directory)
    #expect(try files.status("s/x") == nil)
    try files.unlink("s/b")
    try files.removeDirectory("s/a")
    #expect(try files.list("s") == [])
  }

  @Test("an exclusive lock shuts out others until its file is closed or its process dies")
  func locks() throws {
    let mine = try newFile("s/a")
    #expect(try mine.tryLock(exclusive: true))
    let other = try files.open("s/a", .read)
    #expect(try !other.tryLock(exclusive: false))
    mine.close()
    #expect(try other.tryLock(exclusive: true))
    files.killProcess()
    #expect(try files.open("s/a", .read).tryLock(exclusive: true))
  }
}
