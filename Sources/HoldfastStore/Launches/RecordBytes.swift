import HoldfastModel

/// Builds a fixed-size record: little-endian numbers, a CRC-32C at the end.
struct RecordWriter {
  private let capacity: UInt64
  private var bytes: [UInt8] = []

  init(capacity: UInt64) {
    self.capacity = capacity
    bytes.reserveCapacity(Int(capacity))
  }

  mutating func put(_ raw: [UInt8]) { bytes += raw }

  mutating func put(_ number: UInt64, bytes count: UInt64) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (index * 8))) }
  }

  mutating func put(_ time: LaunchTime) {
    put(UInt64(bitPattern: time.monotonicNanoseconds), bytes: 8)
    put(UInt64(bitPattern: time.wallMilliseconds), bytes: 8)
  }

  /// Text in so many bytes, cut at a whole character and filled with zeros.
  mutating func put(text: String, capacity: UInt64) {
    var kept: [UInt8] = []
    for character in text {
      let next = Array(String(character).utf8)
      guard UInt64(kept.count + next.count) <= capacity else { break }
      kept += next
    }
    put(kept + Array(repeating: 0, count: Int(capacity) - kept.count))
  }

  /// The record, padded to its size, the last four bytes its checksum.
  func closed() -> [UInt8] {
    let body = bytes + Array(repeating: 0, count: Int(capacity) - 4 - bytes.count)
    var record = RecordWriter(capacity: capacity)
    record.put(body)
    record.put(UInt64(CRC32C.checksum(body.span)), bytes: 4)
    return record.bytes
  }
}

/// Reads what ``RecordWriter`` built; nil unless the checksum holds, which that of zeros does not.
struct RecordReader {
  private let bytes: [UInt8]
  private var position = 0  // tidy: index

  init?(_ bytes: [UInt8], size: UInt64) {
    guard UInt64(bytes.count) == size else { return nil }
    self.bytes = bytes
    let end = bytes.count - 4
    position = end
    let stored = number(4)
    guard stored == UInt64(CRC32C.checksum(bytes.span.extracting(0..<end))) else { return nil }
    position = 0
  }

  mutating func take(_ count: UInt64) -> [UInt8] {
    defer { position += Int(count) }
    return Array(bytes[position..<position + Int(count)])
  }

  mutating func number(_ count: UInt64) -> UInt64 {
    defer { position += Int(count) }
    return bytes[position..<position + Int(count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func time() -> LaunchTime {
    let monotonic = Int64(bitPattern: number(8))
    return LaunchTime(
      monotonicNanoseconds: monotonic, wallMilliseconds: Int64(bitPattern: number(8)))
  }

  mutating func text(capacity: UInt64) -> String {
    String(decoding: take(capacity).prefix { $0 != 0 }, as: UTF8.self)
  }
}
