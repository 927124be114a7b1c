import CHoldfastBench
import Foundation
import Holdfast
import HoldfastPlatform

/// A file into the store, against the slower of plain grouped writes and SHA-256.
enum ImportBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    let bytes = (settings.quick ? 128 : 512) << 20
    var ratios: [Double] = []
    var note = ""
    for _ in 0..<settings.runs {
      let pad = try Scratchpad()
      let file = pad.root.appendingPathComponent("input.wav")
      try BigWAV.write(file, bytes: bytes)
      let disk =
        unsafe Double(hf_floor_bulk(pad.path("floor"), Floor.bytes(1 << 20), Int64(bytes))) / 1e9
      let hash = BigWAV.hashSeconds(bytes)
      let store = try await Ours.store(pad)
      let start = ContinuousClock.now
      _ = try await store.importFile(file, as: .init(title: "big"), externalID: "")
      let ours = (ContinuousClock.now - start).seconds
      await store.close()
      ratios.append(max(disk, hash) / ours)
      let rate = { (seconds: Double) in String(format: "%.2f GB/s", Double(bytes) / seconds / 1e9) }
      note = "disk \(rate(disk)), SHA-256 \(rate(hash)), ours \(rate(ours))"
    }
    return [
      Measured(
        "import of a file", ratios, atLeast: 0.9, unit: "× the slower of disk and SHA-256",
        note: note)
    ]
  }
}

/// A large file of audio.
enum BigWAV {
  static func write(_ url: URL, bytes: Int) throws {
    guard let format = AudioFormat(pcm: .s16le, sampleRate: 48_000, channels: 2) else { return }
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    let header = try WAVHeader(format).bytes(dataLength: UInt64(bytes))
    try file.write(contentsOf: Data(header))
    var piece = Floor.bytes(1 << 20)
    for index in 0..<bytes >> 20 {
      piece[0] = UInt8(truncatingIfNeeded: index)
      try file.write(contentsOf: Data(piece))
    }
    try file.close()
  }

  static func hashSeconds(_ bytes: Int) -> Double {
    let piece = Floor.bytes(1 << 20)
    let start = ContinuousClock.now
    let state = SystemHashing().start()
    for _ in 0..<bytes >> 20 { state.update(piece.span) }
    _ = state.finish()
    return (ContinuousClock.now - start).seconds
  }
}
