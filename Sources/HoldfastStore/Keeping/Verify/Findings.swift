package import HoldfastModel
import HoldfastSQLite

/// Writes what a verification found into the rows, so that export and list know (J5).
package enum Findings {
  /// What the column `absent` of a chunk says.
  enum Mark: Int64 {
    /// Here and whole, as far as is known.
    case present = 0
    /// There, and not what its row says.
    case damaged = 1
    /// Not there.
    case missing = 2
  }

  /// Rows marked in one transaction.
  private static let group = 4_096

  /// Marks chunks as damaged or missing, and takes the mark from those that are well again.
  ///
  /// A chunk whose payload can be used (only its frame's header is wrong), or that may just not be
  /// read now, is not marked.
  ///
  /// - Returns: how many rows changed.
  @discardableResult
  package static func record(
    _ result: VerifyResult, _ writer: StoreWriter
  ) throws(HoldfastError) -> UInt64 {
    let usable: Set<ChunkFinding.Reason> = [.header, .denied]
    var marks = result.damaged.filter { !usable.contains($0.reason) }.map {
      ($0.name, Mark.damaged)
    }
    marks += result.missing.map { ($0.name, .missing) }
    marks += result.healed.map { ($0, .present) }
    var changed: UInt64 = 0
    for start in stride(from: 0, to: marks.count, by: group) {
      let part = marks[start..<min(start + group, marks.count)]
      changed += try writer.database.commit { db in
        var changed: UInt64 = 0
        for (chunk, mark) in part { changed += try set(mark, chunk, db) }
        return changed
      }
    }
    return changed
  }

  private static func set(
    _ mark: Mark, _ chunk: ChunkName, _ db: borrowing Connection
  ) throws -> UInt64 {
    let rows = try db.run(
      """
      UPDATE chunk SET absent = ?3 WHERE sequence = ?2 AND absent <> ?3
        AND take_key = (SELECT key FROM take WHERE id = ?1)
      """,
      [
        .blob(chunk.take.bytes), .integer(Int64(clamping: chunk.sequence)),
        .integer(mark.rawValue),
      ])
    return UInt64(clamping: rows)
  }
}
