import HoldfastPlatform
package import HoldfastModel

/// What a hook lets happen to an operation.
package enum DiskVerdict: Hashable, Sendable {
  /// It is done.
  case pass
  /// It is not done, and fails: a full disk, a failing medium, a missing right …
  case fail(FileFault.Kind)
  /// A write writes only its first bytes, then fails. Any other operation just fails.
  case tear(keeping: UInt64, FileFault.Kind)
}

/// Asked before each operation, on the thread that does it. May wait, to be a slow disk.
package typealias DiskHook = @Sendable (DiskOperation) -> DiskVerdict

extension FileFault {
  /// A fault as the system would give it, for an operation that a hook has failed.
  static func injected(_ kind: Kind, _ operation: DiskOperation) -> FileFault {
    // The same numbers on Linux and Apple platforms.
    let numbers: [Kind: Int32] = [
      .missing: 2, .medium: 5, .denied: 13, .exists: 17, .wrongType: 21, .exhausted: 24, .full: 28,
    ]
    return FileFault(
      errno: numbers[kind] ?? 0, operation: operation.verb, path: operation.path, kind: kind)
  }
}
