package import HoldfastModel
package import HoldfastSQLite

/// One result of a task as it is kept here.
package struct ResultRow: Hashable, Sendable {
  package var artefact: Artefact
  package var quality: Int32
  package var version: Int32
  package var inputRevision: UInt64
  package var madeMilliseconds: Int64
  /// From a worker whose claim had been taken over.
  package var isLate: Bool
  /// Its name by content.
  package var hash: Digest
  /// Whether the user chose it.
  package var isChosen = false
  /// Whether it is the one of its kind that is shown (T9).
  package var isShown = false

  /// What it is in the set of the task's results.
  package var value: TaskResult {
    TaskResult(hash: hash, quality: quality, version: version, inputRevision: inputRevision)
  }

  /// All results of a task: of each kind first the one that is shown (T9), then by quality, name.
  package static func all(
    of task: TaskRow, _ db: borrowing Connection
  ) throws -> [ResultRow] {
    let rows = try db.all(
      """
      SELECT kind, content_type, text, quality, version, input_revision, made_ms, late, hash
      FROM result WHERE recording = ?1 AND task = ?2
      """, [.blob(task.recording.bytes), .blob(task.id.digest.bytes)]
    ) { row in
      Digest(row.blob(8)).map { hash in
        ResultRow(
          artefact: Artefact(kind: row.text(0), contentType: row.text(1), text: row.text(2)),
          quality: Int32(clamping: row.int64(3)), version: Int32(clamping: row.int64(4)),
          inputRevision: UInt64(clamping: row.int64(5)), madeMilliseconds: row.int64(6),
          isLate: row.bool(7), hash: hash)
      }
    }.compactMap(\.self)
    return try shown(rows, of: task, db)
  }

  /// Marks what is shown and puts it first. The log is asked for choices only where there is one.
  private static func shown(
    _ rows: [ResultRow], of task: TaskRow, _ db: borrowing Connection
  ) throws -> [ResultRow] {
    let kinds = Dictionary(grouping: rows, by: \.artefact.kind)
    let state =
      kinds.values.contains { $0.count > 1 } ? try ChangeLog.state(of: task.recording, db) : nil
    return kinds.values.flatMap { rows in
      var results = TaskResults()
      for row in rows { results.add(row.value) }
      results.choice = rows.first.flatMap {
        state?.chosenResult(of: task.id, kind: $0.artefact.kind)
      }
      return rows.map { row in
        var row = row
        row.isChosen = row.hash == results.choice
        row.isShown = row.value == results.shown
        return row
      }
    }.sorted {
      $0.isShown != $1.isShown ? $0.isShown : $0.value < $1.value
    }
  }
}
