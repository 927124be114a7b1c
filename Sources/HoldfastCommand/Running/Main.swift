import Foundation
import Holdfast

/// The entry of the process; everything behind it has its world handed in.
@main
struct Main {
  /// Runs the command and ends the process.
  static func main() async {
    ProcessSignals.prepare()
    guardStandardStreams()
    let environment = ProcessInfo.processInfo.environment
    let start = ContinuousClock.now
    let tool = CommandLineTool(
      device: StandardStreams(), terminal: .ofProcess(environment: environment),
      environment: environment, zone: .current,
      now: { UInt64(nanoseconds: ContinuousClock.now - start) },
      readLine: {
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume(returning: Swift.readLine()) }
        }
      })
    switch await tool.run(ProcessArguments.words) {
    case .exit(let code): exit(code.rawValue)
    case .outputClosed: ProcessSignals.dieOfClosedOutput()
    }
  }

  /// Puts `/dev/null`, opened for reading, where a standard stream is closed. Otherwise the first
  /// file of the store would become, say, descriptor 1, and our output would be written into it. A
  /// write to the stand-in fails, as it would have failed.
  private static func guardStandardStreams() {
    let closed = (0...2).map { Int32($0) }.filter { fcntl($0, F_GETFD) == -1 }
    guard !closed.isEmpty, let null = FileHandle(forReadingAtPath: "/dev/null") else { return }
    let spare = withExtendedLifetime(null) { fcntl(null.fileDescriptor, F_DUPFD, 3) }
    try? null.close()  // It may have taken one of the places itself.
    for descriptor in closed { dup2(spare, descriptor) }
    close(spare)
  }
}

extension UInt64 {
  /// The whole nanoseconds of a duration; 0 for a negative one.
  fileprivate init(nanoseconds duration: Duration) {
    let parts = duration.components
    let total = parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
    self = total > 0 ? UInt64(total) : 0
  }
}
