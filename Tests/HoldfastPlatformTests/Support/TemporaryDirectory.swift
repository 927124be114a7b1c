import Foundation
import HoldfastPlatform

/// A directory of one test, removed with it.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "holdfast-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in the directory.
  subscript(_ name: String) -> String { "\(path)/\(name)" }
}
