import HoldfastModel

/// Copies a file of a damaged medium: a part that cannot be read becomes zeros, which the checks of
/// what is in it will find.
enum RawCopy {
  private static let step: UInt64 = 1 << 20
  /// The part that one bad place of a medium costs.
  private static let page: UInt64 = 4_096

  /// Copies a file, durably but for its name; the target must not exist.
  ///
  /// - Returns: bytes copied.
  @discardableResult
  static func copy(
    _ source: String, to target: String, _ files: any FileSystem
  ) throws(FileFault) -> UInt64 {
    let input = try files.open(source, .read)
    defer { input.close() }
    let output = try files.open(target, [.write, .create, .exclusive])
    defer { output.close() }
    let size = try input.size()
    var offset: UInt64 = 0
    while offset < size {
      let count = min(step, size - offset)
      let bytes = try read(input, offset, count)
      if bytes.isEmpty { break }
      try output.write(bytes, at: offset)
      offset += UInt64(bytes.count)
    }
    try output.sync()
    return offset
  }

  private static func read(
    _ input: any OpenFile, _ offset: UInt64, _ count: UInt64
  ) throws(FileFault) -> [UInt8] {
    do throws(FileFault) { return try input.read(at: offset, count: Int64(count)) } catch {
      guard error.kind == .medium else { throw error }
      guard count > page else { return Array(repeating: 0, count: Int(count)) }
    }
    var bytes: [UInt8] = []
    while UInt64(bytes.count) < count {
      let done = UInt64(bytes.count)
      let piece = try read(input, offset + done, min(page, count - done))
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }
}
