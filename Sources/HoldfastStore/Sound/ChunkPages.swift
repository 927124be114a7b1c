import HoldfastModel
import HoldfastSQLite

/// The chunk rows of a take in pages, each of its own short snapshot.
struct ChunkPages {
  /// Rows of a page: about 50 KB in memory.
  private static let size = 512

  let store: any StoreRows
  let key: Int64
  let take: TakeID

  /// The next rows from a sequence on; nil when there are none.
  func page(from sequence: UInt64) throws(HoldfastError) -> [ChunkRecord]? {
    let (key, take) = (key, take)
    let page = try store.rows { db in
      var page: [ChunkRecord] = []
      try ChunkRows.each(key: key, take: take, from: sequence, db) { record in
        page.append(record)
        return page.count < Self.size
      }
      return page
    }
    return page.isEmpty ? nil : page
  }
}
