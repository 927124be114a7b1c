import Foundation
public import HoldfastModel
import HoldfastStore

extension RecordingStore {
  // MARK: capture

  /// Makes a recording and returns its capture session. The recording is durable when this returns.
  ///
  /// - Throws: `diskFull`, `suspended`, `locked`, and what ``open()`` throws.
  public func startRecording(
    _ draft: Recording.Draft = .init()
  ) async throws(HoldfastError) -> CaptureSession {
    let seed = draft.seed()
    let id = try await host.write { writer throws(HoldfastError) in
      try writer.startRecording(seed)
    }
    return session(id)
  }

  /// Goes on with a recording: after a pause, after a call, after a restart of the app. What is
  /// appended goes into a new take.
  ///
  /// - Throws: `notFound`; `conflict` when it is in the trash or another process captures it.
  public func resumeRecording(_ id: Recording.ID) async throws(HoldfastError) -> CaptureSession {
    let model = id.model
    try await host.write { writer throws(HoldfastError) in try writer.resumeRecording(model) }
    return session(model)
  }

  private func session(_ id: RecordingID) -> CaptureSession {
    let session = CaptureSession(id, host)
    host.add(session)
    return session
  }

  // MARK: read and observe

  /// The recordings of the store, newest first, now and whenever one of them changes.
  public func recordings(_ request: Recording.Request = .all) -> Updates<[Recording]> {
    var rows = RecordingRequest()
    rows.includesDeleted = request.includesDeleted
    rows.limit = request.limit.map { UInt64(max($0, 0)) }
    let wanted = rows
    return Updates(host.changeHub) { [host] in
      (try? await host.recordings(wanted)) ?? []
    }
  }

  /// What has changed since a token, durably: to mirror recordings into an app's own database.
  ///
  /// The first batch comes at once when there is something; keep its token in the transaction that
  /// applies it. A recording that is named and no longer in ``recordings(_:)`` was removed.
  ///
  /// - Parameter token: what the last batch gave; nil begins with everything.
  public func changes(after token: ChangeToken?) -> Updates<ChangeBatch> {
    let cursor = ChangeCursor(token)
    return Updates(host.changeHub) { [host] in await cursor.next(host) }
  }

  // MARK: edit

  /// Changes title, time or attributes. The draft comes as the recording is now; an attribute that
  /// is taken out of it is removed.
  ///
  /// - Throws: `notFound`, `diskFull`, `suspended`.
  public func update(
    _ id: Recording.ID, _ edit: @Sendable (inout Recording.Draft) -> Void
  ) async throws(HoldfastError) {
    let before = try await host.recording(id)
    var draft = Recording.Draft(
      title: before.title, recordedAt: before.startedAt, attributes: before.attributes)
    edit(&draft)
    if draft.recordedAt == before.startedAt { draft.recordedAt = nil }
    var seed = draft.seed()
    for name in before.attributes.keys where draft.attributes[name] == nil {
      seed.attributes[name] = .null
    }
    let edited = seed
    let model = id.model
    try await host.write { writer throws(HoldfastError) in try writer.update(model, edited) }
  }

  /// Puts a recording into the trash. ``restore(_:)`` brings it back.
  ///
  /// - Throws: `notFound`; `conflict` while it is captured.
  public func trash(_ id: Recording.ID) async throws(HoldfastError) {
    let model = id.model
    try await host.write { writer throws(HoldfastError) in try writer.trash(model) }
  }

  /// Takes a recording out of the trash.
  ///
  /// - Throws: `notFound`.
  public func restore(_ id: Recording.ID) async throws(HoldfastError) {
    let model = id.model
    try await host.write { writer throws(HoldfastError) in try writer.restore(model) }
  }

  /// Removes a recording for good, by the user's will: audio, attributes and earlier titles.
  ///
  /// - Throws: `notFound`; `conflict` while it is captured.
  public func purge(_ id: Recording.ID) async throws(HoldfastError) -> PurgeReceipt {
    let model = id.model
    let receipt = try await host.write { writer throws(HoldfastError) in
      try Removal.purge(model, writer)
    }
    return PurgeReceipt(
      recording: id, freedBytes: Int64(clamping: receipt.freedBytes),
      leftBytes: Int64(clamping: receipt.leftBytes), leftCause: receipt.leftCause)
  }
}

/// What a purge removed on this device.
public struct PurgeReceipt: Sendable {
  /// The recording.
  public var recording: Recording.ID
  /// Bytes of audio that were freed.
  public var freedBytes: Int64
  /// Bytes of audio that could not be removed now; each opening of the store tries again.
  public var leftBytes: Int64
  /// What kept them from being removed; nil when nothing is left.
  public var leftCause: String?
}

extension StoreHost {
  /// Recordings as an app sees them.
  package func recordings(
    _ request: RecordingRequest
  ) async throws(HoldfastError) -> [Recording] {
    try await query { db in
      try RecordingRows.list(request, db).map {
        Recording($0, attributes: try RecordingRows.attributes(of: $0.id, db))
      }
    }
  }

  /// One recording as an app sees it.
  package func recording(_ id: Recording.ID) async throws(HoldfastError) -> Recording {
    try await query { db in
      guard let summary = try RecordingRows.one(id.model, db) else {
        throw HoldfastError(.notFound, "There is no recording \(id) in this store.")
      }
      return Recording(summary, attributes: try RecordingRows.attributes(of: id.model, db))
    }
  }
}
