import HoldfastModel
import HoldfastStore
import Testing

/// One finished reel of a few chunks, to be damaged.
private struct Reel {
  let world: ReelWorld
  let chunks: [ChunkInput]
  let records: [ChunkRecord]
  let bytes: [UInt8]

  init(seed: UInt64, chunks count: Int, upTo size: Int) throws {
    world = ReelWorld(seed: seed)
    var random = ReelRandom(seed)
    chunks = random.chunks(count, upTo: size)
    let writer = try world.writer()
    records = try writer.append(chunks)
    _ = try writer.finish()
    bytes = world.bytes(1)
  }

  /// The scan of the reel with other bytes.
  func scan(_ bytes: [UInt8], check: PayloadCheck = .all) -> (ScannedReel, [ChunkRecord]) {
    world.files.put(bytes, at: world.path(1))
    return world.visit(1, check: check)
  }
}

@Suite("Scanning reels")
struct ReelScanTests {
  @Test("a whole reel gives its chunks, in their order", arguments: UInt64(1)...10)
  func whole(seed: UInt64) throws {
    let reel = try Reel(seed: seed, chunks: 12, upTo: 300)
    for check in [PayloadCheck.all, .last, .none] {
      let (scanned, records) = reel.scan(reel.bytes, check: check)
      #expect(records == reel.records && scanned.chunks == 12)
      #expect(scanned.damaged.isEmpty && scanned.tornBytes == 0 && scanned.fault == nil)
      #expect(scanned.end == UInt64(reel.bytes.count) && scanned.end == scanned.size)
      #expect(scanned.header?.take == reel.world.header.take)
    }
  }

  @Test("a flipped bit in a payload costs exactly that chunk (cases 10)", arguments: UInt64(1)...2)
  func payloadFlips(seed: UInt64) throws {
    let reel = try Reel(seed: seed, chunks: 4, upTo: 60)
    for (index, record) in reel.records.enumerated() {
      for bit in record.payloadOffset * 8..<record.end * 8 {
        var bytes = reel.bytes
        bytes[Int(bit / 8)] ^= 1 << (bit % 8)
        let (scanned, records) = reel.scan(bytes)
        var rest = reel.records
        rest.remove(at: index)
        #expect(records == rest, "bit \(bit)")
        let range = try #require(scanned.damaged.first)
        #expect(scanned.damaged.count == 1 && range.reason == .payload, "bit \(bit)")
        #expect(range.offset == record.offset && range.chunk == record, "bit \(bit)")
        #expect(range.length == record.end - record.offset, "bit \(bit)")
      }
    }
  }

  @Test(
    "a flipped bit in a chunk's header costs nothing, whichever payloads are asked for (cases 10)",
    arguments: [PayloadCheck.all, .last, .none])
  func headerFlip(check: PayloadCheck) throws {
    let reel = try Reel(seed: 3, chunks: 4, upTo: 60)
    for record in reel.records {
      for bit in record.offset * 8..<record.payloadOffset * 8 {
        var bytes = reel.bytes
        bytes[Int(bit / 8)] ^= 1 << (bit % 8)
        let (scanned, records) = reel.scan(bytes, check: check)
        #expect(records == reel.records && scanned.damaged.isEmpty, "bit \(bit)")
        #expect(scanned.end == scanned.size && scanned.tornBytes == 0, "bit \(bit)")
        // With a byte of the payload wrong as well, the correction is not proven.
        guard record.length > 0 else { continue }
        bytes[Int(record.payloadOffset)] ^= 1
        #expect(reel.scan(bytes, check: check).1 == reel.records.filter { $0 != record })
      }
    }
  }

  @Test("two flipped bits in a chunk's header cost exactly that chunk (cases 10)")
  func headerFlips() throws {
    let reel = try Reel(seed: 3, chunks: 4, upTo: 60)
    for (index, record) in reel.records.enumerated() {
      for bit in record.offset * 8..<record.payloadOffset * 8 {
        var bytes = reel.bytes
        bytes[Int(bit / 8)] ^= 1 << (bit % 8)
        let other = record.offset + (bit / 8 - record.offset + 31) % ChunkHeader.byteCount
        bytes[Int(other)] ^= 16
        let (scanned, records) = reel.scan(bytes)
        var rest = reel.records
        rest.remove(at: index)
        #expect(records == rest, "bit \(bit)")
        let range = DamagedRange(
          offset: record.offset, length: record.end - record.offset, reason: .header)
        #expect(scanned.damaged == (index == 3 ? [] : [range]), "bit \(bit)")
        #expect(scanned.tornBytes == (index == 3 ? record.end - record.offset : 0), "bit \(bit)")
      }
    }
  }

