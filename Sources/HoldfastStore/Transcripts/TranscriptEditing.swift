package import HoldfastModel
import HoldfastSQLite

/// Which line of a transcript is meant.
package enum LinePlace: Hashable, Sendable {
  /// The one that is spoken at this recording time, seconds.
  case at(Double)
  /// Its number, from 1, in the order in which lines are shown.
  case number(UInt64)
}

/// What a user says of a transcript: a choice, a name, a text (X1, X2).
extension StoreWriter {
  /// Shows a pass, whatever the passes themselves say; nil leaves it to them again.
  ///
  /// - Throws: `notFound` when the recording, or its pass, is not here.
  package func choosePass(
    _ pass: PassID?, of recording: RecordingID
  ) throws(HoldfastError) {
    try database.commit { db in
      let state = try existing(recording, db)
      if let pass, try !PassRow.all(of: recording, db).contains(where: { $0.id == pass }) {
        throw HoldfastError(.notFound, "Recording \(recording) has no pass \(pass).")
      }
      guard state.chosenPass != pass else { return }
      let value = pass.map { CanonicalValue.bytes($0.bytes) } ?? .null
      try log.append(
        [ChangeLog.set(RegisterField.pass, value, in: state)], to: recording, db)
    }
  }

  /// Names a speaker of the current transcript; an empty name takes it back.
  ///
  /// - Parameters:
  ///   - speaker: the engine's label, or the name that is shown.
  ///   - track: the name of the track, where several have such a speaker.
  /// - Throws: `notFound` when nobody there is called so; `conflict` when several are.
  package func nameSpeaker(
    _ speaker: String, _ name: String, of recording: RecordingID, track: String? = nil
  ) throws(HoldfastError) {
    try database.commit { db in
      _ = try existing(recording, db)
      let shown = try TranscriptReading.current(of: recording, db)
      let tracks = try TranscriptReading.tracks(of: recording, db)
      let cluster = try SpeakerSearch(shown, tracks).one(speaker, track: track)
      guard let pass = shown.pass else { return }
      let lines = shown.segments.map(\.line).filter { $0.segment.speaker == cluster }
      let frames = FrameSet(lines.map(\.segment.range))
      let fact = OverlayFact(.name, on: pass, cluster, frames, value: name)
      let value = lines.first { $0.named != nil }?.speaker
      let old = try TranscriptReading.overlays(of: recording, db).filter { overlay in
        guard overlay.fact.kind == .name, overlay.fact.speaker.track == cluster.track else {
          return false
        }
        let isSame = overlay.fact.pass == pass && overlay.fact.speaker == cluster
        // Else one that says the same would show again what is taken back.
        return isSame || overlay.fact.value == value && overlay.fact.frames.overlap(frames) > 0
      }
      try lay(fact, replacing: old.map(\.name), on: recording, db)
    }
  }

  /// Replaces the text of a line of the current transcript; an empty text takes it back.
  ///
  /// - Throws: `notFound` when there is no such line; `conflict` for one that the engine may still
  ///   change.
  package func editText(
    _ place: LinePlace, _ text: String, of recording: RecordingID
  ) throws(HoldfastError) {
    try database.commit { db in
      _ = try existing(recording, db)
      let shown = try TranscriptReading.current(of: recording, db)
      guard let line = shown.line(place)?.line, let pass = shown.pass else {
        throw HoldfastError(
          .notFound, "The transcript of \(recording) has no line there.",
          hint: "`holdfast transcript` shows what it has.")
      }
      guard line.isFinal else {
        throw HoldfastError(
          .conflict, "That line may still change.", hint: "Retry in a few seconds.",
          isRetryable: true)
      }
      let frames = FrameSet([line.segment.range])
      let fact = OverlayFact(.text, on: pass, line.segment.speaker, frames, value: text)
      let old = try TranscriptReading.overlays(of: recording, db).filter { overlay in
        overlay.name == line.edited
          || overlay.fact.kind == .text && overlay.fact.pass == pass
            && overlay.fact.frames == frames && overlay.fact.speaker == line.segment.speaker
      }
      guard !fact.value.isEmpty || !old.isEmpty else { return }
      try lay(fact, replacing: old.map(\.name), on: recording, db)
    }
  }

  private func lay(
    _ fact: OverlayFact, replacing old: [ChangeName], on recording: RecordingID,
    _ db: borrowing Connection
  ) throws {
    try log.add([.init(.overlay, fact.body, replaces: old)], to: recording, db)
    try SpeechRows.derive(recording, db)
  }
}

extension ShownTranscript {
  /// The line that is meant; of several at one time the one that began last.
  package func line(_ place: LinePlace) -> Segment? {
    switch place {
    case .at(let seconds):
      segments.last { $0.startSeconds <= seconds && seconds < $0.endSeconds }
        ?? segments.last { $0.startSeconds == seconds }
    case .number(let number):
      number >= 1 && number <= UInt64(segments.count) ? segments[Int(number) - 1] : nil
    }
  }
}

/// Finds a speaker by what a person calls them.
struct SpeakerSearch {
  private var names: [SpeakerCluster: Set<String>] = [:]
  private let tracks: [TrackFact]

  init(_ shown: ShownTranscript, _ tracks: [TrackFact]) {
    self.tracks = tracks
    for segment in shown.segments {
      let cluster = segment.line.segment.speaker
      var said = names[cluster] ?? []
      if !cluster.label.isEmpty { said.insert(cluster.label) }
      if let speaker = segment.speaker { said.insert(speaker) }
      names[cluster] = said
    }
    // Who has neither label nor name is called by the track: there is nobody else on it.
    for cluster in names.keys where cluster.label.isEmpty {
      if let track = tracks.first(where: { $0.track == cluster.track }) {
        names[cluster]?.insert(track.name)
      }
    }
  }

  func one(_ speaker: String, track: String?) throws(HoldfastError) -> SpeakerCluster {
    var found = names.filter { $0.value.contains(speaker) }.map(\.key)
    if let track {
      let wanted = Set(tracks.filter { $0.name == track }.map(\.track))
      found = found.filter { wanted.contains($0.track) }
    }
    guard let first = found.first else {
      let known = Set(names.values.flatMap(\.self)).sorted().joined(separator: ", ")
      throw HoldfastError(
        .notFound, "Nobody in this transcript is called \(speaker).",
        hint: known.isEmpty
          ? "Its engine does not tell speakers apart." : "There are: \(known).")
    }
    guard found.count == 1 else {
      throw HoldfastError(
        .conflict, "Several speakers are called \(speaker).",
        hint: "Give the track too: "
          + Set(found.map(\.track)).compactMap { id in tracks.first { $0.track == id }?.name }
          .sorted().joined(separator: ", ") + ".")
    }
    return first
  }
}
