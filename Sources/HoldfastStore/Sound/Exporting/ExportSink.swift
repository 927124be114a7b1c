package import HoldfastModel

/// Where an export's bytes go, in their order: a file, a pipe, memory.
package protocol ExportSink: AnyObject {
  /// Takes the next bytes.
  func write(_ bytes: [UInt8]) throws(HoldfastError)
}

/// Bytes that go to the end of an open file.
package final class FileSink: ExportSink {
  private let file: any OpenFile
  private let output: OutputPath
  private var end: UInt64 = 0

  /// A sink that begins at the file's begin; faults are told of the path that the user named.
  package init(_ file: any OpenFile, _ output: OutputPath) {
    self.file = file
    self.output = output
  }

  package func write(_ bytes: [UInt8]) throws(HoldfastError) {
    do { try file.write(bytes, at: end) } catch { throw output.error(error) }
    end += UInt64(bytes.count)
  }
}

/// Hands bytes on and hashes them on the way.
package final class DigestSink: ExportSink {
  private let next: any ExportSink
  private let state: any HashState

  /// A sink before another one.
  package init(_ next: any ExportSink, _ hashing: any Hashing) {
    self.next = next
    state = hashing.start()
  }

  package func write(_ bytes: [UInt8]) throws(HoldfastError) {
    state.update(bytes.span)
    try next.write(bytes)
  }

  /// SHA-256 of everything written; called once, at the end.
  package func digest() -> Digest { state.finish() }
}

/// Asks before each write whether to go on.
package final class CancellableSink: ExportSink {
  private let next: any ExportSink
  private let isCancelled: () -> Bool

  /// A sink before another one.
  package init(_ next: any ExportSink, isCancelled: @escaping () -> Bool) {
    self.next = next
    self.isCancelled = isCancelled
  }

  package func write(_ bytes: [UInt8]) throws(HoldfastError) {
    if isCancelled() { throw HoldfastError(.interrupted, "The export was cancelled.") }
    try next.write(bytes)
  }
}

/// Gathers small writes into pieces of a mebibyte and holds to a length that was said beforehand.
struct ExportBuffer {
  /// Bytes of a piece.
  static let pieceBytes: UInt64 = 1 << 20

  private let sink: any ExportSink
  private var held: [UInt8] = []
  /// Bytes taken.
  private(set) var bytes: UInt64 = 0

  init(_ sink: any ExportSink) {
    self.sink = sink
    held.reserveCapacity(Int(Self.pieceBytes))
  }

  /// Takes bytes.
  mutating func append(_ more: ArraySlice<UInt8>) throws(HoldfastError) {
    if UInt64(held.count + more.count) > Self.pieceBytes { try flush() }
    bytes += UInt64(more.count)
    if UInt64(more.count) >= Self.pieceBytes {
      try sink.write(Array(more))
    } else {
      held += more
    }
  }

  /// Takes so many times a byte.
  mutating func append(_ byte: UInt8, count: UInt64) throws(HoldfastError) {
    var left = count
    while left > 0 {
      let step = min(left, Self.pieceBytes / 4)
      try append(Array(repeating: byte, count: Int(step))[...])
      left -= step
    }
  }

  /// Hands on what is held.
  mutating func flush() throws(HoldfastError) {
    guard !held.isEmpty else { return }
    try sink.write(held)
    held.removeAll(keepingCapacity: true)
  }
}
