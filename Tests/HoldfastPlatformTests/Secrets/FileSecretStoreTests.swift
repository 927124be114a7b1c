import Foundation
import HoldfastModel
import HoldfastPlatform
import Testing

@Suite struct FileSecretStoreTests {
  let directory: TemporaryDirectory
  var path: String { directory["secrets"] }
  var store: FileSecretStore { FileSecretStore(directory: path) }

  init() throws { directory = try TemporaryDirectory() }

  @Test func aSecretIsKeptUntilItIsReplacedOrRemoved() throws {
    #expect(try store.secret(named: "key") == nil)
    #expect(try store.add([1, 2], named: "key") == [1, 2])
    #expect(try store.add([3], named: "key") == [1, 2])
    #expect(try store.secret(named: "key") == [1, 2])
    try store.replace([4], named: "key")
    #expect(try store.secret(named: "key") == [4])
    try store.replace([], named: "empty")
    #expect(try store.secret(named: "empty") == [])
    try store.remove(named: "key")
    try store.remove(named: "key")
    #expect(try store.secret(named: "key") == nil)
    #expect(try SystemFiles().list(path) == ["empty"])
  }

  @Test func removingWhereNothingWasEverKeptDoesNothing() throws {
    try store.remove(named: "key")
    #expect(try SystemFiles().status(path) == nil)
  }

  @Test func filesAndDirectoryAreTheirOwnersAlone() throws {
    _ = try store.add([1], named: "key")
    #expect(try SystemFiles().status(path)?.mode == 0o700)
    #expect(try SystemFiles().status(path + "/key")?.mode == 0o600)
  }

  @Test(
    "a name that is no plain file name is refused",
    arguments: [
      "", ".", "..", "a/b", "../key", "a.b", "ä", "a b", "a\0b", String(repeating: "a", count: 65),
    ])
  func names(name: String) throws {
    #expect(fault(try store.secret(named: name))?.errno == EINVAL)
    #expect(fault(try store.add([1], named: name))?.errno == EINVAL)
    #expect(fault(try store.replace([1], named: name))?.errno == EINVAL)
    #expect(fault(try store.remove(named: name))?.errno == EINVAL)
    #expect(try SystemFiles().list(directory.path) == [])
  }

  @Test func aSecretIsSyncedBeforeItHasItsNameAndTheNameBeforeTheAnswer() throws {
    let files = ScriptedFiles()
    let store = FileSecretStore(directory: path, files: files)
    _ = try store.add([1], named: "key")
    #expect(
      files.log == [
        "make directory", "sync parent", "create", "write", "sync", "link", "unlink",
        "sync directory",
      ])
    let next = ScriptedFiles()
    try FileSecretStore(directory: path, files: next).replace([2], named: "key")
    #expect(next.log.suffix(5) == ["create", "write", "sync", "rename", "sync directory"])
  }

  @Test(
    "whatever step fails, the name holds the old bytes or the new ones, whole",
    arguments: 0...9 as ClosedRange<UInt64>)
  func faults(step: UInt64) throws {
    let old = [UInt8](repeating: 1, count: 1000)
    let new = [UInt8](repeating: 2, count: 2000)
    let stumbling = FileSecretStore(directory: path, files: ScriptedFiles(changes: step))
    let addition = fault(try stumbling.add(old, named: "added"))
    let added = try store.secret(named: "added")
    #expect(added == nil || added == old)
    #expect(addition != nil || added == old)

    _ = try store.add(old, named: "replaced")
    let again = FileSecretStore(directory: path, files: ScriptedFiles(changes: step))
    let replacement = fault(try again.replace(new, named: "replaced"))
    let replaced = try store.secret(named: "replaced")
    #expect(replaced == old || replaced == new)
    #expect(replacement != nil || replaced == new)

    // What a cut left under other names goes with the secret.
    try store.remove(named: "added")
    try store.remove(named: "replaced")
    #expect(try SystemFiles().list(path) == [])
  }

  @Test func manyThatMakeOneSecretAtOnceAgreeOnIt() throws {
    let path = path
    for round in 0..<20 {
      let answers = Locked<[[UInt8]]>([])
      try together(
        (0..<4).map { _ in
          {
            let store = FileSecretStore(directory: path)
            let answer = try? store.add(SystemRandom().bytes(32), named: "key\(round)")
            answers.withLock { $0.append(answer ?? []) }
          }
        })
      let kept = try store.secret(named: "key\(round)")
      #expect(answers.withLock { $0 } == [[UInt8]](repeating: kept ?? [0], count: 4))
    }
    #expect(try SystemFiles().list(path).count == 20)
  }
}
