import Foundation
import Holdfast

/// `holdfast rebuild`.
struct RebuildCommand: Command {
  private struct Document: Encodable {
    let database: String
    let damagedTables, leftBehind: [String]
    let commitsLost, changesLost, recordings, foundRecordings, chunksKept: UInt64
    let chunksLost: [VerifyDocument.Chunk]
    let mendedHeaders, mendedFrames: UInt64
    let damagedHeaders: [VerifyDocument.Header]
    let unusableReels: [Reel]
    let linkedBytes, copiedBytes: UInt64

    struct Reel: Encodable {
      let reel, message: String
      let chunks: UInt64
    }
  }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let target = context[Options.newStore]
    let output = context.output
    var options = StoreOptions()
    options.lockWaitNanoseconds = Int64(context[Options.wait] * 1e9)
    let report = try StoreRebuild.run(
      from: try context.existingStore(), to: target, options, .system()
    ) { progress in
      Task {
        await output.progress(
          ProgressReading("Comparing", bytes: progress.doneBytes, of: progress.totalBytes))
      }
    }
    if output.isJSON {
      try await output.document(Self.document(report))
    } else {
      try await text(report, target, output)
    }
    return report.hasLoss ? .damage : .done
  }

  private static func document(_ report: StoreRebuild.Report) -> Document {
    Document(
      database: report.database.rawValue, damagedTables: report.damagedTables,
      leftBehind: report.leftBehind, commitsLost: report.commitsLost,
      changesLost: report.changesLost, recordings: report.recordings,
      foundRecordings: report.foundRecordings, chunksKept: report.chunksKept,
      chunksLost: report.chunksLost.map { .init($0) }, mendedHeaders: report.mendedHeaders,
      mendedFrames: report.mendedFrames,
      damagedHeaders: report.damagedHeaders.map {
        .init(reel: $0.reel.description, message: $0.message)
      },
      unusableReels: report.unusableReels.map {
        .init(reel: $0.reel.description, message: $0.reason, chunks: $0.chunks)
      },
      linkedBytes: report.linkedBytes, copiedBytes: report.copiedBytes)
  }

  private func text(
    _ report: StoreRebuild.Report, _ target: String, _ output: Output
  ) async throws(HoldfastError) {
    switch report.database {
    case .whole: try await output.line("The database could be read whole.")
    case .partly where report.damagedTables.isEmpty:
      try await output.line(
        "The database is damaged outside of its rows; all that could be found were read.", .yellow)
    case .partly:
      try await output.line(
        "The database could be read in part; damaged: "
          + report.damagedTables.joined(separator: ", "), .yellow)
    default:
      try await output.line(
        "The database could not be read: the new store is made from the reels alone. Titles, "
          + "attributes and edits are gone.", .yellow)
    }
    if report.changesLost + report.commitsLost > 0 {
      try await output.line(
        "Lost: \(CountedNoun.text(report.commitsLost, "commit")) and "
          + "\(CountedNoun.text(report.changesLost, "change")).", .yellow)
    }
    try await output.line(
      "In \(target): \(CountedNoun.text(report.recordings, "recording")) with "
        + "\(CountedNoun.text(report.chunksKept, "chunk")); "
        + "\(Units.bytes(report.linkedBytes)) linked, \(Units.bytes(report.copiedBytes)) copied.")
    for finding in report.chunksLost {
      try await output.line(
        "lost: \(finding.recording.description.prefix(8)) \(finding.track) take "
          + "\(finding.takeIndex) chunk \(finding.sequence): \(finding.reason.rawValue)", .red)
    }
    if report.mendedHeaders > 0 {
      try await output.line(
        "One flipped bit was mended in the header of "
          + "\(CountedNoun.text(report.mendedHeaders, "reel")).")
    }
    if report.mendedFrames > 0 {
      try await output.line(
        "The header of \(CountedNoun.text(report.mendedFrames, "chunk")) was written anew.")
    }
    for header in report.damagedHeaders {
      try await output.line("damaged: \(header.reel): \(header.message)", .yellow)
    }
    for reel in report.unusableReels { try await output.line("lost: \(reel.sentence)", .red) }
    for path in report.leftBehind { try await output.line("left behind: \(path)", .yellow) }
  }
}
