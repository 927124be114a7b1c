import HoldfastModel

/// The transcripts of a recording as lines of ``StateDump``.
enum TranscriptDump {
  static func write(_ state: TranscriptState, _ emit: (String) throws -> Void) throws {
    for pass in state.passes { try write(pass, emit) }
    for overlay in state.overlays {
      let fact = overlay.fact
      try emit(
        "  overlay \(overlay.name) kind \(VisibleText.quoted(fact.kind.rawValue)) pass "
          + "\(fact.pass) track \(fact.speaker.track) cluster "
          + "\(VisibleText.quoted(fact.speaker.label)) value \(VisibleText.quoted(fact.value))\n")
      for range in fact.frames.ranges {
        try emit("    range \(range.take) \(range.firstFrame) end \(range.endFrame)\n")
      }
    }
  }

  private static func write(
    _ pass: TranscriptState.Pass, _ emit: (String) throws -> Void
  ) throws {
    let draft = pass.fact.draft
    var line =
      "  pass \(pass.id) kind \(VisibleText.quoted(draft.kind.rawValue)) engine "
      + "\(VisibleText.quoted(draft.engine)) version \(draft.version) quality \(draft.quality)"
    if draft.isLive { line += " live" }
    if pass.isClosed { line += " closed" }
    if let language = draft.language { line += " language \(VisibleText.quoted(language))" }
    if let task = draft.task { line += " task \(task)" }
    try emit(line + "\n")
    for part in pass.parts {
      let fact = part.fact
      try emit(
        "    unit \(fact.number) part \(fact.part) from \(fact.coveredNanoseconds.lowerBound) to "
          + "\(fact.coveredNanoseconds.upperBound) words \(fact.words) by \(part.name)\n")
      for segment in fact.segments { try emit(Self.line(segment)) }
    }
  }

  private static func line(_ segment: PassSegment) -> String {
    var line =
      "      segment \(segment.take) \(segment.firstFrame) end \(segment.endFrame) cluster "
      + "\(VisibleText.quoted(segment.cluster)) text \(VisibleText.quoted(segment.text))"
    if let confidence = segment.confidence { line += " confidence \(confidence)" }
    for word in segment.words {
      line += " word \(word.offsetFrames) \(word.frames) \(VisibleText.quoted(word.text))"
      if let confidence = word.confidence { line += " \(confidence)" }
    }
    return line + "\n"
  }
}
