package import HoldfastModel

/// Writes a file so that under its name there is the old one, or the whole new one, whatever ends
/// the process: under a temporary name beside it, synced, then renamed.
package struct FileTarget {
  private let path: String
  private let environment: StoreEnvironment
  private let store: StoreLayout?
  private var output: OutputPath { OutputPath(path, environment.files) }

  /// A target at a path.
  ///
  /// - Parameter store: the store that the file comes from, into which it must not be written.
  package init(_ path: String, _ environment: StoreEnvironment, outside store: StoreLayout? = nil) {
    self.path = path
    self.environment = environment
    self.store = store
  }

  /// Looks whether a file can be put there, as far as that can be known without trying.
  ///
  /// - Throws: as ``OutputPath/checkFile(replacing:)`` and ``OutputPath/refuse(inside:)``.
  package func check(replacing: Bool) throws(HoldfastError) {
    if let store { try output.refuse(inside: store) }
    try output.checkFile(replacing: replacing)
  }

  /// Runs the body on a sink, then puts the file in its place.
  ///
  /// - Parameters:
  ///   - replacing: whether a file that is there is replaced.
  ///   - body: writes the file's bytes.
  /// - Returns: what the body answered.
  /// - Throws: as ``check(replacing:)``, and nothing is written then; what the body throws;
  ///   `diskFull` and other faults of the files, said of this path. No part of a file is left.
  package func write<T>(
    replacing: Bool, _ body: (FileSink) throws(HoldfastError) -> T
  ) throws(HoldfastError) -> T {
    let files = environment.files
    try check(replacing: replacing)
    // Not the file's name and more: that could be too long where the name itself is not.
    let name = "holdfast-\(Hex.encode(environment.random.bytes(8))).part"
    let part = "\(StorePlace.parent(of: path))/\(name)"
    let file: any OpenFile
    do { file = try files.open(part, [.write, .create, .exclusive]) } catch {
      throw output.error(error)
    }
    do throws(HoldfastError) {
      defer { file.close() }
      let result = try body(FileSink(file, output))
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
    } catch { throw output.error(error) }
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
}
