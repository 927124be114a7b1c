import Foundation
import Holdfast
import Testing

/// Channels that lie apart are kept as if they had come interleaved (J2).
@Suite struct PlanarTakeTests {
  private static let frames = 1_000
  /// Two channels of 16-bit samples.
  private static let apart: [[Int16]] = (0..<2).map { channel in
    (0..<frames).map { Int16(truncatingIfNeeded: ($0 + channel * 7) &* 7_919) }
  }
  private static let together = (0..<frames).flatMap { frame in apart.map { $0[frame] } }

  /// The bytes that a store keeps of one take.
  private func kept(
    planar: Bool, _ append: (TakeWriter) -> Bool
  ) async throws -> Data {
    let place = TemporaryStore()
    let store = try await place.open()
    let session = try await store.startRecording()
    let take = try await session.beginTake(
      "microphone",
      PCMFormat(.int16, sampleRate: 8_000, channels: 2, interleaved: !planar))
    #expect(append(take))
    let recording = try await session.stop()
    let file = place.outside.appendingPathComponent("out.wav")
    try await store.audio(of: recording.id).wav(to: file)
    await store.close()
    return try Data(contentsOf: file).suffix(Self.frames * 4)
  }

  private func withChannels(
    _ body: (UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Bool
  ) -> Bool {
    Self.apart[0].withUnsafeBytes { left in
      Self.apart[1].withUnsafeBytes { right in [left, right].withUnsafeBufferPointer(body) }
    }
  }

  @Test("planar bytes, a buffer a channel, and one interleaved buffer give the same audio")
  func same() async throws {
    let frames = UInt32(Self.frames)
    let wanted = Self.together.withUnsafeBytes { Data($0) }
    let planar = Self.apart.flatMap { $0 }
    for isPlanar in [true, false] {
      let buffers = try await kept(planar: isPlanar) { take in
        withChannels { take.append(channels: $0, frames: frames, hostTime: 0) }
      }
      #expect(buffers == wanted)
      let one = try await kept(planar: isPlanar) { take in
        Self.together.withUnsafeBytes { bytes in
          [bytes].withUnsafeBufferPointer {
            take.append(channels: $0, frames: frames, hostTime: 0)
          }
        }
      }
      #expect(one == wanted)
      let plain = try await kept(planar: isPlanar) { take in
        (isPlanar ? planar : Self.together).withUnsafeBytes {
          take.append($0, frames: frames, hostTime: 0)
        }
      }
      #expect(plain == wanted)
    }
  }

  @Test("buffers of another size or number are refused, and the take goes on")
  func refused() async throws {
    let frames = UInt32(Self.frames)
    let audio = try await kept(planar: true) { take in
      let isEmptyTaken = take.append(
        channels: UnsafeBufferPointer(start: nil, count: 0), frames: frames, hostTime: 0)
      let isShortTaken = withChannels {
        take.append(channels: $0, frames: frames - 1, hostTime: 0)
      }
      let isThirdTaken = Self.apart[0].withUnsafeBytes { channel in
        [channel, channel, channel].withUnsafeBufferPointer {
          take.append(channels: $0, frames: frames, hostTime: 0)
        }
      }
      #expect(!isEmptyTaken && !isShortTaken && !isThirdTaken)
      return withChannels { take.append(channels: $0, frames: frames, hostTime: 0) }
    }
    #expect(audio == Self.together.withUnsafeBytes { Data($0) })
  }
}
