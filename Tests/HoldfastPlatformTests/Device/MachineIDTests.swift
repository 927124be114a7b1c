import HoldfastModel
import Testing

@testable import HoldfastPlatform

/// S7: the machine is told from another by a file that may be absent, empty or unreadable.
@Suite struct MachineIDTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func write(_ text: String, _ name: String) throws {
    try SystemFiles().open(directory[name], .create).write(Array(text.utf8), at: 0)
  }

  private func id(_ names: String...) throws -> [UInt8] {
    try HostIdentity.machineID(in: names.map { directory[$0] }, files: SystemFiles())
  }

  @Test func twoMachinesDiffer() throws {
    try write("0123456789abcdef0123456789abcdef\n", "one")
    try write("0123456789abcdef0123456789abcdee\n", "other")
    #expect(try id("one") == id("one"))
    #expect(try id("one") != id("other"))
    #expect(try id("one").count == 32)
  }

  @Test func aFileWithoutAnIdIsPassedOver() throws {
    try write("uninitialized\n", "first")
    try write("", "second")
    try write("0123456789abcdef0123456789abcdef", "third")
    #expect(try id("none", "first", "second", "third") == id("third"))
    #expect(try id("none", "first", "second") == [])
  }

  @Test func aFileThatCannotBeReadNowIsNoAbsentFile() throws {
    try SystemFiles().makeDirectory(directory["first"])
    try write("0123456789abcdef0123456789abcdef", "second")
    #expect(kind(try id("first", "second")) == .wrongType)
  }
}
