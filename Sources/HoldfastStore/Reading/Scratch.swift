package import HoldfastModel

/// A private directory for files that others must find by their names: copies of databases, the
/// sound of a unit of work.
///
/// Invariant: each is locked by the process that made it, for as long as it lives. What a killed
/// one left is removed by whoever makes the next.
package struct Scratch {
  /// The directory.
  package let path: String
  private let lock: any OpenFile
  private let files: any FileSystem
  private static let prefix = "holdfast-"
  private static let lockName = "lock"

  /// Makes one in the directory for temporary files.
  package init(_ temporary: String, _ environment: StoreEnvironment) throws(HoldfastError) {
    let parent = StoreLayout(temporary).directory
    let files = environment.files
    Self.sweep(parent, files)
    do throws(FileFault) {
      var made = try Self.make(parent, environment)
      // Somebody swept it between its making and its locking.
      while try !made.lock.tryLock(exclusive: true) {
        made.lock.close()
        made = try Self.make(parent, environment)
      }
      (path, lock) = made
    } catch {
      let fault = StoreFaults.error(error)
      throw HoldfastError(
        fault.code, "A private directory for temporary files is needed. \(fault.message)",
        hint: "Let TMPDIR name a directory that can be written, with room in it.",
        isRetryable: fault.isRetryable, cause: fault.cause, context: fault.context)
    }
    self.files = files
  }

  private static func make(
    _ parent: String, _ environment: StoreEnvironment
  ) throws(FileFault) -> (path: String, lock: any OpenFile) {
    let path = "\(parent)/\(prefix)\(Hex.encode(environment.random.bytes(8)))"
    let files = environment.files
    try files.makeDirectory(path)
    do throws(FileFault) {
      return (path, try files.open("\(path)/\(lockName)", [.write, .create, .exclusive]))
    } catch {
      remove(path, files)
      throw error
    }
  }

  /// Removes it with what was made there.
  package func remove() {
    Self.remove(path, files)
    lock.close()
  }

  /// Not recursive: nothing else can be in it. The lock goes last, so that a death in between
  /// leaves what can be told from the work of a living process.
  private static func remove(_ path: String, _ files: any FileSystem) {
    let names = (try? files.list(path)) ?? []
    for name in names where name != lockName { try? files.unlink("\(path)/\(name)") }
    try? files.unlink("\(path)/\(lockName)")
    try? files.removeDirectory(path)
  }

  /// Removes what processes left that died with one. One that has no lock yet is being made.
  private static func sweep(_ parent: String, _ files: any FileSystem) {
    let names = ((try? files.list(parent)) ?? []).filter { name in
      name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 16
        && name.dropFirst(prefix.count).utf8.allSatisfy { Hex.value(of: $0) != nil }
    }
    for name in names {
      let path = "\(parent)/\(name)"
      guard let lock = try? files.open("\(path)/\(lockName)", .write) else { continue }
      if (try? lock.tryLock(exclusive: true)) == true { remove(path, files) }
      lock.close()
    }
  }
}
