import Holdfast
import HoldfastInspect

/// `holdfast inspect`.
struct InspectCommand: Command {
  private struct Document: Encodable {
    let store: String?
    let schema: Int64
    let launches, alive, recordings: Int
    let totalBytes, freeBytes: UInt64
    let attention: [String]
  }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let reader = try context.reader()
    if context.output.isJSON {
      try await context.output.document(try Self.document(reader))
      return .done
    }
    let zone = context.zone
    let inspector = TextInspector(
      reader, columns: UInt32(context.terminal.textColumns),
      time: { LocalTime.text($0, zone) }, duration: { Units.duration($0) },
      bytes: { Units.bytes($0) })
    for line in try inspector.lines() { try await context.output.line(line) }
    return .done
  }

  private static func document(_ reader: StoreReader) throws(HoldfastError) -> Document {
    let launches = try LaunchList.read(reader)
    let space = try SpaceReport.read(reader)
    let findings = try reader.read { try RecoveryFindings.read($0) }
    return Document(
      store: try reader.storeID()?.description, schema: reader.schemaVersion,
      launches: launches.count, alive: launches.count { $0.isAlive },
      recordings: try reader.recordings(RecordingRequest()).count,
      totalBytes: space.totalBytes, freeBytes: space.freeBytes,
      attention: findings.attention.map(\.code))
  }
}
