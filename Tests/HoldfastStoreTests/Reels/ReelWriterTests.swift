import HoldfastModel
import HoldfastStore
import Testing

@Suite("Writing reels")
struct ReelWriterTests {
  @Test("written and power-safe are two marks (J2)")
  func marks() throws {
    let world = ReelWorld()
    var random = ReelRandom(1)
    let writer = try world.writer()
    #expect(writer.writtenThrough == nil && writer.powerSafeThrough == nil)
    _ = try writer.append(random.chunks(3, upTo: 50))
    #expect(writer.writtenThrough == 2 && writer.powerSafeThrough == nil)
    #expect(try writer.sync() == [])
    #expect(writer.powerSafeThrough == 2)
  }

  @Test("what is power-safe outlives a power loss, what is written the process (J2)")
  func durability() throws {
    let world = ReelWorld()
    var random = ReelRandom(2)
    let chunks = random.chunks(4, upTo: 50)
    let writer = try world.writer()
    _ = try writer.append(Array(chunks[0..<2]))
    _ = try writer.sync()
    _ = try writer.append(Array(chunks[2...]))
    world.files.killProcess()
    #expect(try world.tail().chunks.map(\.sequence) == [0, 1, 2, 3])
    world.files.crash()
    #expect(try world.tail().chunks.map(\.sequence) == [0, 1])
  }

