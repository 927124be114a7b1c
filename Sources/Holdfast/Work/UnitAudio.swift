import Foundation
import HoldfastAudio
package import HoldfastModel
import HoldfastPlatform
package import HoldfastStore
package import HoldfastTasks

/// The sound of a unit, for handlers.
extension StoreHost {
  /// Samples of a range of recording time, full scale ±1, channels interleaved; gaps and damage
  /// read as silence.
  ///
  /// - Parameter track: nil takes the one with most audio.
  /// - Throws: as ``PCMReader``.
  package nonisolated func samples(
    of recording: RecordingID, track: String?, _ range: Range<Double>, sampleRate: Double,
    channels: UInt32
  ) async throws(HoldfastError) -> [Float] {
    let calls = HostCalls(host: self)
    return try await OwnThread.run("holdfast-listen") { _ throws(HoldfastError) in
      try PCMReader(calls, recording, track: track)
        .samples(range, sampleRate: sampleRate, channels: channels)
    }
  }

  /// Where a unit's samples stand in its file.
  package struct UnitFile: Hashable, Sendable {
    package var sampleRate: Double
    package var channels: UInt32
    /// Recording time of the first sample frame, in frames of this rate.
    package var firstFrame: UInt64
    package var frames: UInt64
  }

  /// Seconds that are read at once.
  private static let pieceSeconds: Double = 60

  /// Writes a unit's sound as a WAV file of 16-bit samples at the rate and with the channels that
  /// its first take has.
  ///
  /// - Throws: `conflict` for a codec that is not decoded here, `diskFull`; `interrupted` when the
  ///   task is cancelled.
  package nonisolated func write(
    _ unit: PlannedUnit, of recording: RecordingSummary, to path: String
  ) async throws(HoldfastError) -> UnitFile {
    let calls = HostCalls(host: self)
    let name = recording.tracks.first { $0.track == unit.track }?.name
    return try await OwnThread.run("holdfast-listen") { isCancelled throws(HoldfastError) in
      let reader = try PCMReader(calls, recording.id, track: name)
      let format = Self.format(unit, recording)
      var file = UnitFile(
        sampleRate: format.sampleRate, channels: format.channels,
        firstFrame: UInt64((unit.seconds.lowerBound * format.sampleRate).rounded()), frames: 0)
      do {
        let output = try calls.environment.files.open(path, [.write, .create, .exclusive])
        defer { output.close() }
        let seconds = unit.seconds.upperBound - unit.seconds.lowerBound
        file.frames = UInt64((seconds * format.sampleRate).rounded())
        let header = try WAVHeader(format)
          .bytes(dataLength: file.frames * UInt64(format.bytesPerFrame))
        try output.write(header, at: 0)
        var done: UInt64 = 0
        let piece = UInt64(Self.pieceSeconds * format.sampleRate)
        while done < file.frames {
          if isCancelled() {
            throw HoldfastError(.interrupted, "The unit was ended.", isRetryable: true)
          }
          let count = min(piece, file.frames - done)
          let from = unit.seconds.lowerBound + Double(done) / format.sampleRate
          let samples = try reader.samples(
            from..<from + Double(count) / format.sampleRate, sampleRate: format.sampleRate,
            channels: format.channels)
          let at = UInt64(header.count) + done * UInt64(format.bytesPerFrame)
          try output.write(Self.integers(samples), at: at)
          done += count
        }
      } catch let error as HoldfastError { throw error } catch let fault as FileFault {
        throw StoreFaults.error(fault)
      } catch {
        throw HoldfastError(.failed, "The unit's sound cannot be written: \(error).")
      }
      return file
    }
  }

  private static func format(_ unit: PlannedUnit, _ recording: RecordingSummary) -> AudioFormat {
    let takes = recording.takes.filter { unit.track == nil || $0.span.track == unit.track }
    let take =
      takes.last { $0.span.startNanoseconds <= unit.range.lowerBound } ?? takes.first
    let rate = take?.format.sampleRate ?? 16_000
    let channels = take?.format.channels ?? 1
    return AudioFormat(
      encoding: .s16le, sampleRate: rate, channels: channels, bytesPerFrame: 2 * channels)
  }

  private static func integers(_ samples: [Float]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * 2)
    for sample in samples {
      let scaled = (sample * 32_768).rounded()
      let value = UInt16(bitPattern: Int16(max(-32_768, min(32_767, scaled.isNaN ? 0 : scaled))))
      bytes.append(UInt8(truncatingIfNeeded: value))
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    return bytes
  }
}
