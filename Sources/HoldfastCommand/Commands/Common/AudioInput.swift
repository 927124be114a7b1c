import Foundation
import Holdfast

/// Audio files as arguments.
enum AudioInput {
  /// Opens a file of audio.
  ///
  /// - Throws: `notFound`; `inputRefused` for a directory or a device; what the system says.
  static func open(_ name: String) throws(HoldfastError) -> any OpenFile {
    let files = SystemFiles()
    do throws(FileFault) {
      guard let status = try files.status(name) else {
        throw FileFault(
          kind: .missing, operation: "open", path: name, errno: ENOENT,
          reason: "there is no such file")
      }
      guard status.kind != .other else {
        throw FileFault(
          kind: .wrongType, operation: "read", path: name, errno: 0,
          reason: "it is a pipe or a device")
      }
      guard status.kind != .directory else {
        throw FileFault(
          kind: .wrongType, operation: "read", path: name, errno: EISDIR,
          reason: "it is a directory")
      }
      return try files.open(name, .read)
    } catch {
      switch error.kind {
      case .missing:
        throw HoldfastError(.notFound, "\(name) is not there.", hint: "Check the path.")
      case .wrongType:
        throw HoldfastError(
          .inputRefused, "\(name) is no file of audio: \(error.reason).", hint: "Give a file.")
      default: throw StoreFaults.error(error)
      }
    }
  }

  /// Whether it is a pipe or a device, which can be read forward only.
  static func isStream(_ name: String) throws(HoldfastError) -> Bool {
    do { return try SystemFiles().status(name)?.kind == .other } catch {
      throw StoreFaults.error(error)
    }
  }

  /// An error of the audio layer as the command reports it.
  static func error(_ error: AudioError) -> HoldfastError {
    if let fault = error.fault { return StoreFaults.error(fault) }
    return HoldfastError(
      .inputRefused, error.message, hint: "`holdfast probe` says what a file is.",
      context: ["audio": error.code.rawValue])
  }
}
