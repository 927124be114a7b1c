package import HoldfastModel
import HoldfastPlatform

/// A path at which something is to be written for a user: looked at before anything is made, so
/// that what is wrong is said of the path that the user named.
package struct OutputPath {
  private let path: String
  private let files: any FileSystem

  /// A path, which need not exist.
  package init(_ path: String, _ files: any FileSystem) {
    self.path = path
    self.files = files
  }

  private var parent: String { StorePlace.parent(of: path) }

  /// Checks the place of a file.
  ///
  /// - Throws: `notFound` when its directory is not there; `invalidArgument` when that is a file,
  ///   or when the path is a directory, a device or a pipe; `conflict` when a file is there and is
  ///   not to be replaced.
  package func checkFile(replacing: Bool) throws(HoldfastError) {
    if let status = try status(path) {
      guard status.kind == .file else {
        throw invalid(
          "\(path) is \(status.kind == .directory ? "a directory" : "a device or a pipe").",
          "Give the name of a file.")
      }
      if !replacing { throw exists }
    }
    guard let above = try status(parent) else {
      throw HoldfastError(
        .notFound, "\(path) cannot be written: the directory \(parent) does not exist.",
        hint: "Make it first, or give another place.", context: ["path": path])
    }
    guard above.kind == .directory else { throw noDirectory(parent) }
  }

  /// Checks the place of a directory that is made with its parents.
  ///
  /// - Throws: `invalidArgument` when a file stands where one of them is to be.
  package func checkDirectory() throws(HoldfastError) {
    let found = try nearest()
    guard found.status.kind == .directory else { throw noDirectory(found.path) }
  }

  /// Makes the directory and its parents, durable in their turn.
  package func makeDirectories(_ environment: StoreEnvironment) throws(FileFault) {
    try StorePlace(StoreLayout(path), environment).make(path)
  }

  /// Refuses a place in a store's directory: what stands there is the store's.
  ///
  /// - Throws: `invalidArgument`.
  package func refuse(inside store: StoreLayout) throws(HoldfastError) {
    guard let home = try status(store.directory) else { return }
    try climb { place, status throws(HoldfastError) in
      guard status.device == home.device, status.inode == home.inode, home.inode != 0 else {
        return false
      }
      throw invalid(
        "\(path) lies in the store \(store.directory).", "Give a place outside of it.")
    }
  }

  /// The directory of a store in which the path lies, if any; the path itself does not count.
  package func storeAround() throws(HoldfastError) -> String? {
    var found: String?
    try climb { place, _ throws(HoldfastError) in
      guard place != path, try status(place + "/store.sqlite")?.kind == .file,
        try status(place + "/audio")?.kind == .directory
      else { return false }
      found = place
      return true
    }
    return found
  }

  /// What a fault at this path, or at a file beside it under another name, means to the user.
  package func error(_ fault: FileFault) -> HoldfastError {
    let context = ["path": path]
    switch (fault.kind, FileFault.refusal(errno: fault.errno)) {
    case (.full, _): return Self.full(path, cause: fault.description)
    case (.exists, _): return exists
    case (.denied, .rights):
      return HoldfastError(
        .failed, "\(path) cannot be written: \(fault.reason).",
        hint: "The user of this process may not \(fault.operation) \(fault.path). Give another "
          + "place, or that right.", cause: fault.description, context: context)
    case (.denied, .readOnlyFileSystem):
      return HoldfastError(
        .failed, "\(path) cannot be written: its file system is mounted read-only.",
        hint: "Give a place on another one.", cause: fault.description, context: context)
    case (.other, _), (.missing, _), (.wrongType, _):
      return HoldfastError(
        .failed, "\(path) cannot be written: \(fault.reason).", hint: "Give another place.",
        cause: fault.description, context: context)
    default: return StoreFaults.error(fault)
    }
  }

  /// There is no room for a file or a directory.
  static func full(_ path: String, cause: String?) -> HoldfastError {
    HoldfastError(
      .diskFull, "There is no room for \(path).",
      hint: "No part of it was left. Free some room, or write to another disk; then retry.",
      isRetryable: true, cause: cause, context: ["path": path])
  }

  // MARK: looking

  private var exists: HoldfastError {
    HoldfastError(
      .conflict, "\(path) is there already.", hint: "Nothing was written. Give another name.",
      context: ["path": path])
  }

  private func noDirectory(_ place: String) -> HoldfastError {
    invalid("\(path) cannot be made: \(place) is no directory.", "Give another place.")
  }

  private func invalid(_ message: String, _ hint: String) -> HoldfastError {
    HoldfastError(.invalidArgument, message, hint: hint, context: ["path": path])
  }

  private func status(_ place: String) throws(HoldfastError) -> FileStatus? {
    do { return try files.status(place) } catch { throw self.error(error) }
  }

  /// The path, or of its parents the first that is there.
  private func nearest() throws(HoldfastError) -> (path: String, status: FileStatus) {
    var place = path
    while true {
      if let found = try status(place) { return (place, found) }
      let above = StorePlace.parent(of: place)
      guard above != place else { return (place, FileStatus.nowhere) }
      place = above
    }
  }

  /// Shows the directories in which the path really lies, from the inside to the outside, whatever
  /// symbolic links lead there, until the body answers true.
  private func climb(
    _ body: (String, FileStatus) throws(HoldfastError) -> Bool
  ) throws(HoldfastError) {
    let start = try nearest()
    var place = start.status.kind == .directory ? start.path : StorePlace.parent(of: start.path)
    var last: FileStatus?
    while let found = try? files.status(place), found.kind == .directory {
      if let last, last.device == found.device, last.inode == found.inode { return }
      if try body(place, found) { return }
      last = found
      place += "/.."
    }
  }
}

extension FileStatus {
  /// What stands at the root of nothing.
  fileprivate static let nowhere = FileStatus(
    kind: .directory, size: 0, device: 0, inode: 0, mode: 0, modifiedMilliseconds: 0)
}
