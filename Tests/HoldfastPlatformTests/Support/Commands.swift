import Foundation

/// Programs of the system, as the other process of a test.
enum Command {
  /// Runs a shell line to its end; answers its exit code and its output.
  static func run(_ line: String) throws -> (code: Int32, output: String) {
    let process = shell(line)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// A process that has printed a first line and now waits for its input to end.
  static func start(_ line: String) throws -> (process: Process, input: Pipe) {
    let process = shell(line)
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    _ = output.fileHandleForReading.availableData
    return (process, input)
  }

  /// Whether the shell finds a program of the name.
  static func exists(_ name: String) -> Bool {
    (try? run("command -v \(name)").code) == 0
  }

  private static func shell(_ line: String) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    return process
  }
}

/// Lets the calling thread take every signal, and with it the programs that it starts: threads of
/// the cooperative pool block most of them.
func unblockSignals() {
  var none = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, nil)
}
