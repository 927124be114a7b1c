import Foundation
import HoldfastPlatform
import Testing

/// The ring between two real threads. Each frame is eight bytes that spell its number among all
/// frames offered, so a byte out of place, a frame twice or a gap at the wrong place shows.
@Suite struct AudioRingStressTests {
  private struct Tally: Sendable {
    var popped: UInt64 = 0
    var dropped: UInt64 = 0
    var records: UInt64 = 0
    var wrong: UInt64 = 0
  }

  @Test(
    "of all frames offered, each comes out once, in order, or is counted as dropped",
    arguments: 1...6 as ClosedRange<UInt64>, [true, false])
  func conservation(seed: UInt64, sleeps: Bool) throws {
    // Without a signal nothing but the ring itself orders what the two threads do.
    let wake = sleeps ? WakeSignal() : nil
    var sizes = Seeded(seed)
    let ring = AudioRing(capacityBytes: 1 << UInt32.random(in: 8...14, using: &sizes), wake: wake)
    let isDone = Locked(false)
    let tally = Locked(Tally())
    let offered = Locked<UInt64>(0)
    try together([
      {
        let count = produce(into: ring, seed: seed, pushes: 20_000)
        offered.withLock { $0 = count }
        isDone.withLock { $0 = true }
        wake?.signal()
      },
      {
        let result = consume(ring, wake, seed: seed) { isDone.withLock { $0 } }
        tally.withLock { $0 = result }
      },
    ])
    let result = tally.withLock { $0 }
    #expect(result.wrong == 0)
    #expect(result.popped == ring.pushedFrames)
    #expect(result.dropped == ring.droppedFrames)
    #expect(result.popped + result.dropped == offered.withLock { $0 })
    #expect(result.records > 0)
    #expect(ring.freeBytes == ring.capacityBytes)
  }

  /// Offers frames in buffers of seeded sizes, one in four planar; answers how many.
  private func produce(into ring: AudioRing, seed: UInt64, pushes: Int) -> UInt64 {
    var random = Seeded(seed ^ 1)
    var next: UInt64 = 0
    for _ in 0..<pushes {
      let frames = UInt64.random(in: 0...20, using: &random)
      let numbers = Array(next..<next + frames)
      next += frames
      if UInt8.random(in: 0..<4, using: &random) == 0 {
        let halves = [0, 32].map { shift in
          numbers.map { UInt32(truncatingIfNeeded: $0 >> shift) }
        }
        halves[0].withUnsafeBytes { low in
          halves[1].withUnsafeBytes { high in
            _ = ring.push(
              planar: [low, high], bytesPerSample: 4, frames: UInt32(frames), hostTime: next)
          }
        }
      } else {
        numbers.withUnsafeBytes { _ = ring.push($0, frames: UInt32(frames), hostTime: next) }
      }
    }
    return next
  }

  /// Takes records until the producer is done and the ring empty, now and then asking for drops.
  private func consume(
    _ ring: AudioRing, _ wake: WakeSignal?, seed: UInt64, until isDone: () -> Bool
  ) -> Tally {
    var random = Seeded(seed ^ 2)
    var tally = Tally()
    var next: UInt64 = 0
    var buffer: [UInt8] = []
    while true {
      let wasDone = isDone()
      buffer.removeAll(keepingCapacity: true)
      guard let record = ring.pop(into: &buffer) else {
        if wasDone { break }
        if let wake { wake.wait(timeoutNanoseconds: WakeSignalTests.lost) } else { sched_yield() }
        if Bool.random(using: &random) {
          let drops = ring.takeTrailingDrops()
          tally.dropped += drops
          next += drops
        }
        continue
      }
      tally.records += 1
      tally.dropped += record.droppedBefore
      next += record.droppedBefore
      let numbers = buffer.withUnsafeBytes { bytes in
        (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
      }
      if numbers != Array(next..<next + UInt64(record.frames)) { tally.wrong += 1 }
      next += UInt64(record.frames)
      if record.hostTime != next { tally.wrong += 1 }
      tally.popped += UInt64(record.frames)
    }
    let drops = ring.takeTrailingDrops()
    tally.dropped += drops
    return tally
  }
}
