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
  /// Why the device refuses a file.
  package enum Refusal: Hashable, Sendable {
    /// The file system may not be written.
    case readOnlyFileSystem
    /// The process has not the right that the operation needs.
    case rights
    /// The system forbids it for a reason of its own: on Apple platforms that is data protection
    /// while the device is locked.
    case system
  }

  /// What a refusal rests on, by the system's error number.
  package static func refusal(errno code: Int32) -> Refusal {
    switch code {
    case EROFS: .readOnlyFileSystem
    case EACCES: .rights
    default: .system
    }
  }

  /// Whether a device of this kind refuses files while it is locked.
  package static var devicesAreLocked: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }

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
