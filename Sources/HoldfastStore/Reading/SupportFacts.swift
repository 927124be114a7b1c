package import HoldfastModel
import HoldfastSQLite

/// Numbers and words about a store that say nothing of what was recorded: for a support bundle.
package struct SupportFacts: Hashable, Sendable {
  /// The store's id; nil when it has none yet.
  package var store: StoreID?
  /// The version of its schema.
  package var schemaVersion: Int64
  /// Rows by table.
  package var rows: [(name: String, count: UInt64)] { counts.map { ($0.name, $0.count) } }
  private var counts: [Count]
  private struct Count: Hashable, Sendable {
    var name: String
    var count: UInt64
  }
  /// Names of the settings, without their values.
  package var settingNames: [String]
  /// The version of the SQLite in use.
  package var sqliteVersion: String
  /// The options that this SQLite was built with.
  package var sqliteOptions: [String]
  /// Origins of this store's own log, oldest first.
  package var origins: [Origin]
  /// Codes of attention with how often each stands unacknowledged or acknowledged.
  package var attention: [AttentionCount]
  /// Chunks by mark of absence: damaged, missing.
  package var damagedChunks: UInt64
  /// Chunks marked as missing.
  package var missingChunks: UInt64

  /// One incarnation of the log.
  package struct Origin: Hashable, Sendable {
    /// The origin.
    package var id: OriginID
    /// Whether it is of this store's own log.
    package var isMine: Bool
    /// created, copied, commitsLost, rebuilt …
    package var reason: String
    /// When it began, milliseconds since 1970.
    package var madeMilliseconds: Int64
    /// The number of its last change here.
    package var sequence: UInt64
  }

  /// How often something was told.
  package struct AttentionCount: Hashable, Sendable {
    /// What was told, as a code.
    package var code: String
    /// Whether somebody took note of it.
    package var isAcknowledged: Bool
    /// How often.
    package var count: UInt64
  }

  private static let tables = [
    "anchor", "attention", "attribute", "change", "chunk", "incoming", "intent", "jump", "launch",
    "origin", "recording", "recovery", "reel", "setting", "take", "track",
  ]

  /// Reads the facts.
  package static func read(_ reader: StoreReader) throws(HoldfastError) -> SupportFacts {
    try reader.read { db in
      SupportFacts(
        store: try Settings.blob(Settings.store, db).flatMap { StoreID($0) },
        schemaVersion: reader.schemaVersion,
        counts: try tables.map { table in
          let count = try db.first("SELECT count(*) FROM \(table)") { $0.uint64(0) }
          return Count(name: table, count: count ?? 0)
        },
        settingNames: try db.all("SELECT name FROM setting ORDER BY name") { $0.text(0) },
        sqliteVersion: try db.first("SELECT sqlite_version()") { $0.text(0) } ?? "",
        sqliteOptions: try db.all("PRAGMA compile_options") { $0.text(0) },
        origins: try origins(db),
        attention: try db.all(
          """
          SELECT code, acknowledged, count(*) FROM attention GROUP BY code, acknowledged
          ORDER BY code, acknowledged
          """
        ) { AttentionCount(code: $0.text(0), isAcknowledged: $0.bool(1), count: $0.uint64(2)) },
        damagedChunks: try absent(1, db), missingChunks: try absent(2, db))
    }
  }

  private static func absent(_ mark: Int64, _ db: borrowing Connection) throws -> UInt64 {
    try db.first("SELECT count(*) FROM chunk WHERE absent = ?1", [.integer(mark)]) {
      $0.uint64(0)
    } ?? 0
  }

  private static func origins(_ db: borrowing Connection) throws -> [Origin] {
    try db.all("SELECT id, mine, reason, made_ms, sequence FROM origin ORDER BY ordinal") { row in
      OriginID(row.blob(0)).map {
        Origin(
          id: $0, isMine: row.bool(1), reason: row.text(2), madeMilliseconds: row.int64(3),
          sequence: row.uint64(4))
      }
    }.compactMap(\.self)
  }
}
