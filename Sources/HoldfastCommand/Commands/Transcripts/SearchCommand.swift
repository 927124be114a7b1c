import Foundation
import Holdfast

/// `holdfast search`.
struct SearchCommand: Command {
  private struct Hit: Encodable {
    let recording, title, startedAt, text, snippet: String
    let startSeconds, endSeconds: Double
    let speaker: String?
  }
  private struct Document: Encodable { let hits: [Hit] }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    var request = SearchRequest(
      context[Arguments.words].joined(separator: " "), limit: UInt64(context[Options.hits]))
    request.sinceMilliseconds = context[Options.since]
    request.untilMilliseconds = context[Options.until]
    let (wanted, only) = (request, context[Options.onlyRecording])
    let hits = try context.reader().read { db in
      var request = wanted
      request.recording = try only.map { try RecordingRows.resolve($0, db) }
      return try SpeechSearch.run(request, db)
    }
    if context.output.isJSON {
      try await context.output.document(Document(hits: hits.map(Self.document)))
    } else if hits.isEmpty {
      await context.output.remark("nothing found")
    } else {
      try await context.output.table(Self.table(hits, context.zone))
    }
    return hits.isEmpty ? .failed : .done
  }

  private static func document(_ hit: SearchHit) -> Hit {
    Hit(
      recording: hit.recording.description, title: hit.title,
      startedAt: RFC3339.text(hit.startedMilliseconds), text: hit.text, snippet: hit.snippet,
      startSeconds: hit.startSeconds, endSeconds: hit.endSeconds, speaker: hit.speaker)
  }

  private static func table(_ hits: [SearchHit], _ zone: TimeZone) -> TextTable {
    var table = TextTable([
      .init("ID"), .init("STARTED"), .init("FROM", right: true), .init("TO", right: true),
      .init("SPEAKER"), .init("TITLE", elastic: true), .init("TEXT", elastic: true),
    ])
    for hit in hits {
      table.add([
        String(hit.recording.description.prefix(8)),
        RFC3339.localText(hit.startedMilliseconds, in: zone), TimeCode.clock(hit.startSeconds),
        TimeCode.clock(hit.endSeconds), hit.speaker ?? "", hit.title, hit.snippet,
      ])
    }
    return table
  }
}
