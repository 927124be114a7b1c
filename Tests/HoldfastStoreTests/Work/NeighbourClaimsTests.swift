import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import HoldfastTesting
import Testing

/// Claims of launches that die while another one lives on.
@Suite("Claims of other processes")
struct NeighbourClaimsTests {
  /// The real file system, counting the launch files that are opened.
  final class CountedFiles: ForwardingFiles {
    let real: any FileSystem = SystemFiles()
    let opened = Locked<UInt64>(0)

    func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile {
      if path.contains("/launches/") { opened.withLock { $0 += 1 } }
      return try real.open(path, mode)
    }
  }

  let files = CountedFiles()
  let kept: KeptStore
  let one, other: StoreWriter

  init() throws {
    var environment = StoreEnvironment.system()
    environment.files = files
    kept = try KeptStore(environment)
    one = try kept.open()
    other = try kept.open()
    let recording = try kept.record(one, chunks: 1).recording
    _ = try one.database.commit { try one.tasks.enqueue(.summarize, on: recording, $0) }
  }

  static let search = WorkSearch(kinds: [.summarize: []], conditions: "") { found, _ in
    found.first?.task.id
  }

  /// Ends a launch without a word.
  func kill(_ store: StoreWriter) {
    store.launchFile.drop()
    store.database.close()
  }

  @Test("are free as soon as their launch is dead, without an opening (T8, T1)")
  func dead() throws {
    one.launchFile.note(LaunchEventName.foreground.rawValue)
    let held = try #require(try one.workTurn(nil, next: Self.search).order)
    kill(one)
    let turn = try other.workTurn(nil, next: Self.search)
    let order = try #require(turn.order)
    #expect(order.claim.task == held.claim.task && order.claim.counter == held.claim.counter + 1)
    #expect(order.claim.epoch == other.epoch)
    // One is the death that was; the other is the one that this attempt may be.
    #expect(order.task.counters.deaths == 2)
    other.close()
  }

  @Test("are freed while something else is brought, too (T8)")
  func brought() throws {
    let recording = try kept.record(other, chunks: 1).recording
    _ = try other.database.commit { try other.tasks.enqueue(.summarize, on: recording, $0) }
    let first = try #require(try one.workTurn(nil, next: Self.search).order)
    let mine = try #require(try other.workTurn(nil, next: Self.search).order)
    kill(one)
    let handler = HandlerStamp(version: 1, quality: 1)
    let ending = WorkEnding.done(
      UnitOutput(track: nil, covered: 0..<1, fraction: 1, handler: handler),
      [Artefact(kind: "summary", text: "words")], handler)
    let turn = try other.workTurn((mine.claim, ending), next: Self.search)
    #expect(turn.fate == .taken && turn.order?.claim.task == first.claim.task)
    other.close()
  }

  @Test("of a launch that lives are never taken, and it is looked at again soon (T8)")
  func living() throws {
    let held = try #require(try one.workTurn(nil, next: Self.search).order)
    for _ in 1...3 {
      let turn = try other.workTurn(nil, next: Self.search)
      #expect(turn.order == nil && turn.wakeMilliseconds == 5_000)
    }
    let task = try one.database.read { try one.tasks.held(held.claim, $0) }
    #expect(task?.counters.deaths == 1)
    one.close()
    other.close()
  }

  @Test("three silent deaths beside a living launch quarantine the task (T1)")
  func quarantine() throws {
    var dying = one
    for round in 1...3 {
      #expect(try dying.workTurn(nil, next: Self.search).order != nil, "round \(round)")
      kill(dying)
      if round < 3 { dying = try kept.open() }
    }
    #expect(try other.workTurn(nil, next: Self.search).order == nil)
    let phases = try other.database.read { try TaskRows.list(settled: true, $0).map(\.phase) }
    #expect(phases == [.quarantined])
    other.close()
  }

  @Test("cost no look at any launch file when nobody has one")
  func cost() throws {
    let held = try #require(try other.workTurn(nil, next: Self.search).order)
    let before = files.opened.withLock { $0 }
    let turn = try other.workTurn((held.claim, .part(Self.part)), next: Self.search)
    #expect(turn.order == nil && turn.wakeMilliseconds == nil)
    #expect(files.opened.withLock { $0 } == before)
    one.close()
    other.close()
  }

  static let part = UnitOutput(
    track: nil, covered: 0..<1, fraction: 0.5, handler: HandlerStamp(version: 1, quality: 1))
}
