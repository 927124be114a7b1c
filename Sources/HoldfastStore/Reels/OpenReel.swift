import HoldfastModel

/// One reel while it is being written.
///
/// Invariant (J2): bytes go only to the end and never over bytes that a chunk was reported in;
/// after a failed write there is no further write, after a failed sync no further sync.
struct OpenReel {
  /// What may still be done with the file.
  enum State {
    /// Everything.
    case writable
    /// The disk was full: what stands is whole and may be synced, nothing is added.
    case ended
    /// The medium failed: the file is left as it is.
    case failed
  }

  /// The file.
  let file: any OpenFile
  /// The reel's number.
  let number: UInt32
  /// The header's frame, until it was written together with the first chunks.
  private(set) var head: [UInt8]
  /// Where the next frame goes: right after the last whole one. 0 while nothing was written.
  private(set) var end: UInt64 = 0
  /// What may still be done.
  private(set) var state = State.writable

  private let bound: UInt64

  /// A reel in a file that was just created.
  init(file: any OpenFile, number: UInt32, head: [UInt8], limits: ReelLimits) {
    self.file = file
    self.number = number
    self.head = head
    bound = limits.reelBytes
  }

  /// Whether a frame that ends at `frameEnd` may be added. A reel without chunks takes any.
  func takes(frameEnd: UInt64, asFirst: Bool) -> Bool {
    state == .writable && (frameEnd <= bound || (end == 0 && asFirst))
  }

  /// Writes whole frames, in parts, at the end, in one call. When the disk is full, what was
  /// written of them is cut off again if that can be done.
  ///
  /// - Parameter isGroup: whether fewer frames may be tried next: a full disk then does not end the
  ///   reel.
  mutating func write(_ parts: [[UInt8]], isGroup: Bool = false) throws(ReelFault) {
    let target = end + parts.reduce(into: UInt64(0)) { $0 += UInt64($1.count) }
    do throws(FileFault) {
      try file.write(parts: parts, at: end)
    } catch {
      if error.kind == .full {
        let isCut = (try? file.truncate(to: end)) != nil
        if !(isGroup && isCut) { state = .ended }
      } else {
        state = .failed
      }
      throw ReelFault(error)
    }
    end = target
    head = []
  }

  /// Makes the bytes power-safe.
  mutating func sync() throws(ReelFault) {
    do throws(FileFault) {
      try file.sync()
    } catch {
      state = .failed
      throw ReelFault(error)
    }
  }

  /// The directory that names the file could not be made durable, so the file cannot be relied on.
  mutating func fail() { state = .failed }

  /// Closes the file.
  func close() { file.close() }
}
