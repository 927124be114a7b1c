import Foundation
import Testing

extension Place {
  /// A WAV file: s16le, 8 kHz, mono; no two frames near each other alike.
  func wave(_ name: String, frames: Int) throws -> String {
    let samples = (0..<frames).flatMap { frame -> [UInt8] in
      let value = frame &* 40_503
      return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    func little(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var bytes = Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8)
    bytes += little(16, 4) + little(1, 2) + little(1, 2) + little(8000, 4) + little(16_000, 4)
    bytes += little(2, 2) + little(16, 2) + Array("data".utf8) + little(samples.count, 4)
    try Data(bytes + samples).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// A JSON object.
  static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}
