// swift-format-ignore-file

// Stand-in: the part of AVFAudio that is used here, declared as in Apple's SDK. The initializers of
// buffers and times, and `deliver`, serve the program that calls closures on other threads.
@_exported import CoreAudioTypes
import Foundation

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioNodeBus = Int
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

public enum AVAudioCommonFormat: UInt, Sendable {
  case otherFormat, pcmFormatFloat32, pcmFormatFloat64, pcmFormatInt16, pcmFormatInt32
}

public class AVAudioFormat {
  public let commonFormat: AVAudioCommonFormat
  public let sampleRate: Double
  public let channelCount: AVAudioChannelCount
  public let isInterleaved: Bool

  public init?(
    commonFormat: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
    interleaved: Bool
  ) {
    self.commonFormat = commonFormat
    self.sampleRate = sampleRate
    channelCount = channels
    isInterleaved = interleaved
  }
}

public class AVAudioPCMBuffer {
  public let format: AVAudioFormat
  public let frameLength: AVAudioFrameCount
  private let list: UnsafeMutableRawPointer
  public var audioBufferList: UnsafePointer<AudioBufferList> {
    UnsafePointer(list.assumingMemoryBound(to: AudioBufferList.self))
  }

  /// 32-bit samples, each channel in memory of its own.
  public init(_ format: AVAudioFormat, _ channels: [[Float]]) {
    self.format = format
    frameLength = UInt32(channels.first?.count ?? 0)
    let start = MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
    list = .allocate(
      byteCount: start + channels.count * MemoryLayout<AudioBuffer>.stride, alignment: 8)
    list.storeBytes(of: UInt32(channels.count), as: UInt32.self)
    for (index, samples) in channels.enumerated() {
      let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: samples.count)
      _ = copy.initialize(from: samples)
      list.storeBytes(
        of: AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(samples.count * 4), mData: copy.baseAddress),
        toByteOffset: start + index * MemoryLayout<AudioBuffer>.stride, as: AudioBuffer.self)
    }
  }
}

/// The SDK of 2026.
public struct AVReadOnlyAudioPCMBuffer: @unchecked Sendable {
  public var frameLength: Int { Int(buffer.frameLength) }
  private let buffer: AVAudioPCMBuffer
  public init(copying buffer: AVAudioPCMBuffer) { self.buffer = buffer }

  public func withUnsafeAudioBufferList<R>(
    _ body: (UnsafePointer<AudioBufferList>) throws -> R
  ) rethrows -> R { try body(buffer.audioBufferList) }
}

public class AVAudioTime {
  public let hostTime: UInt64
  public let isHostTimeValid: Bool
  public init(hostTime: UInt64) {
    self.hostTime = hostTime
    isHostTimeValid = true
  }
}

public class AVAudioNode {
  fileprivate var tap: AVAudioNodeTapBlock?
  fileprivate var format: AVAudioFormat

  fileprivate init(_ format: AVAudioFormat) { self.format = format }

  public func outputFormat(forBus: AVAudioNodeBus) -> AVAudioFormat { format }
  public func installTap(
    onBus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block: @escaping AVAudioNodeTapBlock
  ) { tap = block }
  public func removeTap(onBus: AVAudioNodeBus) { tap = nil }

  @available(iOS 27.0, watchOS 27.0, macOS 27.0, *)
  public func installAudioTap(
    onBus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    tapProvider: @escaping @Sendable (AVReadOnlyAudioPCMBuffer, AVAudioTime) -> Void
  ) throws { tap = { buffer, time in tapProvider(.init(copying: buffer), time) } }

  /// What the audio thread does.
  public func deliver(_ channels: [[Float]], at hostTime: UInt64) {
    tap?(AVAudioPCMBuffer(format, channels), AVAudioTime(hostTime: hostTime))
  }
}

public class AVAudioInputNode: AVAudioNode {}

public class AVAudioEngine {
  public let inputNode: AVAudioInputNode
  public init() {
    guard
      let format = AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: 2, interleaved: false)
    else { preconditionFailure("a plain format") }
    inputNode = AVAudioInputNode(format)
  }
  public func prepare() {}
  public func start() throws {}
  public func pause() {}
  public func stop() {}
}

public class AVAudioRecorder {
  public init(url: URL, settings: [String: Any]) throws {}
  @discardableResult public func record() -> Bool { true }
  public func stop() {}
}

public let AVFormatIDKey = "AVFormatIDKey"
public let AVSampleRateKey = "AVSampleRateKey"
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
public let kAudioFormatMPEG4AAC: UInt32 = 0x6161_6320

public class AVAudioApplication: @unchecked Sendable {
  public enum recordPermission: Int, Sendable { case undetermined, denied, granted }
  public static let shared = AVAudioApplication()
  public var recordPermission: recordPermission { .granted }
  public class func requestRecordPermission() async -> Bool { true }
}

extension NSNotification.Name {
  public static let AVAudioEngineConfigurationChange = Self("AVAudioEngineConfigurationChange")
}

public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"

public class AVAudioSession: @unchecked Sendable {
  public struct Category: Sendable {
    public static let playAndRecord = Category()
    public static let record = Category()
  }
  public struct Mode: Sendable { public static let `default` = Mode() }
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct SetActiveOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }
  public enum InterruptionType: UInt, Sendable { case ended, began }
  public struct InterruptionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }
  public enum RouteChangeReason: UInt, Sendable {
    case unknown = 0
    case newDeviceAvailable = 1
    case oldDeviceUnavailable = 2
    case categoryChange = 3
    case override = 4
    case wakeFromSleep = 6
    case noSuitableRouteForCategory = 7
    case routeConfigurationChange = 8
  }

  public static let interruptionNotification = Notification.Name(
    "AVAudioSessionInterruptionNotification")
  public static let routeChangeNotification = Notification.Name(
    "AVAudioSessionRouteChangeNotification")
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")

  public static func sharedInstance() -> AVAudioSession { AVAudioSession() }
  public func setCategory(
    _ category: Category, mode: Mode, options: CategoryOptions = []
  ) throws {}
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
}
