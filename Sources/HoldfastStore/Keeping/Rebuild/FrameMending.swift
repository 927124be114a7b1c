import HoldfastModel
import HoldfastSQLite

/// Writes damaged headers of chunks anew in a rebuilt store, where the payload has the hash that
/// its row tells.
///
/// A reel may be the old store's too, by a link: it is copied first, and the old one stays as it
/// is.
struct FrameMending {
  /// The new store, open.
  let writer: StoreWriter

  private var files: any FileSystem { writer.environment.files }
  private var directory: String { writer.layout.directory }

  /// - Parameter findings: chunks whose header alone is wrong.
  /// - Returns: how many headers were written.
  func run(_ findings: [ChunkFinding]) throws(HoldfastError) -> UInt64 {
    var count: UInt64 = 0
    let reels = Dictionary(grouping: findings, by: \.reel)
    for reel in reels.keys.sorted() {
      let sequences = (reels[reel] ?? []).map(\.sequence)
      let records = try writer.database.read { db in try rows(sequences, of: reel.take, db) }
      do throws(FileFault) { try mend(reel, records) } catch { throw StoreFaults.error(error) }
      count += UInt64(records.count)
    }
    return count
  }

  private func rows(
    _ sequences: [UInt64], of take: TakeID, _ db: borrowing Connection
  ) throws -> [ChunkRecord] {
    let key = try db.first("SELECT key FROM take WHERE id = ?1", [.blob(take.bytes)]) {
      $0.int64(0)
    }
    guard let key else { return [] }
    return try sequences.compactMap { try TakeEntry.row(key, take, $0, db)?.record }
  }

  private func mend(_ reel: ReelPath, _ records: [ChunkRecord]) throws(FileFault) {
    let path = "\(directory)/\(reel)"
    let headers = try Self.headers(of: records, in: try files.open(path, .read))
    try RawCopy.copy(path, to: path + ".new", files)
    try MendedHeader.write(headers, to: path + ".new", files)
    try files.rename(path + ".new", to: path)
    try files.syncDirectory("\(directory)/\(ReelPath.directory(of: reel.take))")
  }

  private static func headers(
    of records: [ChunkRecord], in file: any OpenFile
  ) throws(FileFault) -> [MendedHeader] {
    defer { file.close() }
    var headers: [MendedHeader] = []
    for record in records {
      let damaged = try file.read(at: record.offset, count: Int64(ChunkHeader.byteCount))
      var bytes: [UInt8] = []
      header(of: record, damaged).encode(into: &bytes)
      headers.append(MendedHeader(offset: record.offset, bytes: bytes))
    }
    return headers
  }

  /// The header as it was written, where one bit of it is flipped; else what the row tells, which
  /// lacks the audio system's own time alone.
  private static func header(of record: ChunkRecord, _ damaged: [UInt8]) -> ChunkHeader {
    if let found = ChunkHeader(mending: damaged[...]),
      ChunkRecord(found, at: record.offset) == record
    {
      return found
    }
    return ChunkHeader(
      take: record.take, reel: record.reel, sequence: record.sequence,
      firstFrame: record.firstFrame, frames: record.frames, length: record.length, hostTime: nil,
      sha256: record.sha256)
  }
}
