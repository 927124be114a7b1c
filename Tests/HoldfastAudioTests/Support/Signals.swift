import Foundation
import HoldfastAudio
import HoldfastModel

/// Test tones and how well they came through.
enum Signals {
  /// A sine as float32 bytes, the same in all channels.
  static func tone(
    _ hertz: Double, rate: Double, frames: Int, level: Double = 0.5, channels: Int = 1
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames * 4 * channels)
    for index in 0..<frames {
      let value = Float(level * sin(2 * .pi * hertz * Double(index) / rate))
      for _ in 0..<channels { bytes += .little(UInt64(value.bitPattern), 4) }
    }
    return bytes
  }

  /// float32 bytes as numbers.
  static func floats(_ bytes: [UInt8]) -> [Double] {
    stride(from: 0, to: bytes.count - 3, by: 4).map { at in
      var bits: UInt32 = 0
      for index in (0..<4).reversed() { bits = bits << 8 | UInt32(bytes[at + index]) }
      return Double(Float(bitPattern: bits))
    }
  }

  /// int16 bytes as numbers.
  static func shorts(_ bytes: [UInt8]) -> [Int16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map { at in
      Int16(bitPattern: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8)
    }
  }

  /// Level of the tone of known frequency in the samples, and of everything else, both in decibels
  /// of a full-scale sine; the edges are left out.
  static func measure(
    _ samples: [Double], hertz: Double, rate: Double, edge: Int
  ) -> (tone: Double, rest: Double) {
    let inner = Array(samples[edge..<samples.count - edge])
    // Least squares on sine and cosine: exact for any number of samples.
    var (ss, cc, sc, sx, cx) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, value) in inner.enumerated() {
      let angle = 2 * Double.pi * hertz * Double(index + edge) / rate
      let (s, c) = (sin(angle), cos(angle))
      ss += s * s
      cc += c * c
      sc += s * c
      sx += s * value
      cx += c * value
    }
    let determinant = ss * cc - sc * sc
    let a = (sx * cc - cx * sc) / determinant
    let b = (cx * ss - sx * sc) / determinant
    var rest = 0.0
    for (index, value) in inner.enumerated() {
      let angle = 2 * Double.pi * hertz * Double(index + edge) / rate
      let error = value - a * sin(angle) - b * cos(angle)
      rest += error * error
    }
    let power = 2 * rest / Double(inner.count)
    return (10 * log10(a * a + b * b), 10 * log10(max(power, 1e-20)))
  }

  /// The whole signal through a converter in one block, and its tail.
  static func convert(
    _ bytes: [UInt8], _ from: AudioFormat, _ to: AudioFormat
  ) throws -> [UInt8] {
    var converter = try SampleConverter(from: from, to: to)
    return try converter.convert(bytes.span) + converter.finish()
  }

  static func format(_ encoding: SampleEncoding, _ rate: Double, _ channels: UInt32 = 1)
    -> AudioFormat
  {
    AudioFormat(pcm: encoding, sampleRate: rate, channels: channels)
      ?? AudioFormat(encoding: encoding, sampleRate: rate, channels: channels, bytesPerFrame: 0)
  }
}
