package import HoldfastModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileFault.Kind {
  /// What an error number means to a caller of the file seam. `ENOTDIR` counts as missing here;
  /// ``SystemFiles`` looks whether the last part was meant.
  package init(errno code: Int32) {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: self = .full
    case ENOENT, ENOTDIR: self = .missing
    case EEXIST: self = .exists
    case EACCES, EPERM, EROFS: self = .denied
    case EISDIR: self = .wrongType
    case EIO, ENXIO, EBADMSG, ESTALE: self = .medium
    case EMFILE, ENFILE, ENOMEM: self = .exhausted
    default: self = .other
    }
  }
}

extension FileFault {
  /// A fault by the system's error number: its kind, and the system's words for it.
  ///
  /// - Parameters:
  ///   - code: the number, as `errno` gives it.
  ///   - operation: the call that failed, as a verb.
  ///   - path: the path concerned.
  ///   - kind: what it means, when the place knows better than the number.
  package init(errno code: Int32, operation: String, path: String, kind: Kind? = nil) {
    self.init(
      kind: kind ?? Kind(errno: code), operation: operation, path: path, errno: code,
      reason: unsafe String(cString: strerror(code)))
  }
}