  @Test("a damaged reel header costs no chunk")
  func reelHeader() throws {
    let reel = try Reel(seed: 4, chunks: 5, upTo: 60)
    var bytes = reel.bytes
    // One flipped bit would be mended.
    bytes[30] ^= 3
    let (scanned, records) = reel.scan(bytes)
    #expect(records == reel.records && scanned.header == nil)
    #expect(scanned.fault?.code == .damaged)
    #expect(scanned.damaged.map(\.length) == [reel.records[0].offset])
  }

  @Test("a reel cut at any byte gives the whole chunks before it", arguments: UInt64(1)...3)
  func cuts(seed: UInt64) throws {
    let reel = try Reel(seed: seed, chunks: 3, upTo: 200)
    for count in 0...reel.bytes.count {
      for check in [PayloadCheck.all, .last, .none] {
        let (scanned, records) = reel.scan(Array(reel.bytes.prefix(count)), check: check)
        let whole = reel.records.filter { $0.end <= UInt64(count) }
        #expect(records == whole, "\(count) bytes")
        let isTorn = scanned.header != nil && scanned.end != scanned.size
        #expect(scanned.end + scanned.tornBytes <= scanned.size)
        #expect(!isTorn || scanned.tornBytes > 0 || reel.bytes[count - 1] == 0, "\(count) bytes")
        #expect(scanned.damaged.allSatisfy { $0.reason == .cut }, "\(count) bytes")
      }
    }
  }

  @Test("a write torn by a dead process is found by hashing the last payload alone")
  func tornLast() throws {
    let reel = try Reel(seed: 5, chunks: 4, upTo: 200)
    let last = try #require(reel.records.last { $0.length > 20 })
    var bytes = Array(reel.bytes.prefix(Int(last.payloadOffset) + 10))
    bytes += [UInt8](repeating: 0, count: 5_000)
    let before = reel.records.filter { $0.end <= last.offset }
    let (scanned, records) = reel.scan(bytes, check: .last)
    #expect(records == before)
    #expect(scanned.end == last.offset && scanned.size == UInt64(bytes.count))
    #expect(scanned.damaged.map(\.sequence) == [last.sequence])
  }

  @Test("room that a file was grown by is no torn tail")
  func grown() throws {
    let reel = try Reel(seed: 6, chunks: 3, upTo: 100)
    let (scanned, records) = reel.scan(reel.bytes + [UInt8](repeating: 0, count: 700_000))
    #expect(records == reel.records && scanned.damaged.isEmpty && scanned.tornBytes == 0)
    #expect(scanned.size > scanned.end)
    let (torn, _) = reel.scan(
      reel.bytes + [UInt8](repeating: 0, count: 400_000) + [1] + [0, 0, 0])
    #expect(torn.tornBytes == 400_001)
  }

  @Test("stale frames of another take, or of another reel of this one, are never taken")
  func stale() throws {
    let reel = try Reel(seed: 7, chunks: 6, upTo: 100)
    let other = try Reel(seed: 8, chunks: 6, upTo: 100)
    let cut = reel.records[2].end
    let stale = other.bytes.dropFirst(Int(other.records[0].offset))
    let (scanned, records) = reel.scan(Array(reel.bytes.prefix(Int(cut))) + stale)
    #expect(records == Array(reel.records[0...2]) && scanned.damaged.isEmpty)
    #expect(scanned.end == cut && scanned.tornBytes > 0)

    let world = reel.world
    let later = try world.writer()
    let again = try #require(try later.append(reel.chunks).first)
    _ = try later.finish()
    #expect(again.reel == 2)
    let ofReel2 = world.bytes(2).dropFirst(Int(again.offset))
    let (mixed, found) = reel.scan(
      Array(reel.bytes.prefix(Int(cut))) + ofReel2
        + reel.bytes.suffix(
          Int(reel.records[5].end - reel.records[5].offset)))
    #expect(found == Array(reel.records[0...2]) + [moved(reel.records[5], mixed.end)])
    #expect(mixed.damaged.map(\.reason) == [.header])
  }

  private func moved(_ record: ChunkRecord, _ end: UInt64) -> ChunkRecord {
    var record = record
    record.offset = end - (record.end - record.offset)
    return record
  }

