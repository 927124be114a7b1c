package import HoldfastModel
import HoldfastSQLite

/// Queries for those who may not speak SQL: views and the command.
extension StoreReader {
  /// Recordings, newest first.
  package func recordings(
    _ request: RecordingRequest
  ) throws(HoldfastError) -> [RecordingSummary] {
    try read { try RecordingRows.list(request, live: logs, $0) }
  }

  /// The store's id; nil when it has none yet.
  package func storeID() throws(HoldfastError) -> StoreID? {
    try read { try Settings.blob(Settings.store, $0).flatMap { StoreID($0) } }
  }

  /// What is wrong with the database, the reels left aside.
  package func databaseProblems() throws(HoldfastError) -> [DatabaseProblem] {
    try DatabaseAudit(reader: self).run()
  }
}
