/// What the change "recording" says.
package struct RecordingFact: Hashable, Sendable {
  /// When it began, by the wall clock: milliseconds since 1970.
  package var startedMilliseconds: Int64
  /// The name under which it was adopted from elsewhere, for idempotent import.
  package var externalID: String?
  /// Bytes of payload that its source holds, when it was imported from one.
  package var sourceBytes: UInt64?

  package init(
    startedMilliseconds: Int64, externalID: String? = nil, sourceBytes: UInt64? = nil
  ) {
    self.startedMilliseconds = startedMilliseconds
    self.externalID = externalID
    self.sourceBytes = sourceBytes
  }

  package var body: [String: CanonicalValue] {
    var body: [String: CanonicalValue] = ["at": .integer(startedMilliseconds)]
    if let externalID { body["external"] = .text(externalID) }
    if let sourceBytes { body["source"] = .unsigned(sourceBytes) }
    return body
  }

  package init?(_ body: [String: CanonicalValue]) {
    guard let at = body["at"]?.integer else { return nil }
    startedMilliseconds = at
    externalID = body["external"]?.text
    sourceBytes = body["source"]?.unsigned
  }
}

/// What the change "track" says.
package struct TrackFact: Hashable, Sendable {
  package var track: TrackID
  /// "microphone", "remote" … as the app names it; unique within a recording where it was made.
  package var name: String

  package init(track: TrackID, name: String) {
    self.track = track
    self.name = name
  }

  package var body: [String: CanonicalValue] {
    ["track": .bytes(track.bytes), "name": .text(name)]
  }

  package init?(_ body: [String: CanonicalValue]) {
    guard let track = body["track"]?.bytes.flatMap({ TrackID($0) }),
      let name = body["name"]?.text
    else { return nil }
    self.track = track
    self.name = name
  }
}

/// What the change "take" says: an uninterrupted run of capture begins.
package struct TakeFact: Hashable, Sendable {
  package var take: TakeID
  package var track: TrackID
  /// Which take of its track, from 0.
  package var index: UInt32
  package var format: AudioFormat
  /// Where it begins in recording time: nanoseconds from the recording's start.
  package var startNanoseconds: Int64
  /// How that is known.
  package var known: GapKnowledge
  /// When it began, by the wall clock: milliseconds since 1970.
  package var openedMilliseconds: Int64

  package init(
    take: TakeID, track: TrackID, index: UInt32, format: AudioFormat, startNanoseconds: Int64,
    known: GapKnowledge, openedMilliseconds: Int64
  ) {
    self.take = take
    self.track = track
    self.index = index
    self.format = format
    self.startNanoseconds = startNanoseconds
    self.known = known
    self.openedMilliseconds = openedMilliseconds
  }

  /// Step to which sealed payloads of the take are padded, in bytes (S9): fixed here so that every
  /// holder makes the same sealed bytes.
  package static let padding: UInt64 = 1024

  package var body: [String: CanonicalValue] {
    [
      "take": .bytes(take.bytes), "track": .bytes(track.bytes), "index": .unsigned(UInt64(index)),
      "start": .integer(startNanoseconds), "known": .text(known.rawValue),
      "at": .integer(openedMilliseconds), "pad": .unsigned(Self.padding),
      "encoding": .text(format.encoding.rawValue), "rate": .double(format.sampleRate),
      "channels": .unsigned(UInt64(format.channels)),
      "frameBytes": .unsigned(UInt64(format.bytesPerFrame)),
      "packetFrames": .unsigned(UInt64(format.framesPerPacket)),
      "codec": .bytes(format.configuration),
    ]
  }

  package init?(_ body: [String: CanonicalValue]) {
    guard let take = body["take"]?.bytes.flatMap({ TakeID($0) }),
      let track = body["track"]?.bytes.flatMap({ TrackID($0) }),
      let index = body["index"]?.unsigned.flatMap(UInt32.init(exactly:)),
      let start = body["start"]?.integer, let encoding = body["encoding"]?.text,
      let rate = body["rate"]?.double, rate.isFinite, rate > 0,
      let channels = body["channels"]?.unsigned.flatMap(UInt32.init(exactly:))
    else { return nil }
    self.take = take
    self.track = track
    self.index = index
    startNanoseconds = start
    known = GapKnowledge(rawValue: body["known"]?.text ?? "unknown")
    openedMilliseconds = body["at"]?.integer ?? 0
    format = AudioFormat(
      encoding: SampleEncoding(rawValue: encoding), sampleRate: rate, channels: channels,
      bytesPerFrame: UInt32(clamping: body["frameBytes"]?.unsigned ?? 0),
      framesPerPacket: UInt32(clamping: body["packetFrames"]?.unsigned ?? 0),
      configuration: body["codec"]?.bytes ?? [])
  }
}

