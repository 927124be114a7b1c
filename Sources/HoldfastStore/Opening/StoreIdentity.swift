import HoldfastModel
import HoldfastSQLite

/// The names of a new store.
enum StoreIdentity {
  /// Gives the store its id and its first origin, inside a transaction.
  @discardableResult
  static func make(
    _ environment: StoreEnvironment, _ db: borrowing Connection
  ) throws -> StoreID {
    let id = StoreID(random: environment.random)
    try Settings.set(Settings.store, .blob(id.bytes), db)
    try OriginRow.mint(
      OriginID(random: environment.random), reason: "created",
      atMilliseconds: environment.clock.now().wallMilliseconds, db)
    return id
  }
}
