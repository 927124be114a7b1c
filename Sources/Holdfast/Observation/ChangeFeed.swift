import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastStore

/// How far an app has mirrored the store: opaque, durable, valid for this store only.
public struct ChangeToken: Hashable, Sendable, Codable {
  /// The store's 32 digits.
  package let store: String
  /// The last change that was seen, by its local number.
  package let ordinal: Int64

  package init(store: String, ordinal: Int64) {
    self.store = store
    self.ordinal = ordinal
  }
}

/// Recordings that changed.
public struct ChangeBatch: Sendable {
  /// The recordings, each once, in the order of their latest change.
  public var recordings: [Recording.ID]
  /// What to give to ``RecordingStore/changes(after:)`` next time.
  public var token: ChangeToken
}

/// Where one observation of changes is.
final class ChangeCursor: Sendable {
  private let token: Locked<ChangeToken?>

  init(_ token: ChangeToken?) { self.token = Locked(token) }

  /// The next batch; an empty one when nothing changed.
  func next(_ host: StoreHost) async -> ChangeBatch? {
    let before = token.withLock { $0 }
    let page = try? await host.read { writer throws(HoldfastError) in
      try writer.database.read { db in
        // A token of another store says nothing about this one: everything is new.
        let store = writer.store.description
        let after = before?.store == store ? before?.ordinal ?? 0 : 0
        return try ChangeFeed.page(after: after, store: store, db)
      }
    }
    guard let page else {
      return before.map { ChangeBatch(recordings: [], token: $0) }
    }
    let batch = ChangeBatch(
      recordings: page.recordings.map { Recording.ID($0) },
      token: ChangeToken(store: page.store, ordinal: page.ordinal))
    token.withLock { $0 = batch.token }
    return batch
  }
}
