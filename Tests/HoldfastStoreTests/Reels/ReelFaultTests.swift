import HoldfastModel
import HoldfastStore
import Testing

/// A session of a writer in which the k-th call of some kind fails.
private struct Session {
  var world: ReelWorld
  var chunks: [ChunkInput]
  var groupSizes: [Int]
  /// Whether each group is followed by a sync.
  var syncs: [Bool]

  init(seed: UInt64) {
    world = ReelWorld(
      seed: seed, limits: ReelLimits(reelBytes: 2_500, keptBytes: 300))
    var random = ReelRandom(seed)
    chunks = random.chunks(24, upTo: 400)
    groupSizes = (0..<12).map { _ in Int.random(in: 1...3, using: &random) }
    syncs = groupSizes.map { _ in Bool.random(using: &random) }
  }

  /// What the caller knows at the end.
  struct Outcome {
    var records: [UInt64: ChunkRecord] = [:]
    var safeThrough: UInt64?
    var faults: [ReelFault] = []
    var lost: [ChunkRecord] = []
  }

  /// Runs as a recorder does: it indexes what is answered, stops at a full disk, and gives a chunk
  /// up after the medium refused it twice.
  func run() throws -> Outcome {
    let writer = try world.writer()
    var outcome = Outcome()
    func attempt(_ call: () throws(ReelFault) -> [ChunkRecord]) -> Bool {
      do throws(ReelFault) {
        for record in try call() { outcome.records[record.sequence] = record }
        return true
      } catch {
        for record in error.written { outcome.records[record.sequence] = record }
        outcome.faults.append(error)
        return false
      }
    }
    var rest = chunks[...]
    for (size, sync) in zip(groupSizes, syncs) where !outcome.faults.contains(where: \.isFull) {
      let group = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      if !attempt({ () throws(ReelFault) in try writer.append(group) }) { continue }
      if sync { _ = attempt { () throws(ReelFault) in try writer.sync() } }
    }
    _ = attempt { () throws(ReelFault) in try writer.finish() }
    outcome.safeThrough = writer.powerSafeThrough
    outcome.lost = writer.lost
    return outcome
  }

  /// Every chunk of the outcome that was safe is found whole after the power failed.
  func expectSafeChunks(_ outcome: Outcome, _ label: String) throws {
    let found = Dictionary(uniqueKeysWithValues: try world.tail().chunks.map { ($0.sequence, $0) })
    let lost = Set(outcome.lost.map(\.sequence))
    for (sequence, record) in outcome.records {
      guard let safe = outcome.safeThrough, sequence <= safe, !lost.contains(sequence) else {
        continue
      }
      #expect(found[sequence]?.sha256 == record.sha256, "\(label): chunk \(sequence)")
      let reading = try world.reader(record.reel).readChunk(record, verify: true)
      #expect(reading == .ok(chunks[Int(sequence)].payload), "\(label): chunk \(sequence)")
    }
  }
}

extension ReelFault {
  fileprivate var isFull: Bool { code == .full }
}

@Suite("Faults while writing reels")
struct ReelFaultTests {
  private static let operations = [
    "open", "makeDirectory", "write", "sync", "syncDirectory", "truncate",
  ]

  @Test(
    "one failure of the medium at any call loses no chunk at all (J2)", arguments: UInt64(1)...4)
  func oneMediumFailure(seed: UInt64) throws {
    let clean = Session(seed: seed)
    _ = try clean.run()
    for operation in Self.operations {
      for number in 1...max(1, clean.world.files.count(operation)) {
        let label = "\(operation) \(number)"
        let session = Session(seed: seed)
        session.world.files.script = {
          $0.operation == operation && $0.number == number
            ? .init(kind: .medium, prefix: 150) : nil
        }
        let outcome = try session.run()
        #expect(outcome.faults.isEmpty && outcome.lost.isEmpty, "\(label)")
        let count = session.groupSizes.reduce(0, +)
        #expect(outcome.records.count == min(count, session.chunks.count), "\(label)")
        #expect(outcome.safeThrough == outcome.records.keys.max(), "\(label)")
        session.world.files.crash()
        try session.expectSafeChunks(outcome, label)
      }
    }
  }

  @Test(
    "a medium or disk that fails at any call and from then on takes no acknowledged chunk (J2, J8)",
    arguments: [FileFault.Kind.medium, .full, .denied], UInt64(1)...2)
  func lastingFailure(kind: FileFault.Kind, seed: UInt64) throws {
    let clean = Session(seed: seed)
    _ = try clean.run()
    for operation in Self.operations where operation != "truncate" {
      for number in 1...max(1, clean.world.files.count(operation)) {
        for tearing in [false, true] {
          let label = "\(operation) \(number) \(tearing)"
          let session = Session(seed: seed)
          session.world.files.script = {
            $0.operation == operation && $0.number >= number
              ? .init(kind: kind, prefix: tearing ? 150 : 0) : nil
          }
          let outcome = try session.run()
          #expect(!outcome.faults.isEmpty, "\(label)")
          session.world.files.script = nil
          session.world.files.crash(keeping: { _ in tearing }, tearing: tearing)
          try session.expectSafeChunks(outcome, label)
        }
      }
    }
  }

