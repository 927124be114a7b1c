/// How a database is opened.
package struct OpenOptions: Hashable, Sendable {
  /// What a connection may do with the file.
  package enum Access: Hashable, Sendable {
    /// Read an existing file.
    case readOnly
    /// Read and write an existing file; a file that can only be read is refused.
    case readWrite
    /// As ``readWrite``, and made when absent.
    case create
  }

  /// What the connection may do.
  package var access: Access
  /// Nobody writes the file while it is open, and its WAL is ignored: no lock is taken and no file
  /// is made beside it. Makes the access read-only.
  package var immutable: Bool
  /// The registered name of the VFS; nil for the system's own.
  package var vfs: String?
  /// How long a call waits for another connection's lock, in milliseconds, before
  /// ``ResultCode/busy``.
  package var busyTimeoutMilliseconds: Int32
  /// Refuses every write by this connection (`PRAGMA query_only`, J7: readers).
  package var queryOnly: Bool

  /// Options; the defaults read and write an existing file and wait 5 seconds for a lock.
  package init(
    access: Access = .readWrite, immutable: Bool = false, vfs: String? = nil,
    busyTimeoutMilliseconds: Int32 = 5_000, queryOnly: Bool = false
  ) {
    self.access = access
    self.immutable = immutable
    self.vfs = vfs
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
    self.queryOnly = queryOnly
  }
}
