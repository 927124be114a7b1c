import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastTesting
import Testing

/// A scripted session on a database through the recording VFS: rows in transactions of three,
/// checkpoints, a close and a second open. Remembers what was acknowledged, and when.
final class StoreSession {
  /// How the session commits.
  struct Mode: Hashable, Sendable {
    var journal = "WAL"
    var synchronous = "FULL"
    /// Two of three transactions are NORMAL, so that only the third is durable.
    var isMixed = false
  }

  /// Once the log had so many operations, a durable commit had acknowledged these rows.
  private(set) var durable: [(operations: Int, rows: Set<Int64>)] = []
  /// The rows of every transaction that was acknowledged.
  private(set) var acknowledged: Set<Int64> = []
  /// What failed.
  private(set) var errors: [SQLiteError] = []
  private var lastRow: Int64 = 0
  private let log: DiskLog
  private let vfs: RecordingVFS
  private let path: String

  init(_ log: DiskLog, _ vfs: RecordingVFS, path: String) {
    self.log = log
    self.vfs = vfs
    self.path = path
  }

  /// Runs the script. A step that fails is noted, and the next one is tried.
  func run(_ mode: Mode) {
    work(mode, transactions: 6, .passive)
    work(mode, transactions: 4, .truncate)
  }

  private func work(_ mode: Mode, transactions: Int, _ checkpoint: CheckpointMode) {
    attempt {
      let options = OpenOptions(access: .create, vfs: vfs.name, busyTimeoutMilliseconds: 10)
      let store = try Connection(path: path, options)
      attempt { try store.execute("PRAGMA synchronous = \(mode.synchronous)") }
      attempt { try store.execute("PRAGMA journal_mode = \(mode.journal)") }
      attempt {
        try store.execute(
          "CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
      }
      for number in 0..<transactions {
        attempt { try insert(into: store, mode, isLast: number % 3 == 2) }
        if number == 3 { attempt { _ = try store.checkpoint(checkpoint) } }
      }
      try store.close()
    }
  }

  private func insert(into store: borrowing Connection, _ mode: Mode, isLast: Bool) throws {
    if mode.isMixed { try store.setSynchronous(isLast ? .full : .normal) }
    let rows = lastRow + 1...lastRow + 3
    lastRow += 3
    try store.transaction(.write) {
      for row in rows {
        let text = String(repeating: "x", count: 700 + Int(row) * 40)
        try store.run("INSERT INTO t VALUES (?, ?)", [.integer(row), .text(text)])
      }
      try store.run("UPDATE t SET text = text || 'y' WHERE id = ?", [.integer(rows.lowerBound - 2)])
    }
    acknowledged.formUnion(rows)
    if !mode.isMixed || isLast { durable.append((log.count, acknowledged)) }
  }

  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      if let error = error as? SQLiteError { errors.append(error) } else { Issue.record(error) }
    }
  }

  /// The rows that must be there after a crash behind so many operations.
  func owed(after operations: Int) -> Set<Int64> {
    durable.last { $0.operations <= operations }?.rows ?? []
  }
}

/// What SQLite finds in a tree.
struct Recovered {
  /// What `integrity_check` says against it.
  var problems: [String] = []
  /// The rows.
  var rows: Set<Int64> = []
  /// Each transaction is there with all of its three rows, or not at all.
  var isWhole: Bool {
    rows.allSatisfy { row in
      let first = (row - 1) / 3 * 3 + 1
      return Set(first...first + 2).isSubset(of: rows)
    }
  }

  /// Writes the tree to a directory of its own, and opens the database there as an app would.
  init(_ tree: DiskTree, name: String) throws {
    let scratch = try Scratch()
    let root = scratch.file("image")
    try tree.write(to: root, on: SystemFiles())
    guard tree.files[name] != nil else { return }
    let store = try Connection(path: "\(root)/\(name)")
    problems = try store.integrityProblems(limit: 5, quick: false)
    let hasTable = try store.first("SELECT 1 FROM sqlite_schema WHERE name = 't'") { _ in true }
    if hasTable == true { rows = Set(try store.all("SELECT id FROM t") { $0.int64(0) }) }
    try store.close()
  }
}
