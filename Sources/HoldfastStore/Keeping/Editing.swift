package import HoldfastModel
import HoldfastSQLite

/// Renaming, attributes, trash and back.
extension StoreWriter {
  /// Brings a recording to what the seed says; what it leaves nil stays.
  package func update(_ id: RecordingID, _ seed: RecordingSeed) throws(HoldfastError) {
    try database.commit { db in
      let state = try existing(id, db)
      let drafts = Self.edits(seed, in: state)
      if !drafts.isEmpty { try log.append(drafts, to: id, db) }
    }
  }

  /// Puts a recording into the trash; doing it twice is doing it once.
  ///
  /// - Throws: `conflict` while a living launch captures it.
  package func trash(_ id: RecordingID) throws(HoldfastError) {
    try refuseWhileCaptured(id)
    try removing { () throws(HoldfastError) in try setLife(id, deleted: true) }
  }

  /// Takes a recording out of the trash.
  package func restore(_ id: RecordingID) throws(HoldfastError) {
    try setLife(id, deleted: false)
  }

  private func setLife(_ id: RecordingID, deleted: Bool) throws(HoldfastError) {
    try database.commit { db in
      let state = try existing(id, db)
      guard state.isDeleted != deleted else { return }
      try log.append(
        [.init(.life, ["n": .unsigned(state.life + 1)])], to: id, db)
      try tasks.recordingMoved(id, toTrash: deleted, db)
    }
  }

  /// Fails when a living launch has an open take of the recording.
  func refuseWhileCaptured(_ id: RecordingID) throws(HoldfastError) {
    // Rows first, then who lives: a launch has its file before it has a row.
    let launches = try database.read { db in
      try db.all(
        "SELECT launch FROM take WHERE recording = ?1 AND closed_reason IS NULL",
        [.blob(id.bytes)]
      ) { $0.optionalBlob(0).flatMap { LaunchID($0) } }
    }
    let alive = try aliveLaunches()
    guard !launches.contains(where: { $0.map(alive.contains) ?? false }) else {
      throw HoldfastError(
        .conflict, "Recording \(id) is being captured.", hint: "Stop it first.")
    }
  }

  /// Acknowledges what recovery found; writes nothing when there is nothing.
  package func acknowledge() throws(HoldfastError) {
    try database.commit { db in
      for table in ["launch", "recovery", "attention"] {
        var condition = "acknowledged = 0"
        if table == "launch" { condition += " AND ending IS NOT NULL" }
        // What waits ends with its cause, not by being seen.
        if table == "attention" { condition += " AND code <> '\(Attention.waiting)'" }
        try db.run("UPDATE \(table) SET acknowledged = 1 WHERE \(condition)", [])
      }
    }
  }
}
