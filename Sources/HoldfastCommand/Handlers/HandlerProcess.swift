import Foundation
import Holdfast

/// One run of a handler's program.
///
/// Invariants:
/// - The program, and everything that it started in its process group, is gone when ``run(_:_:)``
///   has returned.
/// - It begins with the default actions of signals: what we ignore is ours.
/// - Nothing it does makes us wait longer than its end and two seconds: not a child that holds its
///   output open, not input that it never reads.
final class HandlerProcess: Sendable {
  enum Ending: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  private let state = Locked(State())

  private struct State: Sendable {
    var group: pid_t?
    var isKilled = false
  }

  /// Ends the program at once, from any thread, also before it began.
  func kill() {
    state.withLock { state in
      state.isKilled = true
      if let group = state.group { Self.killGroup(group) }
    }
  }

  private static func killGroup(_ group: pid_t) {
    _ = killpg(group, SIGKILL)
  }

  /// Runs a line of the shell with this input, and hands out the lines of its output as they come,
  /// on a thread of its own. A line that is too long is cut and then refused by who reads it.
  ///
  /// - Returns: how it ended, and the last of what it said on standard error.
  /// - Throws: `failed` when the shell cannot be started.
  func run(
    _ command: String, input: Data, directory: String, environment: [String: String],
    _ line: @escaping @Sendable ([UInt8]) -> Void
  ) async throws(HoldfastError) -> (ending: Ending, complaint: String) {
    let process = Process()
    (process.executableURL, process.arguments) = Self.shell(command)
    process.currentDirectoryURL = URL(fileURLWithPath: directory, isDirectory: true)
    process.environment = environment
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stderr
    let ended = EndSignal()
    process.terminationHandler = { _ in ended.signal() }
    do { try process.run() } catch {
      throw HoldfastError(
        .failed, "the shell cannot be started: \(error.localizedDescription)",
        hint: "is /bin/sh there?")
    }
    let group = process.processIdentifier
    state.withLock { state in
      state.group = group
      if state.isKilled { Self.killGroup(group) }
    }
    let complaint = Locked([UInt8]())
    let (linesEnded, wordsEnded) = (EndSignal(), EndSignal())
    Self.onThread("hf-handler-in") {
      try? stdin.fileHandleForWriting.write(contentsOf: input)
      try? stdin.fileHandleForWriting.close()
    }
    Self.onThread("hf-handler-out") {
      Self.readLines(stdout.fileHandleForReading, line)
      linesEnded.signal()
    }
    Self.onThread("hf-handler-err") {
      Self.readWords(stderr.fileHandleForReading, into: complaint)
      wordsEnded.signal()
    }
    await ended.wait()
    // What it left behind in its group goes with it; that closes the pipes, as a rule.
    state.withLock { state in
      Self.killGroup(group)
      state.group = nil
    }
    await linesEnded.wait(atMostSeconds: 2)
    await wordsEnded.wait(atMostSeconds: 0.2)
    let ending: Ending =
      process.terminationReason == .uncaughtSignal
      ? .signalled(process.terminationStatus) : .exited(process.terminationStatus)
    return (ending, Self.lastLine(complaint.withLock { $0 }))
  }

  private static func shell(_ command: String) -> (URL, [String]) {
    let env = "/usr/bin/env"
    #if os(Linux)
      if FileManager.default.isExecutableFile(atPath: env) {
        return (
          URL(fileURLWithPath: env),
          ["--default-signal=PIPE,XFSZ,HUP,INT,QUIT,TERM", "/bin/sh", "-c", command]
        )
      }
    #endif
    return (URL(fileURLWithPath: "/bin/sh"), ["-c", command])
  }

  private static func onThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(FileFault) { _ = try BackgroundThread(name: name, body) } catch {
      DispatchQueue.global().async(execute: body)
    }
  }

  private static func readLines(
    _ file: FileHandle, _ line: @Sendable ([UInt8]) -> Void
  ) {
    var open: [UInt8] = []
    let most = Int(HandlerLines.longestLine)
    while let data = try? file.read(upToCount: 65_536), !data.isEmpty {
      for byte in data {
        if byte == 0x0A {
          line(open)
          open.removeAll(keepingCapacity: open.count < 65_536)
        } else if open.count <= most {
          open.append(byte)
        }
      }
    }
    if !open.isEmpty { line(open) }
  }

  private static func readWords(_ file: FileHandle, into words: Locked<[UInt8]>) {
    while let data = try? file.read(upToCount: 4_096), !data.isEmpty {
      words.withLock { words in
        words += data
        if words.count > 8_192 { words.removeFirst(words.count - 4_096) }
      }
    }
  }

  private static func lastLine(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let last = text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
    return String((last ?? "").prefix(200))
  }
}

/// Something that happens once and may be waited for.
final class EndSignal: Sendable {
  private let hub = UpdateHub()

  func signal() { hub.finish() }

  func wait() async { _ = await hub.wait(after: hub.version) }

  func wait(atMostSeconds seconds: Double) async {
    let clock = Task {
      try? await Task.sleep(for: .seconds(seconds))
      hub.finish()
    }
    await wait()
    clock.cancel()
  }
}
