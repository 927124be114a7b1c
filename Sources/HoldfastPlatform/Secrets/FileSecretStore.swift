package import HoldfastModel

/// Secrets as files: one of mode 0600 a name, in a directory of mode 0700.
///
/// A secret is written to a draft of a random name, synced, and given its name in one step; then
/// the directory is synced. A draft that a power cut leaves goes with ``remove(named:)``.
package struct FileSecretStore: SecretStore {
  private let directory: String
  private let files: any FileSystem
  private let random: any RandomSource

  /// The secrets in a directory, which is made with the first of them (its parent must be there).
  package init(
    directory: String, files: any FileSystem = SystemFiles(),
    random: any RandomSource = SystemRandom()
  ) {
    self.directory = directory
    self.files = files
    self.random = random
  }

  package func secret(named name: String) throws(FileFault) -> [UInt8]? {
    try SecretNames.check(name)
    let file: any OpenFile
    do throws(FileFault) {
      file = try files.open(path(name), .read)
    } catch {
      guard error.kind == .missing else { throw error }
      return nil
    }
    defer { file.close() }
    return try file.read(at: 0, count: Int64(clamping: file.size()))
  }

  package func add(_ bytes: [UInt8], named name: String) throws(FileFault) -> [UInt8] {
    if let earlier = try secret(named: name) { return try settled(earlier) }
    let draft = try writeDraft(bytes, name)
    do throws(FileFault) {
      try files.link(draft, to: path(name))
    } catch {
      try? files.unlink(draft)
      guard error.kind == .exists, let earlier = try secret(named: name) else { throw error }
      return try settled(earlier)
    }
    try files.unlink(draft)
    return try settled(bytes)
  }

  package func replace(_ bytes: [UInt8], named name: String) throws(FileFault) {
    try SecretNames.check(name)
    let draft = try writeDraft(bytes, name)
    do throws(FileFault) {
      try files.rename(draft, to: path(name))
    } catch {
      try? files.unlink(draft)
      throw error
    }
    try files.syncDirectory(directory)
  }

  package func remove(named name: String) throws(FileFault) {
    try SecretNames.check(name)
    guard try files.status(directory) != nil else { return }
    for entry in try files.list(directory) where entry == name || entry.hasPrefix(".\(name).") {
      try files.unlink("\(directory)/\(entry)")
    }
    try files.syncDirectory(directory)
  }

  /// A secret that was found may come from a process that has not synced its name yet.
  private func settled(_ bytes: [UInt8]) throws(FileFault) -> [UInt8] {
    try files.syncDirectory(directory)
    return bytes
  }

  /// Writes and syncs the bytes under a name that nothing else has.
  private func writeDraft(_ bytes: [UInt8], _ name: String) throws(FileFault) -> String {
    try makeDirectory()
    let draft = "\(directory)/.\(name).\(Hex.encode(random.bytes(8)))"
    let file = try files.open(draft, [.create, .exclusive])
    defer { file.close() }
    do throws(FileFault) {
      try file.write(bytes, at: 0)
      try file.sync()
    } catch {
      try? files.unlink(draft)
      throw error
    }
    return draft
  }

  private func makeDirectory() throws(FileFault) {
    do throws(FileFault) {
      try files.makeDirectory(directory)
    } catch {
      guard error.kind == .exists else { throw error }
    }
    try files.syncDirectory("\(directory)/..")
  }

  private func path(_ name: String) -> String { "\(directory)/\(name)" }
}
