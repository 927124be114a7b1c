import Foundation
import Holdfast

/// `holdfast verify`.
struct VerifyCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let output = context.output
    let result = try StoreVerification.run(
      try context.existingStore(), temporary: NSTemporaryDirectory(), .system()
    ) { progress in
      Task {
        await output.progress(
          ProgressReading("Verifying", bytes: progress.doneBytes, of: progress.totalBytes))
      }
    }
    if output.isJSON {
      try await output.document(VerifyDocument(result))
    } else {
      try await text(result, output)
    }
    return Self.code(result)
  }

  /// What may not be read now is no damage (J6); when that is all, the same works later.
  private static func code(_ result: VerifyResult) -> ExitCode {
    if result.isSound { return .done }
    let findings = result.damaged + result.missing
    let isOnlyDenied =
      !findings.isEmpty && findings.allSatisfy { $0.reason == .denied }
      && result.database.isEmpty && result.headers.isEmpty
    return isOnlyDenied ? .blocked : .damage
  }

  private func text(_ result: VerifyResult, _ output: Output) async throws(HoldfastError) {
    for finding in result.damaged + result.missing {
      try await output.line(
        "\(finding.recording.description.prefix(8)) \(finding.track) take \(finding.takeIndex) "
          + "chunk \(finding.sequence): \(finding.reason.rawValue) (\(finding.reel))", .red)
    }
    for header in result.headers {
      try await output.line("\(header.reel): \(header.message)", .yellow)
    }
    for problem in result.database {
      try await output.line("database, \(problem.code.rawValue): \(problem.message)", .red)
    }
    for orphan in result.orphans {
      try await output.line(
        "\(orphan.path): \(orphan.kind.rawValue) that no row knows, "
          + Units.bytes(orphan.bytes), .yellow)
    }
    try await output.line(
      "\(result.ok) of \(result.chunks) chunks are whole"
        + (result.freed > 0 ? ", \(result.freed) freed on purpose" : ""))
  }
}

/// What `verify --json` prints.
struct VerifyDocument: Encodable, Sendable {
  struct Chunk: Encodable, Sendable {
    let recording, take, track, reel, reason: String
    let takeIndex: UInt32
    let seq, firstFrame: UInt64
    let frames: UInt32

    init(_ finding: ChunkFinding) {
      recording = finding.recording.description
      take = finding.take.description
      track = finding.track
      reel = finding.reel.description
      reason = finding.reason.rawValue
      takeIndex = finding.takeIndex
      seq = finding.sequence
      firstFrame = finding.firstFrame
      frames = finding.frames
    }
  }
  struct File: Encodable, Sendable {
    let path, kind: String
    let bytes, chunks: UInt64
  }
  struct Problem: Encodable, Sendable { let code, message: String }
  struct Header: Encodable, Sendable { let reel, message: String }

  let chunks, ok, freed, bytes: UInt64
  let damaged, missing: [Chunk]
  let orphans: [File]
  let database: [Problem]
  let headers: [Header]

  init(_ result: VerifyResult) {
    chunks = result.chunks
    ok = result.ok
    freed = result.freed
    bytes = result.bytes
    damaged = result.damaged.map(Chunk.init)
    missing = result.missing.map(Chunk.init)
    orphans = result.orphans.map {
      File(path: $0.path, kind: $0.kind.rawValue, bytes: $0.bytes, chunks: $0.chunks)
    }
    database = result.database.map { Problem(code: $0.code.rawValue, message: $0.message) }
    headers = result.headers.map { Header(reel: $0.reel.description, message: $0.message) }
  }
}
