import HoldfastModel

/// Gathers samples as int16 or float32 bytes, little-endian.
struct SampleWriter {
  /// What was gathered.
  private(set) var bytes: [UInt8] = []
  private let isFloat: Bool
  private let repeats: Int

  /// A writer that writes each value `repeats` times, with `room` for bytes to begin with.
  init(_ format: AudioFormat, repeats: Int, room: Int) {
    isFloat = format.encoding == .f32le
    self.repeats = repeats
    bytes.reserveCapacity(room)
  }

  /// Takes one value, full scale ±1: rounded and clipped for int16, as it is for float32.
  mutating func append(_ value: Float) {
    for _ in 0..<repeats {
      if isFloat {
        let bits = value.bitPattern
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 24))
      } else {
        let scaled = min(max((value * 32_768).rounded(.toNearestOrEven), -32_768), 32_767)
        let short = Int16(scaled)
        bytes.append(UInt8(truncatingIfNeeded: short))
        bytes.append(UInt8(truncatingIfNeeded: short >> 8))
      }
    }
  }
}
