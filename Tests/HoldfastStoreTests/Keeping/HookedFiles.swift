import HoldfastModel
import HoldfastPlatform
import HoldfastStore
import HoldfastTesting

/// The real files, with a word of the test before each opening.
struct HookedFiles: ForwardingFiles {
  let real: any FileSystem = SystemFiles()
  /// False as between two file systems.
  var canLink = true
  /// Called with the path and the mode; throws what the opening shall throw.
  let beforeOpen: @Sendable (String, OpenMode) throws(FileFault) -> Void

  func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile {
    try beforeOpen(path, mode)
    return try real.open(path, mode)
  }
  func link(_ from: String, to: String) throws(FileFault) {
    guard canLink else {
      throw FileFault(kind: .other, operation: "link", path: to, errno: 18, reason: "other disk")
    }
    try real.link(from, to: to)
  }
}

extension StoreEnvironment {
  /// The real device, but that no file can be given a second name.
  static func withoutLinks() -> StoreEnvironment {
    var environment = StoreEnvironment.system()
    environment.files = HookedFiles(canLink: false) { _, _ throws(FileFault) in }
    return environment
  }

  /// The real device, but that its disk has no room for files at certain paths.
  static func full(where isFull: @escaping @Sendable (String) -> Bool) -> StoreEnvironment {
    var environment = StoreEnvironment.system()
    environment.files = HookedFiles { path, mode throws(FileFault) in
      guard mode.contains(.create), isFull(path) else { return }
      throw FileFault(kind: .full, operation: "open", path: path, errno: 28, reason: "no room")
    }
    return environment
  }
}
