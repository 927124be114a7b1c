import Foundation

/// The package as it lies on disk, read once.
struct Repository {
  static let shared = Repository(
    root: URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../..").standardizedFileURL)

  let root: URL
  /// The names directly under the root.
  let topLevel: [String]
  /// Every text file that we wrote: those of `Sources`, `Tests`, `schema` and `tools`, and the few
  /// beside them.
  let files: [SourceFile]

  init(root: URL) {
    self.root = root
    topLevel = (try? FileManager.default.contentsOfDirectory(atPath: root.path).sorted()) ?? []
    var paths = ["Package.swift", "README.md", ".ci/run"]
    for folder in ["Sources", "Tests", "schema", "tools"] {
      let below = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
      paths += (below?.compactMap { $0 as? String } ?? []).sorted().map { "\(folder)/\($0)" }
    }
    files = paths.compactMap { path in
      guard let data = try? Data(contentsOf: root.appending(path: path)) else { return nil }
      return Self.isText(path, data) ? SourceFile(path, String(decoding: data, as: UTF8.self)) : nil
    }
  }

  /// By its ending, or, where it has none, by a first line that names an interpreter.
  private static func isText(_ path: String, _ data: Data) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return data.starts(with: Array("#!".utf8)) }
    return ["swift", "c", "h", "sql", "md", "txt", "py", "sh"].contains(name[dot...].dropFirst())
  }
}
