package import HoldfastModel
import HoldfastPlatform

/// The real file system of a device that may be locked: while it is, files cannot be opened.
///
/// The fault it injects is that of data protection: opens fail with "denied" though nothing is
/// wrong. The store survives it because what cannot be opened now is *waiting*, never damage (J6).
package final class LockedDevice: ForwardingFiles {
  package let real: any FileSystem
  private let locked = Locked(false)

  package init(_ real: any FileSystem = SystemFiles()) { self.real = real }

  /// Whether the device is locked.
  package var isLocked: Bool {
    get { locked.withLock { $0 } }
    set { locked.withLock { $0 = newValue } }
  }

  package func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile {
    guard !isLocked else {
      throw FileFault(
        kind: .denied, operation: "open", path: path, errno: 1, reason: "the device is locked")
    }
    return try real.open(path, mode)
  }
}
