import Foundation
import HoldfastSQLite
import Testing

/// A directory of its own for one test, removed with the object.
final class Scratch: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/holdfast-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
  }

  func size(_ name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
    return attributes?[.size] as? Int ?? -1
  }
}

extension OpenOptions {
  /// Makes the file, and waits for locks only briefly.
  static let creating = OpenOptions(access: .create, busyTimeoutMilliseconds: 20)
}

/// A WAL database with one table, `pair(id, text)`.
func makeStore(_ path: String) throws -> Connection {
  let store = try Connection(path: path, .creating)
  try store.execute(
    """
    PRAGMA journal_mode = WAL;
    CREATE TABLE pair(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
    """)
  return store
}

extension Connection {
  /// The one integer that a query gives.
  func integer(_ sql: String, _ values: [SQLiteValue] = []) throws -> Int64 {
    try #require(try first(sql, values) { $0.int64(0) })
  }
}

/// The code of the ``SQLiteError`` that the body throws.
func code<Result: ~Copyable>(of body: () throws -> Result) -> ResultCode? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? SQLiteError)?.code
  }
}
