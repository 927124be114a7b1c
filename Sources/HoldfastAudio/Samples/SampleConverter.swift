package import HoldfastModel

/// How the samples of a block lie.
package enum SampleLayout: Hashable, Sendable {
  /// All channels of a frame, then the next frame.
  case interleaved
  /// All frames of a channel, then the next channel, in one block.
  case planar
}

/// Turns blocks of PCM into interleaved int16 or float32 at another rate and channel count.
///
/// Invariant: the output depends on the samples alone, not on how they are cut into blocks. Memory
/// is allocated once; a call allocates its output only. Values are rounded to nearest, even on a
/// tie, and clipped; no dither. At equal rates and channels int16 stays what it is.
package struct SampleConverter: Sendable {
  /// Most channels on either side.
  package static let maximumChannels: UInt32 = 256
  /// Most times that one rate may be the other.
  package static let maximumRatio = 256.0

  /// What goes in and what comes out.
  package let input: AudioFormat, output: AudioFormat

  private var resampler: Resampler?
  private let mixesDown: Bool
  /// Channels between mixing and copying.
  private let lanes: Int
  /// Sums of a block's frames while channels are mixed; samples of a block without a resampler.
  private var sums: [Float], direct: [Float]

  /// A converter at the begin of a stream.
  ///
  /// `output` is `s16le` or `f32le`. Channels stay, or go to one (by their mean), or from one to
  /// any number (by copying). Throws ``AudioError/Code/invalidFormat`` for anything else, and
  /// ``AudioError/Code/unsupportedCodec`` when the input is no plain PCM.
  package init(from input: AudioFormat, to output: AudioFormat) throws(AudioError) {
    try Self.check(input, output)
    self.input = input
    self.output = output
    mixesDown = output.channels == 1 && input.channels > 1
    lanes = Int(mixesDown ? 1 : input.channels)
    let (from, to) = Self.grid(input.sampleRate, output.sampleRate)
    resampler = from == to ? nil : Resampler(in: from, out: to, channels: lanes)
    sums = Array(repeating: 0, count: mixesDown ? Resampler.blockLength : 0)
    direct = Array(repeating: 0, count: from == to ? Resampler.blockLength * lanes : 0)
  }

  private static func check(_ input: AudioFormat, _ output: AudioFormat) throws(AudioError) {
    guard input.isPCM else {
      throw AudioError(
        .unsupportedCodec,
        "'\(input.encoding.rawValue)' cannot be converted here; only PCM can.")
    }
    guard output.isPCM, [.s16le, .f32le].contains(output.encoding) else {
      throw AudioError(.invalidFormat, "Samples can be converted to s16le and f32le only.")
    }
    let channels = (input.channels, output.channels)
    guard max(channels.0, channels.1) <= maximumChannels,
      channels.0 == channels.1 || min(channels.0, channels.1) == 1
    else {
      throw AudioError(
        .invalidFormat,
        "\(channels.0) channels cannot be made into \(channels.1); they stay, or one side has one.")
    }
    let ratio = input.sampleRate / output.sampleRate
    guard ratio.isFinite, (1 / maximumRatio...maximumRatio).contains(ratio) else {
      throw AudioError(
        .invalidFormat,
        "\(input.sampleRate) Hz cannot be made into \(output.sampleRate) Hz: too far apart.")
    }
  }

  /// The smallest numbers of input and output frames that take the same time: both rates without a
  /// common factor; fractions of a hertz count by thousandths.
  package static func grid(
    _ input: Double, _ output: Double
  ) -> (input: UInt64, output: UInt64) {
    let isWhole = input.rounded() == input && output.rounded() == output
    let scale = isWhole ? 1.0 : 1_000
    let from = max(1, UInt64((input * scale).rounded()))
    let to = max(1, UInt64((output * scale).rounded()))
    var (a, b) = (from, to)
    while b > 0 { (a, b) = (b, a % b) }
    return (from / a, to / a)
  }

  /// Converts the next block; the answer is what can be given out of it and of earlier blocks.
  ///
  /// Throws ``AudioError/Code/invalidFormat`` when the block ends inside a frame.
  package mutating func convert(
    _ bytes: Span<UInt8>, layout: SampleLayout = .interleaved
  ) throws(AudioError) -> [UInt8] {
    guard bytes.count % Int(input.bytesPerFrame) == 0 else {
      throw AudioError(.invalidFormat, "A block of audio ends inside a sample frame.")
    }
    var writer = SampleWriter(output, repeats: repeats, room: room(for: bytes.count))
    switch input.encoding {
    case .u8: run(bytes, layout, ReadU8.self, &writer)
    case .s16le: run(bytes, layout, ReadS16.self, &writer)
    case .s24le: run(bytes, layout, ReadS24.self, &writer)
    case .s32le: run(bytes, layout, ReadS32.self, &writer)
    case .f32le: run(bytes, layout, ReadF32.self, &writer)
    case .f64le: run(bytes, layout, ReadF64.self, &writer)
    case .alaw: run(bytes, layout, ReadALaw.self, &writer)
    default: run(bytes, layout, ReadMuLaw.self, &writer)
    }
    return writer.bytes
  }

  /// The end of the stream: what is still to come out of the samples taken. The converter is at
  /// the begin of a stream afterwards.
  package mutating func finish() -> [UInt8] {
    var writer = SampleWriter(output, repeats: repeats, room: 0)
    resampler?.flush { writer.append($0) }
    resampler?.reset()
    return writer.bytes
  }

  /// How often each value is written: one channel may become many.
  private var repeats: Int { input.channels == 1 ? Int(output.channels) : 1 }

  /// About how many bytes come out of so many, at most a megabyte: room to begin with.
  private func room(for byteCount: Int) -> Int {
    let frames = Double(byteCount) / Double(input.bytesPerFrame)
    let ahead = (frames * output.sampleRate / input.sampleRate + 2) * Double(output.bytesPerFrame)
    return Int(min(ahead, 1_048_576))
  }

  private mutating func run<Reader: SampleReader>(
    _ bytes: Span<UInt8>, _ layout: SampleLayout, _ reader: Reader.Type,
    _ writer: inout SampleWriter
  ) {
    let frames = bytes.count / Int(input.bytesPerFrame)
    let isPlanar = layout == .planar
    let frameStride = isPlanar ? Reader.width : Int(input.bytesPerFrame)
    let channelStride = isPlanar ? Reader.width * frames : Reader.width
    var start = 0
    while start < frames {
      let count = min(frames - start, Resampler.blockLength)
      for channel in 0..<Int(input.channels) {
        var index = start * frameStride + channel * channelStride
        for frame in 0..<count {
          put(Reader.value(bytes, at: index), frame, channel)
          index += frameStride
        }
      }
      if mixesDown { putMean(count) }
      write(count, &writer)
      start += count
    }
  }

  private mutating func put(_ value: Float, _ frame: Int, _ channel: Int) {
    if mixesDown {
      sums[frame] = channel == 0 ? value : sums[frame] + value
    } else {
      place(value, frame, channel)
    }
  }

  private mutating func putMean(_ count: Int) {
    let scale = Float(input.channels)
    for frame in 0..<count { place(sums[frame] / scale, frame, 0) }
  }

  private mutating func place(_ value: Float, _ frame: Int, _ channel: Int) {
    if resampler == nil {
      direct[frame * lanes + channel] = value
    } else {
      resampler?.put(value, at: frame, channel: channel)
    }
  }

  private mutating func write(_ count: Int, _ writer: inout SampleWriter) {
    if resampler == nil {
      for index in 0..<count * lanes { writer.append(direct[index]) }
    } else {
      resampler?.take(count: count) { writer.append($0) }
    }
  }
}
