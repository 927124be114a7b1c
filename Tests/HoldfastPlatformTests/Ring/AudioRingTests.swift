import HoldfastPlatform
import Testing

@Suite struct AudioRingTests {
  /// Pushes bytes as so many frames.
  @discardableResult
  private func push(
    _ bytes: [UInt8], _ frames: UInt32, _ time: UInt64 = 0, to ring: AudioRing
  ) -> Bool {
    bytes.withUnsafeBytes { ring.push($0, frames: frames, hostTime: time) }
  }

  private func pop(_ ring: AudioRing) -> (record: AudioRing.Record?, bytes: [UInt8]) {
    var bytes: [UInt8] = []
    let record = ring.pop(into: &bytes)
    return (record, bytes)
  }

  @Test(
    "the capacity is rounded up to a power of two",
    arguments: [
      (0, 64), (1, 64), (64, 64), (65, 128), (100_000, 131_072), (1 << 20, 1 << 20),
    ] as [(UInt32, UInt32)])
  func capacity(asked: UInt32, given: UInt32) {
    let ring = AudioRing(capacityBytes: asked)
    #expect(ring.capacityBytes == given)
    #expect(ring.freeBytes == given)
  }

  @Test func aRecordComesOutAsItWentIn() {
    let ring = AudioRing(capacityBytes: 1024)
    #expect(ring.peekRecord() == nil)
    #expect(push([1, 2, 3], 7, 99, to: ring))
    let expected = AudioRing.Record(frames: 7, byteCount: 3, droppedBefore: 0, hostTime: 99)
    #expect(ring.peekRecord() == expected)
    #expect(ring.freeBytes == 1024 - AudioRing.headerBytes - 8)
    var buffer: [UInt8] = [0]
    #expect(ring.pop(into: &buffer) == expected)
    #expect(buffer == [0, 1, 2, 3])
    #expect(ring.pop(into: &buffer) == nil)
    #expect(ring.freeBytes == 1024)
    #expect(ring.pushedFrames == 7)
  }

