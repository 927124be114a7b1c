package import HoldfastModel
package import HoldfastSQLite

/// What a worker brings at the end of a unit, or of a part of one.
package enum WorkEnding: Sendable {
  /// A part of a unit that can be begun after (a handler's checkpoint): the claim goes on.
  case part(UnitOutput)
  /// A whole unit; the task goes on with another one when its turn comes.
  case unit(UnitOutput)
  /// All there is: the last unit's output, and results.
  case done(UnitOutput, [Artefact], HandlerStamp)
  /// There is nothing to do yet: the claim is given back, and nothing is counted.
  case later
  /// It failed (T4). The delay before the next attempt is given the number of attempts in a row
  /// that came to nothing.
  case failed(FailureClass, cause: String, delay: @Sendable (UInt32) -> Int64)
  /// It was ended from outside (T1).
  case interrupted(cause: String, conditions: String)
}

/// What is kept of the handler on its results (T7).
package struct HandlerStamp: Hashable, Sendable {
  package var version: Int32
  package var quality: Int32

  package init(version: Int32, quality: Int32) {
    self.version = version
    self.quality = quality
  }
}

/// What a unit gave.
package struct UnitOutput: Sendable {
  /// The track that was heard; nil for work that hears none.
  package var track: TrackID?
  /// The recording time that is done with it, nanoseconds.
  package var covered: Range<Int64>
  package var segments: [SpokenSegment]
  /// Whether the work makes a transcript: then a unit without words is one too.
  package var makesPass: Bool
  package var checkpoint: [UInt8]?
  /// How far the task is.
  package var fraction: Double
  package var handler: HandlerStamp
  /// What units of its kind are taken to need from now on (T6); nil when it was not measured.
  package var time: UnitTimeRow?

  package init(
    track: TrackID?, covered: Range<Int64>, segments: [SpokenSegment] = [],
    makesPass: Bool = false, checkpoint: [UInt8]? = nil, fraction: Double, handler: HandlerStamp
  ) {
    self.track = track
    self.covered = covered
    self.segments = segments
    self.makesPass = makesPass || !segments.isEmpty
    self.checkpoint = checkpoint
    self.fraction = fraction
    self.handler = handler
  }
}

/// A measured time as it is stored.
package struct UnitTimeRow: Hashable, Sendable {
  package var kind: TaskKind
  /// Where it computed, and at which pace, as the runner spells them.
  package var compute, pace: String
  package var milliseconds: Int64

  package init(kind: TaskKind, compute: String, pace: String, milliseconds: Int64) {
    self.kind = kind
    self.compute = compute
    self.pace = pace
    self.milliseconds = milliseconds
  }

  /// All that were measured here.
  package static func all(_ db: borrowing Connection) throws -> [UnitTimeRow] {
    try db.all("SELECT kind, compute, pace, ms FROM unit_time", []) {
      UnitTimeRow(
        kind: TaskKind(rawValue: $0.text(0)), compute: $0.text(1), pace: $0.text(2),
        milliseconds: $0.int64(3))
    }
  }

  func store(_ db: borrowing Connection) throws {
    try db.run(
      "INSERT OR REPLACE INTO unit_time (kind, compute, pace, ms) VALUES (?1, ?2, ?3, ?4)",
      [.text(kind.rawValue), .text(compute), .text(pace), .integer(milliseconds)])
  }
}
