import Foundation
import Holdfast
import Testing

/// Interruptions told by signals, in quick succession.
@Suite("A recorder that is told of interruptions", .serialized)
struct SignalTests {
  private struct Shown: Decodable {
    struct Take: Decodable { let chunks: UInt64 }
    struct Gap: Decodable { let reason: String }
    let state: String
    let takes: [Take]
    let gaps: [Gap]
  }

  private func start(_ place: Torture.Place) throws -> Torture.Running {
    try place.makeAudio(seconds: 60)
    let recorder = try place.start([
      "record", "--acks", "--realtime", "--chunk-seconds", "0.1", "--encoding", "s16le", "--rate",
      "16000", "--channels", "1", place.audio.path,
    ])
    try recorder.waitForChunk()
    return recorder
  }

  /// Sends signals one right after the other, each when the one before was taken: the system itself
  /// merges those that wait.
  private func send(_ signals: [Int32], to recorder: Torture.Running) {
    let pid = recorder.process.processIdentifier
    for signal in signals {
      kill(pid, signal)
      while Self.hasPending(pid) { usleep(50) }
    }
  }

  /// Whether a signal waits to be taken. Where there is no `/proc`, a moment is given instead.
  private static func hasPending(_ pid: pid_t) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else {
      usleep(2_000)
      return false
    }
    let line = status.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }
    return line?.dropFirst(7).contains { $0.isHexDigit && $0 != "0" } ?? false
  }

  private func shown(_ place: Torture.Place, _ recorder: Torture.Running) throws -> Shown {
    let id = try #require(Heard(try recorder.output()).recording)
    let result = try place.run(["show", id, "--json"])
    return try JSONDecoder().decode(Shown.self, from: Data(result.output.utf8))
  }

  private func stop(_ recorder: Torture.Running) {
    kill(recorder.process.processIdentifier, SIGINT)
    recorder.process.waitUntilExit()
    #expect(recorder.process.terminationStatus == 0, "\(recorder.errors())")
  }

  @Test("captures after a burst that ends so, with one gap and no empty take (L3)")
  func endsCapturing() throws {
    let place = Torture.Place()
    let recorder = try start(place)
    send([SIGUSR1, SIGUSR2, SIGUSR1, SIGUSR2, SIGUSR1, SIGUSR2], to: recorder)
    try recorder.wait("a second take") { Set($0.chunks.map(\.take)).count == 2 }
    stop(recorder)
    let show = try shown(place, recorder)
    #expect(show.state == "stopped")
    #expect(show.takes.count == 2 && show.takes.allSatisfy { $0.chunks > 0 })
    #expect(show.gaps.map(\.reason) == ["interruption"])
    #expect(try Custody.missing(Heard(try recorder.output()), in: place.store).isEmpty)
  }

  @Test("is interrupted after a burst that ends so (L3)")
  func endsInterrupted() throws {
    let place = Torture.Place()
    let recorder = try start(place)
    send([SIGUSR1, SIGUSR2, SIGUSR1, SIGUSR2, SIGUSR1], to: recorder)
    let deadline = Date(timeIntervalSinceNow: 20)
    while try shown(place, recorder).state != "interrupted" {
      try #require(recorder.process.isRunning && Date() < deadline, "\(recorder.errors())")
    }
    stop(recorder)
    let show = try shown(place, recorder)
    #expect(show.takes.count == 1 && show.gaps.map(\.reason) == ["interruption"])
  }

  @Test("obeys interruptions that are apart, each with its gap (L3)")
  func apart() throws {
    let place = Torture.Place()
    let recorder = try start(place)
    for count in 2...3 {
      send([SIGUSR1], to: recorder)
      // Two that nobody could tell apart would be a burst, of which the last one counts.
      try recorder.wait("interruption \(count - 1)") { _ in
        recorder.errors().split(separator: "\n").count { $0.contains("interrupted;") } == count - 1
      }
      send([SIGUSR2], to: recorder)
      try recorder.wait("take \(count)") { Set($0.chunks.map(\.take)).count == count }
    }
    stop(recorder)
    let show = try shown(place, recorder)
    #expect(show.takes.count == 3 && show.gaps.count == 2)
  }
}
