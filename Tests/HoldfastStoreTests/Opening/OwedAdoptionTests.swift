import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastStore
import Testing

/// Reels without rows are taken in at whichever opening can, not only at the first one.
@Suite("An opening that ends while it takes found audio in")
struct OwedAdoptionTests {
  /// The real device, but that reels cannot be opened after so many were: the adoption fails when
  /// the database was made.
  static func failing(from count: Int) -> StoreEnvironment {
    var environment = StoreEnvironment.system()
    let opened = Locked(0)
    environment.files = HookedFiles { path, _ throws(FileFault) in
      guard path.contains("/audio/") else { return }
      let number = opened.withLock { opened in
        opened += 1
        return opened
      }
      guard number > count else { return }
      throw FileFault(kind: .other, operation: "open", path: path, errno: 5, reason: "I/O error")
    }
    return environment
  }

  @Test("leaves the rest to the next one, and readers see it too (J4, J12)", arguments: 0...7)
  func databaseGone(_ count: Int) throws {
    let kept = try KeptStore()
    let made = try kept.filled(3, chunks: 5)
    for name in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: kept.directory + "/store.sqlite" + name)
    }
    // A fault is thrown at some point, or it came to its end; then it dies.
    let first = try? StoreOpening.open(
      kept.directory, KeptStore.options, Self.failing(from: count))
    first?.0.launchFile.drop()
    first?.0.database.close()
    let reader = try kept.reader()
    #expect(try reader.read { try RecordingRows.list(.init(), $0) }.count == 3)
    let writer = try kept.open()
    let found = try writer.database.read { try RecordingRows.list(.init(), $0) }
    #expect(Set(found.map(\.id)) == Set(made.map(\.recording)))
    #expect(found.allSatisfy { $0.chunks == 5 })
    let told = try writer.database.read { try Outstanding.read($0) }
    #expect(told.attention.contains { $0.code == "rebuilt" })
    writer.close()
    #expect(try kept.verify().isSound)
  }

  @Test("looks for what lost commits named at the next one (J6)")
  func commitsLost() throws {
    let kept = try KeptStore()
    let made = try kept.filled(2, chunks: 4)
    // As a write-ahead log that is lost leaves it: the second recording is in no row.
    let second = Hex.encode(made[1].recording.bytes)
    try kept.tamper(
      """
      DELETE FROM chunk WHERE take_key IN (SELECT key FROM take WHERE recording = x'\(second)');
      DELETE FROM take WHERE recording = x'\(second)';
      DELETE FROM track WHERE recording = x'\(second)';
      DELETE FROM recording WHERE id = x'\(second)';
      DELETE FROM change WHERE recording = x'\(second)';
      UPDATE setting SET value = 1 WHERE name = 'commitNumber';
      """)
    let cut = try? StoreOpening.open(kept.directory, KeptStore.options, Self.failing(from: 0))
    cut?.0.launchFile.drop()
    cut?.0.database.close()
    let again = try kept.open()
    let found = try again.database.read { try RecordingRows.list(.init(), $0) }
    #expect(Set(found.map(\.id)) == Set(made.map(\.recording)))
    again.close()
  }
}
