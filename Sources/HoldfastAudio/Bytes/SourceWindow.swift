/// A moving window on a ``ByteSource``: small reads cost one larger one, memory stays bounded.
///
/// Nothing is ever allocated by a size that the bytes themselves declare: a request is cut to the
/// window's ``maximum`` and to what the source has.
struct SourceWindow {
  /// Most bytes that one request can get.
  static let maximum: UInt64 = 65_536
  /// Bytes of the source.
  let byteCount: UInt64

  private let source: any ByteSource
  private let blockSize: UInt64
  private var start: UInt64 = 0
  private var held: [UInt8] = []

  /// A window that reads at least `blockSize` bytes at a time.
  ///
  /// Throws ``AudioError/Code/source`` when the source can only be read forward.
  init(_ source: any ByteSource, blockSize: UInt64 = 4_096) throws(AudioError) {
    guard let byteCount = source.byteCount else {
      throw AudioError(
        .source, "This input can only be read forward. Give a file, or WAV on standard input.")
    }
    self.source = source
    // No file is larger (off_t); sums of two places in it cannot overflow.
    self.byteCount = min(byteCount, UInt64(Int64.max))
    self.blockSize = min(blockSize, Self.maximum)
  }

  /// Up to `count` bytes (at most ``maximum``) from `offset`; fewer only at the end of the source.
  mutating func bytes(at offset: UInt64, count: UInt64) throws(AudioError) -> [UInt8] {
    guard offset < byteCount else { return [] }
    let wanted = min(count, Self.maximum, byteCount - offset)
    if offset < start || offset + wanted > start + UInt64(held.count) {
      try load(at: offset, count: max(wanted, min(blockSize, byteCount - offset)))
    }
    let first = Int(offset - start)
    return Array(held[first..<first + Int(wanted)])
  }

  private mutating func load(at offset: UInt64, count: UInt64) throws(AudioError) {
    held = []
    held = try source.read(at: offset, count: Int64(count))
    start = offset
    guard UInt64(held.count) == count else {
      held = []
      throw AudioError(
        .source, "The input became shorter while it was read. Nothing was taken from it; try again."
      )
    }
  }
}
