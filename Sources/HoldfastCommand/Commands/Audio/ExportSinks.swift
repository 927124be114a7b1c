import Foundation
import Holdfast

/// Hands pieces from a thread that blocks to a task that writes them: at most a few wait.
final class StreamSink: ExportSink, Sendable {
  /// The pieces as they come.
  let pieces: AsyncStream<[UInt8]>
  private let continuation: AsyncStream<[UInt8]>.Continuation
  private let room = DispatchSemaphore(value: 4)
  private let isCancelled = Locked(false)

  init() { (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self) }

  func write(_ bytes: [UInt8]) throws(HoldfastError) {
    room.wait()
    if isCancelled.withLock({ $0 }) {
      throw HoldfastError(.interrupted, "The export was cancelled.")
    }
    continuation.yield(bytes)
  }

  /// A piece was written.
  func taken() { room.signal() }

  /// Nobody takes pieces any more.
  func cancel() {
    isCancelled.withLock { $0 = true }
    for _ in 0..<8 { room.signal() }
  }

  /// There are no more.
  func finish() { continuation.finish() }
}

/// Counts bytes on their way.
final class CountingSink: ExportSink {
  private let next: any ExportSink
  private let told: (UInt64) -> Void
  private var bytes: UInt64 = 0

  init(_ next: any ExportSink, _ told: @escaping (UInt64) -> Void) {
    self.next = next
    self.told = told
  }

  func write(_ piece: [UInt8]) throws(HoldfastError) {
    try next.write(piece)
    bytes += UInt64(piece.count)
    told(bytes)
  }
}
