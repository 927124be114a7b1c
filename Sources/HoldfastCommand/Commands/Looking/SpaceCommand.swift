import Holdfast

/// `holdfast space`.
struct SpaceCommand: Command {
  private struct Item: Encodable {
    let id, title: String
    let deleted: Bool
    let audioBytes: UInt64
  }
  private struct Document: Encodable {
    let recordings: [Item]
    let audioBytes, orphanBytes, freedBytes, databaseBytes, logBytes, launchesBytes: UInt64
    let evidenceBytes, incomingBytes, reserveBytes, totalBytes, freeBytes: UInt64
    let secondsLeft: Double?
    /// Why audio could not be measured; its bytes are not counted.
    let unreadable: String?
  }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let report = try SpaceReport.read(try context.reader())
    let code: ExitCode = report.unreadable == nil ? .done : .blocked
    if let cause = report.unreadable {
      await context.output.remark("audio is not counted: \(cause)")
    }
    if context.output.isJSON {
      try await context.output.document(Self.document(report))
      return code
    }
    var table = TextTable([.init("WHAT"), .init("BYTES", right: true), .init("", elastic: true)])
    for item in report.recordings where item.audioBytes > 0 {
      table.add([
        String(item.id.description.prefix(8)), Units.bytes(item.audioBytes),
        item.title + (item.isDeleted ? " (in the trash)" : ""),
      ])
    }
    let kinds: [(String, UInt64)] = [
      ("audio", report.audioBytes), ("audio that no row knows", report.orphanBytes),
      ("database", report.databaseBytes), ("write-ahead log", report.logBytes),
      ("launch files", report.launchesBytes), ("evidence", report.evidenceBytes),
      ("files of recorders", report.incomingBytes), ("reserve", report.reserveBytes),
      ("all", report.totalBytes), ("free on the disk", report.freeBytes),
    ]
    for (name, bytes) in kinds where bytes > 0 { table.add([name, Units.bytes(bytes), ""]) }
    try await context.output.table(table)
    if let seconds = report.secondsLeft {
      try await context.output.line(
        "room for \(Units.duration(seconds)) more, at the rate of the newest take")
    }
    return code
  }

  private static func document(_ report: SpaceReport) -> Document {
    Document(
      recordings: report.recordings.map {
        Item(
          id: $0.id.description, title: $0.title, deleted: $0.isDeleted,
          audioBytes: $0.audioBytes)
      }, audioBytes: report.audioBytes, orphanBytes: report.orphanBytes,
      freedBytes: report.freedBytes, databaseBytes: report.databaseBytes,
      logBytes: report.logBytes, launchesBytes: report.launchesBytes,
      evidenceBytes: report.evidenceBytes, incomingBytes: report.incomingBytes,
      reserveBytes: report.reserveBytes, totalBytes: report.totalBytes,
      freeBytes: report.freeBytes, secondsLeft: report.secondsLeft,
      unreadable: report.unreadable)
  }
}