  @Test("a record says where the chunk stands")
  func records() throws {
    let world = ReelWorld()
    var random = ReelRandom(3)
    let chunks = random.chunks(5, upTo: 80)
    let writer = try world.writer()
    let records = try writer.append(chunks)
    for (chunk, record) in zip(chunks, records) {
      #expect(record.sequence == chunk.sequence && record.firstFrame == chunk.firstFrame)
      #expect(record.frames == chunk.frames && record.reel == 1)
      let stored = world.bytes(1)[Int(record.payloadOffset)..<Int(record.end)]
      #expect(Array(stored) == chunk.payload)
      #expect(record.sha256 == world.hashing.sha256(chunk.payload))
    }
    for (one, next) in zip(records, records.dropFirst()) { #expect(one.end == next.offset) }
  }

  @Test("a group is one write, and the same bytes as single writes", arguments: UInt64(1)...10)
  func groups(seed: UInt64) throws {
    let limits = ReelLimits(reelBytes: 2_000)
    let single = ReelWorld(seed: seed, limits: limits)
    let grouped = ReelWorld(seed: seed, limits: limits)
    var random = ReelRandom(seed)
    let chunks = random.chunks(30, upTo: 400)
    let one = try single.writer()
    let many = try grouped.writer()
    let singly = try chunks.flatMap { try one.append($0) }
    #expect(try many.append(chunks) == singly)
    #expect(single.files.count("write") == chunks.count)
    #expect(grouped.files.count("write") == many.reels.count)
    _ = try one.finish()
    _ = try many.finish()
    #expect(one.reels == many.reels && one.reels.count > 3)
    for reel in one.reels {
      #expect(single.bytes(reel.reel) == grouped.bytes(reel.reel))
      #expect(reel.bytes == UInt64(single.bytes(reel.reel).count))
    }
    #expect(one.bytesWritten == one.reels.map(\.bytes).reduce(0, +))
  }

  @Test("a reel ends before its bound; a chunk over it gets a reel alone")
  func bounds() throws {
    let world = ReelWorld(limits: ReelLimits(reelBytes: 2_000))
    let writer = try world.writer()
    let sizes = [700, 3_000, 100, 100]
    let chunks = sizes.enumerated().map { index, size in
      ChunkInput(
        sequence: UInt64(index), firstFrame: UInt64(index) * 10, frames: 10,
        payload: [UInt8](repeating: UInt8(index), count: size))
    }
    #expect(try writer.append(chunks).map(\.reel) == [1, 2, 3, 3])
    _ = try writer.finish()
    #expect(world.bytes(3).count < 2_000 && world.bytes(2).count > 3_000)
    let header = try world.reader(3).header()
    #expect(header.reel == 3 && header.firstChunk == 2 && header.firstFrame == 20)
    #expect(header.opened == FixedClock().now() && header.recording == world.header.recording)
  }

  @Test("a payload over the limit is refused before anything is written")
  func tooLarge() throws {
    let world = ReelWorld(limits: ReelLimits(payloadBytes: 10))
    let writer = try world.writer()
    let small = ChunkInput(sequence: 0, firstFrame: 0, frames: 1, payload: [1])
    let large = ChunkInput(
      sequence: 1, firstFrame: 1, frames: 1, payload: [UInt8](repeating: 0, count: 11))
    let fault = #expect(throws: ReelFault.self) { try writer.append([small, large]) }
    #expect(fault?.code == .tooLarge)
    #expect(world.files.calls.isEmpty && writer.writtenThrough == nil)
  }

  @Test("chunks without frames and without bytes are kept like others")
  func empty() throws {
    let world = ReelWorld()
    let writer = try world.writer()
    let chunks = [
      ChunkInput(sequence: 0, firstFrame: 7, frames: 0, payload: []),
      ChunkInput(sequence: 1, firstFrame: 7, frames: 0, payload: [1, 2]),
      ChunkInput(sequence: 2, firstFrame: 7, frames: 5, payload: []),
    ]
    let records = try writer.append(chunks)
    _ = try writer.finish()
    #expect(world.visit(1).1 == records)
    for (chunk, record) in zip(chunks, records) {
      #expect(try world.reader(1).readChunk(record, verify: true) == .ok(chunk.payload))
    }
  }

  @Test("at one sync a chunk: syncs per chunk ≤ 1.02, bytes ≤ 1.01 × payload of 32 KB")
  func counts() throws {
    let world = ReelWorld()
    let writer = try world.writer()
    let payload = [UInt8](repeating: 1, count: 32_768)
    let digest = Digest.zero
    let count = 1_000
    for index in 0..<count {
      let chunk = ChunkInput(
        sequence: UInt64(index), firstFrame: 0, frames: 1, payload: payload, sha256: digest)
      _ = try writer.append(chunk)
      _ = try writer.sync()
    }
    _ = try writer.finish()
    let syncs = world.files.count("sync") + world.files.count("syncDirectory")
    #expect(Double(syncs) <= 1.02 * Double(count))
    #expect(Double(world.files.bytesWritten) <= 1.01 * Double(count * payload.count))
    #expect(world.files.bytesWritten == writer.bytesWritten)
    #expect(world.files.count("write") == count)
  }

  @Test("each new file's directory is synced once, and those above it once (J2)")
  func directorySyncs() throws {
    let world = ReelWorld(limits: ReelLimits(reelBytes: 2_000))
    var random = ReelRandom(1)
    let writer = try world.writer()
    for chunk in random.chunks(40, upTo: 300) {
      _ = try writer.append(chunk)
      _ = try writer.sync()
    }
    let synced = world.files.calls.filter { $0.operation == "syncDirectory" }.map(\.path)
    let take = "s/\(ReelPath.directory(of: world.header.take))"
    #expect(synced.count { $0 == "s" } == 1 && synced.count { $0 == "s/audio" } == 1)
    #expect(synced.count { $0 == take } == writer.reels.count)
  }

  @Test("a sync with nothing to save does nothing")
  func idleSync() throws {
    let world = ReelWorld()
    let writer = try world.writer()
    _ = try writer.sync()
    _ = try writer.append(ChunkInput(sequence: 0, firstFrame: 0, frames: 0, payload: [1]))
    _ = try writer.sync()
    let before = world.files.calls.count
    _ = try writer.sync()
    #expect(try writer.append([ChunkInput]()) == [])
    #expect(world.files.calls.count == before)
  }

  @Test("a later writer of the take begins a file of its own")
  func exclusive() throws {
    let world = ReelWorld()
    let chunk = ChunkInput(sequence: 0, firstFrame: 0, frames: 0, payload: [1])
    let first = try world.writer()
    _ = try first.append(chunk)
    let before = world.bytes(1)
    let second = try world.writer()
    #expect(try second.append(chunk).map(\.reel) == [2])
    #expect(world.bytes(1) == before)
  }

  @Test("a finished writer is finished; its file ends with the last frame, before that too")
  func finish() throws {
    let world = ReelWorld()
    let writer = try world.writer()
    let chunk = ChunkInput(sequence: 0, firstFrame: 0, frames: 0, payload: [1])
    let record = try #require(try writer.append(chunk).first)
    #expect(UInt64(world.bytes(1).count) == record.end)
    #expect(try writer.finish() == [])
    #expect(UInt64(world.bytes(1).count) == record.end)
    #expect(writer.powerSafeThrough == 0)
    #expect(try writer.finish() == [])
    let fault = #expect(throws: ReelFault.self) { try writer.append(chunk) }
    #expect(fault?.code == .closed)
  }

  @Test("received chunks are kept in the order of their arrival")
  func received() throws {
    var world = ReelWorld()
    world.header.local = false
    let writer = try world.writer()
    for sequence: UInt64 in [9, 3, 5] {
      _ = try writer.append(
        ChunkInput(sequence: sequence, firstFrame: sequence, frames: 1, payload: [1]))
    }
    _ = try writer.finish()
    #expect(world.visit(1).1.map(\.sequence) == [9, 3, 5])
    #expect(world.visit(1).0.header?.local == false)
    #expect(try world.tail().chunks.map(\.sequence) == [3, 5, 9])
  }
}
