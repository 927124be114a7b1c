import Foundation

/// A directory with a store, removed afterwards.
final class Place {
  let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("holdfast-command-\(UUID().uuidString)")
  var store: String { root.appendingPathComponent("store").path }
  func path(_ name: String) -> String { root.appendingPathComponent(name).path }

  init() throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }
  deinit {
    _ = try? Binary.run(script: "chmod -R u+w '\(root.path)'")
    try? FileManager.default.removeItem(at: root)
  }

  func run(_ arguments: [String]) throws -> Binary.Result {
    try Binary.run(arguments, environment: ["HOLDFAST_STORE": store])
  }

  /// Runs a script in the directory, with `$HOLDFAST_STORE` set.
  func script(_ text: String) throws -> Binary.Result {
    try Binary.run(
      script: """
        export HOLDFAST_STORE='\(store)'
        cd '\(root.path)'
        \(text)
        """)
  }

  /// Raw s16le, 8 kHz; no two frames near each other alike.
  func audio(_ name: String, frames: Int) throws -> String {
    let bytes = (0..<frames).flatMap { frame -> [UInt8] in
      let value = frame &* 40_503
      return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  func record(_ file: String, _ more: [String] = []) throws -> Binary.Result {
    try run(
      ["record", "--encoding", "s16le", "--rate", "8000", "--channels", "1", file] + more)
  }

  /// A stopped recording in the store; its id.
  func recorded(_ title: String = "One", frames: Int = 8_000) throws -> String {
    let file = try audio("in.raw", frames: frames)
    return try record(file, ["--title", title, "-q"]).output
      .trimmingCharacters(in: .newlines)
  }
}
