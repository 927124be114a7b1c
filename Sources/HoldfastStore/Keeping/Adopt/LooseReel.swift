package import HoldfastModel

/// A reel that lies anywhere: what it says, and the whole chunks in it.
struct LooseReel {
  /// Where it lies.
  let path: String
  /// What it says about itself; nil when that cannot be read.
  let header: ReelHeader?
  /// The take and number that its frames were written for.
  let owner: ReelPath
  /// Whole chunks, in the order of the file.
  let records: [ChunkRecord]
  /// Parts of it that hold no whole chunk.
  let damaged: UInt64

  /// Reads a file as a reel.
  ///
  /// - Throws: what keeps it from being one: `foreign`, `newerVersion`, `damaged` when neither its
  ///   header nor any chunk can be read, and faults of the file.
  init(_ path: String, _ environment: StoreEnvironment) throws(ReelFault) {
    let file: any OpenFile
    do throws(FileFault) { file = try environment.files.open(path, .read) } catch {
      throw ReelFault(error)
    }
    defer { file.close() }
    var found: ReelHeaderFrame?
    var fault: ReelFault?
    do throws(ReelFault) { found = try ReelHeader.read(from: file) } catch {
      if error.code == .newerVersion { throw error }
      fault = error
    }
    var records: [ChunkRecord] = []
    var damaged: UInt64 = fault == nil ? 0 : 1
    do throws(FileFault) {
      var scan = try ReelScan(
        file: file, owner: found?.header.path, from: found?.byteCount ?? 0,
        hashing: environment.hashing)
      while let item = try scan.next() {
        if case .chunk(let record) = item { records.append(record) } else { damaged += 1 }
      }
    } catch { throw ReelFault(error) }
    let frames = records.first.map { ReelPath(take: $0.take, reel: $0.reel) }
    guard let owner = found?.header.path ?? frames else {
      throw fault ?? ReelFault(.damaged, "No chunk in \(path) can be read.")
    }
    self.path = path
    header = found?.header
    self.owner = owner
    self.records = records
    self.damaged = damaged
  }
}

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
