import Foundation
import Holdfast

/// `holdfast backup`.
struct BackupCommand: Command {
  private struct Document: Encodable {
    let recordings, chunks, foundReels, foundFiles, audioBytes, databaseBytes: UInt64
    let damaged, missing: [VerifyDocument.Chunk]
  }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let target = context[Options.outputDirectory]
    let output = context.output
    let report = try StoreBackup.run(
      from: try context.existingStore(), to: target, .system()
    ) { progress in
      Task {
        await output.progress(
          ProgressReading("Copying", bytes: progress.doneBytes, of: progress.totalBytes))
      }
    }
    if output.isJSON {
      try await output.document(
        Document(
          recordings: report.recordings, chunks: report.chunks, foundReels: report.foundReels,
          foundFiles: report.foundFiles, audioBytes: report.audioBytes,
          databaseBytes: report.databaseBytes, damaged: report.damaged.map { .init($0) },
          missing: report.missing.map { .init($0) }))
    } else {
      try await output.line(
        "\(CountedNoun.text(report.recordings, "recording")), "
          + "\(CountedNoun.text(report.chunks, "chunk")), "
          + "\(Units.bytes(report.audioBytes + report.databaseBytes)) copied and compared")
    }
    let found = report.foundReels + report.foundFiles
    if found > 0 {
      await output.remark(
        "\(found) files of audio that no row knows were copied as they lie; `holdfast adopt` takes "
          + "them in")
    }
    let lacks = report.damaged.count + report.missing.count
    if lacks > 0 {
      await output.remark(
        "\(CountedNoun.text(lacks, "chunk")) damaged or missing in the store itself")
    }
    return lacks > 0 ? .damage : .done
  }
}