  @Test("after any damage every untouched chunk is found", arguments: UInt64(1)...60)
  func anyDamage(seed: UInt64) throws {
    let reel = try Reel(seed: seed, chunks: 20, upTo: 500)
    var random = ReelRandom(seed &+ 1_000)
    var bytes = reel.bytes
    var touched: [Range<UInt64>] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 1...900, using: &random))
      bytes.replaceSubrange(start..<end, with: random.bytes(end - start))
      touched.append(UInt64(start)..<UInt64(end))
    }
    let (scanned, records) = reel.scan(bytes)
    let whole = reel.records.filter { record in
      !touched.contains { $0.overlaps(record.offset..<record.end) }
    }
    #expect(records.filter(whole.contains) == whole)
    #expect(records.allSatisfy(reel.records.contains))
    #expect(scanned.damaged.allSatisfy { $0.offset + $0.length <= scanned.size })
  }

  @Test("any bytes at all are scanned without a fault and give nothing", arguments: UInt64(1)...30)
  func noise(seed: UInt64) throws {
    let reel = try Reel(seed: seed, chunks: 1, upTo: 10)
    var random = ReelRandom(seed)
    let noise = random.bytes(Int.random(in: 0...3_000, using: &random))
    let (scanned, records) = reel.scan(noise)
    #expect(records.isEmpty && scanned.damaged.isEmpty)
    #expect(scanned.tornBytes <= scanned.size)
  }

  @Test("a declared length over the payload limit is damage, and reserves nothing")
  func impossibleLength() throws {
    let reel = try Reel(seed: 9, chunks: 2, upTo: 50)
    let first = reel.records[0]
    var header = ChunkHeader(
      take: first.take, reel: 1, sequence: 0, firstFrame: 0, frames: 0, length: .max,
      hostTime: nil, sha256: .zero)
    var frame: [UInt8] = []
    header.encode(into: &frame)
    var bytes = reel.bytes
    bytes.replaceSubrange(Int(first.offset)..<Int(first.payloadOffset), with: frame)
    #expect(reel.scan(bytes).1 == [reel.records[1]])
    header.length = 64 << 20
    frame = []
    header.encode(into: &frame)
    bytes.replaceSubrange(Int(first.offset)..<Int(first.payloadOffset), with: frame)
    let (scanned, records) = reel.scan(bytes)
    #expect(records.isEmpty && scanned.damaged.map(\.reason) == [.cut])
  }

  @Test("frames larger than the window, and straddling it, are whole")
  func largeFrames() throws {
    let world = ReelWorld()
    let writer = try world.writer()
    let sizes = [100_000, 262_144 - 96, 600_000, 262_144, 0, 1, 262_000]
    let chunks = sizes.enumerated().map { index, size in
      ChunkInput(
        sequence: UInt64(index), firstFrame: 0, frames: 0,
        payload: [UInt8](repeating: UInt8(index), count: size))
    }
    let records = try writer.append(chunks)
    _ = try writer.finish()
    let before = world.files.bytesRead
    let (scanned, found) = world.visit(1)
    #expect(found == records && scanned.damaged.isEmpty)
    #expect(world.files.bytesRead - before < scanned.size + 10_000)
    var bytes = world.bytes(1)
    bytes[Int(records[2].payloadOffset) + 300_000] ^= 1
    world.files.put(bytes, at: world.path(1))
    #expect(world.visit(1).1.map(\.sequence) == [0, 1, 3, 4, 5, 6])
  }

  @Test("a part that the medium cannot read costs the chunks in it, not the reel")
  func unreadable() throws {
    let world = ReelWorld()
    let writer = try world.writer()
    for index in 0..<40 {
      _ = try writer.append(
        ChunkInput(
          sequence: UInt64(index), firstFrame: 0, frames: 0,
          payload: [UInt8](repeating: UInt8(index), count: 20_000)))
    }
    _ = try writer.finish()
    world.files.script = {
      $0.operation == "read" && $0.number == 3 ? .init(kind: .medium) : nil
    }
    let (scanned, records) = world.visit(1)
    #expect(scanned.fault == nil && scanned.damaged.contains { $0.reason == .unreadable })
    #expect(records.count >= 34 && records.last?.sequence == 39)
  }

  @Test("frames of an unknown owner are taken from the first whole one on")
  func unknownOwner() throws {
    let reel = try Reel(seed: 10, chunks: 4, upTo: 50)
    let file = try reel.world.files.open(reel.world.path(1), .read)
    var scan = try ReelScan(file: file, owner: nil, from: 0, hashing: reel.world.hashing)
    var found: [ChunkRecord] = []
    while let item = try scan.next() {
      if case .chunk(let record) = item { found.append(record) }
    }
    #expect(found == reel.records)
  }
}
