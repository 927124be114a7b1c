package import HoldfastModel

/// Which of given paths are reels.
package struct AdoptionPaths: Sendable {
  /// Files that are reels, or were once: by their first bytes, or by where they lie.
  package private(set) var reels: [String] = []
  /// Every other file: audio perhaps, to be imported.
  package private(set) var others: [String] = []
  /// What cannot be looked at, each with the reason; the others are not held up by it.
  package private(set) var faults: [Fault] = []

  /// A path that cannot be looked at.
  package struct Fault: Sendable {
    /// As it was given, or found in a directory.
    package var path: String
    /// `notFound`, `protectedDataUnavailable` …
    package var error: HoldfastError
  }

  /// Directories of a store lie at most three deep: store, `audio/`, take.
  private static let deepest: UInt32 = 3

  /// Sorts files, and the files in directories: of takes, of a whole store's `audio/`, or others.
  package init(_ paths: [String], _ environment: StoreEnvironment) {
    for path in paths { note(path, depth: 0, environment.files) }
  }

  private mutating func note(_ path: String, depth: UInt32, _ files: any FileSystem) {
    do throws(FileFault) { try add(path, depth: depth, files) } catch {
      faults.append(Fault(path: path, error: StoreFaults.error(error)))
    }
  }

  private mutating func add(
    _ path: String, depth: UInt32, _ files: any FileSystem
  ) throws(FileFault) {
    guard let status = try files.status(path) else {
      throw FileFault(
        kind: .missing, operation: "look at", path: path, errno: 0, reason: "nothing is there")
    }
    switch status.kind {
    case .file:
      if try isReel(path, files) { reels.append(path) } else { others.append(path) }
    case .directory:
      guard depth < Self.deepest else { return }
      // Of a store only the audio: its database is no reel and no audio file.
      let audio = "\(path)/\(ReelPath.audioDirectory)"
      if depth == 0, try files.status(audio)?.kind == .directory {
        return try add(audio, depth: 1, files)
      }
      for name in try files.list(path) { note("\(path)/\(name)", depth: depth + 1, files) }
    case .other: others.append(path)
    }
  }

  private func isReel(_ path: String, _ files: any FileSystem) throws(FileFault) -> Bool {
    let file = try files.open(path, .read)
    defer { file.close() }
    do throws(ReelFault) {
      _ = try ReelHeader.read(from: file)
      return true
    } catch {
      guard error.code == .foreign else {
        return [.damaged, .cut, .newerVersion].contains(error.code)
      }
    }
    let parts = path.split(separator: "/").suffix(2)
    return parts.count == 2
      && ReelPath("\(ReelPath.audioDirectory)/\(parts.joined(separator: "/"))") != nil
  }
}
