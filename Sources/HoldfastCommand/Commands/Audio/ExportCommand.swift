import Foundation
import Holdfast

/// `holdfast export`.
struct ExportCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let reader = try context.reader()
    let text = context[Arguments.recording]
    let id = try reader.read { try RecordingRows.resolve(text, $0) }
    let plan = try Exporter(reader).plan(id, options(context))
    guard !plan.parts.isEmpty else {
      throw HoldfastError(
        .conflict, "Recording \(id) has no audio on track \(plan.track).",
        hint: "`holdfast show` shows what it has.")
    }
    await remarks(plan, context)
    let file = context[Options.exportFile]
    let reports =
      file == "-"
      ? [try await toOutput(plan, context)]
      : try await toFiles(plan, reader, file, context)
    return try await told(plan, reports, file, context)
  }

  private func options(_ context: CommandContext) -> ExportOptions {
    var options = ExportOptions()
    options.form = context[Options.format] == "raw" ? .raw : .wav
    options.track = context[Options.onlyTrack]
    options.take = context[Options.onlyTake]
    switch context[Options.gaps] {
    case "silence": options.gaps = .silence
    case "cut": options.gaps = .cut
    default: options.gaps = .standard
    }
    return options
  }

  private func remarks(_ plan: ExportPlan, _ context: CommandContext) async {
    if !plan.otherTracks.isEmpty {
      await context.output.remark(
        "track \(plan.track); others: \(plan.otherTracks.joined(separator: ", ")) (--track)")
    }
    if plan.isUnfinished {
      await context.output.remark("it is still being recorded; this is how far it has come")
    }
    for part in plan.parts {
      guard let rounded = part.roundedRate else { continue }
      await context.output.remark(
        "WAV holds whole rates only: the header says \(Int64(rounded)) Hz, the audio has "
          + "\(part.format.sampleRate) Hz; no sample is changed, but a player is off by that much "
          + "(--format raw has no header)")
    }
    if plan.parts.count > 1 {
      await context.output.remark(
        "takes differ in format: one file for each of \(plan.parts.count) runs of equal takes")
    }
  }

  /// Bytes go to standard output as fast as it takes them: read on one side, written on the other.
  private func toOutput(
    _ plan: ExportPlan, _ context: CommandContext
  ) async throws(HoldfastError) -> ExportReport {
    guard plan.parts.count == 1 else {
      throw HoldfastError(
        .invalidArgument, "The takes differ in format and need \(plan.parts.count) files.",
        hint: "Give a file name with -o, or one take with --take.")
    }
    let sink = StreamSink()
    let part = plan.parts[0]
    let directory = try context.existingStore()
    let result = Task.detached { () -> Result<ExportReport, HoldfastError> in
      defer { sink.finish() }
      do throws(HoldfastError) {
        let reader = try ReaderOpening.open(
          directory, temporary: NSTemporaryDirectory(), .system())
        return .success(try Exporter(reader).write(part, to: sink))
      } catch { return .failure(error) }
    }
    for await piece in sink.pieces {
      do throws(HoldfastError) { try await context.output.write(piece) } catch {
        sink.cancel()
        throw error
      }
      sink.taken()
    }
    return try await result.value.get()
  }

  private func toFiles(
    _ plan: ExportPlan, _ reader: StoreReader, _ file: String, _ context: CommandContext
  ) async throws(HoldfastError) -> [ExportReport] {
    let exporter = Exporter(reader)
    let names = plan.parts.map { Self.name(file, part: $0.number, of: plan.parts.count) }
    let targets = names.map { FileTarget($0, .system(), outside: reader.layout) }
    let isForced = context[Options.force]
    for target in targets { try Self.check(target, isForced) }
    var reports: [ExportReport] = []
    for ((part, name), target) in zip(zip(plan.parts, names), targets) {
      let total = part.byteCount
      let output = context.output
      reports.append(
        try target.write(replacing: isForced) { sink throws(HoldfastError) in
          let counted = CountingSink(sink) { bytes in
            Task {
              await output.progress(
                ProgressReading("Writing \(name)", bytes: bytes, of: total))
            }
          }
          return try exporter.write(part, to: counted)
        })
    }
    return reports
  }

  /// Everything that can be known is said before the first file is written.
  private static func check(_ target: FileTarget, _ isForced: Bool) throws(HoldfastError) {
    do throws(HoldfastError) { try target.check(replacing: isForced) } catch {
      guard error.code == .conflict else { throw error }
      throw HoldfastError(
        error.code, error.message, hint: "Nothing was written. Give another name, or --force.",
        context: error.context)
    }
  }

  /// FILE, or FILE-1, FILE-2 … before its extension.
  private static func name(_ file: String, part: UInt32, of count: Int) -> String {
    guard count > 1 else { return file }
    let url = URL(fileURLWithPath: file)
    let suffix = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
    return String(file.dropLast(suffix.count)) + "-\(part)" + suffix
  }

  private func told(
    _ plan: ExportPlan, _ reports: [ExportReport], _ file: String, _ context: CommandContext
  ) async throws(HoldfastError) -> ExitCode {
    var sum = ExportReport()
    for report in reports { sum.addCounts(report) }
    let marks = reports.flatMap(\.marks)
    if context.output.isJSON && file != "-" {
      try await context.output.document(
        ExportDocument(
          plan, reports,
          files: plan.parts.map { Self.name(file, part: $0.number, of: plan.parts.count) }))
    }
    for mark in marks {
      let part = plan.parts.first
      let seconds = Double(mark.frames) / (part?.format.sampleRate ?? 1)
      await context.output.remark(
        "\(mark.reason.rawValue) at \(Units.duration(mark.recordingSeconds)): "
          + "\(Units.duration(seconds)) \(mark.isSilence ? "of silence" : "cut")")
    }
    if sum.hasLoss {
      await context.output.remark(
        "\(CountedNoun.text(sum.damagedChunks, "chunk")) damaged, \(sum.missingChunks) missing; "
          + "silence stands in their place, and everything else is there")
    }
    if sum.damagedHeaders > 0 {
      await context.output.remark(
        "damaged headers: \(CountedNoun.text(sum.damagedHeaders, "chunk")), whose audio is whole "
          + "and is in the file")
    }
    return sum.hasDamage ? .damage : .done
  }
}

