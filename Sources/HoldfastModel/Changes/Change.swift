/// The name of a change: whose log, and which number in it (from 1).
package struct ChangeName: Hashable, Sendable, Comparable, CustomStringConvertible {
  package var origin: OriginID
  package var sequence: UInt64

  package init(origin: OriginID, sequence: UInt64) {
    self.origin = origin
    self.sequence = sequence
  }

  package static func < (left: ChangeName, right: ChangeName) -> Bool {
    (left.origin, left.sequence) < (right.origin, right.sequence)
  }

  /// "ORIGIN/SEQUENCE".
  package var description: String { "\(origin)/\(sequence)" }
}

/// What a change says. Open: changes of unknown kinds are kept and passed on (S1).
package struct ChangeKind: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A recording exists: when it began, where it came from.
  package static let recordingCreated = ChangeKind(rawValue: "recording")
  /// A track exists: its name.
  package static let trackCreated = ChangeKind(rawValue: "track")
  /// A take was opened: its track, index, format and start.
  package static let takeOpened = ChangeKind(rawValue: "take")
  /// A take has chunks 0…n with this rolling digest.
  package static let takeExtent = ChangeKind(rawValue: "extent")
  /// A take was closed: why, and where it ended.
  package static let takeClosed = ChangeKind(rawValue: "closed")
  /// A register was set; names the values that it replaces (S5).
  package static let registerSet = ChangeKind(rawValue: "set")
  /// A recording was deleted (odd length) or brought back (even length): S6.
  package static let life = ChangeKind(rawValue: "life")
  /// A recording was purged by the user's will.
  package static let purge = ChangeKind(rawValue: "purge")
  /// Work is to be done on a recording: its kind, generation and predecessors.
  package static let task = ChangeKind(rawValue: "task")
  /// A task had a result.
  package static let result = ChangeKind(rawValue: "result")
  /// A pass over a recording's audio began: which engine, how good it says it is (X1).
  package static let passOpened = ChangeKind(rawValue: "pass")
  /// The final segments of one unit of a pass.
  package static let passSegments = ChangeKind(rawValue: "segments")
  /// A pass has all its units.
  package static let passClosed = ChangeKind(rawValue: "passClosed")
  /// A speaker's name or an edited text, laid over a pass (X2).
  package static let overlay = ChangeKind(rawValue: "overlay")

  /// Whether it speaks of transcripts only: such a change leaves the recording's state as it is.
  package var isOfTranscript: Bool {
    [.passOpened, .passSegments, .passClosed, .overlay].contains(self)
  }
}

/// One replicated fact: immutable canonical bytes, named by (origin, sequence).
package struct Change: Hashable, Sendable {
  package let name: ChangeName
  package let stamp: Stamp
  package let kind: ChangeKind
  /// The recording it speaks of; nil when it speaks of the account.
  package let recording: RecordingID?
  /// What it says, by kind.
  package let body: [String: CanonicalValue]
  /// The values that a register change replaces.
  package let replaces: [ChangeName]
  /// The canonical bytes, kept verbatim: they may have fields that this version does not know.
  package let bytes: [UInt8]

  /// The largest change that is taken: 256 KiB, a transcript-free fact's size many times over.
  package static let maximumBytes: UInt64 = 256 * 1024

  /// A new change of this replica.
  package init(
    name: ChangeName, stamp: Stamp, kind: ChangeKind, recording: RecordingID?,
    body: [String: CanonicalValue], replaces: [ChangeName] = []
  ) {
    self.name = name
    self.stamp = stamp
    self.kind = kind
    self.recording = recording
    self.body = body
    self.replaces = replaces.sorted()
    var fields: [String: CanonicalValue] = [
      "o": .bytes(name.origin.bytes), "s": .unsigned(name.sequence),
      "t": .array([.integer(stamp.milliseconds), .unsigned(UInt64(stamp.counter))]),
      "k": .text(kind.rawValue), "b": .map(body),
    ]
    if let recording { fields["r"] = .bytes(recording.bytes) }
    if !replaces.isEmpty {
      fields["p"] = .array(
        self.replaces.map { .array([.bytes($0.origin.bytes), .unsigned($0.sequence)]) })
    }
    bytes = CanonicalEncoder.encode(.map(fields))
  }

  /// A change read from its bytes, its own or another replica's.
  ///
  /// - Throws: ``MalformedBytes`` when they are not canonical or lack a field that every change
  ///   has.
  package init(bytes: [UInt8]) throws(MalformedBytes) {
    guard let fields = try CanonicalDecoder.decode(bytes).map else {
      throw MalformedBytes(reason: "a change is not a map", offset: 0)
    }
    guard let origin = fields["o"]?.bytes.flatMap({ OriginID($0) }),
      let sequence = fields["s"]?.unsigned, sequence > 0, sequence <= UInt64(Int64.max),
      let stamp = fields["t"]?.array, stamp.count == 2, let wall = stamp[0].integer,
      let counter = stamp[1].unsigned.flatMap(UInt32.init(exactly:)), wall >= 0,
      let kind = fields["k"]?.text, let body = fields["b"]?.map
    else { throw MalformedBytes(reason: "a change lacks a field or has a wrong one", offset: 0) }
    name = ChangeName(origin: origin, sequence: sequence)
    self.stamp = Stamp(milliseconds: wall, counter: counter)
    self.kind = ChangeKind(rawValue: kind)
    self.body = body
    recording = try Self.recording(fields["r"])
    replaces = try Self.names(fields["p"])
    self.bytes = bytes
  }

  private static func recording(
    _ value: CanonicalValue?
  ) throws(MalformedBytes) -> RecordingID? {
    guard let value else { return nil }
    guard let id = value.bytes.flatMap({ RecordingID($0) }) else {
      throw MalformedBytes(reason: "a recording's name is not 16 bytes", offset: 0)
    }
    return id
  }

  private static func names(_ value: CanonicalValue?) throws(MalformedBytes) -> [ChangeName] {
    guard let value else { return [] }
    guard let items = value.array else {
      throw MalformedBytes(reason: "predecessors are not a list", offset: 0)
    }
    var names: [ChangeName] = []
    for item in items {
      guard let pair = item.array, pair.count == 2,
        let origin = pair[0].bytes.flatMap({ OriginID($0) }), let sequence = pair[1].unsigned
      else { throw MalformedBytes(reason: "a predecessor is not a name", offset: 0) }
      names.append(ChangeName(origin: origin, sequence: sequence))
    }
    return names
  }

  /// The chain hash of this change, given its origin's previous one (``Digest/zero`` before the
  /// first): SHA-256 over the previous chain hash and the change's bytes (S7).
  package func chain(after previous: Digest, _ hashing: some Hashing) -> Digest {
    let state = hashing.start()
    state.update(previous.bytes.span)
    state.update(bytes.span)
    return state.finish()
  }
}
