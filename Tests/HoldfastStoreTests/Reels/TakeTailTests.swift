import HoldfastModel
import HoldfastStore
import Testing

@Suite("Finding what the index does not know")
struct TakeTailTests {
  private static let limits = ReelLimits(reelBytes: 2_000)

  @Test("the tail is what follows the index, through all later reels", arguments: UInt64(1)...10)
  func tail(seed: UInt64) throws {
    let world = ReelWorld(seed: seed, limits: Self.limits)
    var random = ReelRandom(seed)
    let writer = try world.writer()
    let records = try writer.append(random.chunks(30, upTo: 300))
    for indexed in 0...records.count {
      let start = indexed == 0 ? nil : ReelPosition(after: records[indexed - 1])
      for check in [PayloadCheck.all, .last, .none] {
        let salvage = try world.tail(from: start, check: check)
        #expect(salvage.chunks == Array(records[indexed...]))
        #expect(
          salvage.reels.map(\.path.reel)
            == Array((start?.reel ?? 1)...30).filter { reel in
              writer.reels.contains { $0.reel == reel }
            })
        #expect(salvage.reels.allSatisfy { $0.damaged.isEmpty && $0.tornBytes == 0 })
      }
    }
  }

  @Test("every byte of the tail is read once, and none before it but headers")
  func readsOnce() throws {
    let world = ReelWorld()
    let writer = try world.writer()
    var records: [ChunkRecord] = []
    for index in 0..<60 {
      records += try writer.append(
        ChunkInput(
          sequence: UInt64(index), firstFrame: 0, frames: 0,
          payload: [UInt8](repeating: UInt8(index), count: 32_768)))
    }
    _ = try writer.finish()
    let start = ReelPosition(after: records[9])
    let before = world.files.bytesRead
    let salvage = try world.tail(from: start)
    #expect(salvage.chunks == Array(records[10...]))
    let tail = salvage.reels[0].size - start.offset
    #expect(world.files.bytesRead - before < tail + 4_096 + 100 * 10)
  }

  @Test("of two frames with one sequence the later reel's counts, once")
  func rewritten() throws {
    let world = ReelWorld(limits: Self.limits)
    var random = ReelRandom(3)
    let chunks = random.chunks(4, upTo: 100)
    let writer = try world.writer()
    _ = try writer.append(chunks)
    world.files.script = { $0.operation == "sync" && $0.number == 1 ? .init(kind: .medium) : nil }
    let moved = try writer.sync()
    #expect(moved.map(\.reel) == [2, 2, 2, 2])
    #expect(try world.tail().chunks == moved)
  }

  @Test("a take without a directory has no chunks; a reel that may not be opened is a fact")
  func faults() throws {
    let world = ReelWorld(limits: Self.limits)
    #expect(try world.tail().chunks.isEmpty && world.tail().reels.isEmpty)
    var random = ReelRandom(4)
    let writer = try world.writer()
    let records = try writer.append(random.chunks(20, upTo: 300))
    let denied = world.path(2)
    world.files.script = {
      $0.operation == "open" && $0.path == denied ? .init(kind: .denied) : nil
    }
    let salvage = try world.tail()
    #expect(salvage.chunks == records.filter { $0.reel != 2 })
    #expect(salvage.reels[1].fault?.code == .denied)
    world.files.script = { $0.operation == "list" ? .init(kind: .medium) : nil }
    #expect(throws: FileFault.self) { try world.tail() }
  }

  @Test("a file shorter than the index says is told by its size")
  func cut() throws {
    let world = ReelWorld()
    var random = ReelRandom(5)
    let writer = try world.writer()
    let records = try writer.append(random.chunks(4, upTo: 100))
    world.files.put(Array(world.bytes(1).prefix(Int(records[2].offset))), at: world.path(1))
    let salvage = try world.tail(from: ReelPosition(after: records[3]))
    #expect(salvage.chunks.isEmpty)
    #expect(salvage.reels[0].size == records[2].offset)
  }

  @Test("everything below audio is listed, what is foreign with its reason (J4)")
  func directory() throws {
    let world = ReelWorld(limits: Self.limits)
    let scan = TakeDirectoryScan(directory: "s", files: world.files)
    #expect(try scan.run().reels.isEmpty && scan.run().unreadable.isEmpty)
    var random = ReelRandom(6)
    let writer = try world.writer()
    _ = try writer.append(random.chunks(20, upTo: 300))
    _ = try writer.finish()
    let take = "s/\(ReelPath.directory(of: world.header.take))"
    world.files.put([1, 2, 3], at: "\(take)/9999")
    world.files.put([], at: "\(take)/notes.txt")
    world.files.put([], at: "s/audio/.DS_Store")
    world.files.putDirectory("s/audio/other")
    world.files.put([], at: "s/audio/other/0001")
    let found = try scan.run()
    #expect(found.reels.map(\.path.reel) == writer.reels.map(\.reel) + [9_999])
    #expect(found.reels.last?.fault?.code == .foreign && found.reels.last?.size == 3)
    for reel in found.reels.dropLast() {
      #expect(reel.header?.path == reel.path && reel.fault == nil)
      #expect(reel.size == UInt64(world.bytes(reel.path.reel).count))
    }
    #expect(
      found.unreadable.map(\.path).sorted()
        == [
          "audio/\(world.header.take)/notes.txt", "audio/.DS_Store", "audio/other/0001",
        ].sorted())
    #expect(found.unreadable.allSatisfy { $0.fault.code == .foreign })
  }
}

