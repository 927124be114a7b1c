import HoldfastModel

/// Puts sound pages in the place of those with which a database names its tables.
///
/// The first page and the leaves below it are the same in every store of one schema version: the
/// migrations run on an empty file, so SQLite gives every table the same root page. A bit flipped
/// there makes all of a database unreadable, and is mended by those pages of a new one
/// (https://www.sqlite.org/fileformat2.html, sections 1.3 and 1.6).
enum SchemaPages {
  /// SQLite's page size, which no store changes.
  private static let page: UInt64 = 4_096

  /// Writes the pages of a new database into a damaged one.
  ///
  /// - Parameters:
  ///   - path: a private copy of the damaged database.
  ///   - model: a database of this schema version with empty tables.
  static func restore(
    in path: String, from model: String, _ files: any FileSystem
  ) throws(FileFault) {
    let input = try files.open(model, .read)
    defer { input.close() }
    let output = try files.open(path, .write)
    defer { output.close() }
    let size = try output.size()
    var first = try input.read(at: 0, count: Int64(page))
    guard first.count == Int(page), size >= page else { return }
    for number in leaves(first) where UInt64(number) * page <= size && number > 1 {
      let offset = (UInt64(number) - 1) * page
      try output.write(try input.read(at: offset, count: Int64(page)), at: offset)
    }
    // Both version numbers say that there may be a write-ahead log.
    first[18] = 2
    first[19] = 2
    // The size in pages counts when these two counters agree; the list of free pages is let go.
    put(1, in: &first, at: 24)
    put(UInt32(clamping: size / page), in: &first, at: 28)
    put(0, in: &first, at: 32)
    put(0, in: &first, at: 36)
    put(1, in: &first, at: 92)
    try output.write(first, at: 0)
  }

  /// The pages below the first, when it is an inner page of the tree (type 5).
  private static func leaves(_ first: [UInt8]) -> [UInt32] {
    guard first[100] == 5 else { return [] }
    let cells: UInt16 = ReelBytes.integer(in: first[...], at: 103)
    var numbers: [UInt32] = [ReelBytes.integer(in: first[...], at: 108)]
    for cell in 0..<Int(cells) {
      let place: UInt16 = ReelBytes.integer(in: first[...], at: 112 + cell * 2)
      guard Int(place) + 4 <= first.count else { continue }
      numbers.append(ReelBytes.integer(in: first[...], at: Int(place)))
    }
    return numbers
  }

  private static func put(_ number: UInt32, in bytes: inout [UInt8], at offset: Int) {
    bytes.replaceSubrange(offset..<offset + 4, with: number.bigEndianBytes)
  }
}
