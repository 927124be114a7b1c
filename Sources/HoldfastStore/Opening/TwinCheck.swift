import HoldfastModel
import HoldfastSQLite

/// Finds out whether the store was copied, restored or moved to another machine (S7).
///
/// Invariant: two stores never write on one origin. The token is a digest of the machine's id and
/// of device and inode of the database's file; a file system that numbers its devices anew costs a
/// new origin, which is harmless.
enum TwinCheck {
  /// Compares the token and writes the present one.
  ///
  /// - Returns: what to tell the user when the store is a copy.
  static func run(_ writer: StoreWriter) throws(HoldfastError) -> Attention? {
    let token = try currentToken(writer.layout, writer.environment)
    let known = try writer.database.read { try Settings.blob(Settings.hostToken, $0) }
    if known == token { return nil }
    let now = writer.environment.clock.now().wallMilliseconds
    let attention = Attention(
      code: "copied",
      message: "This store is a copy or was moved: its files are not the ones it was last opened "
        + "with. It goes on under a new origin. Whether all audio came with it, `holdfast verify` "
        + "tells.", atMilliseconds: now)
    return try writer.database.commit { db in
      let stored = try Settings.blob(Settings.hostToken, db)
      guard stored != token else { return nil }
      try Settings.set(Settings.hostToken, .blob(token), db)
      guard stored != nil else { return nil }
      try OriginRow.mint(
        OriginID(random: writer.environment.random), reason: "copied", atMilliseconds: now, db)
      try AttentionRow.insert(attention, db)
      return attention
    }
  }

  /// The token of the store as it lies here.
  static func currentToken(
    _ layout: StoreLayout, _ environment: StoreEnvironment
  ) throws(HoldfastError) -> [UInt8] {
    try token(ofDatabase: layout.database, environment)
  }

  /// The token of a database's file, wherever in its file system it lies.
  static func token(
    ofDatabase path: String, _ environment: StoreEnvironment
  ) throws(HoldfastError) -> [UInt8] {
    do {
      guard let status = try environment.files.status(path) else {
        throw HoldfastError(.failed, "\(path) vanished while it was opened.")
      }
      let bytes = environment.machine + status.device.bigEndianBytes + status.inode.bigEndianBytes
      return environment.hashing.sha256(bytes).bytes
    } catch let fault as FileFault {
      throw StoreFaults.error(fault)
    } catch let error as HoldfastError { throw error } catch {
      throw StoreFaults.error(error, path: path)
    }
  }
}
