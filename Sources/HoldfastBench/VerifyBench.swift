import Foundation
import Holdfast

/// `verify` of a store, against `openssl dgst -sha256` of the same reels.
enum VerifyBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    let bytes = (settings.quick ? 128 : 1024) << 20
    let pad = try Scratchpad()
    let file = pad.root.appendingPathComponent("input.wav")
    try BigWAV.write(file, bytes: bytes)
    let store = try await Ours.store(pad)
    let directory = store.configuration.directory
    _ = try await store.importFile(file, as: .init(title: "big"), externalID: "")
    await store.close()
    try FileManager.default.removeItem(at: file)
    var ratios: [Double] = []
    for _ in 0..<settings.runs {
      let floor = try seconds(
        "/bin/sh",
        ["-c", "openssl dgst -sha256 \"$0\"/audio/*/* >/dev/null", directory.path])
      let ours = try seconds(
        Bench.neighbour("holdfast").path, ["verify", "--quiet", "--store", directory.path])
      ratios.append(floor / ours)
    }
    return [
      Measured(
        "verify of \(bytes >> 20) MB", ratios, atLeast: 0.8, unit: "× openssl dgst -sha256")
    ]
  }

  private static func seconds(_ program: String, _ arguments: [String]) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    let start = ContinuousClock.now
    try process.run()
    process.waitUntilExit()
    let elapsed = (ContinuousClock.now - start).seconds
    guard process.terminationStatus == 0 else { throw BenchFailure("\(program) failed") }
    return elapsed
  }
}
