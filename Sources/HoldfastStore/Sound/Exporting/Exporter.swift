package import HoldfastModel

/// Exports a recording's audio: first a plan, then each of its files.
///
/// ```swift
/// let exporter = Exporter(reader)
/// let plan = try exporter.plan(id, ExportOptions())
/// for part in plan.parts { let report = try exporter.write(part, to: sink(part)) }
/// ```
///
/// Writes nothing to the store and holds no snapshot while it waits for a sink; works beside a
/// process that records, up to what that has written.
package struct Exporter {
  private let store: any StoreRows

  /// An exporter of a store's recordings.
  package init(_ store: any StoreRows) { self.store = store }

  /// What an export will write.
  ///
  /// - Throws: `notFound` for a recording, track or take that is not there; `conflict` when nothing
  ///   was captured, or when the form cannot hold the audio (WAV of a codec's packets).
  package func plan(
    _ recording: RecordingID, _ options: ExportOptions
  ) throws(HoldfastError) -> ExportPlan {
    try ExportPlanner(store: store, options: options).plan(recording)
  }

  /// Writes one file of a plan.
  ///
  /// What is damaged or missing does not end it: silence of its length is written (of packets,
  /// nothing), and the report says so.
  ///
  /// - Throws: what the sink throws; `protectedDataUnavailable` when a reel cannot be opened now;
  ///   `notFound` when the recording was purged meanwhile: silence must not stand for it.
  package func write(
    _ part: ExportPart, to sink: any ExportSink
  ) throws(HoldfastError) -> ExportReport {
    do throws(HoldfastError) {
      let report = try export(part, to: sink)
      if report.hasLoss { try refusePurged(part) }
      return report
    } catch {
      if error.code == .damaged { try refusePurged(part) }
      throw error
    }
  }

  /// Fails when the recording of a part was purged since the plan.
  private func refusePurged(_ part: ExportPart) throws(HoldfastError) {
    guard let recording = part.takes.first?.contents.row.recording,
      try store.rows({ db in try RecordingRows.one(recording, db) }) == nil
    else { return }
    throw HoldfastError(
      .notFound, "Recording \(recording) was purged while it was exported.",
      hint: "What was written before that is not the whole of it: use none of it.")
  }

  private func export(
    _ part: ExportPart, to sink: any ExportSink
  ) throws(HoldfastError) -> ExportReport {
    if part.format.isPCM {
      var export = PCMExport(store, part, sink)
      return try export.run()
    }
    var export = PacketExport(store, part)
    return try export.run(to: sink)
  }
}
