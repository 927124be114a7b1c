// Taps on nodes of an audio engine. Apple platforms only; here they are type-checked against
// stand-ins. Last built with an Apple SDK: never.
#if canImport(AVFAudio)
  public import AVFAudio
  public import Holdfast

  extension AVAudioNode {
    /// Feeds a take from an output bus of this node, in place of what tapped it before, by the tap
    /// that the running system has. The take was begun with ``PCMFormat/init(_:)`` of that bus.
    ///
    /// - Throws: what the system throws; the tap of older systems does not throw.
    public func install(_ take: TakeWriter, bus: Int = 0) throws {
      removeTap(onBus: bus)
      let format = outputFormat(forBus: bus)
      let size = AVAudioFrameCount(format.sampleRate / 10)
      #if compiler(>=6.4) || HOLDFAST_STAND_INS
        if #available(iOS 27.0, watchOS 27.0, macOS 27.0, *) {
          try installAudioTap(
            onBus: bus, bufferSize: size, format: format, tapProvider: take.tapProvider)
          return
        }
      #endif
      installTap(onBus: bus, bufferSize: size, format: format, block: take.tapBlock)
    }
  }

  extension PCMFormat {
    /// The format of a node's bus. What is neither 16-bit integer nor 32-bit floating point is
    /// taken for the latter, which taps deliver; a take refuses buffers of another width.
    public init(_ format: AVAudioFormat) {
      self.init(
        format.commonFormat == .pcmFormatInt16 ? .int16 : .float32,
        sampleRate: format.sampleRate, channels: Int32(clamping: format.channelCount),
        interleaved: format.isInterleaved)
    }
  }
#endif
