package import HoldfastModel
package import HoldfastSQLite
import HoldfastSchema

/// Brings the database's tables to this version's (J10).
///
/// Invariant: each migration is one transaction and only adds; `user_version` is the number of
/// migrations that were applied, set in the same transaction. A database with more of them than we
/// know is newer: it is read, never written.
package enum Migrator {
  /// "HFST": tells a Holdfast database from any other SQLite file.
  package static let applicationID: Int64 = 0x4846_5354

  /// The version that this build writes.
  package static var currentVersion: Int64 { Int64(Schema.migrations.count) }

  /// What kind of database it is.
  package enum Finding: Hashable, Sendable {
    /// Nothing in it yet.
    case empty
    /// Ours, of this version (0 < version ≤ current).
    case known(Int64)
    /// Ours, of a newer version.
    case newer(Int64)
    /// An SQLite database of somebody else.
    case foreign
  }

  /// Looks without writing.
  package static func inspect(_ db: borrowing Connection) throws -> Finding {
    let version = try db.first("PRAGMA user_version", []) { $0.int64(0) } ?? 0
    let application = try db.first("PRAGMA application_id", []) { $0.int64(0) } ?? 0
    let tables = try db.first("SELECT count(*) FROM sqlite_schema", []) { $0.int64(0) } ?? 0
    if application == 0 && version == 0 && tables == 0 { return .empty }
    guard application == applicationID, version > 0 else { return .foreign }
    return version > currentVersion ? .newer(version) : .known(version)
  }

  /// The error for a store that this version must not write.
  package static func newer(_ version: Int64, _ path: String) -> HoldfastError {
    HoldfastError(
      .newerSchema,
      "\(path) was written by a newer version of Holdfast (schema \(version); this one writes "
        + "schema \(currentVersion)).",
      hint: "Reading works. To write, use a version that knows schema \(version).",
      context: ["path": path, "schema": String(version), "known": String(currentVersion)])
  }

  /// The error for a database of somebody else.
  package static func foreign(_ path: String) -> HoldfastError {
    HoldfastError(
      .invalidArgument, "\(path) is an SQLite database, but not of a Holdfast store.",
      hint: "Give another directory with --store; this one was not touched.",
      context: ["path": path])
  }

  /// The error for a file in the database's place that is none, where no store was.
  static func garbage(_ path: String) -> HoldfastError {
    HoldfastError(
      .invalidArgument, "\(path) is no database, and nothing of a store is beside it.",
      hint: "Give another directory with --store; this one was not touched.",
      context: ["path": path])
  }

  /// Applies what is missing. Called with the writer lock held, outside a transaction.
  ///
  /// - Parameters:
  ///   - target: the version to stop at; this build's own, but for a model of an older one.
  ///   - owesAudio: whether the tables are made for reels that are there already. That they are to
  ///     be adopted is committed with the first table: a death in between must not make the store
  ///     look like one that is whole (J4, J12).
  package static func migrate(
    _ db: borrowing Connection, from version: Int64, to target: Int64 = currentVersion,
    owesAudio: Bool = false
  ) throws {
    try db.setSynchronous(.full)
    for (index, migration) in Schema.migrations.enumerated()
    where Int64(index) >= version && Int64(index) < target {
      try db.transaction(.write) {
        try db.execute(migration.sql)
        try db.execute("PRAGMA user_version = \(index + 1)")
        if index == 0 {
          try db.execute("PRAGMA application_id = \(applicationID)")
          if owesAudio { try Settings.set(Settings.adoptionOwed, .text("rebuilt"), db) }
        }
      }
    }
  }
}
