package import HoldfastModel

/// Bytes that can be read at any place: the seam between audio formats and files.
///
/// What can only be read forward (a pipe) has no ``byteCount`` and is for ``WAVStreamParser``.
package protocol ByteSource: Sendable {
  /// How many bytes there are, fixed for the life of the source; nil when nobody can say.
  var byteCount: UInt64? { get }
  /// Up to `count` bytes from `offset`; fewer only at the end. Throws ``AudioError/Code/source``.
  func read(at offset: UInt64, count: Int64) throws(AudioError) -> [UInt8]
}

/// The bytes of an open file, as many as it had when the source was made.
package struct FileByteSource: ByteSource {
  private let file: any OpenFile
  package let byteCount: UInt64?

  /// Takes the file's size as it is now; what is appended later is not seen.
  package init(_ file: any OpenFile) throws(AudioError) {
    self.file = file
    do { byteCount = try file.size() } catch { throw AudioError(error) }
  }

  package func read(at offset: UInt64, count: Int64) throws(AudioError) -> [UInt8] {
    do { return try file.read(at: offset, count: count) } catch { throw AudioError(error) }
  }
}

/// Bytes in memory.
package struct ArrayByteSource: ByteSource {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var byteCount: UInt64? { UInt64(bytes.count) }

  package func read(at offset: UInt64, count: Int64) throws(AudioError) -> [UInt8] {
    guard offset < UInt64(bytes.count), count > 0 else { return [] }
    let end = min(UInt64(bytes.count), offset.clampedSum(UInt64(count)))
    return Array(bytes[Int(offset)..<Int(end)])
  }
}

extension UInt64 {
  /// The sum, or the largest value where it would overflow: declared sizes are not to be trusted.
  func clampedSum(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
