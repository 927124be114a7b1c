// What an app writes about transcripts.
import Foundation
import Holdfast
import Observation

@MainActor @Observable final class Talk {
  var transcript = Transcript()
  var found: [SearchResult] = []
  let id: Recording.ID

  init(_ id: Recording.ID) { self.id = id }

  func watch() async { for await now in store.transcript(of: id) { transcript = now } }

  /// What still may change is shown in grey.
  var lines: [(String, Bool)] {
    transcript.segments.map { ("\($0.speaker ?? "?"): \($0.text)", $0.isFinal) }
  }

  func look(for words: String) async {
    do { found = try await store.search(words, limit: 50) } catch { print(error.message) }
  }

  func rename(_ speaker: String, to name: String) async throws {
    try await store.nameSpeaker(speaker, name, in: id)
  }

  func correct(_ segment: Segment, to text: String) async throws {
    try await store.editTranscript(of: id, at: segment.range.lowerBound, text: text)
  }

  func earlier() async throws {
    guard let first = try await store.passes(of: id).first, !first.isCurrent else { return }
    try await store.showPass(first.id, of: id)
  }
}
