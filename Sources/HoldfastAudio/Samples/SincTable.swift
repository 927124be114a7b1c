/// The coefficients of a windowed-sinc low-pass, one row for each position between two samples.
///
/// Kaiser's design (Kaiser 1974; Oppenheim & Schafer, "Discrete-Time Signal Processing", 7.5.3):
/// 80 dB of attenuation with 32 zero crossings a side gives a transition of 0.08 of the lower rate.
/// The edge is placed so that the stop band begins at that rate's half: what would alias is gone,
/// and the pass band reaches to 0.42 of it (6.7 kHz at 16 kHz).
struct SincTable: Sendable {
  /// Zero crossings on each side, at the lower of the two rates.
  private static let crossings = 32.0
  /// Middle of the transition as a fraction of the half of the lower rate.
  private static let edge = 0.92
  /// Kaiser's parameter for 80 dB: 0.1102 (80 − 8.7).
  private static let beta = 7.857
  /// Coefficients that an exact table may have: 1 MB.
  private static let exactLimit = 262_144
  /// Rows of a table that is interpolated instead: 512 err by less than −100 dB; fewer, where rows
  /// are long, by less than −70 dB (second difference of the kernel over eight times rows squared).
  private static let fewestRows = 64, mostRows = 512

  /// Input samples on each side of a position that take part in its value.
  let half: Int
  /// Rows of the table; row `rows` (one more) equals row 0 of the next sample.
  let rows: UInt64
  /// Positions between two samples; the table is exact when it has a row for each.
  let steps: UInt64
  /// (rows + 1) × 2 half coefficients.
  let coefficients: [Float]

  /// Coefficients of one row.
  var taps: Int { 2 * half }
  /// Whether values between two rows are interpolated.
  var isInterpolated: Bool { rows != steps }

  /// A table for `steps` positions between two input samples. `scale` is the output rate by the
  /// input rate where that is below 1, else 1.
  init(steps: UInt64, scale: Double) {
    half = Int((Self.crossings / scale).rounded(.up))
    let isExact = steps <= UInt64(Self.exactLimit / (2 * half))
    let fitting = min(max(Self.exactLimit / (2 * half), Self.fewestRows), Self.mostRows)
    rows = isExact ? steps : UInt64(fitting)
    self.steps = steps
    var all: [Float] = []
    all.reserveCapacity(Int(rows + 1) * 2 * half)
    for row in 0...rows {
      Self.appendRow(Double(row) / Double(rows), half: half, cutoff: scale * Self.edge, to: &all)
    }
    coefficients = all
  }

  /// Tap k stands at input sample k − half + 1; the sum of a row is 1, so that a constant stays.
  private static func appendRow(
    _ fraction: Double, half: Int, cutoff: Double, to all: inout [Float]
  ) {
    var row: [Double] = []
    for tap in 0..<2 * half {
      let distance = Double(tap - half + 1) - fraction
      row.append(sinc(cutoff * distance) * kaiser(distance / Double(half)))
    }
    let sum = row.reduce(0, +)
    all += row.map { Float($0 / sum) }
  }

  private static func sinc(_ x: Double) -> Double {
    x == 0 ? 1 : sinePi(x) / (Double.pi * x)
  }

  /// sin(πx): folded to a quarter turn, then its power series (error below 1e-15 there).
  static func sinePi(_ x: Double) -> Double {
    var turn = x - 2 * (x / 2).rounded()
    if turn > 0.5 { turn = 1 - turn }
    if turn < -0.5 { turn = -1 - turn }
    let angle = turn * Double.pi
    var term = angle
    var sum = angle
    for power in stride(from: 2.0, through: 20, by: 2) {
      term *= -angle * angle / (power * (power + 1))
      sum += term
    }
    return sum
  }

  /// Kaiser's window without its constant factor, which scaling a row to the sum 1 takes away.
  private static func kaiser(_ x: Double) -> Double {
    x * x <= 1 ? bessel(beta * (1 - x * x).squareRoot()) : 0
  }

  /// The modified Bessel function I₀ by its power series, which converges fast for small x.
  private static func bessel(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    var index = 1.0
    while term > sum * 1e-17 {
      term *= (x / (2 * index)) * (x / (2 * index))
      sum += term
      index += 1
    }
    return sum
  }
}
