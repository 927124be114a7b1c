import HoldfastModel
package import HoldfastSQLite

/// Single values of the store.
package enum Settings {
  /// The store's 16-byte id.
  package static let store = "store"
  /// What this machine and file looked like when the store was last opened (S7).
  package static let hostToken = "hostToken"
  /// Grows by one with every commit (J6).
  package static let commitNumber = "commitNumber"
  /// "rebuilt" or "lost": audio that no row knows is to be adopted, and that was not done yet (J4).
  /// Set in the commit that makes it necessary, removed in the one that does it.
  package static let adoptionOwed = "adoptionOwed"

  private static let select = "SELECT value FROM setting WHERE name = ?1"
  private static let upsert = """
    INSERT INTO setting (name, value) VALUES (?1, ?2)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    """

  /// A value that is a whole number from 0; nil when it is absent or none.
  package static func unsigned(_ name: String, _ db: borrowing Connection) throws -> UInt64? {
    try db.first(select, [.text(name)]) { $0.value(0) }.flatMap { (value: SQLiteValue) in
      if case .integer(let number) = value { UInt64(exactly: number) } else { nil }
    }
  }

  /// A value that is a blob; nil when it is absent or none.
  package static func blob(_ name: String, _ db: borrowing Connection) throws -> [UInt8]? {
    try db.first(select, [.text(name)]) { $0.value(0) }.flatMap { (value: SQLiteValue) in
      if case .blob(let bytes) = value { bytes } else { nil }
    }
  }

  /// A text; nil when it is absent or none.
  package static func text(_ name: String, _ db: borrowing Connection) throws -> String? {
    try db.first(select, [.text(name)]) { $0.value(0) }.flatMap { (value: SQLiteValue) in
      if case .text(let text) = value { text } else { nil }
    }
  }

  /// Removes a value.
  package static func remove(_ name: String, _ db: borrowing Connection) throws {
    try db.run("DELETE FROM setting WHERE name = ?1", [.text(name)])
  }

  /// Sets a value.
  package static func set(
    _ name: String, _ value: SQLiteValue, _ db: borrowing Connection
  ) throws {
    try db.run(upsert, [.text(name), value])
  }
}
