import Foundation
import Holdfast

/// `holdfast list`.
struct ListCommand: Command {
  private struct Document: Encodable { let recordings: [RecordingDocument] }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let reader = try context.reader()
    let states = context[Options.state]
    var request = RecordingRequest()
    request.includesDeleted = context[Options.all] || states.contains("deleted")
    request.sinceMilliseconds = context[Options.since]
    // With states chosen the limit counts what is shown, not what was read.
    request.limit = states.isEmpty ? context[Options.limit].map { UInt64($0) } : nil
    let wanted = request
    var found = try reader.recordings(wanted)
    if !states.isEmpty {
      found = found.filter { states.contains($0.state) }
      if let limit = context[Options.limit] { found = Array(found.prefix(Int(limit))) }
    }
    for attention in reader.report.attention where attention.isAboutAll {
      await context.output.remark("\(attention.message) See `holdfast recover`.")
    }
    if context[Options.ids] { return try await ids(found, context) }
    if context.output.isJSON {
      try await context.output.document(Document(recordings: found.map(RecordingDocument.init)))
      return .done
    }
    try await table(found, context)
    return .done
  }

  private func ids(
    _ found: [RecordingSummary], _ context: CommandContext
  ) async throws(HoldfastError) -> ExitCode {
    for item in found {
      try await context.output.page("\(item.id)\t\(visible(item.title))\n")
    }
    return .done
  }

  private func table(
    _ found: [RecordingSummary], _ context: CommandContext
  ) async throws(HoldfastError) {
    guard !found.isEmpty else {
      await context.output.remark("no recordings")
      return
    }
    var table = TextTable([
      .init("ID"), .init("STARTED"), .init("STATE"), .init("CAPTURED", right: true),
      .init("ELAPSED", right: true), .init("GAPS", right: true), .init("SIZE", right: true),
      .init("TITLE", elastic: true),
    ])
    for item in found {
      let mark = item.phase.recovered ? " (recovered)" : ""
      table.add([
        String(item.id.description.prefix(8)),
        RFC3339.localText(item.startedMilliseconds, in: context.zone), item.state + mark,
        Units.duration(item.timeline.capturedSeconds),
        Units.duration(item.elapsedSeconds), "\(item.timeline.gaps.count)",
        Units.bytes(item.payloadBytes), item.title,
      ])
    }
    try await context.output.table(table)
  }
}
