import Foundation
import Holdfast

/// Shows or exports a transcript, and lists passes. Nothing is written to the store.
struct TranscriptShowing {
  private struct Written: Encodable {
    let recording, file, format: String
    let pass: String?
    let bytes: UInt64
  }

  private let context: CommandContext
  private let recording: String

  init(_ context: CommandContext, _ recording: String) {
    self.context = context
    self.recording = recording
  }

  private var output: Output { context.output }

  /// Shows the current transcript, or the pass that was asked for.
  func run() async throws(HoldfastError) -> ExitCode {
    let reader = try context.reader()
    let (text, wanted) = (recording, context[Options.pass])
    let (summary, shown, count) = try reader.read { db in
      let summary = try RecordingRows.summary(of: text, db)
      let passes = try TranscriptReading.passes(of: summary.id, db)
      guard let wanted else {
        return (summary, try TranscriptReading.current(of: summary.id, db), passes.count)
      }
      let pass = try PassChoice.one(wanted, among: passes)
      return (
        summary, try TranscriptReading.transcript(of: summary.id, pass: pass, db), passes.count
      )
    }
    if shown.pass == nil {
      await output.remark(
        count == 0
          ? "\(summary.id) has no transcript yet"
          : "no pass of \(summary.id) is complete yet; --pass 1 shows how far the first one is")
    }
    if !shown.unplaced.isEmpty {
      let count = shown.unplaced.count
      await output.remark(
        (count == 1
          ? "1 name or edit of another pass fits nowhere here"
          : "\(count) names or edits of other passes fit nowhere here")
          + "; see unplaced in --format json")
    }
    if let path = context[Options.transcriptFile], path != "-" {
      try await write(shown, summary, to: path, reader)
    } else {
      try await show(shown, summary)
    }
    return .done
  }

  private func show(
    _ shown: ShownTranscript, _ summary: RecordingSummary
  ) async throws(HoldfastError) {
    let isJSON = output.isJSON || context[Options.transcriptFormat] == "json"
    if isJSON { return try await output.document(document(shown, summary)) }
    let text = try text(shown, summary)
    // A terminal acts on some characters; a file or a pipe gets the text as it is.
    guard context.terminal.outputIsTerminal else { return try await output.page(text) }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      try await output.line(String(line))
    }
  }

  private func write(
    _ shown: ShownTranscript, _ summary: RecordingSummary, to path: String, _ reader: StoreReader
  ) async throws(HoldfastError) {
    let format = context[Options.transcriptFormat]
    let bytes = Array(try text(shown, summary).utf8)
    try FileTarget(path, .system(), outside: reader.layout)
      .write(replacing: context[Options.force]) { sink throws(HoldfastError) in
        try sink.write(bytes)
      }
    if output.isJSON {
      try await output.document(
        Written(
          recording: summary.id.description, file: path, format: format,
          pass: shown.pass?.description, bytes: UInt64(bytes.count)))
    } else {
      await output.remark("\(path) has \(shown.segments.count) lines")
    }
  }

  private func document(
    _ shown: ShownTranscript, _ summary: RecordingSummary
  ) -> TranscriptDocument {
    TranscriptDocument(
      shown, title: summary.title, startedMilliseconds: summary.startedMilliseconds)
  }

  private func text(
    _ shown: ShownTranscript, _ summary: RecordingSummary
  ) throws(HoldfastError) -> String {
    switch context[Options.transcriptFormat] {
    case "srt": return shown.srt
    case "vtt": return shown.vtt
    case "json": return try JSONText.line(document(shown, summary))
    case "md":
      return shown.markdown(
        title: summary.title,
        date: RFC3339.localText(summary.startedMilliseconds, in: context.zone))
    default: return shown.plainText
    }
  }

  /// Lists the passes.
  func passes() async throws(HoldfastError) -> ExitCode {
    let text = recording
    let (list, current, chosen) = try context.reader().read { db in
      let id = try RecordingRows.resolve(text, db)
      return (
        try TranscriptReading.passes(of: id, db), try TranscriptReading.currentPass(of: id, db),
        try TranscriptReading.chosenPass(of: id, db)
      )
    }
    if output.isJSON {
      try await output.document([
        "passes": list.map { PassDocument($0, current: current, chosen: chosen) }
      ])
      return .done
    }
    guard !list.isEmpty else {
      await output.remark("no passes")
      return .done
    }
    try await output.table(PassTable.table(list, current, chosen, in: context.zone))
    return .done
  }
}

/// Passes as a table.
enum PassTable {
  static func table(
    _ list: [PassRow], _ current: PassID?, _ chosen: PassID?, in zone: TimeZone
  ) -> TextTable {
    var table = TextTable([
      .init("N", right: true), .init("PASS"), .init("MADE"), .init("STATE"),
      .init("WORDS", right: true), .init("QUALITY", right: true),
      .init("ENGINE", elastic: true),
    ])
    for pass in list {
      var state = pass.isClosed ? "complete" : pass.draft.isLive ? "live" : "unfinished"
      if pass.id == current { state += ", shown" }
      if pass.id == chosen { state += " by choice" }
      table.add([
        "\(pass.number)", String(pass.id.description.prefix(8)),
        RFC3339.localText(pass.madeMilliseconds, in: zone), state, "\(pass.words)",
        "\(pass.draft.quality)",
        "\(pass.draft.engine) \(pass.draft.version)",
      ])
    }
    return table
  }
}

/// Finds what a person names by a number or by the beginning of a name.
enum PassChoice {
  /// The pass of a number, or of the first digits of a hash.
  ///
  /// - Throws: `notFound`; `conflict` when several begin so.
  static func one(_ text: String, among passes: [PassRow]) throws(HoldfastError) -> PassID {
    if text.utf8.count < 8, let number = UInt64(text) {
      if let pass = passes.first(where: { $0.number == number }) { return pass.id }
    } else if text.utf8.count >= 4 {
      let found = passes.filter { $0.id.description.hasPrefix(text.lowercased()) }
      if found.count == 1 { return found[0].id }
      guard found.isEmpty else {
        throw HoldfastError(
          .conflict, "Several passes begin with \(text).", hint: "Give more digits.")
      }
    }
    throw HoldfastError(
      .notFound, "There is no pass \(text) of this recording.",
      hint: passes.isEmpty
        ? "It has none." : "`holdfast transcript ID passes` lists 1 to \(passes.count).")
  }
}
