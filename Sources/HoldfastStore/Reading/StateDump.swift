package import HoldfastModel
package import HoldfastSQLite

/// The canonical text of the replicated state: equal, byte for byte, on all replicas that agree.
///
/// It is derived from the changes alone, through ``RecordingState``; nothing local is in it. Lines
/// end with a newline; words are separated by one blank; texts are quoted as
/// ``VisibleText/quoted(_:)`` does; ids and digests are lower-case hexadecimal; times are
/// milliseconds since 1970, positions nanoseconds. A change is named ORIGIN/SEQUENCE. What is not
/// known has no word.
///
/// ```
/// holdfast-state 1
/// recording ID                      by id
///   created CHANGE at MS [external TEXT] [source BYTES]
///   life N                          unless 0; odd is deleted
///   track ID NAME                   in the order of their creation
///   take ID track ID index N start NS known WORD opened MS
///     format ENCODING RATE CHANNELS FRAMEBYTES PACKETFRAMES [CONFIGURATION]
///     extent CHUNKS end FRAME frames N bytes N DIGEST
///     closed REASON at MS chunks N end FRAME lost NS
///     jump at FRAME frames N REASON
///   set FIELD VALUE by CHANGE       by field
///     conflict VALUE by CHANGE      the largest first
///   pass ID kind WORD engine TEXT version N quality N [live] [closed] [language TEXT] [task ID]
///     unit N part N from NS to NS words N by CHANGE
///       segment TAKE FRAME end FRAME cluster TEXT text TEXT [confidence N] [word …]
///   overlay CHANGE kind WORD pass ID track ID cluster TEXT value TEXT
///     range TAKE FRAME end FRAME
///   task kind WORD generation N [after WORD …]
///   result task ID kind WORD type TEXT version N quality N input N text TEXT
///   purged                          then nothing else of the recording
/// vector ORIGIN SEQUENCE CHAIN      by origin
/// ```
package enum StateDump {
  /// The first line.
  private static let head = "holdfast-state 1\n"

  /// Writes the text line by line; to be called in one snapshot.
  package static func write(
    _ db: borrowing Connection, _ emit: (String) throws -> Void
  ) throws {
    try emit(head)
    let ids = try db.all(
      "SELECT DISTINCT recording FROM change WHERE recording IS NOT NULL ORDER BY recording"
    ) { $0.blob(0) }
    for id in ids {
      guard let id = RecordingID(id) else {
        throw HoldfastError(.damaged, "A change names a recording without a whole id.")
      }
      let state = try ChangeLog.state(of: id, db)
      try write(state, emit)
      guard !state.isPurged else { continue }
      try TranscriptDump.write(try TranscriptRows.derive(id, db).0, emit)
      try TaskDump.write(id, db, emit)
    }
    for row in try OriginRow.all(db) {
      try emit("vector \(row.id) \(row.sequence) \(row.chain)\n")
    }
  }

  /// Writes the text of the store in a directory and answers its SHA-256.
  ///
  /// The log is taken as it is: what recovery would add is no part of it yet. Of a store without a
  /// database it is what the reels give.
  ///
  /// - Throws: as ``ReaderOpening/open(_:temporary:_:)``, and what `emit` throws, as an error of
  ///   the face.
  package static func run(
    _ directory: String, temporary: String, _ environment: StoreEnvironment,
    _ emit: (String) throws -> Void = { _ in }
  ) throws(HoldfastError) -> Digest {
    let hash = environment.hashing.start()
    func both(_ line: String) throws {
      hash.update(Array(line.utf8).span)
      try emit(line)
    }
    let found = try StorePlace(StoreLayout(directory), environment).find(create: false)
    if found == .reelsOnly {
      let reader = try ReaderOpening.open(directory, temporary: temporary, environment)
      try reader.read { try write($0, both) }
    } else {
      let connection = try ReaderOpening.connection(
        directory, temporary: temporary, environment)
      try StoreFaults.mapped(directory) {
        try connection.transaction(.read) { try write(connection, both) }
      }
    }
    return hash.finish()
  }

  private static func write(_ state: RecordingState, _ emit: (String) throws -> Void) throws {
    try emit("recording \(state.id)\n")
    guard !state.isPurged else { return try emit("  purged\n") }
    if let fact = state.created, let by = state.createdBy {
      let external = fact.externalID.map { " external \(VisibleText.quoted($0))" } ?? ""
      let source = fact.sourceBytes.map { " source \($0)" } ?? ""
      try emit("  created \(by) at \(fact.startedMilliseconds)\(external)\(source)\n")
    }
    if state.life > 0 { try emit("  life \(state.life)\n") }
    for track in state.tracks {
      try emit("  track \(track.track) \(VisibleText.quoted(track.name))\n")
    }
    for take in state.takes { try write(take, emit) }
    for (field, register) in state.registers.sorted(by: { $0.key < $1.key }) {
      let value = DumpValue.text(register.value)
      try emit("  set \(VisibleText.quoted(field)) \(value) by \(register.name)\n")
      for loser in register.conflicts {
        try emit("    conflict \(DumpValue.text(loser.value)) by \(loser.name)\n")
      }
    }
  }

  private static func write(
    _ take: RecordingState.Take, _ emit: (String) throws -> Void
  ) throws {
    let fact = take.fact
    try emit(
      "  take \(fact.take) track \(fact.track) index \(fact.index) start "
        + "\(fact.startNanoseconds) known \(VisibleText.quoted(fact.known.rawValue)) opened "
        + "\(fact.openedMilliseconds)\n")
    let format = fact.format
    let configuration = format.configuration.isEmpty ? "" : " \(Hex.encode(format.configuration))"
    try emit(
      "    format \(VisibleText.quoted(format.encoding.rawValue)) \(format.sampleRate) "
        + "\(format.channels) \(format.bytesPerFrame) \(format.framesPerPacket)"
        + "\(configuration)\n")
    if let extent = take.extent {
      try emit(
        "    extent \(extent.chunks) end \(extent.endFrame) frames \(extent.frames) bytes "
          + "\(extent.bytes) \(extent.digest)\n")
    }
    guard let closed = take.closed else { return }
    try emit(
      "    closed \(VisibleText.quoted(closed.reason.rawValue)) at "
        + "\(closed.closedMilliseconds) chunks \(closed.chunks) end \(closed.endFrame) lost "
        + "\(closed.lostAtMostNanoseconds)\n")
    for jump in closed.jumps {
      try emit(
        "    jump at \(jump.atFrame) frames \(jump.frames) "
          + "\(VisibleText.quoted(jump.reason.rawValue))\n")
    }
  }
}

/// Canonical values as text.
enum DumpValue {
  /// One spelling a value: numbers as they are, texts quoted, bytes as `x'…'`, lists in brackets,
  /// maps in braces by key. A floating-point number always has a point, an exponent or a word.
  static func text(_ value: CanonicalValue) -> String {
    switch value {
    case .unsigned(let number): return "\(number)"
    case .negative(let number):
      // −1 − n, which may be one below the least 64-bit number.
      return number == .max ? "-18446744073709551616" : "-\(number + 1)"
    case .bytes(let bytes): return "x'\(Hex.encode(bytes))'"
    case .text(let text): return VisibleText.quoted(text)
    case .array(let items): return "[" + items.map(text).joined(separator: ",") + "]"
    case .map(let items):
      let sorted = items.sorted { $0.key < $1.key }
      return "{"
        + sorted.map { "\(VisibleText.quoted($0.key)):\(text($0.value))" }
        .joined(separator: ",") + "}"
    case .bool(let flag): return flag ? "true" : "false"
    case .null: return "null"
    case .double(let number): return "\(number)"
    }
  }
}
