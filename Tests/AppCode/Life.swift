// The rest of an app's life: its own database, moving in, leaving, suspension.
import Foundation
import Holdfast

nonisolated protocol MyDatabase: Sendable {
  func lastToken() throws -> ChangeToken?
  func apply(_ recordings: [Recording.ID], token: ChangeToken) throws
}

nonisolated func mirror(into mine: any MyDatabase) async throws {
  for await batch in store.changes(after: try mine.lastToken()) {
    try mine.apply(batch.recordings, token: batch.token)
  }
}

nonisolated func migrate(
  _ old: [(id: String, file: URL, title: String, date: Date)]
) async throws {
  for item in old {
    _ = try await store.importFile(
      item.file, as: .init(title: item.title, recordedAt: item.date), externalID: item.id)
  }
}

nonisolated func rename(_ id: Recording.ID) async throws {
  try await store.update(id) { draft in
    draft.title = "Weekly"
    draft.attributes["done"] = .bool(true)
  }
}

nonisolated func leave(_ id: Recording.ID) async throws {
  try await store.trash(id)
  try await store.restore(id)
  try await store.trash(id)
  _ = try await store.purge(id)
  try await store.archive(to: URL(fileURLWithPath: NSTemporaryDirectory()))
}

nonisolated func listen(to id: Recording.ID) async throws {
  try await store.audio(of: id).wav(to: URL(fileURLWithPath: "/tmp/meeting.wav"))
}

nonisolated func background() async throws {
  store.note(.background)
  if await store.suspend() == .capturing { return }
  try await store.resume()
}

/// An expiration handler: synchronous, on any thread.
nonisolated func expired() { store.suspendNow() }

nonisolated func show(_ state: RecordingStore.State) -> String {
  switch state {
  case .open: "open"
  case .waiting(let error), .readOnly(let error): error.message
  default: "not open"
  }
}

nonisolated func handle(_ error: HoldfastError) -> Bool {
  switch error.code {
  case .diskFull, .protectedDataUnavailable, .suspended: error.isRetryable
  case .newerSchema, .damaged, .notCapturing: false
  default: false
  }
}
