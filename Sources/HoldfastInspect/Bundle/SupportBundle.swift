package import HoldfastModel
package import HoldfastStore

/// What a supporter may see of a store: how it is and what happened to it, nothing of what was
/// recorded.
///
/// Invariant: no title, track name, attribute, external id, audio or transcript, no boot id, no
/// path and no name of a machine is in it. Texts are words of our own: one that an app or a user
/// made up shows as "other". Times are relative: to now, or to the start of what they speak of.
package struct SupportBundle {
  private let reader: StoreReader
  private let verified: VerifyResult?
  private let nowMilliseconds: Int64

  /// The form of the tree; grows when a field changes its meaning.
  private static let version: Int64 = 1

  /// - Parameter verified: a verification made just before, if one was.
  package init(_ reader: StoreReader, verified: VerifyResult? = nil) {
    self.reader = reader
    self.verified = verified
    nowMilliseconds = reader.environment.clock.now().wallMilliseconds
  }

  /// Gathers the tree.
  package func tree() throws(HoldfastError) -> InspectValue {
    let facts = try SupportFacts.read(reader)
    var request = RecordingRequest()
    request.includesDeleted = true
    let recordings = try reader.recordings(request)
    let launches = try LaunchList.read(reader)
    return .object([
      "bundle": .integer(Self.version),
      "store": store(facts),
      "sqlite": .object([
        "version": .string(facts.sqliteVersion),
        "options": .array(facts.sqliteOptions.map { .string($0) }),
      ]),
      "launches": .array(launches.map(launch)),
      "recordings": .array(recordings.map(recording)),
      "recovery": .array(try Outstanding.read(reader).recordings.map(recovered)),
      "attention": .array(
        facts.attention.map {
          .object([
            "code": .string(Self.word($0.code)), "acknowledged": .bool($0.isAcknowledged),
            "count": .count($0.count),
          ])
        }),
      "openAttention": .array(
        reader.report.attention.map { .string(Self.word($0.code)) }),
      "integrity": try integrity(facts),
      "space": space(try SpaceReport.read(reader)),
    ])
  }

  private func store(_ facts: SupportFacts) -> InspectValue {
    .object([
      "id": facts.store.map { .string("\($0)") } ?? .null,
      "schema": .integer(facts.schemaVersion),
      "needsRecovery": .bool(reader.isPreview),
      "rows": .object(
        facts.rows.reduce(into: [:]) { $0[$1.name] = .count($1.count) }),
      "settings": .array(facts.settingNames.map { .string(Self.word($0)) }),
      "origins": .array(
        facts.origins.map {
          .object([
            "id": .string("\($0.id)"), "isMine": .bool($0.isMine),
            "reason": .string(Self.word($0.reason)), "changes": .count($0.sequence),
            "secondsAgo": ago($0.madeMilliseconds),
          ])
        }),
    ])
  }

  private func launch(_ info: LaunchInfo) -> InspectValue {
    let start = info.startedMilliseconds
    return .object([
      "id": .string("\(info.launch)"), "program": .string(Self.word(info.program)),
      "isAlive": .bool(info.isAlive), "startedSecondsAgo": ago(start),
      "livedSeconds": info.endedMilliseconds.map { .seconds(Double($0 - start) / 1_000) } ?? .null,
      "ending": info.ending.map { .string(Self.word($0.rawValue)) } ?? .null,
      "evidence": .string(info.evidence), "acknowledged": .bool(info.isAcknowledged),
      "heartbeat": info.heartbeat.map { heartbeat($0, start) } ?? .null,
      "eventCount": .count(info.eventCount),
      "events": .array(
        info.events.map {
          .object([
            "name": .string(Self.word($0.name)), "detail": .string(Self.word($0.detail)),
            "atSeconds": .seconds(Double($0.at.wallMilliseconds - start) / 1_000),
          ])
        }),
    ])
  }

  private func heartbeat(_ beat: LaunchHeartbeat, _ start: Int64) -> InspectValue {
    .object([
      "atSeconds": .seconds(Double(beat.at.wallMilliseconds - start) / 1_000),
      "footprintBytes": .count(beat.vitals.footprintBytes),
      "thermal": .string("\(beat.vitals.thermal)"), "lowPower": .bool(beat.vitals.isLowPower),
      "unit": .count(beat.unit),
    ])
  }

  private func recording(_ summary: RecordingSummary) -> InspectValue {
    let ordinals = Dictionary(
      summary.tracks.enumerated().map { ($0.element.track, Int64($0.offset)) }
    ) { first, _ in first }
    return .object([
      "id": .string("\(summary.id)"), "state": .string(Self.word(summary.state)),
      "reason": summary.isUnderWay ? .null : .string(Self.word(summary.phase.reason)),
      "recovered": .bool(summary.phase.recovered),
      "startedSecondsAgo": ago(summary.startedMilliseconds),
      "capturedSeconds": .seconds(summary.timeline.capturedSeconds),
      "elapsedSeconds": .seconds(summary.elapsedSeconds),
      "tracks": .count(UInt64(summary.tracks.count)), "chunks": .count(summary.chunks),
      "payloadBytes": .count(summary.payloadBytes),
      "takes": .array(summary.takes.map { take($0, ordinals[$0.span.track]) }),
      "gaps": .array(
        summary.timeline.gaps.map { gap in
          .object([
            "track": ordinals[gap.track].map { .integer($0) } ?? .null,
            "takeIndex": .count(UInt64(gap.takeIndex)), "atFrame": .count(gap.atFrame),
            "reason": .string(Self.word(gap.reason)),
            "seconds": gap.seconds.map { .seconds($0) } ?? .null,
            "known": .string(Self.word(gap.known.rawValue)),
          ])
        }),
    ])
  }

  private func take(_ take: TakeRow, _ track: Int64?) -> InspectValue {
    let span = take.span
    return .object([
      "id": .string("\(take.id)"), "track": track.map { .integer($0) } ?? .null,
      "index": .count(UInt64(span.index)),
      "encoding": .string(Self.word(take.format.encoding.rawValue)),
      "sampleRate": .double(take.format.sampleRate),
      "channels": .count(UInt64(take.format.channels)),
      "bytesPerFrame": .count(UInt64(take.format.bytesPerFrame)),
      "framesPerPacket": .count(UInt64(take.format.framesPerPacket)),
      "codecBytes": .count(UInt64(take.format.configuration.count)),
      "startSeconds": .seconds(Double(span.startNanoseconds) / 1e9),
      "startKnown": .string(Self.word(span.known.rawValue)),
      "seconds": .seconds(span.seconds), "frames": .count(span.frames),
      "chunks": .count(take.chunks), "bytes": .count(take.bytes),
      "extentChunks": .count(take.extentChunks), "jumps": .count(UInt64(span.jumps.count)),
      "closed": span.closedReason.map { .string(Self.word($0)) } ?? .null,
      "lostAtMostSeconds": .seconds(Double(span.lostAtMostNanoseconds) / 1e9),
    ])
  }

  private func recovered(_ item: Outstanding.Recovered) -> InspectValue {
    .object([
      "recording": .string("\(item.recording)"), "foundSecondsAgo": ago(item.foundMilliseconds),
      "indexedChunks": .count(item.indexedChunks),
      "salvagedChunks": .count(item.salvagedChunks), "damaged": .count(item.damaged),
      "lostAtMostSeconds": .seconds(Double(item.lostAtMostNanoseconds) / 1e9),
    ])
  }

  private func integrity(_ facts: SupportFacts) throws(HoldfastError) -> InspectValue {
    let problems =
      if let verified { verified.database } else { try reader.databaseProblems() }
    var codes: [String: UInt64] = [:]
    for problem in problems { codes[problem.code.rawValue, default: 0] += 1 }
    var fields: [String: InspectValue] = [
      "database": .object(codes.mapValues { .count($0) }),
      "markedDamaged": .count(facts.damagedChunks), "markedMissing": .count(facts.missingChunks),
    ]
    if let verified {
      fields["verified"] = .object([
        "chunks": .count(verified.chunks), "ok": .count(verified.ok),
        "freed": .count(verified.freed), "headers": .count(UInt64(verified.headers.count)),
        "damaged": reasons(verified.damaged), "missing": reasons(verified.missing),
        "orphans": counts(verified.orphans.map(\.kind.rawValue)),
      ])
    }
    return .object(fields)
  }

  private func reasons(_ findings: [ChunkFinding]) -> InspectValue {
    counts(findings.map(\.reason.rawValue))
  }

  private func counts(_ words: [String]) -> InspectValue {
    .object(
      words.reduce(into: [String: UInt64]()) { $0[$1, default: 0] += 1 }.mapValues { .count($0) })
  }

  private func space(_ report: SpaceReport) -> InspectValue {
    .object([
      "audioBytes": .count(report.audioBytes), "orphanBytes": .count(report.orphanBytes),
      "freedBytes": .count(report.freedBytes), "databaseBytes": .count(report.databaseBytes),
      "logBytes": .count(report.logBytes), "launchesBytes": .count(report.launchesBytes),
      "evidenceBytes": .count(report.evidenceBytes),
      "incomingBytes": .count(report.incomingBytes),
      "reserveBytes": .count(report.reserveBytes), "freeBytes": .count(report.freeBytes),
      "secondsLeft": report.secondsLeft.map { .seconds($0) } ?? .null,
    ])
  }

  private func ago(_ milliseconds: Int64) -> InspectValue {
    .seconds(Double(nowMilliseconds - milliseconds) / 1_000)
  }

  // MARK: words

  private static let reasons: Set<GapReason> = [
    .pause, .interruption, .routeChange, .diskFull, .termination, .suspension, .overflow,
    .mediumFailed, .missing, .stop,
  ]

  private static func word(_ reason: GapReason) -> String {
    reasons.contains(reason) ? reason.rawValue : "other"
  }

  /// A word as programs make them: letters, digits and few signs, no blank. Anything else may be
  /// what a person wrote.
  private static func word(_ text: String) -> String {
    let isPlain =
      text.utf8.count <= 32
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
      }
    return isPlain ? text : "other"
  }
}