/// What the change "extent" says: the take has chunks 0…count−1 with this rolling digest.
package struct ExtentFact: Hashable, Sendable {
  package var take: TakeID
  /// Number of chunks.
  package var chunks: UInt64
  /// Sample frame after the last one (frames dropped within the take count).
  package var endFrame: UInt64
  /// Sample frames that were kept.
  package var frames: UInt64
  /// Bytes of payload.
  package var bytes: UInt64
  /// The rolling digest over the chunks.
  package var digest: Digest

  package init(
    take: TakeID, chunks: UInt64, endFrame: UInt64, frames: UInt64, bytes: UInt64, digest: Digest
  ) {
    self.take = take
    self.chunks = chunks
    self.endFrame = endFrame
    self.frames = frames
    self.bytes = bytes
    self.digest = digest
  }

  package var body: [String: CanonicalValue] {
    [
      "take": .bytes(take.bytes), "chunks": .unsigned(chunks), "end": .unsigned(endFrame),
      "frames": .unsigned(frames), "bytes": .unsigned(bytes), "digest": .bytes(digest.bytes),
    ]
  }

  package init?(_ body: [String: CanonicalValue]) {
    guard let take = body["take"]?.bytes.flatMap({ TakeID($0) }),
      let chunks = body["chunks"]?.unsigned, let end = body["end"]?.unsigned,
      let frames = body["frames"]?.unsigned, let bytes = body["bytes"]?.unsigned,
      let digest = body["digest"]?.bytes.flatMap({ Digest($0) })
    else { return nil }
    self.init(
      take: take, chunks: chunks, endFrame: end, frames: frames, bytes: bytes, digest: digest)
  }
}

/// What the change "closed" says: the take ended.
package struct ClosedFact: Hashable, Sendable {
  package var take: TakeID
  /// Why.
  package var reason: GapReason
  /// Number of chunks of the whole take.
  package var chunks: UInt64
  /// Sample frame after the last one.
  package var endFrame: UInt64
  /// When, by the wall clock: milliseconds since 1970; of a dead launch, its last sign of life.
  package var closedMilliseconds: Int64
  /// The most that can be missing after the last kept frame, in nanoseconds; 0 after a clean end.
  package var lostAtMostNanoseconds: Int64
  /// Where frames jump inside the take.
  package var jumps: [Jump]

  /// A place inside a take where sample frames are missing.
  package struct Jump: Hashable, Sendable {
    /// The first missing sample frame, counted within the take.
    package var atFrame: UInt64
    /// How many are missing.
    package var frames: UInt64
    package var reason: GapReason

    package init(atFrame: UInt64, frames: UInt64, reason: GapReason) {
      self.atFrame = atFrame
      self.frames = frames
      self.reason = reason
    }
  }

  /// The most jumps that a change names; beyond it the last one stands for all that follow, so that
  /// the volume of changes stays bounded (S6).
  package static let maximumJumps: UInt64 = 256

  package init(
    take: TakeID, reason: GapReason, chunks: UInt64, endFrame: UInt64, closedMilliseconds: Int64,
    lostAtMostNanoseconds: Int64 = 0, jumps: [Jump] = []
  ) {
    self.take = take
    self.reason = reason
    self.chunks = chunks
    self.endFrame = endFrame
    self.closedMilliseconds = closedMilliseconds
    self.lostAtMostNanoseconds = lostAtMostNanoseconds
    self.jumps = jumps
  }

  package var body: [String: CanonicalValue] {
    var body: [String: CanonicalValue] = [
      "take": .bytes(take.bytes), "why": .text(reason.rawValue), "chunks": .unsigned(chunks),
      "end": .unsigned(endFrame), "at": .integer(closedMilliseconds),
      "lost": .integer(lostAtMostNanoseconds),
    ]
    if !jumps.isEmpty {
      body["jumps"] = .array(
        jumps.map {
          .array([.unsigned($0.atFrame), .unsigned($0.frames), .text($0.reason.rawValue)])
        })
    }
    return body
  }

  package init?(_ body: [String: CanonicalValue]) {
    guard let take = body["take"]?.bytes.flatMap({ TakeID($0) }), let why = body["why"]?.text,
      let chunks = body["chunks"]?.unsigned, let end = body["end"]?.unsigned
    else { return nil }
    self.take = take
    reason = GapReason(rawValue: why)
    self.chunks = chunks
    endFrame = end
    closedMilliseconds = body["at"]?.integer ?? 0
    lostAtMostNanoseconds = max(body["lost"]?.integer ?? 0, 0)
    jumps = (body["jumps"]?.array ?? []).compactMap {
      guard let parts = $0.array, parts.count == 3, let at = parts[0].unsigned,
        let frames = parts[1].unsigned, let reason = parts[2].text
      else { return nil }
      return Jump(atFrame: at, frames: frames, reason: GapReason(rawValue: reason))
    }
  }
}
