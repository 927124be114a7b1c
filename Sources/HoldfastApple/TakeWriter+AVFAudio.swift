// Closures for taps and the appending of their buffers. Apple platforms only; here they are
// type-checked against stand-ins. Last built with an Apple SDK: never.
#if canImport(AVFAudio)
  public import AVFAudio
  import CoreAudioTypes
  public import Holdfast

  extension TakeWriter {
    /// The closure for `AVAudioNode.installTap`. It is made here, where no actor is: one that is
    /// written in a method of the main actor belongs to that actor, compiles, and stops the process
    /// when the audio thread calls it.
    public var tapBlock: @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void {
      { [self] buffer, time in append(buffer, at: time) }
    }

    /// Copies a buffer into the ring, from any thread: no lock, no allocation.
    ///
    /// - Returns: false when there was no room or the take has ended: the frames are then counted
    ///   as dropped; false too for a buffer of another format than the take was begun with.
    @discardableResult
    public func append(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) -> Bool {
      unsafe append(
        list: buffer.audioBufferList, frames: buffer.frameLength,
        hostTime: time.isHostTimeValid ? time.hostTime : 0)
    }

    /// One buffer a channel, or one for all.
    private func append(
      list: UnsafePointer<AudioBufferList>, frames: UInt32, hostTime: UInt64
    ) -> Bool {
      let count = unsafe Int(list.pointee.mNumberBuffers)
      // The list ends with an array of that many, of which C declares the first.
      let start = MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
      let first = unsafe UnsafeRawPointer(list).advanced(by: start)
        .assumingMemoryBound(to: AudioBuffer.self)
      return unsafe withUnsafeTemporaryAllocation(
        of: UnsafeRawBufferPointer.self, capacity: count
      ) { channels in
        for index in 0..<count {
          let buffer = unsafe first[index]
          unsafe channels.initializeElement(
            at: index,
            to: UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize)))
        }
        return unsafe append(
          channels: UnsafeBufferPointer(channels), frames: frames, hostTime: hostTime)
      }
    }
  }

  // The tap of the systems of 2026. Their SDK comes with Swift 6.4.
  #if compiler(>=6.4) || HOLDFAST_STAND_INS
    @available(iOS 27.0, watchOS 27.0, macOS 27.0, *)
    extension TakeWriter {
      /// The closure for `AVAudioNode.installAudioTap`; as ``tapBlock``.
      public var tapProvider: @Sendable (AVReadOnlyAudioPCMBuffer, AVAudioTime) -> Void {
        { [self] buffer, time in append(buffer, at: time) }
      }

      /// Copies a buffer into the ring; as for `AVAudioPCMBuffer`.
      @discardableResult
      public func append(_ buffer: AVReadOnlyAudioPCMBuffer, at time: AVAudioTime) -> Bool {
        unsafe buffer.withUnsafeAudioBufferList { list in
          unsafe append(
            list: list, frames: UInt32(clamping: buffer.frameLength),
            hostTime: time.isHostTimeValid ? time.hostTime : 0)
        }
      }
    }
  #endif
#endif
