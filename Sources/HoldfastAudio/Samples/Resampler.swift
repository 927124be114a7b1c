/// A stream of samples at another rate: state is carried from block to block, so any cutting of the
/// input gives the same output, sample for sample.
///
/// Output sample n stands at input position n × in/out, exactly, in integers. Before the first and
/// behind the last input sample there is silence. With all input taken and flushed there are
/// ⌈samples × out/in⌉ output samples.
struct Resampler: Sendable {
  /// Input samples that one ``take`` may bring.
  static let blockLength = 1_024

  private let table: SincTable
  private let channels: Int
  /// Input samples and positions between two of them, per output sample.
  private let wholeStep: Int64, fractionStep: UInt64
  /// Channel after channel, `capacity` samples each, the first `filled` of them in use.
  private var lanes: [Float]
  private let capacity: Int
  private var filled: Int
  /// Index of the next output's input sample, relative to the first that is held.
  private var next: Int
  private var fraction: UInt64 = 0

  /// A resampler by `out`/`in`, two numbers without a common factor, both at least 1.
  init(in input: UInt64, out output: UInt64, channels: Int) {
    table = SincTable(steps: output, scale: min(1, Double(output) / Double(input)))
    self.channels = channels
    wholeStep = Int64(input / output)
    fractionStep = input % output
    capacity = table.taps + Self.blockLength
    lanes = Array(repeating: 0, count: capacity * channels)
    filled = table.half - 1
    next = table.half - 1
  }

  /// Back to the begin of a stream.
  mutating func reset() {
    for index in lanes.indices { lanes[index] = 0 }
    filled = table.half - 1
    next = table.half - 1
    fraction = 0
  }

  /// Where the next sample of a channel is to be put with ``put(_:at:channel:)``.
  mutating func put(_ value: Float, at index: Int, channel: Int) {
    lanes[channel * capacity + filled + index] = value
  }

  /// Counts `count` samples of each channel that were put, and gives out what can be computed:
  /// `emit` gets one value after another, all channels of a frame in order.
  mutating func take(count: Int, emit: (Float) -> Void) {
    filled += count
    while next + table.half < filled {
      for channel in 0..<channels { emit(value(channel)) }
      advance()
    }
    forget()
  }

  /// Gives out what is left, as if silence followed. ``reset()`` is due afterwards.
  mutating func flush(emit: (Float) -> Void) {
    var left = table.half
    while left > 0 {
      let count = min(left, Self.blockLength)
      left -= count
      for channel in 0..<channels {
        for index in 0..<count { put(0, at: index, channel: channel) }
      }
      take(count: count, emit: emit)
    }
  }

  private mutating func advance() {
    next += Int(wholeStep)
    fraction += fractionStep
    if fraction >= table.steps {
      fraction -= table.steps
      next += 1
    }
  }

  /// Drops the samples that no later output needs.
  private mutating func forget() {
    let shift = min(next - table.half + 1, filled)
    guard shift > 0 else { return }
    for channel in 0..<channels {
      let base = channel * capacity
      for index in 0..<filled - shift { lanes[base + index] = lanes[base + index + shift] }
    }
    filled -= shift
    next -= shift
  }

  private func value(_ channel: Int) -> Float {
    let start = channel * capacity + next - table.half + 1
    guard table.isInterpolated else { return sum(row: fraction, from: start) }
    let place = Double(fraction) / Double(table.steps) * Double(table.rows)
    let row = UInt64(place)
    let weight = Float(place - Double(row))
    return sum(row: row, from: start) * (1 - weight) + sum(row: row + 1, from: start) * weight
  }

  /// The sum of samples and coefficients, in four parts so that they can be added side by side.
  private func sum(row: UInt64, from start: Int) -> Float {
    let taps = table.taps
    let first = Int(row) * taps
    let coefficients = table.coefficients.span.extracting(first..<first + taps)
    let samples = lanes.span.extracting(start..<start + taps)
    var (a, b, c, d): (Float, Float, Float, Float) = (0, 0, 0, 0)
    var index = 0
    while index + 4 <= taps {
      a += coefficients[index] * samples[index]
      b += coefficients[index + 1] * samples[index + 1]
      c += coefficients[index + 2] * samples[index + 2]
      d += coefficients[index + 3] * samples[index + 3]
      index += 4
    }
    while index < taps {
      a += coefficients[index] * samples[index]
      index += 1
    }
    return (a + b) + (c + d)
  }
}
