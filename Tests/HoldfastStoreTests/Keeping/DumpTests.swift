import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Dumping the replicated state")
struct DumpTests {
  /// A log of three origins about three recordings, with conflicts and repeated closings.
  private static func changes(_ random: inout ReelRandom) -> [Change] {
    let recordings: [RecordingID] = (0..<3).map { _ in random.name() }
    let take: TakeID = random.name()
    let track: TrackID = random.name()
    var changes: [Change] = []
    for _ in 0..<3 {
      let origin: OriginID = random.name()
      for sequence in 1...UInt64(12) {
        let bodies: [(ChangeKind, [String: CanonicalValue])] = [
          (.recordingCreated, RecordingFact(startedMilliseconds: 5, externalID: "a\"b").body),
          (.trackCreated, TrackFact(track: track, name: "mic").body),
          (
            .takeOpened,
            TakeFact(
              take: take, track: track, index: 0, format: KeptStore.format, startNanoseconds: 0,
              known: .monotonic, openedMilliseconds: 5
            ).body
          ),
          (.registerSet, ["f": .text("title"), "v": .text(random.text(4))]),
          (.registerSet, ["f": .text("attr:x"), "v": .map(["b": .double(0.5), "a": .null])]),
          (
            .takeExtent,
            ExtentFact(
              take: take, chunks: sequence, endFrame: 9, frames: 9, bytes: 18, digest: .zero
            ).body
          ),
          (
            .takeClosed,
            ClosedFact(
              take: take, reason: .stop, chunks: sequence, endFrame: 9, closedMilliseconds: 7,
              jumps: [.init(atFrame: 3, frames: 2, reason: .overflow)]
            ).body
          ),
          (.life, ["n": .unsigned(sequence / 3)]), (.purge, [:]),
          (ChangeKind(rawValue: "later"), ["q": .bytes([1])]),
        ]
        let purges = sequence == 12 && changes.count < 12
        let (kind, body) = purges ? bodies[8] : bodies[Int(random.next() % 8)]
        let old = changes.filter { $0.kind == .registerSet }.map(\.name)
        let replaces = old.filter { _ in random.next() % 3 == 0 }
        changes.append(
          Change(
            name: ChangeName(origin: origin, sequence: sequence),
            stamp: Stamp(milliseconds: Int64(random.next() % 5), counter: 0), kind: kind,
            recording: recordings[purges ? 0 : Int(random.next() % 3)], body: body,
            replaces: kind == .registerSet ? replaces : []))
      }
    }
    return changes
  }

  private static func dump(_ changes: [Change]) throws -> String {
    let db = try Connection(path: ":memory:", OpenOptions(access: .create))
    try Migrator.migrate(db, from: 0)
    for change in changes {
      try db.run(
        """
        INSERT INTO change (origin, sequence, kind, recording, chain, bytes)
        VALUES (?1, ?2, ?3, ?4, zeroblob(32), ?5)
        """,
        [
          .blob(change.name.origin.bytes), .integer(Int64(change.name.sequence)),
          .text(change.kind.rawValue), .blob(change.recording?.bytes ?? []), .blob(change.bytes),
        ])
      try db.run(
        """
        INSERT INTO origin (id, ordinal, mine, made_ms, reason, chain, sequence)
        VALUES (?1, ?2, 0, 0, 'seen', zeroblob(32), 12) ON CONFLICT DO NOTHING
        """, [.blob(change.name.origin.bytes), .integer(Int64(changes.count))])
    }
    var text = ""
    try StateDump.write(db) { text += $0 }
    return text
  }

  @Test("stores with the same set of changes dump the same (S1)", arguments: UInt64(1)...8)
  func order(seed: UInt64) throws {
    var random = ReelRandom(seed)
    let changes = Self.changes(&random)
    let first = try Self.dump(changes)
    #expect(first.hasPrefix("holdfast-state 1\nrecording "))
    #expect(first.contains("\n  purged\n") && first.contains("\nvector "))
    for _ in 0..<3 { #expect(try Self.dump(changes.shuffled(using: &random)) == first) }
    let one = changes[0].name.origin
    #expect(try Self.dump(changes.filter { $0.name.origin != one }) != first)
  }

  @Test("nothing of a title can pass for structure")
  func escaping() {
    #expect(VisibleText.quoted("a\"\\\n\u{1b}[2J\u{202e}é") == #""a\"\\\u{a}\u{1b}[2J\u{202e}é""#)
    #expect(VisibleText.escaped("a \"b\"\u{7f}") == #"a "b"\u{7f}"#)
  }

  @Test("the text and its digest are those of the log, title and all, whoever reads it")
  func wholeStore() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer, title: "A\tB", chunks: 2)
    var text = ""
    let digest = try StateDump.run(
      store.directory, temporary: store.temporary, store.environment
    ) { text += $0 }
    #expect(digest == store.environment.hashing.sha256(Array(text.utf8)))
    #expect(text.contains("recording \(made.recording)\n"))
    #expect(text.contains(#"  set "title" "A\u{9}B" by "#))
    #expect(text.contains(#"    closed "stop" at "#) && text.contains(" external \"ext-7\"\n"))
    writer.close()
    #expect(
      try StateDump.run(store.directory, temporary: store.temporary, store.environment) == digest)
  }
}
