import Foundation

/// The WAV files of the project's case folder: `HOLDFAST_CASES`, or `../shared/cases` beside the
/// package.
enum CaseFiles {
  /// What the manifest says of one file.
  struct Expected: Decodable, Sendable {
    var accept: Bool
    var frames: UInt64?
    var channels: UInt32?
    var sampleRate: Double?
    var encoding: String?
    var dataSHA256: String?
    var oddity: Bool?
    var note: String
  }

  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["HOLDFAST_CASES"] {
      return URL(fileURLWithPath: path)
    }
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return root.appendingPathComponent("../shared/cases").standardizedFileURL
  }()

  /// The manifest; empty when the folder is not there.
  static let manifest: [String: Expected] = {
    let file = folder.appendingPathComponent("wav/manifest.json")
    guard let data = try? Data(contentsOf: file) else { return [:] }
    return (try? JSONDecoder().decode([String: Expected].self, from: data)) ?? [:]
  }()

  static let names = manifest.keys.sorted()

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent("wav").appendingPathComponent(name)))
  }
}
