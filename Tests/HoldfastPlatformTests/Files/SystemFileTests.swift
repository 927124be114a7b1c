import Foundation
import HoldfastModel
import HoldfastPlatform
import Testing

@Suite struct SystemFileTests {
  let files = SystemFiles()
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("what was written is read back, as in an array that stands for the file", arguments: 1...4)
  func readsAndWrites(seed: UInt64) throws {
    var random = Seeded(seed)
    let file = try files.open(directory["f"], .create)
    var model: [UInt8] = []
    for _ in 0..<200 {
      let offset = Int.random(in: 0...60_000, using: &random)
      let bytes = random.bytes(Int.random(in: 0...5000, using: &random))
      switch UInt8.random(in: 0..<4, using: &random) {
      case 0:
        try file.truncate(to: UInt64(offset))
        model = Array((model + [UInt8](repeating: 0, count: offset)).prefix(offset))
      case 1:
        let read = try file.read(at: UInt64(offset), count: Int64(bytes.count))
        #expect(read == Array(model.dropFirst(offset).prefix(bytes.count)))
      default:
        try file.write(bytes, at: UInt64(offset))
        guard !bytes.isEmpty else { continue }
        model += [UInt8](repeating: 0, count: max(0, offset + bytes.count - model.count))
        model.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      }
    }
    #expect(try file.size() == UInt64(model.count))
    #expect(try file.read(at: 0, count: .max) == model)
  }

  @Test(
    "parts are written one after the other, however many, empty ones too",
    arguments: [0, 1, 2, 127, 128, 129, 400])
  func writesParts(count: Int) throws {
    var random = Seeded(UInt64(count))
    let file = try files.open(directory["f"], .create)
    let parts = (0..<count).map { _ in
      random.bytes(max(0, Int.random(in: -200...900, using: &random)))
    }
    try file.write([9, 9, 9, 9, 9], at: 0)
    try file.write(parts: parts, at: 3)
    let all = Array(parts.joined())
    let expected = [9, 9, 9] + all + [9, 9].dropFirst(all.count)
    #expect(try file.read(at: 0, count: .max) == expected)
    #expect(kind(try file.write(parts: [[1]], at: .max)) == .full)
  }

  @Test func aBufferIsFilledUpToTheEndOfTheFile() throws {
    let file = try files.open(directory["f"], .create)
    try file.write([1, 2, 3, 4, 5], at: 0)
    var buffer = [UInt8](repeating: 9, count: 4)
    #expect(try file.read(at: 1, into: &buffer) == 4)
    #expect(buffer == [2, 3, 4, 5])
    #expect(try file.read(at: 3, into: &buffer) == 2)
    #expect(buffer == [4, 5, 4, 5])
    #expect(try file.read(at: 5, into: &buffer) == 0)
    var none: [UInt8] = []
    #expect(try file.read(at: 0, into: &none) == 0)
  }

  @Test("a damaged length or offset asks for no memory and fails without the system's help")
  func absurdNumbers() throws {
    let file = try files.open(directory["f"], .create)
    try file.write([7], at: 0)
    #expect(try file.read(at: 0, count: .max) == [7])
    #expect(try file.read(at: 0, count: -1) == [])
    #expect(try file.read(at: .max, count: 10) == [])
    #expect(try file.read(at: .max, count: .max) == [])
    #expect(kind(try file.write([1], at: .max)) == .full)
    #expect(kind(try file.write([1], at: 1 << 63)) == .full)
    #expect(kind(try file.truncate(to: .max)) == .full)
    #expect(kind(try file.allocate(.max)) == .full)
    #expect(try file.size() == 1)
  }

  @Test func aFileOpenedForReadingIsNotWritten() throws {
    files.closing(try files.open(directory["f"], .create))
    let file = try files.open(directory["f"], .read)
    #expect(fault(try file.write([1], at: 0))?.errno == EBADF)
    #expect(try file.size() == 0)
  }

  @Test func everyCallOnAClosedFileFailsAndClosingAgainDoesNothing() throws {
    let file = try files.open(directory["f"], .create)
    file.close()
    // A descriptor of the same number must stay untouched.
    let other = try files.open(directory["other"], .create)
    file.close()
    file.unlock()
    var buffer: [UInt8] = [0]
    #expect(fault(try file.write([1], at: 0))?.errno == EBADF)
    #expect(fault(try file.read(at: 0, count: 1))?.errno == EBADF)
    #expect(fault(try file.read(at: 0, count: 0))?.errno == EBADF)
    #expect(fault(try file.read(at: 0, into: &buffer))?.errno == EBADF)
    #expect(fault(try file.sync())?.errno == EBADF)
    #expect(fault(try file.size())?.errno == EBADF)
    #expect(fault(try file.allocate(9))?.errno == EBADF)
    #expect(fault(try file.truncate(to: 0))?.errno == EBADF)
    #expect(fault(try file.tryLock(exclusive: true))?.errno == EBADF)
    #expect(try other.size() == 0)
    try other.write([1], at: 0)
    try other.sync()
  }

  @Test func aFileThatIsLetGoIsClosed() throws {
    let path = directory["gone"]
    func isOpen() throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
      }
    }
    do {
      let file = try files.open(path, .create)
      #expect(try isOpen())
      _ = try file.size()
    }
    #expect(try !isOpen())
  }

  @Test func reservedRoomIsThereReadsAsZerosAndKeepsWhatWasThere() throws {
    let file = try files.open(directory["f"], .create)
    try file.write([1, 2, 3], at: 0)
    try file.allocate(100_000)
    #expect(try file.size() == 100_000)
    var status = stat()
    #expect(stat(directory["f"], &status) == 0)
    #expect(status.st_blocks * 512 >= 100_000)
    #expect(try file.read(at: 0, count: 4) == [1, 2, 3, 0])
    try file.allocate(10)
    try file.allocate(0)
    #expect(try file.size() == 100_000)
  }

  @Test("a program started by this process gets none of our descriptors")
  func childrenInheritNothing() throws {
    let file = try files.open(directory["ours"], .create)
    // A descriptor made without care is the proof that the child would show ours.
    let careless = open(directory["careless"], O_CREAT | O_RDWR, 0o600)
    defer { close(careless) }
    #expect(system("ls -l /proc/self/fd > '\(directory["seen"])'") == 0)
    let seen = try String(contentsOfFile: directory["seen"], encoding: .utf8)
    #expect(seen.contains("/careless"))
    #expect(!seen.contains("/ours"))
    #expect(try file.size() == 0)
  }
}