@Suite("Rolling digest")
struct RollingDigestTests {
  private func records(_ count: UInt64) -> [ChunkRecord] {
    var random = ReelRandom(1)
    let take: TakeID = random.name()
    return (0..<count).map {
      ChunkRecord(
        take: take, sequence: $0, reel: 0, offset: $0, length: 1, firstFrame: $0 * 10, frames: 10,
        sha256: Digest(random.bytes(32)) ?? .zero)
    }
  }

  @Test("a longer extent is computed from a shorter one")
  func resumes() {
    let hashing = LaneHashing()
    var whole = RollingDigest(hashing: hashing)
    #expect(whole.value == .zero && whole.chunks == 0)
    for record in records(9) {
      var resumed = RollingDigest(hashing: hashing, value: whole.value, chunks: whole.chunks)
      let taken = [resumed.append(record), whole.append(record)]
      #expect(taken == [true, true])
      #expect(resumed.value == whole.value)
    }
    #expect(whole.chunks == 9)
  }

  @Test("it is SHA-256 over the last value, the chunk's hash, first frame and frames")
  func definition() {
    let hashing = LaneHashing()
    var digest = RollingDigest(hashing: hashing)
    let record = records(1)[0]
    let isTaken = digest.append(record)
    let bytes =
      [UInt8](repeating: 0, count: 32) + record.sha256.bytes + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 10]
    #expect(isTaken && digest.value == hashing.sha256(bytes))
  }

  @Test("where a chunk stands on a device does not matter; what it is and where it sounds does")
  func sensitivity() {
    let base = records(1)[0]
    func digest(_ change: (inout ChunkRecord) -> Void) -> Digest {
      var record = base
      change(&record)
      var digest = RollingDigest(hashing: LaneHashing())
      let isTaken = digest.append(record)
      #expect(isTaken)
      return digest.value
    }
    let same = digest { _ in }
    #expect(
      digest {
        $0.reel = 7
        $0.offset = 99
      } == same)
    #expect(digest { $0.firstFrame += 1 } != same)
    #expect(digest { $0.frames += 1 } != same)
    #expect(digest { $0.sha256 = .zero } != same)
  }

  @Test("a chunk out of sequence is refused and changes nothing")
  func order() {
    var digest = RollingDigest(hashing: LaneHashing())
    let all = records(3)
    let first = digest.append(all[1])
    #expect(!first && digest.value == .zero)
    let second = digest.append(all[0])
    let again = digest.append(all[0])
    #expect(second && !again && digest.chunks == 1)
  }
}
