import Foundation
import Holdfast

/// `holdfast recover`.
struct RecoverCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let findings =
      context[Options.dryRun]
      ? try Outstanding.read(try context.reader())
      : try await acting(context, acknowledges: context[Options.acknowledge])
    let document = RecoverDocument(findings)
    if context.output.isJSON {
      try await context.output.document(document)
    } else {
      try await RecoverText(
        findings, zone: context.zone, isAcknowledged: context[Options.acknowledge]
      ).write(to: context.output)
    }
    if findings.isWaiting { return .blocked }
    return findings.hasLoss && !context[Options.acknowledge] ? .damage : .done
  }

  private func acting(
    _ context: CommandContext, acknowledges: Bool
  ) async throws(HoldfastError) -> Outstanding {
    let store = try context.store()
    _ = try await store.host.engineReport()
    do throws(HoldfastError) {
      let findings = try await store.host.write { writer throws(HoldfastError) in
        let findings = try writer.database.read { try Outstanding.read($0) }
        if acknowledges && !findings.isEmpty { try writer.acknowledge() }
        return findings
      }
      await store.close()
      return findings
    } catch {
      await store.close()
      throw error
    }
  }
}

/// What `recover --json` prints.
struct RecoverDocument: Encodable, Sendable {
  struct Launch: Encodable, Sendable {
    let id, program, ending, evidence, startedAt, endedAt: String
    let process: Int64
  }

  struct Item: Encodable, Sendable {
    let id, title, state: String
    let durationSeconds: Double
    let indexedChunks, salvagedChunks, damagedRanges: UInt64
    let lostAtMostSeconds: Double
    let gaps: [GapDocument]
  }

  struct Notice: Encodable, Sendable {
    let code, message, at: String
    let recording: String?
  }

  let launches: [Launch]
  let recordings: [Item]
  let tasks: [TaskDocument]
  let attention: [Notice]

  init(_ findings: Outstanding) {
    launches = findings.launches.reversed().map {
      Launch(
        id: $0.launch.description, program: $0.program, ending: $0.ending?.rawValue ?? "unknown",
        evidence: $0.evidence, startedAt: RFC3339.text($0.startedMilliseconds),
        endedAt: RFC3339.text($0.endedMilliseconds ?? $0.startedMilliseconds), process: $0.process)
    }
    recordings = findings.recordings.map {
      Item(
        id: $0.summary.id.description, title: $0.summary.title, state: $0.summary.state,
        durationSeconds: $0.summary.timeline.capturedSeconds,
        indexedChunks: $0.indexedChunks, salvagedChunks: $0.salvagedChunks,
        damagedRanges: $0.damaged, lostAtMostSeconds: Double($0.lostAtMostNanoseconds) / 1e9,
        gaps: $0.summary.gapDocuments)
    }
    tasks = findings.tasks.map { TaskDocument($0) }
    attention = findings.attention.map {
      Notice(
        code: $0.code, message: $0.message, at: RFC3339.text($0.atMilliseconds),
        recording: $0.recording?.description)
    }
  }

  private enum CodingKeys: String, CodingKey { case launches, recordings, tasks, attention }
}

/// The same for a person.
struct RecoverText {
  private let findings: Outstanding
  private let zone: TimeZone
  private let isAcknowledged: Bool

  init(_ findings: Outstanding, zone: TimeZone, isAcknowledged: Bool = false) {
    self.findings = findings
    self.zone = zone
    self.isAcknowledged = isAcknowledged
  }

  func write(to output: Output) async throws(HoldfastError) {
    if findings.isEmpty {
      try await output.line("Nothing is left to acknowledge.")
      return
    }
    for launch in findings.launches.reversed() {
      try await output.line(
        "launch \(launch.launch.description.prefix(8)) (\(launch.program), process "
          + "\(launch.process)) \(launch.ending?.rawValue ?? "unknown"): \(launch.evidence)")
    }
    for item in findings.recordings {
      try await output.line(
        "recording \(item.summary.id.description.prefix(8)) \"\(item.summary.title)\": "
          + "\(Units.duration(item.summary.timeline.capturedSeconds)) are there "
          + "(\(CountedNoun.text(item.indexedChunks, "chunk")) indexed, "
          + "\(item.salvagedChunks) salvaged), at "
          + "most \(Units.duration(Double(item.lostAtMostNanoseconds) / 1e9)) lost"
          + (item.damaged > 0 ? ", \(CountedNoun.text(item.damaged, "damaged place"))" : ""),
        .yellow)
    }
    for view in findings.tasks {
      let task = TaskDocument(view)
      try await output.line(
        "task \(task.id.prefix(8)) \(task.kind) of \(task.recording.prefix(8)): \(task.state)"
          + (task.cause.map { ", \($0)" } ?? ""))
    }
    for notice in findings.attention {
      try await output.line("\(notice.code): \(notice.message)", .yellow)
    }
    try await output.line(
      isAcknowledged ? "Acknowledged." : "`holdfast recover --ack` acknowledges this.")
  }
}
