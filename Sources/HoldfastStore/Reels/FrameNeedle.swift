import HoldfastModel

/// Finds where a chunk's frame may begin: the magic, and the take when it is known.
///
/// Horspool's search: the byte under the needle's end tells how far to go on, so that most bytes
/// are not looked at.
struct FrameNeedle {
  private let bytes: [UInt8]
  private let skips: [Int]

  /// Looks for frames of a take, or of any take.
  init(take: TakeID?) {
    let bytes = ChunkHeader.magic + (take?.bytes ?? [])
    var skips = [Int](repeating: bytes.count, count: 256)
    for (index, byte) in bytes.dropLast().enumerated() {
      skips[Int(byte)] = bytes.count - 1 - index
    }
    self.bytes = bytes
    self.skips = skips
  }

  /// Bytes that a place must have to be found.
  var count: Int { bytes.count }

  /// The first place at or after `start`, or nil.
  func firstPlace(in haystack: [UInt8], from start: Int) -> Int? {
    let last = bytes.count - 1
    var place = start
    while place + last < haystack.count {
      let byte = haystack[place + last]
      if byte == bytes[last], haystack[place..<place + last].elementsEqual(bytes.dropLast()) {
        return place
      }
      place += skips[Int(byte)]
    }
    return nil
  }
}
