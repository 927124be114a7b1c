package import HoldfastModel

/// Writes a file so that under its name there is the old one, or the whole new one, whatever ends
/// the process: under a temporary name beside it, synced, then renamed.
package struct FileTarget {
  private let path: String
  private let environment: StoreEnvironment

  /// A target at a path.
  package init(_ path: String, _ environment: StoreEnvironment) {
    self.path = path
    self.environment = environment
  }

  /// Runs the body on a sink, then puts the file in its place.
  ///
  /// - Parameters:
  ///   - replacing: whether a file that is there is replaced.
  ///   - body: writes the file's bytes.
  /// - Returns: what the body answered.
  /// - Throws: `conflict` when something is there and is not to be replaced (nothing is written
  ///   then); what the body throws; `diskFull` and other faults of the files. No part of a file is
  ///   left.
  package func write<T>(
    replacing: Bool, _ body: (FileSink) throws(HoldfastError) -> T
  ) throws(HoldfastError) -> T {
    let files = environment.files
    if !replacing { try refuseExisting() }
    let part = "\(path).\(Hex.encode(environment.random.bytes(4))).part"
    let file: any OpenFile
    do { file = try files.open(part, [.write, .create, .exclusive]) } catch {
      throw StoreFaults.error(error)
    }
    do throws(HoldfastError) {
      defer { file.close() }
      let result = try body(FileSink(file))
      try settle(file, part, replacing: replacing)
      return result
    } catch {
      try? files.unlink(part)
      throw error
    }
  }

  private func settle(
    _ file: any OpenFile, _ part: String, replacing: Bool
  ) throws(HoldfastError) {
    let files = environment.files
    do throws(FileFault) {
      try file.sync()
      if replacing {
        try files.rename(part, to: path)
      } else {
        try name(part)
      }
      try files.syncDirectory(StorePlace.parent(of: path))
    } catch {
      if error.kind == .exists { throw Self.exists(path) }
      throw StoreFaults.error(error)
    }
  }

  /// Gives the file its name unless that is taken. A second name cannot be given on every file
  /// system; there, a look has to do.
  private func name(_ part: String) throws(FileFault) {
    let files = environment.files
    do throws(FileFault) {
      try files.link(part, to: path)
      try files.unlink(part)
    } catch {
      guard error.kind != .exists, error.kind != .full, try files.status(path) == nil else {
        throw error
      }
      try files.rename(part, to: path)
    }
  }

  private func refuseExisting() throws(HoldfastError) {
    do {
      guard try environment.files.status(path) != nil else { return }
    } catch { throw StoreFaults.error(error) }
    throw Self.exists(path)
  }

  private static func exists(_ path: String) -> HoldfastError {
    HoldfastError(
      .conflict, "\(path) is there already.",
      hint: "Nothing was written. Give another name, or "
        + "--force.", context: ["path": path])
  }
}
