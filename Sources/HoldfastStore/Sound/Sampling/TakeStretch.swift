import HoldfastAudio
import HoldfastModel

/// Which frames of a take are to be converted for a range of recording time, and where they go.
///
/// A resampler needs the frames around a position, so the stretch begins earlier by whole steps of
/// the grid on which input and output frames coincide, and what comes out of those is dropped.
struct TakeStretch {
  /// Zero crossings of the resampler's filter on each side of a position (`SincTable`).
  private static let crossings: Double = 32

  /// Frames of the take to convert.
  let input: Range<UInt64>
  /// Output frames that come out before the first that is wanted.
  let drop: UInt64
  /// The frames of the answer that the take gives.
  let firstOutput: UInt64, endOutput: UInt64

  /// What of a take lies in an answer of so many frames that begins at a time; nil for nothing.
  init?(_ take: TakeContents, from seconds: Double, frames: UInt64, sampleRate: Double) {
    let rate = take.row.format.sampleRate
    let start = Double(take.row.span.startNanoseconds) / 1e9
    let first = Self.index(start - seconds, sampleRate, frames)
    let end = Self.index(take.endSeconds - seconds, sampleRate, frames)
    guard first < end else { return nil }
    let place = ((seconds + Double(first) / sampleRate - start) * rate).rounded()
    let begin = min(UInt64(max(place, 0)), take.endFrame)
    let context = UInt64((Self.crossings * max(1, rate / sampleRate)).rounded(.up)) + 1
    let grid = SampleConverter.grid(rate, sampleRate)
    let steps =
      rate == sampleRate ? 0 : min((context + grid.input - 1) / grid.input, begin / grid.input)
    drop = steps * grid.output
    let from = begin - steps * grid.input
    let wanted = Double(drop + end - first) * rate / sampleRate
    let until = from + UInt64(wanted.rounded(.up)) + (rate == sampleRate ? 0 : context)
    input = from..<max(min(until, take.endFrame), from)
    firstOutput = first
    endOutput = end
  }

  /// The first output frame at or after a time, within the answer.
  private static func index(_ seconds: Double, _ sampleRate: Double, _ frames: UInt64) -> UInt64 {
    // Times are sums of doubles: a millionth of a frame is no frame.
    let index = (seconds * sampleRate - 1e-6).rounded(.up)
    return index >= Double(frames) ? frames : UInt64(max(index, 0))
  }
}
