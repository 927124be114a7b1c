/// What went wrong at the file seam, in the system's terms.
package struct FileFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a fault means to its caller. Open: a value that a caller does not know is "other".
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// No room: ENOSPC, EDQUOT or EFBIG (J8: they mean the same thing).
    package static let full = Kind(rawValue: "full")
    /// Nothing is there: ENOENT or ENOTDIR.
    package static let missing = Kind(rawValue: "missing")
    /// Something is there already: EEXIST.
    package static let exists = Kind(rawValue: "exists")
    /// Not allowed: EACCES, EPERM or EROFS.
    package static let denied = Kind(rawValue: "denied")
    /// A directory stands where a file is wanted, or the reverse: EISDIR, ENOTDIR on the last part.
    package static let wrongType = Kind(rawValue: "wrongType")
    /// The medium failed: EIO, ENXIO, EBADMSG, ESTALE.
    package static let medium = Kind(rawValue: "medium")
    /// The system ran out of descriptors or memory: EMFILE, ENFILE, ENOMEM.
    package static let exhausted = Kind(rawValue: "exhausted")
    /// Anything else; ``errno`` tells.
    package static let other = Kind(rawValue: "other")
  }

  /// What the fault means.
  package var kind: Kind
  /// The call that failed, as a verb: "open", "write", "sync" …
  package var operation: String
  /// The path concerned.
  package var path: String
  /// The system's error number, 0 when there was none.
  package var errno: Int32
  /// The system's words for the number.
  package var reason: String

  package init(
    kind: Kind, operation: String, path: String, errno: Int32, reason: String
  ) {
    self.kind = kind
    self.operation = operation
    self.path = path
    self.errno = errno
    self.reason = reason
  }

  /// "cannot OPERATION PATH: REASON".
  package var description: String { "cannot \(operation) \(path): \(reason)" }
}
