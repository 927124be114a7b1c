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
    } else {
      try await context.output.page(try TextInspector(reader).text())
    }
    return .done
  }

  private static func document(_ reader: StoreReader) throws(HoldfastError) -> Document {
    let launches = try LaunchList.read(reader)
    let space = try SpaceReport.read(reader)
    return Document(
      store: try reader.storeID()?.description, schema: reader.schemaVersion,
      launches: launches.count, alive: launches.filter(\.isAlive).count,
      recordings: try reader.recordings(RecordingRequest()).count,
      totalBytes: space.totalBytes, freeBytes: space.freeBytes,
      attention: reader.report.attention.map(\.code))
  }
}