  @Test("a reel that failed is never written or synced again (J2)", arguments: ["write", "sync"])
  func endedForGood(operation: String) throws {
    let session = Session(seed: 5)
    var failed: String?
    session.world.files.script = {
      if $0.operation == operation, $0.number == 3 {
        failed = $0.path
        return .init(kind: .medium)
      }
      return nil
    }
    _ = try session.run()
    let path = try #require(failed)
    let calls = session.world.files.calls
    let last = try #require(
      calls.lastIndex { $0.path == path && ["write", "sync", "truncate"].contains($0.operation) })
    #expect(calls[last].operation == operation)
  }

  @Test("a full disk is thrown at once, and the reel ends after its last whole chunk (J8)")
  func fullDisk() throws {
    let world = ReelWorld()
    var random = ReelRandom(6)
    let chunks = random.chunks(3, upTo: 90)
    let writer = try world.writer()
    let kept = try #require(try writer.append(chunks[0]).first)
    world.files.script = { $0.operation == "write" ? .init(kind: .full, prefix: 40) : nil }
    let fault = #expect(throws: ReelFault.self) { try writer.append(Array(chunks[1...])) }
    #expect(fault?.code == .full && fault?.written == [])
    #expect(UInt64(world.bytes(1).count) == kept.end)
    #expect(try writer.finish() == [])
    #expect(writer.powerSafeThrough == 0 && writer.writtenThrough == 0)
    world.files.crash()
    #expect(try world.tail().chunks == [kept])
    #expect(try world.tail().reels.first?.tornBytes == 0)
  }

  @Test("a reel that the full disk did not let begin is removed, and its room freed (J8)")
  func fullDiskAtStart() throws {
    let world = ReelWorld()
    let writer = try world.writer()
    world.files.script = { $0.operation == "write" ? .init(kind: .full, prefix: 40) : nil }
    let chunk = ChunkInput(sequence: 0, firstFrame: 0, frames: 0, payload: [1])
    #expect(throws: ReelFault.self) { try writer.append(chunk) }
    #expect(world.files.bytes(world.path(1)) == nil && writer.reels.isEmpty)
    world.files.script = nil
    #expect(try writer.append(chunk).count == 1)
  }

  @Test("chunks of a failed reel move, and the caller is told where to (J2)")
  func moves() throws {
    let world = ReelWorld(limits: ReelLimits(keptBytes: 100))
    var random = ReelRandom(7)
    let chunks = random.chunks(6, upTo: 90)
    let writer = try world.writer()
    _ = try writer.append(Array(chunks[0..<2]))
    _ = try writer.sync()
    let before = try writer.append(Array(chunks[2..<5]))
    world.files.script = { $0.operation == "write" && $0.number == 3 ? .init(kind: .medium) : nil }
    let answer = try writer.append(chunks[5])
    #expect(answer.map(\.sequence) == [2, 3, 4, 5] && answer.allSatisfy { $0.reel == 2 })
    #expect(zip(before, answer).allSatisfy { $0.sha256 == $1.sha256 })
    #expect(writer.reels.map(\.fault?.code) == [.medium, nil])
    #expect(writer.powerSafeThrough == 1 && writer.writtenThrough == 5)
    #expect(try world.tail().chunks.map(\.reel) == [1, 1, 2, 2, 2, 2])
  }

  @Test("after two failures in a row the chunks wait for the next call, and the fault is thrown")
  func secondFailure() throws {
    let world = ReelWorld()
    var random = ReelRandom(8)
    let chunks = random.chunks(3, upTo: 90)
    let writer = try world.writer()
    _ = try writer.append(Array(chunks[0..<2]))
    world.files.script = { $0.operation == "sync" ? .init(kind: .medium) : nil }
    let fault = #expect(throws: ReelFault.self) { try writer.sync() }
    #expect(fault?.code == .medium && writer.powerSafeThrough == nil)
    #expect(writer.writtenThrough == 1)
    world.files.script = nil
    #expect(try writer.append(chunks[2]).map(\.sequence) == [0, 1, 2])
    #expect(try writer.finish() == [])
    world.files.crash()
    #expect(try world.tail().chunks.map(\.sequence) == [0, 1, 2])
  }

  @Test("a chunk that memory let go and that the failed reel does not give back is named as lost")
  func losing() throws {
    let world = ReelWorld(limits: ReelLimits(keptBytes: 0))
    var random = ReelRandom(9)
    let writer = try world.writer()
    let records = try writer.append(random.chunks(2, upTo: 90))
    world.files.script = {
      $0.operation == "sync" && $0.number == 1 || $0.operation == "read" && $0.number == 1
        ? .init(kind: .medium) : nil
    }
    #expect(try writer.sync().map(\.sequence) == [1])
    #expect(writer.lost == [records[0]])
  }

  @Test("payloads in memory are bounded; the rest is read back when a reel fails")
  func memoryBound() throws {
    let world = ReelWorld(limits: ReelLimits(keptBytes: 1_000))
    let writer = try world.writer()
    for index in 0..<50 {
      _ = try writer.append(
        ChunkInput(
          sequence: UInt64(index), firstFrame: 0, frames: 0,
          payload: [UInt8](repeating: UInt8(index), count: 100)))
    }
    world.files.script = { $0.operation == "sync" && $0.number == 1 ? .init(kind: .medium) : nil }
    #expect(try writer.sync().count == 50)
    #expect(world.files.count("read") == 40 && writer.lost.isEmpty)
  }
}
