import Foundation

/// Faults that strace puts into the calls of this process.
final class Injection {
  /// Whether strace is here and may trace.
  static let isPossible = (try? Command.run("strace -qq -o /dev/null true").code) == 0

  private let process = Process()

  init(_ rule: String) throws {
    let pid = ProcessInfo.processInfo.processIdentifier
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "strace", "-qq", "-f", "-o", "/dev/null", "-e", "inject=\(rule)", "-p", "\(pid)",
    ]
    try process.run()
    while !isTraced(), process.isRunning { sched_yield() }
  }

  func end() {
    process.interrupt()
    process.waitUntilExit()
  }

  /// Whether the calling thread has a tracer. Asking may itself meet an injected fault.
  private func isTraced() -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    else { return false }
    return !status.contains("TracerPid:\t0\n")
  }
}