/// What `export --json` prints.
struct ExportDocument: Encodable, Sendable {
  struct File: Encodable, Sendable {
    let file, format: String
    let sampleRate: Double
    /// Only where the header cannot hold the rate.
    let headerSampleRate: Double?
    let channels: UInt32
    let frames, bytes, silenceFrames: UInt64
    let startSeconds: Double
  }
  struct Mark: Encodable, Sendable {
    let reason: String
    let atSeconds: Double
    let frames: UInt64
    let silence: Bool
  }

  let recording, track: String
  let files: [File]
  let damagedChunks, missingChunks, damagedHeaders: UInt64
  let marks: [Mark]

  init(_ plan: ExportPlan, _ reports: [ExportReport], files names: [String]) {
    recording = plan.recording.description
    track = plan.track
    var files: [File] = []
    for (index, report) in reports.enumerated() where index < plan.parts.count {
      let part = plan.parts[index]
      files.append(
        File(
          file: PathText.shown(names[index]), format: part.format.encoding.rawValue,
          sampleRate: part.format.sampleRate, headerSampleRate: part.roundedRate,
          channels: part.format.channels,
          frames: report.frames, bytes: report.bytes, silenceFrames: report.silenceFrames,
          startSeconds: part.startSeconds))
    }
    self.files = files
    damagedChunks = reports.reduce(0) { $0 + $1.damagedChunks }
    missingChunks = reports.reduce(0) { $0 + $1.missingChunks }
    damagedHeaders = reports.reduce(0) { $0 + $1.damagedHeaders }
    marks = reports.flatMap(\.marks).map {
      Mark(
        reason: $0.reason.rawValue, atSeconds: $0.recordingSeconds, frames: $0.frames,
        silence: $0.isSilence)
    }
  }
}
