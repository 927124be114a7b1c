import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Export beside a removal")
struct ExportBesideTests {
  /// Rows of a store that something happens to before a call.
  private final class DisturbedRows: StoreRows {
    let store: StoreWriter
    private var left: Int
    private let disturb: () throws(HoldfastError) -> Void

    var layout: StoreLayout { store.layout }
    var environment: StoreEnvironment { store.environment }

    init(
      _ store: StoreWriter, beforeCall number: Int,
      _ disturb: @escaping () throws(HoldfastError) -> Void
    ) {
      self.store = store
      left = number
      self.disturb = disturb
    }

    func rows<T: Sendable>(
      _ body: @escaping @Sendable (borrowing Connection) throws -> T
    ) throws(HoldfastError) -> T {
      left -= 1
      if left == 0 { try disturb() }
      return try store.rows(body)
    }
  }

  private static let frames: UInt64 = 20

  /// A recording of more chunks than one page of rows has.
  private static func long(_ store: SoundStore, chunks: Int = 1_100) throws -> RecordingID {
    let chunk = SoundFiles.bytes(Int(frames) * 2, seed: 4)
    return try store.record([.init(at: 0, Array(repeating: chunk, count: chunks))])
  }

  @Test("counts every chunk whose row is gone before it was read as missing (J5)")
  func rowsVanish() throws {
    let store = try SoundStore()
    let id = try Self.long(store)
    let writer = store.writer
    let rows = DisturbedRows(writer, beforeCall: 2) { () throws(HoldfastError) in
      try writer.database.commit { db in
        _ = try db.run("DELETE FROM chunk WHERE sequence >= 700", [])
      }
    }
    let plan = try Exporter(writer).plan(id, ExportOptions())
    let report = try Exporter(rows).write(try #require(plan.parts.first), to: MemorySink())
    #expect(report.chunks == 700 && report.missingChunks == 400)
    #expect(report.silence == [.missing: 400 * Self.frames] && report.hasLoss)
    #expect(report.frames == plan.parts[0].frames)
  }

  @Test("says that the recording was purged, and passes no silence off as its sound")
  func purge() throws {
    let store = try SoundStore()
    let id = try Self.long(store)
    let writer = store.writer
    let rows = DisturbedRows(writer, beforeCall: 2) { () throws(HoldfastError) in
      _ = try Removal.purge(id, writer)
    }
    let plan = try Exporter(writer).plan(id, ExportOptions())
    let error = #expect(throws: HoldfastError.self) {
      try Exporter(rows).write(try #require(plan.parts.first), to: MemorySink())
    }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("purged while it was exported") == true)
  }
}
