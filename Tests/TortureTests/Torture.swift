import Foundation
import Testing

/// Real processes of the command for tests that harm them.
enum Torture {
  static let isLong = ProcessInfo.processInfo.environment["HOLDFAST_LONG"] == "1"

  /// From `HOLDFAST_SEED`, else drawn; always printed with a failure.
  static let seed: UInt64 =
    ProcessInfo.processInfo.environment["HOLDFAST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 1...1_000_000_000)

  /// The command, beside the tests that were built with it.
  static let binary: URL = {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent("holdfast")
  }()

  /// A generator from a seed (SplitMix64).
  struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }

    mutating func pick<T>(_ items: [T]) -> T { items[Int(next() % UInt64(items.count))] }

    mutating func seconds(_ low: Double, _ high: Double) -> Double {
      low + (high - low) * Double(next() % 10_000) / 10_000
    }
  }

  /// A directory with a store and an input, removed afterwards.
  final class Place {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("holdfast-torture-\(UUID().uuidString)")
    var store: String { root.appendingPathComponent("store").path }
    var audio: URL { root.appendingPathComponent("audio.raw") }

    init() { try? FileManager.default.createDirectory(at: root, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: root) }

    /// Raw s16le at 16 kHz in which no two chunks are alike.
    func makeAudio(seconds: Int) throws {
      var dice = Dice(seed: 7)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(seconds * 32_000)
      while bytes.count < seconds * 32_000 {
        withUnsafeBytes(of: dice.next()) { bytes.append(contentsOf: $0) }
      }
      try Data(bytes).write(to: audio)
    }

    func start(_ arguments: [String]) throws -> Running {
      try Running(arguments + ["--store", store], root)
    }

    func run(_ arguments: [String]) throws -> Result {
      let running = try start(arguments)
      running.process.waitUntilExit()
      return try running.result()
    }
  }

  struct Result {
    let code: Int32
    let output, error: String
  }

  /// A process whose output goes to files, so that nothing it said is lost with it.
  final class Running {
    let process = Process()
    private let outputFile, errorFile: URL

    init(_ arguments: [String], _ root: URL) throws {
      let name = UUID().uuidString
      outputFile = root.appendingPathComponent(name + ".out")
      errorFile = root.appendingPathComponent(name + ".err")
      for file in [outputFile, errorFile] { try Data().write(to: file) }
      process.executableURL = Torture.binary
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: outputFile)
      process.standardError = try FileHandle(forWritingTo: errorFile)
      try process.run()
    }

    /// What it left when it has ended.
    func result() throws -> Result {
      Result(
        code: process.terminationStatus, output: String(decoding: try output(), as: UTF8.self),
        error: errors())
    }

    func output() throws -> Data { try Data(contentsOf: outputFile) }
    func errors() -> String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// Until the first chunk was acknowledged; bounded.
    func waitForChunk() throws { try wait("a chunk") { !$0.chunks.isEmpty } }

    /// Until what was heard is enough; bounded.
    func wait(_ what: String, _ isEnough: (Heard) -> Bool) throws {
      let deadline = Date(timeIntervalSinceNow: 20)
      while !isEnough(Heard(try output())) {
        try #require(process.isRunning && Date() < deadline, "\(what) never came: \(errors())")
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
  }
}
