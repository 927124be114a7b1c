public import HoldfastModel
import HoldfastStore

extension RecordingStore {
  // MARK: transcripts

  /// The current transcript of a recording, now and whenever it may have changed: while it is
  /// transcribed, when a better pass is complete, when a speaker gets a name.
  ///
  /// Empty while there is none.
  public func transcript(of id: Recording.ID) -> Updates<Transcript> {
    let model = id.model
    return Updates(host.changeHub) { [host] in
      let shown = try? await host.query { try TranscriptReading.current(of: model, $0) }
      return Transcript(shown ?? ShownTranscript(model))
    }
  }

  /// Looks for words in the current transcripts of all recordings that are not in the trash.
  ///
  /// - Parameters:
  ///   - words: each must occur in the line; one that ends with `*` takes every word that begins
  ///     so; all else is taken literally. Case and accents make no difference.
  ///   - limit: at most so many, those of the newest recordings.
  /// - Returns: the newest recording first, by time within it.
  /// - Throws: `invalidArgument` when there is no word to look for.
  public func search(
    _ words: String, limit: Int32 = 20
  ) async throws(HoldfastError) -> [SearchResult] {
    let request = SearchRequest(words, limit: UInt64(max(limit, 0)))
    return try await host.query { try SpeechSearch.run(request, $0).map { SearchResult($0) } }
  }

  /// The passes of a recording, in the order in which they were begun. Which of them is shown
  /// follows from them all: the user's choice, else the best of those that are complete and have
  /// at least half the words of the wordiest.
  public func passes(of id: Recording.ID) async throws(HoldfastError) -> [TranscriptPass] {
    let model = id.model
    return try await host.query { db in
      let current = try TranscriptReading.currentPass(of: model, db)
      let chosen = try TranscriptReading.chosenPass(of: model, db)
      return try TranscriptReading.passes(of: model, db).map {
        TranscriptPass($0, current: current, chosen: chosen)
      }
    }
  }

  /// Shows a pass of a recording from now on, on every device; nil leaves it to the passes again.
  ///
  /// - Throws: `notFound` when the recording, or its pass, is not here.
  public func showPass(
    _ pass: TranscriptPass.ID?, of id: Recording.ID
  ) async throws(HoldfastError) {
    let (model, chosen) = (id.model, pass?.model)
    try await host.write { writer throws(HoldfastError) in
      try writer.choosePass(chosen, of: model)
    }
  }

  /// Gives a speaker of a recording a name. It stays with what they said when a later pass tells
  /// its speakers apart in another order.
  ///
  /// - Parameters:
  ///   - speaker: as the transcript shows them: the engine's label, or the name of before.
  ///   - name: the new name; "" takes it back.
  ///   - id: the recording.
  ///   - track: the name of the track, where several have such a speaker.
  /// - Throws: `notFound` when nobody is called so; `conflict` when several are.
  public func nameSpeaker(
    _ speaker: String, _ name: String, in id: Recording.ID, track: String? = nil
  ) async throws(HoldfastError) {
    let model = id.model
    try await host.write { writer throws(HoldfastError) in
      try writer.nameSpeaker(speaker, name, of: model, track: track)
    }
  }

  /// Replaces the text of one segment. It stays where it is when a later pass is shown, if it fits
  /// there; else it is kept.
  ///
  /// - Parameters:
  ///   - id: the recording.
  ///   - seconds: recording time within the segment; its start is best.
  ///   - text: the new text; "" takes it back.
  /// - Throws: `notFound` when nothing is said there; `conflict` for a segment that is not final.
  public func editTranscript(
    of id: Recording.ID, at seconds: Double, text: String
  ) async throws(HoldfastError) {
    let model = id.model
    try await host.write { writer throws(HoldfastError) in
      try writer.editText(.at(seconds), text, of: model)
    }
  }
}
