import HoldfastModel

/// Brings a loose reel, or chunks of it, into the store's audio.
///
/// Invariant (J2): when a call returned, the bytes are on the medium, compared, and durably named.
struct ReelCopy {
  private let writer: StoreWriter
  private var files: any FileSystem { writer.environment.files }
  /// Bytes of payload that are written together.
  private static let groupBytes: UInt64 = 1 << 20

  /// Copies into the store of a writer.
  init(_ writer: StoreWriter) { self.writer = writer }

  /// Whether a reel stands where its frames say.
  enum Placing {
    /// It does: it was copied, or lay there already.
    case placed
    /// Another file has its name.
    case taken
  }

  /// Copies a reel as it is to where its frames say that it belongs, if that place is free.
  func place(_ reel: LooseReel) throws(HoldfastError) -> Placing {
    let target = "\(writer.layout.directory)/\(reel.owner)"
    do throws(FileFault) {
      if let there = try files.status(target) {
        let given = try files.status(reel.path)
        let isSame = given?.device == there.device && given?.inode == there.inode
        return isSame ? .placed : .taken
      }
      try StorePlace(writer.layout, writer.environment).make(StorePlace.parent(of: target))
      do throws(FileFault) {
        try FileCopy.copy(reel.path, to: target, files)
        try MendedHeader.write(reel.mended, to: target, files)
      } catch {
        if error.kind != .exists { try? files.unlink(target) }
        throw error
      }
    } catch { throw StoreFaults.error(error) }
    let copied = try? LooseReel(target, writer.environment)
    guard copied?.records == reel.records else {
      try? files.unlink(target)
      throw HoldfastError(
        .medium, "The copy of \(reel.path) is not what was written.",
        hint: "Check the device, and try again.", context: ["path": target])
    }
    return .placed
  }

  /// Writes single chunks into a new reel of their take.
  ///
  /// - Returns: where they stand now.
  func rewrite(
    _ wanted: [ChunkRecord], of reel: LooseReel, _ entry: TakeEntry
  ) throws(HoldfastError) -> [ChunkRecord] {
    let header = try header(for: reel, entry)
    do {
      let source = try files.open(reel.path, .read)
      defer { source.close() }
      let output = try ReelWriter(
        directory: writer.layout.directory, files: files, hashing: writer.environment.hashing,
        clock: writer.environment.clock, header: header)
      var placed: [UInt64: ChunkRecord] = [:]
      var group: [ChunkInput] = []
      var bytes: UInt64 = 0
      for record in wanted {
        group.append(try input(record, source))
        bytes += UInt64(record.length)
        guard bytes >= Self.groupBytes else { continue }
        for record in try output.append(group) { placed[record.sequence] = record }
        (group, bytes) = ([], 0)
      }
      for record in try output.append(group) + output.finish() {
        placed[record.sequence] = record
      }
      return placed.values.sorted { $0.sequence < $1.sequence }
    } catch let fault as ReelFault {
      throw StoreFaults.error(fault)
    } catch { throw StoreFaults.error(error, path: reel.path) }
  }

  private func input(
    _ record: ChunkRecord, _ source: any OpenFile
  ) throws -> ChunkInput {
    let head = try source.read(at: record.offset, count: Int64(ChunkHeader.byteCount))
    let payload = try source.read(at: record.payloadOffset, count: Int64(record.length))
    guard let header = ChunkHeader(decoding: head[...]) ?? ChunkHeader(mending: head[...]),
      writer.environment.hashing.sha256(payload) == record.sha256
    else {
      throw HoldfastError(
        .medium, "\(source.path) changed while it was read.", context: ["path": source.path])
    }
    return ChunkInput(
      sequence: record.sequence, firstFrame: record.firstFrame, frames: record.frames,
      payload: payload, sha256: record.sha256, hostTime: header.hostTime)
  }

  /// What the new reel says of itself: as the given one or one that is here, but written by us.
  private func header(
    for reel: LooseReel, _ entry: TakeEntry
  ) throws(HoldfastError) -> ReelHeader {
    let parent = ReelPath.directory(of: entry.take)
    let here = ((try? files.list("\(writer.layout.directory)/\(parent)")) ?? []).compactMap {
      ReelPath("\(parent)/\($0)")
    }.sorted()
    let known = here.lazy.compactMap { path in
      try? ReelReader(
        directory: writer.layout.directory, reel: path, files: files,
        hashing: writer.environment.hashing
      ).header()
    }
    guard var header = reel.header ?? known.first else {
      throw HoldfastError(
        .damaged, "Neither the header of \(reel.path) nor that of a reel of its take can be read.",
        hint: "Give another reel of the same take with it.", context: ["path": reel.path])
    }
    header.reel = (here.last?.reel).map { $0 + 1 } ?? 0
    header.store = writer.store
    header.launch = writer.launch
    header.origin = try writer.database.read { try OriginRow.current($0).id }
    header.local = false
    return header
  }
}
