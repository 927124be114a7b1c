import Foundation

/// The built program, run as a real process.
enum Binary {
  /// What a process left behind.
  struct Result {
    let output: String
    let error: String
    /// The exit code, or the signal when `wasKilled`.
    let status: Int32
    let wasKilled: Bool
  }

  /// `holdfast` beside the test bundle, wherever the build directory is.
  static var url: URL {
    let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let candidates = [
      beside, beside.appendingPathComponent("../../.."),
      root.appendingPathComponent(".build/debug"),
    ].map { $0.appendingPathComponent("holdfast") }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
      ?? candidates[2]
  }

  /// Runs `holdfast` to its end.
  static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
    try launch(url, arguments, environment: environment)
  }

  /// Runs a script of a shell to its end, with `holdfast` in its path. The script is a file, not an
  /// option, so that it may be long.
  static func run(script: String, in shell: String = "bash", _ options: [String] = []) throws
    -> Result
  {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try script.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let path = url.deletingLastPathComponent().path
    return try launch(
      URL(fileURLWithPath: "/usr/bin/env"), [shell] + options + [file.path],
      environment: ["PATH": path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")])
  }

  /// Whether a program is in the path.
  static func has(_ program: String) -> Bool {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return directories.contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  private static func launch(
    _ program: URL, _ arguments: [String], environment: [String: String]
  ) throws -> Result {
    let inherited = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("HOLDFAST_") && $0.key != "COLUMNS" }
    // Files, not pipes: nobody has to read while the process writes.
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let files = ["output", "error"].map { directory.appendingPathComponent($0) }
    for file in files { try Data().write(to: file) }
    let handles = try files.map { try FileHandle(forWritingTo: $0) }
    let child = try Child(
      program.path, arguments, environment: inherited.merging(environment) { $1 },
      output: handles[0].fileDescriptor, error: handles[1].fileDescriptor)
    let (status, wasKilled) = child.wait()
    withExtendedLifetime(handles) {}
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return Result(output: texts[0], error: texts[1], status: status, wasKilled: wasKilled)
  }
}
