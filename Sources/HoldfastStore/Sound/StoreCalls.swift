package import HoldfastModel
package import HoldfastSQLite

/// Reads rows of a store in short snapshots, wherever its connection lives.
///
/// Long reads (exports, comparisons) take their rows in pages and look at files between them, so
/// that no snapshot is held while a disk or a pipe is waited for (J11).
package protocol StoreRows {
  /// Where the store's files are.
  var layout: StoreLayout { get }
  /// Its seams.
  var environment: StoreEnvironment { get }
  /// Reads in one snapshot.
  func rows<T: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T
}

/// Calls the writer of a store from a thread that is not the writer's own.
package protocol StoreCalls: StoreRows {
  /// Runs a short body on the writer and waits for it.
  func call<T: Sendable>(
    _ body: @escaping @Sendable (StoreWriter) throws(HoldfastError) -> T
  ) throws(HoldfastError) -> T
}

extension StoreReader: StoreRows {
  package func rows<T: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T { try read(body) }
}

extension StoreWriter: StoreCalls {
  package func rows<T: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T { try database.read(body) }

  package func call<T: Sendable>(
    _ body: @escaping @Sendable (StoreWriter) throws(HoldfastError) -> T
  ) throws(HoldfastError) -> T { try body(self) }
}
