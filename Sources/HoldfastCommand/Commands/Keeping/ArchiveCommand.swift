import Holdfast

/// `holdfast archive`.
struct ArchiveCommand: Command {
  private struct Document: Encodable {
    let recordings, files, bytes: Int64
    let damaged: [String]
  }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let target = context[Options.outputDirectory]
    let report = try ArchiveWriter(try context.reader(), target, isCancelled: { false }).run()
    if context.output.isJSON {
      try await context.output.document(
        Document(
          recordings: report.recordings, files: report.files, bytes: report.bytes,
          damaged: report.damaged.map(\.description)))
    } else {
      try await context.output.line(
        "In \(target): \(CountedNoun.text(report.recordings, "recording")) in "
          + "\(CountedNoun.text(report.files, "file")) of audio, "
          + Units.bytes(UInt64(max(report.bytes, 0))))
    }
    for id in report.damaged {
      await context.output.remark(
        "audio of \(id) is damaged or missing; all that can be read was written, and "
          + "recording.json tells what is not")
    }
    return report.damaged.isEmpty ? .done : .damage
  }
}
