import Foundation
import Holdfast
import HoldfastSQLite
import HoldfastTesting

/// The memory of the command while it records three hours of audio, against an empty Swift program
/// with Foundation.
enum MemoryBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    let hours = settings.quick ? 0.25 : 3
    let pad = try Scratchpad()
    let audio = pad.root.appendingPathComponent("audio.raw")
    try makeAudio(audio, seconds: Int(hours * 3600))
    let command = Bench.neighbour("holdfast")
    let idle = try peakMegabytes(command, ["version"])
    let recording = try peakMegabytes(
      command,
      [
        "record", "--store", pad.path("store"), "--encoding", "s16le", "--rate", "16000",
        "--channels", "1", "--durability", "paced", audio.path,
      ])
    return [
      Measured(
        "memory of record over \(hours) h of audio", [recording - idle], atMost: 16,
        unit: "MB over the idle command",
        note: String(format: "%.1f MB at its peak, idle %.1f MB", recording, idle))
    ]
  }

  private static func makeAudio(_ url: URL, seconds: Int) throws {
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    let second = Data(Floor.bytes(32_000))
    for _ in 0..<seconds { try file.write(contentsOf: second) }
    try file.close()
  }

  /// The peak resident memory of a child, from the system's account of children.
  private static func peakMegabytes(_ command: URL, _ arguments: [String]) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "python3", "-c",
        """
        import resource, subprocess, sys
        code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if code == 0 else -1)
        """, command.path,
      ] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
    guard let kilobytes = Double(text), kilobytes > 0 else {
      throw BenchFailure("\(command.path) did not run: \(text)")
    }
    return kilobytes / 1024
  }
}

extension Bench {
  /// A program that was built beside this one.
  static func neighbour(_ name: String) -> URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name)
  }
}

/// How many changes, and how many bytes of them, an hour of recording makes.
enum VolumeBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    let pad = try Scratchpad()
    let clock = ManualClock(wallMilliseconds: 1_796_000_000_000)
    var environment = StoreEnvironment.system()
    environment.clock = clock
    let (writer, _) = try StoreOpening.open(pad.path("store"), StoreOptions(), environment)
    let id = try writer.startRecording(
      RecordingSeed(title: "An hour", attributes: ["event": .text("E-42")]))
    let format = try Ours.format(secondBytes: 3200)
    // A call in the middle: two takes.
    for _ in 0..<2 {
      let take = try writer.openTake(of: id, track: "microphone", format, chunkFrames: 1600)
      let journal = try writer.makeJournal(take, chunkFrames: 1600, .process)
      let second = Floor.bytes(3200)
      for _ in 0..<1800 {
        clock.advance(seconds: 1)
        journal.offer(second)
        _ = try journal.write()
        try writer.index(journal.chunks.takeDueRows(), of: take.take)
      }
      _ = try journal.finish()
      try writer.closeTake(take.take, journal.takeRows(), reason: .interruption)
      try writer.setPhase(.interrupted, of: id, reason: .interruption)
    }
    try writer.setPhase(.stopped, of: id, reason: .stop)
    let (count, bytes) = try writer.database.read { db in
      try db.first("SELECT count(*), sum(length(bytes)) FROM change", []) {
        (Double($0.int64(0)), Double($0.int64(1)))
      } ?? (0, 0)
    }
    writer.close()
    return [
      Measured(
        "changes an hour of recording, one call in it", [count], atMost: 40, unit: "changes"),
      Measured("bytes of changes an hour", [bytes / 1000], atMost: 20, unit: "KB"),
    ]
  }
}
