import Foundation
import Holdfast
import HoldfastPlatform
import HoldfastTesting

/// The same work through Holdfast's own path.
enum Ours {
  /// A format whose second is so many bytes.
  static func format(secondBytes size: Int) throws -> AudioFormat {
    guard
      let format = AudioFormat(pcm: .s16le, sampleRate: Double(size / 2), channels: 1)
    else { throw BenchFailure("no such format") }
    return format
  }

  static func store(
    _ pad: Scratchpad, _ environment: StoreEnvironment = .system()
  ) async throws -> RecordingStore {
    let directory = pad.root.appendingPathComponent("store-\(UUID().uuidString)")
    var configuration = RecordingStore.Configuration(directory: directory)
    configuration.durability = .power
    let store = RecordingStore(configuration, environment: environment)
    _ = try await store.open()
    return store
  }

  /// As fast as the journal takes it: the caller never waits for an acknowledgement.
  static func stream(
    _ pad: Scratchpad, size: Int, count: Int, delay: Int64 = 0,
    hashing: (any Hashing)? = nil
  ) async throws -> Rate {
    var environment = StoreEnvironment.system()
    if delay > 0 { environment.files = SlowFlush(environment.files, delay: delay) }
    if let hashing { environment.hashing = hashing }
    let store = try await store(pad, environment)
    let session = try await store.startRecording()
    let format = try format(secondBytes: size)
    let take = try await session.beginTake("microphone", input: format, stored: format)
    let bytes = Floor.bytes(size)
    let cpu = CPUTime.now
    let start = ContinuousClock.now
    await onThread {
      for _ in 0..<count { _ = take.appendWaiting(bytes) }
    }
    try await take.end(.stop)
    let seconds = (ContinuousClock.now - start).seconds
    let used = CPUTime.now - cpu
    try await session.stop()
    await store.close()
    return Rate(
      perSecond: Double(count) / seconds, latencies: Latencies([]),
      cpuPerItem: used / Double(count))
  }

  /// One chunk in flight: the next is appended when the last was acknowledged.
  static func single(
    _ pad: Scratchpad, size: Int, count: Int, delay: Int64 = 0
  ) async throws -> Rate {
    var environment = StoreEnvironment.system()
    if delay > 0 { environment.files = SlowFlush(environment.files, delay: delay) }
    let store = try await store(pad, environment)
    let session = try await store.startRecording()
    let format = try format(secondBytes: size)
    let take = try await session.beginTake("microphone", input: format, stored: format)
    let acknowledged = WakeSignal()
    take.observe(acknowledged: { _, _ in acknowledged.signal() }, fault: { _ in })
    let bytes = Floor.bytes(size)
    let start = ContinuousClock.now
    let latencies = await onThread {
      (0..<count).map { _ in
        let begin = ContinuousClock.now
        _ = take.appendWaiting(bytes)
        _ = acknowledged.wait(timeoutNanoseconds: 10_000_000_000)
        return Int64((ContinuousClock.now - begin).seconds * 1e9)
      }
    }
    let seconds = (ContinuousClock.now - start).seconds
    try await session.stop()
    await store.close()
    return Rate(
      perSecond: Double(count) / seconds, latencies: Latencies(latencies), cpuPerItem: 0)
  }

  /// Runs a blocking body on a thread of its own, as an audio callback would be.
  static func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

/// Hashes nothing: what all the rest costs.
struct NoHashing: Hashing {
  func sha256(_ bytes: Span<UInt8>) -> Digest { .zero }
  func start() -> any HashState { State() }

  private final class State: HashState {
    func update(_ bytes: Span<UInt8>) {}
    func finish() -> Digest { .zero }
  }
}

/// A file system whose syncs take longer.
struct SlowFlush: ForwardingFiles {
  let real: any FileSystem
  private let delay: Int64

  init(_ real: any FileSystem, delay: Int64) {
    self.real = real
    self.delay = delay
  }

  func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile {
    SlowFile(try real.open(path, mode), delay: delay)
  }
}

private final class SlowFile: OpenFile {
  private let real: any OpenFile
  private let delay: Int64

  init(_ real: any OpenFile, delay: Int64) {
    self.real = real
    self.delay = delay
  }

  var path: String { real.path }
  func size() throws(FileFault) -> UInt64 { try real.size() }
  func read(at offset: UInt64, count: Int64) throws(FileFault) -> [UInt8] {
    try real.read(at: offset, count: count)
  }
  func read(at offset: UInt64, into buffer: inout [UInt8]) throws(FileFault) -> Int64 {
    try real.read(at: offset, into: &buffer)
  }
  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(FileFault) {
    try real.write(bytes, at: offset)
  }
  func write(parts: [[UInt8]], at offset: UInt64) throws(FileFault) {
    try real.write(parts: parts, at: offset)
  }
  func sync() throws(FileFault) {
    try real.sync()
    SystemPause().pause(nanoseconds: delay)
  }
  func truncate(to size: UInt64) throws(FileFault) { try real.truncate(to: size) }
  func allocate(_ size: UInt64) throws(FileFault) { try real.allocate(size) }
  func tryLock(exclusive: Bool) throws(FileFault) -> Bool { try real.tryLock(exclusive: exclusive) }
  func unlock() { real.unlock() }
  func close() { real.close() }
}
