// Opening a file so that its fault is told at once, and with what every connection must have.
import CHoldfastSQLite

extension ConnectionCore {
  /// Opens the file, sets what every connection must have and reads the first page.
  static func open(
    path: String, _ options: OpenOptions
  ) throws(SQLiteError) -> ConnectionCore {
    let core = try connect(path, options)
    try core.configure(options)
    return core
  }

  /// The connection has no mutex of its own: its user keeps it to one thread.
  private static func connect(
    _ path: String, _ options: OpenOptions
  ) throws(SQLiteError) -> ConnectionCore {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(
        code: .misuse, message: "an empty path, or one with a NUL", operation: "open")
    }
    guard sqlite3_threadsafe() != 0 else {
      throw SQLiteError(
        code: .misuse, message: "this SQLite was built for one thread only", operation: "open")
    }
    var db: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      address(path, options), &db, flags(options), options.vfs)
    guard let opened = unsafe db else {
      throw SQLiteError(
        code: ResultCode(rawValue: code), message: "no connection", operation: "open")
    }
    guard code == SQLITE_OK else {
      let error = unsafe SQLiteError(code, of: opened, operation: "open")
      unsafe sqlite3_close(opened)
      throw error
    }
    return unsafe ConnectionCore(opened, path: path, options: options)
  }

  private func configure(_ options: OpenOptions) throws(SQLiteError) {
    unsafe sqlite3_extended_result_codes(db, 1)
    unsafe sqlite3_busy_timeout(db, options.busyTimeoutMilliseconds)
    try set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    try set(SQLITE_DBCONFIG_DEFENSIVE, true)
    try set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try set(SQLITE_DBCONFIG_ENABLE_FKEY, true)
    if options.queryOnly { try execute("PRAGMA query_only = 1") }
    let wantsWriting = options.access != .readOnly && !options.immutable
    let isReadOnly = unsafe sqlite3_db_readonly(db, "main") == 1
    guard !wantsWriting || !isReadOnly else {
      throw SQLiteError(code: .readOnly, message: "the file can only be read", operation: "open")
    }
    do {
      try execute("PRAGMA schema_version")
    } catch {
      var error = error
      error.operation = "open"
      error.sql = nil
      throw error
    }
  }

  private func set(_ option: Int32, _ isOn: Bool) throws(SQLiteError) {
    let code = unsafe holdfast_sqlite_configure(db, option, isOn ? 1 : 0)
    guard code == SQLITE_OK else { throw fault(code, "open") }
  }

  private static func flags(_ options: OpenOptions) -> Int32 {
    let access =
      switch options.immutable ? OpenOptions.Access.readOnly : options.access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    return access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
  }

  /// The path as SQLite's URI (https://sqlite.org/uri.html): the way to say `immutable`, and the
  /// one in which no path is taken for something else.
  private static func address(_ path: String, _ options: OpenOptions) -> String {
    if path == ":memory:" { return path }
    if path == Connection.unnamed { return "" }
    let address = "file:" + escape(path.hasPrefix("//") ? "//" + path : path)
    return options.immutable ? address + "?immutable=1" : address
  }

  /// Percent-escapes every byte that means something in a URI.
  private static func escape(_ path: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var escaped: [UInt8] = []
    escaped.reserveCapacity(path.utf8.count)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"),
        UInt8(ascii: "="), UInt8(ascii: "+"):
        escaped += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
