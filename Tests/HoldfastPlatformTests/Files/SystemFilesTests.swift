import Foundation
import HoldfastModel
import HoldfastPlatform
import Testing

@Suite struct SystemFilesTests {
  let files = SystemFiles()
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func filesAndDirectoriesAreMadeForTheirOwnerAlone() throws {
    try files.makeDirectory(directory["d"])
    files.closing(try files.open(directory["d/f"], .create))
    #expect(try files.status(directory["d"])?.mode == 0o700)
    #expect(try files.status(directory["d"])?.kind == .directory)
    #expect(try files.status(directory["d/f"])?.mode == 0o600)
    #expect(try files.status(directory["d/f"])?.kind == .file)
  }

  @Test func statusTellsSizeIdentityAndTime() throws {
    let before = Int64(Date().timeIntervalSince1970 * 1000) - 5000
    let file = try files.open(directory["f"], .create)
    try file.write([1, 2, 3], at: 7)
    let status = try #require(try files.status(directory["f"]))
    #expect(status.size == 10)
    try files.link(directory["f"], to: directory["g"])
    #expect(try files.status(directory["g"])?.inode == status.inode)
    #expect(try files.status(directory["g"])?.device == status.device)
    #expect(status.modifiedMilliseconds > before)
  }

  @Test func whatIsNotThereIsNoStatusAndAMissingFault() throws {
    files.closing(try files.open(directory["f"], .create))
    #expect(try files.status(directory["none"]) == nil)
    #expect(try files.status(directory["f/below"]) == nil)
    #expect(kind(try files.open(directory["none"], .read)) == .missing)
    #expect(kind(try files.open(directory["f/below"], .read)) == .missing)
    #expect(kind(try files.list(directory["none"])) == .missing)
    #expect(kind(try files.unlink(directory["none"])) == .missing)
    #expect(kind(try files.syncDirectory(directory["none"])) == .missing)
    #expect(kind(try files.freeBytes(directory["none"])) == .missing)
    #expect(kind(try files.open("", .read)) == .missing)
  }

  @Test func whatIsThereAlreadyIsNotMadeAgain() throws {
    files.closing(try files.open(directory["f"], [.create, .exclusive]))
    #expect(
      kind(try files.open(directory["f"], [.create, .exclusive]))
        == .exists)
    #expect(kind(try files.makeDirectory(directory["f"])) == .exists)
    #expect(
      kind(try files.link(directory["f"], to: directory["f"])) == .exists)
    files.closing(try files.open(directory["f"], .create))
  }

  @Test func aDirectoryInAFilesPlaceIsTheWrongTypeAndTheReverse() throws {
    try files.makeDirectory(directory["d"])
    files.closing(try files.open(directory["f"], .create))
    for mode in [OpenMode.read, .write, .create] {
      #expect(kind(try files.open(directory["d"], mode)) == .wrongType)
    }
    #expect(kind(try files.list(directory["f"])) == .wrongType)
    #expect(kind(try files.removeDirectory(directory["f"])) == .wrongType)
    #expect(kind(try files.syncDirectory(directory["f"])) == .wrongType)
    #expect(
      kind(try files.rename(directory["d"], to: directory["f"]))
        == .wrongType)
    #expect(
      kind(try files.rename(directory["f"], to: directory["f/x"]))
        == .missing)
  }

  @Test("a pipe or device in a file's place is refused at once, not waited for")
  func pipes() throws {
    #expect(mkfifo(directory["p"], 0o600) == 0)
    #expect(try files.status(directory["p"])?.kind == .other)
    for mode in [OpenMode.read, .write] {
      let refused = fault(try files.open(directory["p"], mode))
      #expect(refused?.kind == .wrongType)
      #expect(refused?.reason == "Not a regular file")
    }
    #expect(kind(try files.open("/dev/full", .write)) == .wrongType)
  }

  @Test("a NUL in a path is refused; the system would take the part before it")
  func pathsWithNUL() throws {
    files.closing(try files.open(directory["f"], .create))
    let path = directory["f\0.wav"]
    #expect(fault(try files.open(path, .read))?.errno == EINVAL)
    #expect(fault(try files.status(path))?.errno == EINVAL)
    #expect(fault(try files.unlink(path))?.errno == EINVAL)
    #expect(
      fault(try files.rename(directory["f"], to: path))?.errno == EINVAL)
    #expect(try files.list(directory.path) == ["f"])
  }

  @Test func aListIsSortedAndWithoutDots() throws {
    for name in ["b", ".hidden", "a", "ä", "0001"] {
      files.closing(try files.open(directory[name], .create))
    }
    #expect(try files.list(directory.path) == [".hidden", "0001", "a", "b", "ä"])
    #expect(kind(try files.removeDirectory(directory.path)) == .other)
  }

  @Test func renameReplacesAndUnlinkFreesTheName() throws {
    let file = try files.open(directory["a"], .create)
    try file.write([1], at: 0)
    files.closing(try files.open(directory["b"], .create))
    try files.rename(directory["a"], to: directory["b"])
    #expect(try files.list(directory.path) == ["b"])
    #expect(try files.open(directory["b"], .read).read(at: 0, count: 9) == [1])
    try files.unlink(directory["b"])
    #expect(try files.list(directory.path) == [])
    #expect(try file.read(at: 0, count: 9) == [1])
    try files.makeDirectory(directory["d"])
    try files.syncDirectory(directory["d"])
    try files.removeDirectory(directory["d"])
    #expect(try files.status(directory["d"]) == nil)
  }

  @Test func aFaultOfTwoPathsNamesBoth() throws {
    let fault = fault(try files.rename(directory["a"], to: directory["b"]))
    #expect(fault?.path == "\(directory["a"]) to \(directory["b"])")
  }

  @Test func freeBytesAreThoseOfTheFileSystem() throws {
    let line = try Command.run("df --output=avail -B1 '\(directory.path)' | tail -1").output
    let told = try #require(Double(line.filter(\.isNumber)))
    let ours = Double(try files.freeBytes(directory.path))
    #expect(abs(told - ours) < 0.05 * told + 1e9)
  }

  @Test("a directory that the user may not use is denied, not missing")
  func permissions() async throws {
    files.closing(try files.open(directory["f"], .create))
    let path = directory["f"]
    let parent = directory.path
    await #expect(processExitsWith: .success) {
      [path = path as String, parent = parent as String] in
      // Root may do anything: the child becomes somebody else first, where it is root.
      if getuid() == 0 {
        #expect(chmod(parent, 0o755) == 0)
        #expect(setgid(65534) == 0 && setuid(65534) == 0)
      } else {
        #expect(chmod(path, 0) == 0 && chmod(parent, 0o500) == 0)
      }
      let files = SystemFiles()
      #expect(kind(try files.open(path, .read)) == .denied)
      #expect(kind(try files.unlink(path)) == .denied)
      #expect(kind(try files.makeDirectory(parent + "/d")) == .denied)
    }
  }
}

extension SystemFiles {
  /// Closes a file that was opened only to be there.
  func closing(_ file: any OpenFile) { file.close() }
}
