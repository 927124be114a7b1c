package import HoldfastModel

/// What a verification of a store found.
package struct VerifyResult: Hashable, Sendable {
  /// Chunks that were checked: those with a row, but for reels that were freed on purpose, those of
  /// running takes that have none yet, and those of which the row is gone.
  package var chunks: UInt64 = 0
  /// Chunks whose header and payload are what their row says.
  package var ok: UInt64 = 0
  /// Chunks in reels that were freed on purpose; nothing is to be checked of them.
  package var freed: UInt64 = 0
  /// Bytes of payload that were checked.
  package var bytes: UInt64 = 0
  /// Chunks that are there and wrong.
  package var damaged: [ChunkFinding] = []
  /// Chunks that are not there.
  package var missing: [ChunkFinding] = []
  /// Chunks that are well and are marked otherwise in the database.
  package var healed: [ChunkName] = []
  /// Reels with rows whose own header is wrong. Their chunks are checked all the same; only a
  /// rebuild from the reels alone would miss it.
  package var headers: [HeaderFinding] = []
  /// Files that nothing in the database accounts for.
  package var orphans: [Orphan] = []
  /// What is wrong with the database.
  package var database: [DatabaseProblem] = []

  /// Nothing yet.
  package init() {}

  /// Whether anything is damaged or missing. Orphans are no damage.
  package var isSound: Bool {
    damaged.isEmpty && missing.isEmpty && headers.isEmpty && database.isEmpty
  }
}

/// Names a chunk of this store.
package struct ChunkName: Hashable, Sendable {
  /// The take.
  package var take: TakeID
  /// The chunk's number within its take.
  package var sequence: UInt64

  /// A name from its parts.
  package init(take: TakeID, sequence: UInt64) {
    self.take = take
    self.sequence = sequence
  }
}

/// A chunk that is not what its row says.
package struct ChunkFinding: Hashable, Sendable {
  /// What is wrong with a chunk. Open: more may be added.
  package struct Reason: RawRepresentable, Hashable, Sendable {
    /// The stable text.
    package let rawValue: String
    /// A value by its text.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The header of its frame is wrong; the payload is what the row says, and can be used.
    package static let header = Reason(rawValue: "header")
    /// The payload fails its SHA-256.
    package static let payload = Reason(rawValue: "payload")
    /// Header and payload are wrong.
    package static let frame = Reason(rawValue: "frame")
    /// The frame is whole, and its row says something else: the database is damaged.
    package static let row = Reason(rawValue: "row")
    /// It was here, and no row names it any more: the database is damaged. Its frame may stand in a
    /// reel; its place is that of the chunk before.
    package static let noRow = Reason(rawValue: "noRow")
    /// The reel ends inside the chunk (damaged), or before it (missing).
    package static let cut = Reason(rawValue: "cut")
    /// The reel is not there.
    package static let absent = Reason(rawValue: "absent")
    /// The medium cannot read it.
    package static let medium = Reason(rawValue: "medium")
    /// It may not be read now (permissions, a locked device): nothing is known to be wrong.
    package static let denied = Reason(rawValue: "denied")
  }

  /// The recording.
  package var recording: RecordingID
  /// The take.
  package var take: TakeID
  /// Which take of its track, from 0.
  package var takeIndex: UInt32
  /// The track's name.
  package var track: String
  /// The chunk's number within its take.
  package var sequence: UInt64
  /// The first sample frame, counted within the take.
  package var firstFrame: UInt64
  /// Sample frames.
  package var frames: UInt32
  /// The reel that the row names.
  package var reel: ReelPath
  /// What is wrong.
  package var reason: Reason

  /// A finding from its parts.
  package init(
    recording: RecordingID, take: TakeID, takeIndex: UInt32, track: String, sequence: UInt64,
    firstFrame: UInt64, frames: UInt32, reel: ReelPath, reason: Reason
  ) {
    self.recording = recording
    self.take = take
    self.takeIndex = takeIndex
    self.track = track
    self.sequence = sequence
    self.firstFrame = firstFrame
    self.frames = frames
    self.reel = reel
    self.reason = reason
  }

  /// The chunk's name.
  package var name: ChunkName { ChunkName(take: take, sequence: sequence) }
}

/// A reel whose own header is wrong.
package struct HeaderFinding: Hashable, Sendable {
  /// The reel.
  package var reel: ReelPath
  /// What is wrong with it, for a person.
  package var message: String
}

/// A file that nothing in the database accounts for. Never removed by us (J4).
package struct Orphan: Hashable, Sendable {
  /// What an orphan is. Open: more may be added.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    /// The stable text.
    package let rawValue: String
    /// A value by its text.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A reel of a take that no row knows; `adopt` takes it in.
    package static let take = Kind(rawValue: "take")
    /// A reel with whole chunks that no row knows, of a take that is known; `adopt` takes them in.
    package static let chunks = Kind(rawValue: "chunks")
    /// A reel in which no whole chunk stands: what a death at its first write leaves.
    package static let empty = Kind(rawValue: "empty")
    /// A file or directory below `audio/` that is none of ours.
    package static let foreign = Kind(rawValue: "foreign")
    /// A file below `incoming/` that no row waits for.
    package static let incoming = Kind(rawValue: "incoming")
  }

  /// Path within the store's directory.
  package var path: String
  /// What it is.
  package var kind: Kind
  /// Bytes of the file; 0 of a directory.
  package var bytes: UInt64
  /// Whole chunks in it that no row knows, where they were counted.
  package var chunks: UInt64

  /// An orphan from its parts.
  package init(path: String, kind: Kind, bytes: UInt64, chunks: UInt64 = 0) {
    self.path = path
    self.kind = kind
    self.bytes = bytes
    self.chunks = chunks
  }
}

/// Something that is wrong with the database.
package struct DatabaseProblem: Hashable, Sendable {
  /// What kind of thing is wrong. Open: more may be added.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable text.
    package let rawValue: String
    /// A value by its text.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// It cannot be read, or not this part of it.
    package static let unreadable = Code(rawValue: "unreadable")
    /// There is none, but reels are there.
    package static let absent = Code(rawValue: "absent")
    /// Commits that launches noted are not in it (J6).
    package static let commitsLost = Code(rawValue: "commitsLost")
    /// Its tables are not those that our migrations make.
    package static let schema = Code(rawValue: "schema")
    /// SQLite's own check found something.
    package static let integrity = Code(rawValue: "integrity")
    /// A row names another that is not there.
    package static let reference = Code(rawValue: "reference")
    /// Counters of a take are not those of its rows.
    package static let counters = Code(rawValue: "counters")
    /// Derived rows of a recording are not what its changes give (S1).
    package static let projection = Code(rawValue: "projection")
    /// A change cannot be read, or its columns are not those of its bytes.
    package static let change = Code(rawValue: "change")
    /// A change is absent from its origin's log, or its chain hash is wrong (S7).
    package static let chain = Code(rawValue: "chain")
    /// A row of the vector is not that of the origin's last change (S7).
    package static let vector = Code(rawValue: "vector")
  }

  /// What kind of thing is wrong.
  package var code: Code
  /// What is wrong, for a person; names ids only, never a title or text.
  package var message: String

  /// A problem from its parts.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// How far a long call is.
package struct ByteProgress: Hashable, Sendable {
  /// Bytes done so far.
  package var doneBytes: UInt64
  /// Bytes in all, as far as is known now.
  package var totalBytes: UInt64

  /// Progress from its parts.
  package init(doneBytes: UInt64, totalBytes: UInt64) {
    self.doneBytes = doneBytes
    self.totalBytes = totalBytes
  }
}
