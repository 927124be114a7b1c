// The producer's side of the ring: one thread at a time, wait-free.

extension AudioRing {
  /// Takes one buffer in, or drops and counts its frames when there is no room for all of it.
  ///
  /// - Parameters:
  ///   - bytes: the samples, interleaved.
  ///   - frames: how many sample frames they are.
  ///   - hostTime: any number that the consumer wants to have with them.
  /// - Returns: whether the frames were taken in.
  @discardableResult
  package func push(_ bytes: UnsafeRawBufferPointer, frames: UInt32, hostTime: UInt64) -> Bool {
    guard let start = begin(UInt64(bytes.count), frames) else { return false }
    unsafe copyIn(bytes, at: start + UInt64(Self.headerBytes))
    finish(start, UInt64(bytes.count), frames, hostTime)
    return true
  }

  /// Takes one buffer in, or drops and counts its frames, without a pointer in the caller's hands.
  @discardableResult
  package func push(_ bytes: RawSpan, frames: UInt32, hostTime: UInt64) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe push($0, frames: frames, hostTime: hostTime) }
  }

  /// Takes one buffer a channel in, interleaving the samples on their way into the ring.
  ///
  /// - Parameters:
  ///   - channels: one buffer a channel, all of `frames` × `bytesPerSample` bytes. Where they are
  ///     not, the frames are dropped and counted.
  ///   - bytesPerSample: bytes of one sample of one channel.
  ///   - frames: how many sample frames they are.
  ///   - hostTime: any number that the consumer wants to have with them.
  /// - Returns: whether the frames were taken in.
  @discardableResult
  package func push(
    planar channels: UnsafeBufferPointer<UnsafeRawBufferPointer>, bytesPerSample: UInt32,
    frames: UInt32, hostTime: UInt64
  ) -> Bool {
    let channelBytes = UInt64(frames) * UInt64(bytesPerSample)
    let areEqual = unsafe channels.allSatisfy { UInt64($0.count) == channelBytes }
    let product = channelBytes.multipliedReportingOverflow(by: UInt64(channels.count))
    let total = areEqual && !product.overflow ? product.partialValue : UInt64.max
    guard let start = begin(total, frames) else { return false }
    let payload = start + UInt64(Self.headerBytes)
    switch bytesPerSample {
    case 2: unsafe interleave(channels, as: UInt16.self, at: payload)
    case 4: unsafe interleave(channels, as: UInt32.self, at: payload)
    default: unsafe interleave(channels, bytesPerSample: Int(bytesPerSample), at: payload)
    }
    finish(start, total, frames, hostTime)
    return true
  }

  /// The same for an array of channels, which the caller keeps from buffer to buffer: making one
  /// would allocate.
  @discardableResult
  package func push(
    planar channels: [UnsafeRawBufferPointer], bytesPerSample: UInt32, frames: UInt32,
    hostTime: UInt64
  ) -> Bool {
    unsafe channels.withUnsafeBufferPointer {
      unsafe push(
        planar: $0, bytesPerSample: bytesPerSample, frames: frames, hostTime: hostTime)
    }
  }

  /// The position of a new record with such a payload; nil, with the frames counted as dropped,
  /// when it does not fit or the ring is closed.
  private func begin(_ byteCount: UInt64, _ frames: UInt32) -> UInt64? {
    let start = written.load()
    let free = UInt64(capacityBytes) - (start - consumed.load())
    if closed.load() == 0, byteCount <= free, Self.recordBytes(payload: byteCount) <= free {
      return start
    }
    dropped.advance(by: UInt64(frames))
    wake?.signal()
    return nil
  }

  /// Writes the header and shows the record to the consumer.
  private func finish(_ start: UInt64, _ byteCount: UInt64, _ frames: UInt32, _ hostTime: UInt64) {
    write(UInt64(frames) << 32 | byteCount, at: start)
    write(dropped.load(), at: start + 8)
    write(hostTime, at: start + 16)
    pushed.advance(by: UInt64(frames))
    written.store(start + Self.recordBytes(payload: byteCount))
    wake?.signal()
  }

  private func write(_ word: UInt64, at position: UInt64) {
    unsafe storage.storeBytes(of: word, toByteOffset: offset(position), as: UInt64.self)
  }

  private func copyIn(_ bytes: UnsafeRawBufferPointer, at position: UInt64) {
    guard let source = bytes.baseAddress else { return }
    let first = min(bytes.count, Int(capacityBytes) - offset(position))
    unsafe (storage + offset(position)).copyMemory(from: source, byteCount: first)
    unsafe storage.copyMemory(from: source + first, byteCount: bytes.count - first)
  }

  /// Samples of a size that divides a word never straddle the end of the ring.
  private func interleave<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ channels: UnsafeBufferPointer<UnsafeRawBufferPointer>, as type: Sample.Type,
    at position: UInt64
  ) {
    let size = MemoryLayout<Sample>.size
    for channel in 0..<channels.count {
      let source = unsafe channels[channel]
      var target = position + UInt64(channel * size)
      for start in stride(from: 0, to: source.count, by: size) {
        let sample = unsafe source.loadUnaligned(fromByteOffset: start, as: type)
        unsafe storage.storeBytes(of: sample, toByteOffset: offset(target), as: type)
        target += UInt64(channels.count * size)
      }
    }
  }

  /// Samples of any size, byte by byte.
  private func interleave(
    _ channels: UnsafeBufferPointer<UnsafeRawBufferPointer>, bytesPerSample size: Int,
    at position: UInt64
  ) {
    for channel in 0..<channels.count {
      let source = unsafe channels[channel]
      for index in 0..<source.count {
        let sample = index / size * channels.count + channel
        let target = offset(position + UInt64(sample * size + index % size))
        unsafe storage.storeBytes(of: source[index], toByteOffset: target, as: UInt8.self)
      }
    }
  }
}
