import HoldfastAudio
package import HoldfastModel

/// Reads a track by recording time as samples at any rate: what deferred work listens to.
///
/// Invariants: a range of s seconds gives round(s × rate) frames; gaps, damage and what has not
/// been captured yet read as silence; the samples of a take do not depend on where ranges are cut,
/// but for the rounding of a range's begin to a frame.
package struct PCMReader {
  private let store: any StoreRows
  private let takes: [TakeContents]

  /// A reader of what a track holds now; without a name, the track with most audio.
  ///
  /// - Throws: `notFound`; `conflict` when it holds a codec's packets, which are not decoded here.
  package init(
    _ store: any StoreRows, _ recording: RecordingID, track: String? = nil
  ) throws(HoldfastError) {
    self.store = store
    var options = ExportOptions()
    options.form = .raw
    options.track = track
    let plan = try ExportPlanner(store: store, options: options).plan(recording)
    for part in plan.parts where !part.format.isPCM {
      throw HoldfastError(
        .conflict,
        "Track \"\(plan.track)\" holds '\(part.format.encoding.rawValue)', which is not "
          + "decoded here.", context: ["encoding": part.format.encoding.rawValue])
    }
    takes = plan.parts.flatMap { $0.takes.map(\.contents) }
  }

  /// Where the track ends in recording time, seconds.
  package var endSeconds: Double { takes.map(\.endSeconds).max() ?? 0 }

  /// The samples of a range of recording time, full scale ±1, channels interleaved.
  ///
  /// - Parameters:
  ///   - range: seconds from the recording's start.
  ///   - sampleRate: of the answer, hertz.
  ///   - channels: of the answer: one is the mean of all; a take's single channel is copied to
  ///     each; where neither fits, the mean is copied.
  /// - Returns: values, frame after frame.
  /// - Throws: `invalidArgument` for a rate or channels that nothing can be converted to;
  ///   `protectedDataUnavailable` when a reel cannot be opened now.
  package func samples(
    _ range: Range<Double>, sampleRate: Double, channels: UInt32 = 1
  ) throws(HoldfastError) -> [Float] {
    guard AudioFormat(pcm: .f32le, sampleRate: sampleRate, channels: channels) != nil,
      range.lowerBound.isFinite, range.upperBound - range.lowerBound < Self.longestSeconds
    else {
      throw HoldfastError(
        .invalidArgument, "\(channels) channels at \(sampleRate) Hz of \(range) s cannot be read.")
    }
    let frames = UInt64(((range.upperBound - range.lowerBound) * sampleRate).rounded())
    var samples = [Float](repeating: 0, count: Int(frames) * Int(channels))
    for take in takes {
      let stretch = TakeStretch(
        take, from: range.lowerBound, frames: frames, sampleRate: sampleRate)
      guard let stretch else { continue }
      try fill(&samples, stretch, take, sampleRate, channels)
    }
    return samples
  }

  /// The longest range that is read at once: 1 h, in seconds. It is all in memory.
  private static let longestSeconds: Double = 3_600

  private func fill(
    _ samples: inout [Float], _ stretch: TakeStretch, _ take: TakeContents,
    _ sampleRate: Double, _ channels: UInt32
  ) throws(HoldfastError) {
    let input = take.row.format
    let fits = input.channels == channels || input.channels == 1 || channels == 1
    let output = AudioFormat(
      encoding: .f32le, sampleRate: sampleRate, channels: fits ? channels : 1,
      bytesPerFrame: 4 * (fits ? channels : 1))
    var place = SamplePlace(
      drop: stretch.drop * UInt64(output.channels),
      at: stretch.firstOutput * UInt64(channels),
      end: stretch.endOutput * UInt64(channels), copies: fits ? 1 : channels)
    var converter = try Self.converter(from: input, to: output)
    let frames = TakeFrames(store: store, take: take, fetcher: ChunkFetcher(store))
    try frames.read(stretch.input) { bytes throws(HoldfastError) in
      place.put(try Self.convert(bytes, &converter), into: &samples)
    }
    place.put(converter.finish(), into: &samples)
  }

  private static func converter(
    from input: AudioFormat, to output: AudioFormat
  ) throws(HoldfastError) -> SampleConverter {
    do { return try SampleConverter(from: input, to: output) } catch { throw error.onReading }
  }

  private static func convert(
    _ bytes: [UInt8], _ converter: inout SampleConverter
  ) throws(HoldfastError) -> [UInt8] {
    do { return try converter.convert(bytes.span) } catch { throw error.onReading }
  }
}

extension AudioError {
  /// The error for samples that cannot be made into what was asked for.
  fileprivate var onReading: HoldfastError {
    HoldfastError(
      .invalidArgument, message, cause: message, context: ["reason": code.rawValue])
  }
}

/// Where converted samples go in the answer.
private struct SamplePlace {
  /// Values that come before the answer's first.
  var drop: UInt64
  /// Where the next value goes, and where no more do.
  var at: UInt64, end: UInt64
  /// How often each value is written.
  var copies: UInt32

  /// Takes bytes of float32 values.
  mutating func put(_ bytes: [UInt8], into samples: inout [Float]) {
    for value in 0..<bytes.count / 4 {
      if drop > 0 {
        drop -= 1
        continue
      }
      let offset = value * 4
      let bits =
        UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
        | UInt32(bytes[offset + 3]) << 24
      for _ in 0..<copies where at < end {
        samples[Int(at)] = Float(bitPattern: bits)
        at += 1
      }
    }
  }
}
