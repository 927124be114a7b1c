import HoldfastModel
import HoldfastStore
import Testing

@Suite("Reading chunks")
struct ReelReaderTests {
  private let world = ReelWorld()
  private let chunks: [ChunkInput]
  private let records: [ChunkRecord]
  private let owner: ReelPath

  init() throws {
    var random = ReelRandom(1)
    chunks = random.chunks(3, upTo: 200)
    let writer = try world.writer()
    records = try writer.append(chunks)
    _ = try writer.finish()
    owner = ReelPath(take: world.header.take, reel: 1)
  }

  private func change(at offset: UInt64) {
    var bytes = world.bytes(1)
    bytes[Int(offset)] ^= 0x10
    world.files.put(bytes, at: world.path(1))
  }

  @Test("a chunk is read by its record and by its place")
  func ok() throws {
    let reader = world.reader(1)
    for (chunk, record) in zip(chunks, records) {
      for verify in [true, false] {
        #expect(try reader.readChunk(record, verify: verify) == .ok(chunk.payload))
        #expect(
          try reader.readChunk(at: record.offset, of: owner, verify: verify) == .ok(chunk.payload))
      }
    }
    #expect(try reader.header().take == world.header.take)
    #expect(world.files.count("open") == 2)
  }

  @Test("damage is told apart, and a payload under a damaged header is used (J5)")
  func damage() throws {
    let record = try #require(records.last { $0.length > 0 })
    let payload = chunks[Int(record.sequence)].payload
    change(at: record.offset + 30)
    let byRecord = try world.reader(1).readChunk(record, verify: true)
    #expect(byRecord == .damagedHeader(intactPayload: payload) && byRecord.payload == payload)
    #expect(
      try world.reader(1).readChunk(at: record.offset, of: owner, verify: true)
        == .damagedHeader(intactPayload: nil))
    change(at: record.payloadOffset)
    let both = try world.reader(1).readChunk(record, verify: true)
    #expect(both == .damagedHeader(intactPayload: nil) && both.payload == nil)
    change(at: record.offset + 30)
    #expect(try world.reader(1).readChunk(record, verify: true) == .damagedPayload)
    #expect(
      try world.reader(1).readChunk(at: record.offset, of: owner, verify: true) == .damagedPayload)
  }

  @Test("a chunk of another take or reel is not read as ours")
  func foreign() throws {
    var random = ReelRandom(2)
    for other in [
      ReelPath(take: random.name(), reel: 1), ReelPath(take: owner.take, reel: 2),
    ] {
      #expect(
        try world.reader(1).readChunk(at: records[0].offset, of: other, verify: true)
          == .damagedHeader(intactPayload: nil))
    }
  }

  @Test("a missing file is absent, a short one is cut, one that may not be opened is neither (J6)")
  func absent() throws {
    let record = records[2]
    #expect(try world.reader(9).readChunk(record, verify: true) == .absent)
    #expect(try world.reader(9).readChunk(at: 0, of: owner, verify: true) == .absent)
    for count in [0, record.offset, record.offset + 50, record.end - 1] {
      world.files.put(Array(world.bytes(1).prefix(Int(count))), at: world.path(3))
      for verify in [true, false] {
        #expect(try world.reader(3).readChunk(record, verify: verify) == .cut)
        #expect(
          try world.reader(3).readChunk(at: record.offset, of: owner, verify: verify) == .cut)
      }
      world.files.put(world.bytes(1), at: world.path(3))
    }
    var far = record
    far.offset = .max
    #expect(try world.reader(1).readChunk(far, verify: true) == .cut)
    #expect(try world.reader(1).readChunk(at: .max, of: owner, verify: true) == .cut)
    world.files.script = { _ in .init(kind: .denied) }
    let fault = #expect(throws: ReelFault.self) {
      try world.reader(1).readChunk(record, verify: true)
    }
    #expect(fault?.code == .denied)
  }

  @Test("the header's outcome names what is wrong")
  func header() throws {
    func code(_ bytes: [UInt8]) -> ReelFault.Code? {
      world.files.put(bytes, at: world.path(5))
      return #expect(throws: ReelFault.self) { try world.reader(5).header() }?.code
    }
    #expect(code([]) == .cut)
    #expect(code(Array("RIFF1234WAVEfmt ".utf8)) == .foreign)
    #expect(code(Array(world.bytes(1).prefix(100))) == .cut)
    change(at: 40)
    change(at: 41)
    #expect(code(world.bytes(1)) == .damaged)
    let missing = #expect(throws: ReelFault.self) { try world.reader(9).header() }
    #expect(missing?.code == .absent)
  }

  @Test("a header of nearly 64 KiB is read whole")
  func largeHeader() throws {
    var large = ReelWorld(seed: 3)
    large.header.format.configuration = [UInt8](repeating: 5, count: 64_000)
    let writer = try large.writer()
    let record = try #require(
      try writer.append(ChunkInput(sequence: 0, firstFrame: 0, frames: 1, payload: [9])).first)
    #expect(try large.reader(1).header().format.configuration.count == 64_000)
    #expect(try large.reader(1).readChunk(record, verify: true) == .ok([9]))
    #expect(large.visit(1).1 == [record])
  }
}
