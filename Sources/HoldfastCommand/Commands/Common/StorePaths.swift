import Foundation
import Holdfast

/// Looks at the path of a store before it is opened, so that a mistake in it is said in its words.
extension CommandContext {
  /// The directory of a store that must be there.
  ///
  /// - Throws: `invalidArgument` for what cannot be a store; `noStore`, naming the store in whose
  ///   directory the path lies.
  func existingStore() throws(HoldfastError) -> String {
    let path = try storeDirectory()
    let database = try status(path + "/store.sqlite", of: path)
    if database == nil, try status(path, of: path)?.kind == .directory,
      let store = try OutputPath(path, SystemFiles()).storeAround()
    {
      throw HoldfastError(
        .noStore, "\(path) is a directory in the store \(Self.resolved(store)).",
        hint: "Give that one with --store.", context: ["path": path])
    }
    return path
  }

  /// The directory of a store that is made when it is not there.
  ///
  /// - Throws: `invalidArgument` when none can be made there, or when it would lie in another one.
  func newStore() throws(HoldfastError) -> String {
    let path = try existingStore()
    guard try status(path, of: path) == nil else { return path }
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      throw HoldfastError(
        .invalidArgument, "\(path) is a symbolic link to \(target), which is not there.",
        hint: "Make that directory, or give another place with --store.",
        context: ["path": path])
    }
    let place = OutputPath(path, SystemFiles())
    try place.checkDirectory()
    if let store = try place.storeAround() {
      throw HoldfastError(
        .invalidArgument, "\(path) would lie in the store \(Self.resolved(store)).",
        hint: "Give that one with --store, or a place outside of it.", context: ["path": path])
    }
    return path
  }

  /// What stands at a path; a path that no file system takes is a mistake in the words.
  private func status(_ path: String, of store: String) throws(HoldfastError) -> FileStatus? {
    do throws(FileFault) { return try SystemFiles().status(path) } catch {
      guard error.errno == ENAMETOOLONG else { throw StoreFaults.error(error) }
      throw HoldfastError(
        .invalidArgument, "The path of the store is too long: \(store.utf8.count) bytes.",
        hint: "Give another place with --store.", cause: error.description)
    }
  }

  /// The path without the steps up that led there.
  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}
