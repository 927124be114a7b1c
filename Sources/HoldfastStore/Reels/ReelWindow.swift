import HoldfastModel

/// The part of a file that a scan looks at: one buffer that goes forward over the file.
///
/// Invariant: at most ``capacity`` bytes are held, whatever the file declares.
struct ReelWindow {
  /// Bytes that are read at a time when all bytes are wanted.
  static let capacity: UInt64 = 256 << 10
  /// Bytes that are read at a time when only headers are wanted: a page.
  static let headerRead: UInt64 = 4_096
  /// A part of the medium that cannot be read is passed over in steps of this many bytes.
  static let unreadableStep: UInt64 = 64 << 10

  /// The bytes held.
  private(set) var bytes: [UInt8] = []
  /// Where in the file they begin.
  private(set) var start: UInt64 = 0

  private let file: any OpenFile

  /// A window over a file, empty at first.
  init(_ file: any OpenFile) { self.file = file }

  /// Where in the file the held bytes end.
  var end: UInt64 { start + UInt64(bytes.count) }

  /// How many bytes are held from `offset` on; 0 when it is not in the window.
  func available(at offset: UInt64) -> UInt64 {
    offset >= start && offset < end ? end - offset : 0
  }

  /// The place of an offset of the file within ``bytes``; the offset is in the window.
  func place(of offset: UInt64) -> Int { Int(offset - start) }

  /// Where in the file the bytes that are not zero end, from `offset` on; nil when all are zero.
  /// The offset is in the window.
  func endOfContent(from offset: UInt64) -> UInt64? {
    let first = place(of: offset)
    var place = bytes.count
    while place > first {
      let block = bytes[max(first, place - 512)..<place]
      if block.reduce(0, |) != 0 {
        return block.lastIndex { $0 != 0 }.map { start + UInt64($0) + 1 }
      }
      place = block.startIndex
    }
    return nil
  }

  /// Whether the last bytes before an offset are zero, as far as they are held.
  func endsBlank(before offset: UInt64) -> Bool {
    guard offset > start, offset <= end else { return true }
    let last = bytes[..<place(of: offset)].suffix(16)
    return last.allSatisfy { $0 == 0 }
  }

  /// Has at least `wanted` bytes from `offset` on in the window, or as many as the file has; reads
  /// `ahead` bytes when it must read.
  ///
  /// - Returns: false when the medium cannot read there; the window is then empty.
  mutating func load(
    _ wanted: UInt64, at offset: UInt64, ahead: UInt64, size: UInt64
  ) throws(FileFault) -> Bool {
    let needed = min(wanted, size - min(offset, size))
    if available(at: offset) >= needed { return true }
    let count = min(max(needed, ahead), size - offset, Self.capacity)
    start = offset
    do throws(FileFault) {
      if bytes.count != Int(count) { bytes = [UInt8](repeating: 0, count: Int(count)) }
      let read = try file.read(at: offset, into: &bytes)
      bytes.removeLast(bytes.count - Int(read))
      return true
    } catch {
      bytes = []
      guard error.kind == .medium else { throw error }
      return false
    }
  }
}
