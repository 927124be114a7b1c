import HoldfastModel
import HoldfastSQLite

/// Copies rows out of a damaged database, table by table, passing over what cannot be read.
///
/// A damaged page of a table costs the rows on it: reading goes up to it from one side, down to it
/// from the other, and then into the part between, in halves. A table without rowids is read from
/// both sides only; all of those but the settings can be made again from changes and reels.
struct TableRescue {
  /// Queries that may fail in one table: enough for hundreds of damaged pages.
  private static let patience: UInt64 = 4_000

  /// The tables of this schema version, those that others refer to first.
  static let tables = [
    "setting", "origin", "change", "launch", "intent", "anchor", "recording", "track", "take",
    "attribute", "reel", "chunk", "jump", "recovery", "attention", "incoming", "task",
    "task_after", "result", "unit_time",
  ]

  /// Copies every table.
  ///
  /// - Returns: those that lost rows.
  /// - Throws: only what the target throws.
  static func copyAll(
    from source: borrowing Connection, to target: borrowing Connection
  ) throws -> [String] {
    var damaged: [String] = []
    for table in tables where !isYounger(table, than: source) {
      var rescue = try TableRescue(table, source, target)
      try target.transaction(.write) { try rescue.copy(source, target) }
      if rescue.isDamaged { damaged.append(table) }
    }
    return damaged
  }

  /// Whether a table came with a later version than the one that wrote the source.
  private static func isYounger(_ table: String, than source: borrowing Connection) -> Bool {
    do {
      let version = try source.first("PRAGMA user_version") { $0.int64(0) } ?? 0
      let found = try source.first(
        "SELECT 1 FROM sqlite_schema WHERE name = ?1", [.text(table)]
      ) { $0.int64(0) }
      return found == nil && version < Migrator.currentVersion
    } catch { return false }
  }

  private let table: String
  private let columns: [String]
  private let keys: [String]
  private let hasRowIDs: Bool
  private var failures: UInt64 = 0
  private var skipped: UInt64 = 0
  private var isDamaged: Bool { failures + skipped > 0 }

  private init(
    _ table: String, _ source: borrowing Connection, _ target: borrowing Connection
  ) throws {
    self.table = table
    let names = "SELECT name FROM pragma_table_info(?1) ORDER BY cid"
    let all = try target.all(names, [.text(table)]) { $0.text(0) }
    // A column that came later has its default; where the source cannot say, all are asked for.
    let old = Set((try? source.all(names, [.text(table)]) { $0.text(0) }) ?? [])
    columns = old.isDisjoint(with: all) ? all : all.filter(old.contains)
    keys = try target.all(
      "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk", [.text(table)]
    ) { $0.text(0) }
    let isWithoutRowIDs = try target.first(
      "SELECT wr FROM pragma_table_list WHERE name = ?1", [.text(table)]
    ) { $0.bool(0) }
    hasRowIDs = !(isWithoutRowIDs ?? false)
  }

  private mutating func copy(
    _ source: borrowing Connection, _ target: borrowing Connection
  ) throws {
    guard hasRowIDs else {
      let up = keys.joined(separator: ", ")
      let down = keys.map { "\($0) DESC" }.joined(separator: ", ")
      if try pass(select("", up), [], source, target).isComplete { return }
      _ = try pass(select("", down), [], source, target)
      return
    }
    let last = try? source.first("SELECT max(rowid) FROM \(table) NOT INDEXED") {
      $0.optionalInt64(0) ?? 0
    }
    try copy(1, (last ?? nil) ?? 1 << 32, source, target)
  }

  private func select(_ condition: String, _ order: String) -> String {
    let rowID = hasRowIDs ? "rowid" : "0"
    let index = hasRowIDs ? " NOT INDEXED" : ""
    return "SELECT \(rowID), \(columns.joined(separator: ", ")) FROM \(table)\(index) \(condition)"
      + " ORDER BY \(order)"
  }

  /// Copies the rows of a range from both sides, then what lies between in halves.
  private mutating func copy(
    _ low: Int64, _ high: Int64, _ source: borrowing Connection, _ target: borrowing Connection
  ) throws {
    guard low <= high, failures < Self.patience else { return }
    let range = "WHERE rowid BETWEEN ?1 AND ?2"
    let up = try pass(
      select(range, "rowid"), [.integer(low), .integer(high)], source, target)
    if up.isComplete { return }
    let from = up.last.map { $0 + 1 } ?? low
    let down = try pass(
      select(range, "rowid DESC"), [.integer(from), .integer(high)], source, target)
    if down.isComplete { return }
    let to = down.last.map { $0 - 1 } ?? high
    guard from < to else { return }
    let middle = from + (to - from) / 2
    try copy(from, middle, source, target)
    try copy(middle + 1, to, source, target)
  }

  private struct Pass {
    var last: Int64?
    var isComplete = false
  }

  private mutating func pass(
    _ sql: String, _ values: [SQLiteValue], _ source: borrowing Connection,
    _ target: borrowing Connection
  ) throws -> Pass {
    var pass = Pass()
    do {
      try source.query(sql, values) { row in
        try insert((1..<row.count).map { row.value($0) }, target)
        pass.last = row.int64(0)
      }
      pass.isComplete = true
    } catch let fault as TargetFault {
      throw fault.error
    } catch {
      failures += 1
    }
    return pass
  }

  /// What the target threw, told apart from what the source throws.
  private struct TargetFault: Error { var error: any Error }

  private mutating func insert(_ values: [SQLiteValue], _ target: borrowing Connection) throws {
    guard zip(columns, values).allSatisfy(isPlausible) else {
      skipped += 1
      return
    }
    let places = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
    do {
      try target.run(
        "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))",
        values)
    } catch {
      guard error.code.primary == .constraint else { throw TargetFault(error: error) }
      skipped += 1
    }
  }

  /// Whether a value may stand in a column of its name: ids and digests have one length.
  private func isPlausible(_ column: String, _ value: SQLiteValue) -> Bool {
    guard case .blob(let bytes) = value, !bytes.isEmpty else { return true }
    switch column {
    case "id" where table == "task", "task", "hash", "pass": return bytes.count == 32
    case "id", "recording", "track", "take", "launch", "boot", "origin": return bytes.count == 16
    case "chain", "sha256": return bytes.count == 32
    default: return true
    }
  }
}