  @Test func aPushOfNoBytesIsARecordToo() {
    let ring = AudioRing(capacityBytes: 64)
    #expect(push([], 0, 5, to: ring))
    #expect(
      pop(ring).record == AudioRing.Record(frames: 0, byteCount: 0, droppedBefore: 0, hostTime: 5))
  }

  @Test func aSpanIsTakenLikeAPointer() {
    let ring = AudioRing(capacityBytes: 64)
    let bytes: [UInt8] = [4, 5, 6]
    let taken = ring.push(bytes.span.bytes, frames: 3, hostTime: 1)
    #expect(taken)
    #expect(pop(ring).bytes == bytes)
  }

  @Test func theRingFillsToTheLastByteAndThenDropsAndCounts() {
    let ring = AudioRing(capacityBytes: 128)
    #expect(push([UInt8](repeating: 1, count: 104), 10, to: ring))
    #expect(ring.freeBytes == 0)
    #expect(!push([], 3, to: ring))
    #expect(!push([2], 4, to: ring))
    #expect(ring.droppedFrames == 7)
    #expect(ring.takeTrailingDrops() == 0, "the record before comes first")
    #expect(pop(ring).record?.droppedBefore == 0)
    #expect(push([3], 1, to: ring))
    #expect(pop(ring).record?.droppedBefore == 7)
    #expect(ring.pushedFrames == 11)
  }

  @Test func aPayloadThatIsLargerThanTheRingIsDroppedAndCounted() {
    let ring = AudioRing(capacityBytes: 128)
    #expect(!push([UInt8](repeating: 1, count: 105), 5, to: ring))
    #expect(!push([UInt8](repeating: 1, count: 4096), 6, to: ring))
    #expect(ring.droppedFrames == 11)
    #expect(ring.takeTrailingDrops() == 11)
    #expect(ring.takeTrailingDrops() == 0)
  }

  @Test func aDropThatWasTakenAsTrailingIsNotReportedByTheNextRecord() {
    let ring = AudioRing(capacityBytes: 64)
    let large = [UInt8](repeating: 0, count: 100)
    push(large, 5, to: ring)
    #expect(ring.takeTrailingDrops() == 5)
    push(large, 2, to: ring)
    push([1], 1, to: ring)
    push(large, 9, to: ring)
    #expect(pop(ring).record?.droppedBefore == 2)
    #expect(ring.takeTrailingDrops() == 9)
    #expect(ring.droppedFrames == 16)
  }

  @Test(
    "planar samples of any size are interleaved, across the end of the ring too",
    arguments: [1, 2, 3, 4, 8] as [UInt32], [1, 2, 5])
  func planar(bytesPerSample: UInt32, channelCount: Int) {
    let ring = AudioRing(capacityBytes: 1024)
    var random = Seeded(UInt64(bytesPerSample) * 10 + UInt64(channelCount))
    for round in 0..<100 as Range<UInt64> {
      let frames = UInt32.random(in: 0...10, using: &random)
      let size = Int(bytesPerSample)
      let planes = (0..<channelCount).map { _ in random.bytes(Int(frames) * size) }
      let expected = (0..<Int(frames)).flatMap { frame in
        planes.flatMap { $0[frame * size..<(frame + 1) * size] }
      }
      withPointers(to: planes) { channels in
        let taken = ring.push(
          planar: channels, bytesPerSample: bytesPerSample, frames: frames, hostTime: round)
        #expect(taken)
      }
      let (record, bytes) = pop(ring)
      #expect(bytes == expected)
      #expect(record?.frames == frames)
      #expect(record?.hostTime == round)
    }
  }

  @Test func planarChannelsThatDifferOrDoNotFitAreDroppedAndCounted() {
    let ring = AudioRing(capacityBytes: 128)
    withPointers(to: [[1, 2, 3, 4], [1, 2]]) {
      #expect(!ring.push(planar: $0, bytesPerSample: 2, frames: 2, hostTime: 0))
    }
    withPointers(to: [[1, 2, 3, 4], [1, 2, 3, 4]]) {
      #expect(!ring.push(planar: $0, bytesPerSample: 2, frames: 3, hostTime: 0))
    }
    let plane = [UInt8](repeating: 0, count: 60)
    withPointers(to: [plane, plane]) {
      #expect(!ring.push(planar: $0, bytesPerSample: 4, frames: 15, hostTime: 0))
    }
    #expect(ring.takeTrailingDrops() == 20)
    #expect(ring.pushedFrames == 0)
  }

  @Test func aPushWakesTheConsumerKeptOrDropped() {
    let wake = WakeSignal()
    let ring = AudioRing(capacityBytes: 64, wake: wake)
    push([1], 1, to: ring)
    #expect(wake.wait(timeoutNanoseconds: 0))
    push([UInt8](repeating: 0, count: 64), 1, to: ring)
    #expect(wake.wait(timeoutNanoseconds: 0))
    #expect(!wake.wait(timeoutNanoseconds: 0))
  }

  @Test(
    "any sequence of calls does what a plain queue does", arguments: 1...8 as ClosedRange<UInt64>)
  func model(seed: UInt64) {
    var random = Seeded(seed)
    let ring = AudioRing(capacityBytes: 1 << UInt32.random(in: 6...12, using: &random))
    var queue: [(AudioRing.Record, [UInt8])] = []
    var used = 0
    var dropped: UInt64 = 0
    for step in 0..<1000 as Range<UInt64> {
      if Bool.random(using: &random) {
        let bytes = random.bytes(Int.random(in: 0...Int(ring.capacityBytes) / 3, using: &random))
        let frames = UInt32.random(in: 0...100, using: &random)
        let size = 24 + (bytes.count + 7) / 8 * 8
        let fits = used + size <= Int(ring.capacityBytes)
        #expect(push(bytes, frames, step, to: ring) == fits)
        if fits {
          let record = AudioRing.Record(
            frames: frames, byteCount: UInt32(bytes.count), droppedBefore: dropped, hostTime: step)
          queue.append((record, bytes))
          (used, dropped) = (used + size, 0)
        } else {
          dropped += UInt64(frames)
        }
      } else {
        let (record, bytes) = pop(ring)
        #expect(record == queue.first?.0)
        #expect(bytes == queue.first?.1 ?? [])
        if !queue.isEmpty { used -= 24 + (queue.removeFirst().1.count + 7) / 8 * 8 }
      }
      #expect(ring.freeBytes == ring.capacityBytes - UInt32(used))
    }
  }

  @Test func aClosedRingTakesNothingAndCountsIt() {
    let ring = AudioRing(capacityBytes: 256)
    push([1, 2], 1, to: ring)
    ring.close()
    #expect(!push([3, 4], 1, to: ring))
    #expect(ring.droppedFrames == 1 && !ring.isEmpty)
    #expect(pop(ring).bytes == [1, 2])
    #expect(ring.isEmpty && ring.takeTrailingDrops() == 1)
  }

  @Test func aDroppedRecordIsCountedWithWhatWasDroppedBeforeIt() {
    let ring = AudioRing(capacityBytes: 64)
    push([UInt8](repeating: 0, count: 100), 50, to: ring)
    push([1, 2], 1, to: ring)
    #expect(ring.drop() == 51)
    #expect(ring.drop() == nil)
    #expect(ring.freeBytes == 64 && ring.takeTrailingDrops() == 0)
  }

  private func withPointers(
    to planes: [[UInt8]], _ body: ([UnsafeRawBufferPointer]) -> Void
  ) {
    let copies = planes.map { plane in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: plane.count, alignment: 8)
      copy.copyBytes(from: plane)
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    body(copies.map(UnsafeRawBufferPointer.init))
  }
}
