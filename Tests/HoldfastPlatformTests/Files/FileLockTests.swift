import Foundation
import HoldfastModel
import HoldfastPlatform
import Testing

/// J7, L1: a lock is a fact between processes, and the system gives it back when its holder dies.
@Suite(.enabled(if: Command.exists("flock"), "needs flock(1) of util-linux"))
struct FileLockTests {
  let files = SystemFiles()
  let directory: TemporaryDirectory
  var path: String { directory["lock"] }

  init() throws { directory = try TemporaryDirectory() }

  /// Whether another process gets the lock now.
  private func otherGets(_ kind: String) throws -> Bool {
    try Command.run("flock -n \(kind) '\(path)' true").code == 0
  }

  @Test func anExclusiveLockKeepsAnotherProcessOut() throws {
    let file = try files.open(path, .create)
    #expect(try file.tryLock(exclusive: true))
    #expect(try !otherGets("-x"))
    #expect(try !otherGets("-s"))
    file.unlock()
    #expect(try otherGets("-x"))
    #expect(try file.tryLock(exclusive: true))
    file.close()
    #expect(try otherGets("-x"))
  }

  @Test func sharedLocksStandSideBySide() throws {
    let file = try files.open(path, .create)
    #expect(try file.tryLock(exclusive: false))
    #expect(try otherGets("-s"))
    #expect(try !otherGets("-x"))
  }

  @Test func aLockOfAnotherProcessIsSeenAndEndsWithItByKill() throws {
    let file = try files.open(path, .create)
    let (holder, input) = try Command.start("exec 9<>'\(path)'; flock 9; echo held; exec cat")
    #expect(try !file.tryLock(exclusive: true))
    #expect(try !file.tryLock(exclusive: false))
    kill(holder.processIdentifier, SIGKILL)
    holder.waitUntilExit()
    #expect(try file.tryLock(exclusive: true))
    try input.fileHandleForWriting.close()
  }

  @Test("two opens of one file in one process are two holders")
  func twoOpens() throws {
    let first = try files.open(path, .create)
    let second = try files.open(path, .write)
    #expect(try first.tryLock(exclusive: true))
    #expect(try !second.tryLock(exclusive: true))
    first.close()
    #expect(try second.tryLock(exclusive: true))
  }
}
