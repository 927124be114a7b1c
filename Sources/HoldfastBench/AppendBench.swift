import CHoldfastBench
import Foundation
import Holdfast

/// Power-safe appends through the public path (ring, journal, reels, rows) against plain files.
enum AppendBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    var rows: [Measured] = []
    for kilobytes in [32, 96] {
      rows += try await run(kilobytes: kilobytes, settings)
    }
    rows += try await slowFlush(settings)
    return rows
  }

  private struct Ratios {
    var streamA: [Double] = []
    var streamB: [Double] = []
    var singleA: [Double] = []
    var singleB: [Double] = []
    var tail: [Double] = []
    var blob: [Double] = []
    var cpu: [Double] = []
    var hashedCPU: [Double] = []
  }

  private static func run(kilobytes: Int, _ settings: Settings) async throws -> [Measured] {
    let count = settings.quick ? 300 : 1500
    let size = kilobytes * 1024
    var ratios = Ratios()
    var note = ""
    for _ in 0..<settings.runs {
      let pad = try Scratchpad()
      let a = try Floor.append(pad, size: size, count: count, prewritten: false)
      let stream = try await Ours.stream(pad, size: size, count: count)
      let b = try Floor.append(pad, size: size, count: count, prewritten: true)
      let single = try await Ours.single(pad, size: size, count: count)
      let blobs = try Floor.blobs(pad, size: size, count: count)
      let unhashed = try await Ours.stream(pad, size: size, count: count, hashing: NoHashing())
      ratios.streamA.append(stream.perSecond / a.perSecond)
      ratios.streamB.append(stream.perSecond / b.perSecond)
      ratios.singleA.append(single.perSecond / a.perSecond)
      ratios.singleB.append(single.perSecond / b.perSecond)
      ratios.tail.append(single.latencies.p99 / single.latencies.p50)
      ratios.blob.append(single.latencies.p99 / blobs.latencies.p99)
      ratios.hashedCPU.append(stream.cpuPerItem / a.cpuPerItem)
      ratios.cpu.append(unhashed.cpuPerItem / a.cpuPerItem)
      note =
        "append \(Int(a.perSecond))/s, pre-written \(Int(b.perSecond))/s, ours "
        + "\(Int(stream.perSecond))/s streaming, \(Int(single.perSecond))/s one by one; p99 "
        + String(
          format: "%.2f ms against %.2f ms of a blob", single.latencies.p99 / 1e6,
          blobs.latencies.p99 / 1e6)
    }
    let name = "\(kilobytes) KB chunks"
    return [
      Measured("\(name), streaming", ratios.streamA, atLeast: 1, unit: "× append", note: note),
      Measured("\(name), streaming", ratios.streamB, atLeast: 0.65, unit: "× pre-written"),
      Measured("\(name), one by one", ratios.singleA, unit: "× append (no mark)"),
      Measured("\(name), one by one", ratios.singleB, unit: "× pre-written (no mark)"),
      Measured("\(name), p99 over p50, one by one", ratios.tail, atMost: 2.5, unit: "×"),
      Measured("\(name), p99 over a blob's", ratios.blob, atMost: 0.1, unit: "×"),
      Measured("\(name), CPU over append's, without hash", ratios.cpu, atMost: 1.4, unit: "×"),
      Measured(
        "\(name), CPU over append's, hash included", ratios.hashedCPU, unit: "× (no mark)"),
    ]
  }

  /// The same with 4 ms added to each flush, as on a phone.
  private static func slowFlush(_ settings: Settings) async throws -> [Measured] {
    let delay: Int64 = 4_000_000
    let count = settings.quick ? 60 : 200
    let size = 32 * 1024
    var streaming: [Double] = []
    var single: [Double] = []
    for _ in 0..<settings.runs {
      let pad = try Scratchpad()
      let floor = try Floor.append(pad, size: size, count: count, prewritten: false, delay: delay)
      let stream = try await Ours.stream(pad, size: size, count: count, delay: delay)
      let ours = try await Ours.single(pad, size: size, count: count, delay: delay)
      streaming.append(stream.perSecond / floor.perSecond)
      single.append(ours.perSecond / floor.perSecond)
    }
    let name = "32 KB, 4 ms added to a flush"
    return [
      Measured("\(name), streaming", streaming, atLeast: 0.95, unit: "× append"),
      Measured("\(name), one by one", single, unit: "× append (no mark)"),
    ]
  }
}

/// What a run gave.
struct Rate: Sendable {
  let perSecond: Double
  let latencies: Latencies
  let cpuPerItem: Double
}

/// The floors, in C.
enum Floor {
  static func bytes(_ count: Int) -> [UInt8] {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  static func append(
    _ pad: Scratchpad, size: Int, count: Int, prewritten: Bool, delay: Int64 = 0
  ) throws -> Rate {
    try measure(count) { latency in
      unsafe hf_floor_append(
        pad.path("floor"), bytes(size), Int64(size), Int64(count), prewritten ? 1 : 0, delay,
        &latency)
    }
  }

  static func blobs(_ pad: Scratchpad, size: Int, count: Int) throws -> Rate {
    try measure(count) { latency in
      unsafe hf_floor_blobs(
        pad.path("blobs.sqlite"), bytes(size), Int64(size), Int64(count), &latency)
    }
  }

  private static func measure(
    _ count: Int, _ body: (inout [Int64]) -> Int64
  ) throws -> Rate {
    var latency = [Int64](repeating: 0, count: count)
    let cpu = CPUTime.now
    let total = body(&latency)
    guard total > 0 else { throw BenchFailure("a floor failed") }
    return Rate(
      perSecond: Double(count) / Double(total) * 1e9, latencies: Latencies(latency),
      cpuPerItem: (CPUTime.now - cpu) / Double(count))
  }
}

/// `RUSAGE_SELF`, whose type differs between C libraries.
private let RUSAGE_SELF_NUMBER: Int32 = 0

/// Processor seconds of this process.
enum CPUTime {
  static var now: Double {
    var usage = rusage()
    unsafe getrusage(RUSAGE_SELF_NUMBER, &usage)
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}

/// Why a measurement came to nothing.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
