package import HoldfastModel

/// What stands where a chunk should be.
package enum ChunkReading: Hashable, Sendable {
  /// The payload. Its hash was compared if that was asked for.
  case ok([UInt8])
  /// The header is wrong: damaged, or of another chunk. The payload is given when it stands there
  /// all the same, which its SHA-256 in the index proves.
  case damagedHeader(intactPayload: [UInt8]?)
  /// The header is right and the payload is not what it says.
  case damagedPayload
  /// There is no such file.
  case absent
  /// The file ends inside the chunk, or before it.
  case cut

  /// The payload, when there is one that may be used.
  package var payload: [UInt8]? {
    switch self {
    case .ok(let payload), .damagedHeader(.some(let payload)): payload
    default: nil
    }
  }
}

/// Reads one reel of any origin. The file is opened at the first use, and kept open.
///
/// Invariant: no byte of a file is trusted before its check, and no length before it was compared
/// with the file's size and the payload limit. Not thread-safe; every call blocks on the disk.
package final class ReelReader {
  private let path: String
  private let files: any FileSystem
  private let hashing: any Hashing
  private let limits: ReelLimits
  private var file: (any OpenFile)?

  /// A reader of the file at a path.
  package init(
    path: String, files: any FileSystem, hashing: any Hashing, limits: ReelLimits = .standard
  ) {
    self.path = path
    self.files = files
    self.hashing = hashing
    self.limits = limits
  }

  /// A reader of a reel of the store in a directory.
  package convenience init(
    directory: String, reel: ReelPath, files: any FileSystem, hashing: any Hashing,
    limits: ReelLimits = .standard
  ) {
    self.init(path: "\(directory)/\(reel)", files: files, hashing: hashing, limits: limits)
  }

  deinit { file?.close() }

  /// Closes the file; the next use opens it again.
  package func close() {
    file?.close()
    file = nil
  }

  /// What the reel says about itself.
  ///
  /// - Throws: `absent`, `denied`, `foreign`, `newerVersion`, `damaged`, `cut`, `medium`, `failed`.
  package func header() throws(ReelFault) -> ReelHeader {
    try ReelHeader.read(from: try opened()).header
  }

  /// Reads a chunk that the index knows.
  ///
  /// - Parameters:
  ///   - record: the chunk's row.
  ///   - verify: whether header and payload are compared with the row. Without, the payload's bytes
  ///     are answered as they are.
  /// - Throws: `denied`, `medium`, `failed`: it cannot be said what stands there.
  package func readChunk(
    _ record: ChunkRecord, verify: Bool
  ) throws(ReelFault) -> ChunkReading {
    guard let file = try openedIfPresent() else { return .absent }
    do throws(FileFault) {
      let size = try file.size()
      guard record.offset <= size, record.end <= size else { return .cut }
      guard UInt64(record.length) <= limits.payloadBytes else { return .damagedPayload }
      let payload = try file.read(at: record.payloadOffset, count: Int64(record.length))
      guard payload.count == Int(record.length) else { return .cut }
      guard verify else { return .ok(payload) }
      let head = try file.read(at: record.offset, count: Int64(ChunkHeader.byteCount))
      let header = ChunkHeader(decoding: head[...])
      let isIntact = hashing.sha256(payload) == record.sha256
      guard let header, ChunkRecord(header, at: record.offset) == record else {
        return .damagedHeader(intactPayload: isIntact ? payload : nil)
      }
      return isIntact ? .ok(payload) : .damagedPayload
    } catch {
      throw ReelFault(error)
    }
  }

  /// Reads the chunk whose frame begins at an offset, going by its own header.
  ///
  /// - Parameters:
  ///   - offset: where the frame begins.
  ///   - owner: the take and reel that it must be of.
  ///   - verify: whether the payload's hash is compared.
  /// - Throws: as ``readChunk(_:verify:)``.
  package func readChunk(
    at offset: UInt64, of owner: ReelPath, verify: Bool
  ) throws(ReelFault) -> ChunkReading {
    guard let file = try openedIfPresent() else { return .absent }
    let head: [UInt8]
    do throws(FileFault) {
      guard offset <= (try file.size()) else { return .cut }
      head = try file.read(at: offset, count: Int64(ChunkHeader.byteCount))
    } catch {
      throw ReelFault(error)
    }
    guard head.count == Int(ChunkHeader.byteCount) else { return .cut }
    guard let header = ChunkHeader(decoding: head[...]), header.take == owner.take,
      header.reel == owner.reel, UInt64(header.length) <= limits.payloadBytes
    else { return .damagedHeader(intactPayload: nil) }
    return try readChunk(ChunkRecord(header, at: offset), verify: verify)
  }

  private func openedIfPresent() throws(ReelFault) -> (any OpenFile)? {
    do throws(ReelFault) {
      return try opened()
    } catch {
      if error.code == .absent { return nil }
      throw error
    }
  }

  private func opened() throws(ReelFault) -> any OpenFile {
    if let file { return file }
    do throws(FileFault) {
      let opened = try files.open(path, .read)
      file = opened
      return opened
    } catch {
      throw ReelFault(error)
    }
  }
}
