import Foundation
import Testing

/// Work that is killed, and work that two processes do.
///
/// `HOLDFAST_LONG=1` makes 100 kills, `HOLDFAST_SEED` chooses the instants.
@Suite("Deferred work", .serialized)
struct WorkKillTests {
  /// Says where its unit begins, and notes that it ran.
  static let handler = #"""
    read -r line
    start=${line#*\"startSeconds\":}; start=${start%%,*}
    end=${line#*\"endSeconds\":}; end=${end%%,*}
    echo "$start" >>"$HOLDFAST_TEST_LOG"
    echo "{\"segment\":{\"startSeconds\":$start,\"endSeconds\":$end,\"text\":\"at $start\"}}"
    """#

  private struct Transcript: Decodable {
    struct Segment: Decodable {
      var startSeconds, endSeconds: Double
      var text: String
    }
    var segments: [Segment]
  }

  private static func prepare(_ place: Torture.Place, recordings: Int, seconds: Int) throws {
    try place.makeAudio(seconds: seconds)
    try Data(handler.utf8).write(to: place.root.appendingPathComponent("handler"))
    try Data().write(to: place.root.appendingPathComponent("log"))
    for _ in 0..<recordings {
      let made = try place.run(record(place))
      try #require(made.code == 0, "\(made.error)")
    }
  }

  private static func record(_ place: Torture.Place) -> [String] {
    [
      "record", "-q", "--encoding", "s16le", "--rate", "16000", "--channels", "1", "--pipeline",
      "transcribe", place.audio.path,
    ]
  }

  private static func work(_ place: Torture.Place) -> [String] {
    let root = place.root.path
    return [
      "work", "--handler", "transcribe=HOLDFAST_TEST_LOG='\(root)/log' sh '\(root)/handler'",
      "--handler-info", "transcribe:unit=1",
    ]
  }

  private static func runs(_ place: Torture.Place) throws -> Int {
    try String(contentsOf: place.root.appendingPathComponent("log"), encoding: .utf8)
      .split(separator: "\n").count
  }

  @Test("loses no unit and records none twice, whenever its process is killed (T1, T3, T8)")
  func killed() throws {
    let seed = Torture.seed
    var dice = Torture.Dice(seed: seed)
    let place = Torture.Place()
    let seconds = Torture.isLong ? 200 : 30
    try Self.prepare(place, recordings: 1, seconds: seconds)
    var kills = 0
    for _ in 0..<(Torture.isLong ? 100 : 8) {
      let running = try place.start(Self.work(place))
      Thread.sleep(forTimeInterval: dice.seconds(0.05, 1.2))
      guard running.process.isRunning else { break }
      kill(running.process.processIdentifier, SIGKILL)
      running.process.waitUntilExit()
      kills += 1
    }
    // Three deaths in a row without progress are a quarantine, which only the user ends.
    let listed = try place.run(["tasks", "--json"])
    if listed.output.contains("quarantined") {
      let id = try #require(
        listed.output.range(of: #""id":"[0-9a-f]{64}"#, options: .regularExpression))
      let released = try place.run(["tasks", "release", String(listed.output[id].suffix(64))])
      #expect(released.code == 0, "seed \(seed): \(released.error)")
    }
    let last = try place.run(Self.work(place))
    #expect(last.code == 0, "seed \(seed): \(last.error)")
    let id = try place.run(["list", "--ids"]).output.prefix(32)
    let output = try place.run(["transcript", String(id), "--json"]).output
    let segments = try JSONDecoder().decode(Transcript.self, from: Data(output.utf8)).segments
    #expect(segments.count == seconds, "seed \(seed): \(segments.count) after \(kills) kills")
    for (before, after) in zip(segments, segments.dropFirst()) {
      #expect(abs(after.startSeconds - before.endSeconds) < 0.002, "seed \(seed): \(after.text)")
    }
    #expect(Set(segments.map(\.text)).count == segments.count, "seed \(seed)")
    #expect(try Self.runs(place) <= seconds + kills, "seed \(seed): more was done again than died")
    #expect(try place.run(["verify"]).code == 0)
  }

  @Test("is done once by two processes that work one store (T2, T8)")
  func together() throws {
    let place = Torture.Place()
    let recordings = 6
    try Self.prepare(place, recordings: recordings, seconds: 3)
    let both = [try place.start(Self.work(place)), try place.start(Self.work(place))]
    for one in both { one.process.waitUntilExit() }
    for one in both { #expect(one.process.terminationStatus == 0, "\(one.errors())") }
    #expect(try Self.runs(place) == recordings * 3)
    let tasks = try place.run(["tasks", "--json"]).output
    #expect(tasks.contains("\"tasks\":[]"), "\(tasks)")
  }

  @Test("of a frozen process is its own; of a dead one it is free at once (T8)")
  func frozen() throws {
    let place = Torture.Place()
    try Self.prepare(place, recordings: 1, seconds: 2)
    let mark = place.root.appendingPathComponent("begun").path
    let slow = try place.start([
      "work", "--handler", "transcribe=touch '\(mark)'; sleep 8",
    ])
    let deadline = Date(timeIntervalSinceNow: 20)
    while !FileManager.default.fileExists(atPath: mark), Date() < deadline {
      Thread.sleep(forTimeInterval: 0.01)
    }
    kill(slow.process.processIdentifier, SIGSTOP)
    let beside = try place.run(Self.work(place))
    #expect(beside.code == 0)
    #expect(try Self.runs(place) == 0)
    kill(slow.process.processIdentifier, SIGKILL)
    slow.process.waitUntilExit()
    #expect(try place.run(Self.work(place)).code == 0)
    #expect(try Self.runs(place) == 2)
  }

  @Test("of a process that dies beside one that watches is done by that one (T8)")
  func neighbour() throws {
    let place = Torture.Place()
    try Self.prepare(place, recordings: 1, seconds: 3)
    let mark = place.root.appendingPathComponent("begun").path
    let first = try place.start([
      "work", "--watch", "--handler", "transcribe=touch '\(mark)'; sleep 30",
      "--handler-info", "transcribe:unit=1",
    ])
    try Self.until("the first process has a unit") { FileManager.default.fileExists(atPath: mark) }
    let second = try place.start(Self.work(place) + ["--watch"])
    defer { kill(second.process.processIdentifier, SIGKILL) }
    kill(first.process.processIdentifier, SIGSTOP)
    // What is recorded now is done by the second, which has looked for work since the stop each
    // time: and never at what the frozen one has.
    for done in [3, 6] {
      let made = try place.run(Self.record(place))
      try #require(made.code == 0, "\(made.error)")
      try Self.until("the second does what is new") { try Self.runs(place) >= done }
    }
    let held = try place.run(["tasks", "--json"]).output
    #expect(held.contains(#""state":"running""#), "\(held)")
    // Its end is not waited for: what its handler began still runs, and would be waited for too.
    kill(first.process.processIdentifier, SIGKILL)
    try Self.until("the second does what the dead one had") {
      try place.run(["tasks", "--json"]).output.contains("\"tasks\":[]")
    }
    second.process.terminate()
    second.process.waitUntilExit()
    #expect(second.process.terminationStatus == 0, "\(second.errors())")
    #expect(try Self.runs(place) == 9)
  }

  /// Looks again until it is so; bounded.
  private static func until(_ what: String, _ isSo: () throws -> Bool) throws {
    let deadline = Date(timeIntervalSinceNow: 30)
    while try !isSo() {
      try #require(Date() < deadline, "\(what): never")
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}
