// swift-format-ignore-file

// Stand-in: the part of CoreAudioTypes that is used here, declared as in Apple's SDK.

public struct AudioBuffer {
  public var mNumberChannels: UInt32
  public var mDataByteSize: UInt32
  public var mData: UnsafeMutableRawPointer?

  public init(
    mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?
  ) {
    self.mNumberChannels = mNumberChannels
    self.mDataByteSize = mDataByteSize
    self.mData = mData
  }
}

/// In C its last member is an array of `mNumberBuffers` buffers.
public struct AudioBufferList {
  public var mNumberBuffers: UInt32
  public var mBuffers: AudioBuffer

  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    self.mNumberBuffers = mNumberBuffers
    self.mBuffers = mBuffers
  }
}
