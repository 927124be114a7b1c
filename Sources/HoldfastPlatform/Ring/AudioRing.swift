/// A preallocated ring of audio records between one producer, which may be a real-time thread, and
/// one consumer.
///
/// Invariants:
/// 1. A push is wait-free: no lock, no allocation, no system call. Only where it has to wake a
///    sleeping consumer it takes what ``WakeSignal/signal()`` takes. What does not fit is dropped
///    and counted, never waited for.
/// 2. Records come out whole, once, in order, with the bytes that went in.
/// 3. Frames are conserved: once the ring is drained and ``takeTrailingDrops()`` was called, the
///    frames popped and the drops reported are together the frames offered; each drop is reported
///    at its place between records.
///
/// Layout: positions count bytes for ever and are reduced by the capacity, a power of two. A record
/// is a header of three words (frames and payload bytes; all frames dropped so far; host time),
/// then the payload, padded to a word. Words never straddle the end of the ring; payloads may.
/// `written` belongs to the producer, `consumed` to the consumer; each publishes with release what
/// the other reads with acquire.
@safe package final class AudioRing: @unchecked Sendable {
  /// What the ring knows about one pushed buffer.
  package struct Record: Hashable, Sendable {
    /// Sample frames of the payload.
    package var frames: UInt32
    /// Bytes of the payload.
    package var byteCount: UInt32
    /// Frames that were offered and dropped between the record before and this one.
    package var droppedBefore: UInt64
    /// What the producer gave, untouched.
    package var hostTime: UInt64

    package init(frames: UInt32, byteCount: UInt32, droppedBefore: UInt64, hostTime: UInt64) {
      self.frames = frames
      self.byteCount = byteCount
      self.droppedBefore = droppedBefore
      self.hostTime = hostTime
    }
  }

  /// Bytes of the ring, headers of records included; a power of two from 2^6 to 2^30
  /// (offsets are `Int`s, which have 32 bits on many watches).
  package let capacityBytes: UInt32
  /// Bytes that each record takes besides its payload (and up to 7 of padding).
  package static let headerBytes: UInt32 = 24

  /// The bytes of the ring.
  let storage: UnsafeMutableRawPointer
  /// The producer's: the position behind the last record.
  let written = AtomicWord()
  /// The consumer's: the position of the first record that it has not popped.
  let consumed = AtomicWord()
  /// The producer's: frames taken in.
  let pushed = AtomicWord()
  /// The producer's: frames dropped.
  let dropped = AtomicWord()
  /// The consumer's: how many of `dropped` it has reported.
  let reported = AtomicWord()
  /// The consumer's: 1 once it takes no more.
  let closed = AtomicWord()
  /// Signalled after each push.
  let wake: WakeSignal?

  /// Takes and touches all the memory that the ring will ever use.
  ///
  /// - Parameters:
  ///   - capacityBytes: at least so many bytes; rounded up to a power of two.
  ///   - wake: signalled after each push, kept or dropped.
  package init(capacityBytes: UInt32, wake: WakeSignal? = nil) {
    let wanted = min(max(capacityBytes, 64), 1 << 30)
    self.capacityBytes = 1 << (UInt32.bitWidth - (wanted - 1).leadingZeroBitCount)
    self.wake = wake
    let count = Int(self.capacityBytes)
    unsafe storage = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
    unsafe storage.initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  deinit { unsafe storage.deallocate() }

  // MARK: Counters, for any thread

  /// Frames taken in so far.
  package var pushedFrames: UInt64 { pushed.load() }

  /// Frames offered and dropped so far.
  package var droppedFrames: UInt64 { dropped.load() }

  /// Bytes that are free now; a push needs ``headerBytes`` more than its payload, padded to 8. The
  /// producer may rely on as much, the consumer on no more.
  package var freeBytes: UInt32 {
    let tail = consumed.load()
    return capacityBytes - UInt32(min(written.load() &- tail, UInt64(capacityBytes)))
  }

  /// Where a position lies in the storage.
  func offset(_ position: UInt64) -> Int { Int(position & UInt64(capacityBytes - 1)) }

  /// Bytes that a record with such a payload takes, padding included.
  static func recordBytes(payload: UInt64) -> UInt64 {
    UInt64(headerBytes) + (payload + 7) & ~7
  }
}
