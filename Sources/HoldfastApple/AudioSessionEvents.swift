// What the system tells about audio, as values. Apple platforms only; here it is type-checked
// against stand-ins. Last built with an Apple SDK: never.
#if canImport(AVFAudio)
  import AVFAudio
  import Foundation
  public import Holdfast
  #if os(watchOS) || HOLDFAST_WATCH_STAND_INS
    import WatchKit
  #elseif canImport(UIKit)
    import UIKit
  #endif

  /// Interruptions, route changes, the reset of the media services, a lost permission, and the app
  /// coming and going: journaled as they arrive, then given one by one, until the session is
  /// stopped.
  ///
  /// ```swift
  /// for await event in AudioSessionEvents(session) { await act(on: session.handle(event)) }
  /// ```
  ///
  /// Observation begins with `init`. Iterate once.
  public struct AudioSessionEvents: AsyncSequence, Sendable {
    /// What an iteration gives.
    public typealias Element = CaptureEvent

    private let stream: AsyncStream<CaptureEvent>
    private let observers: Observers

    /// Begins to observe for a session.
    public init(_ session: CaptureSession) {
      let (stream, continuation) = AsyncStream<CaptureEvent>.makeStream()
      self.stream = stream
      observers = Observers(session, continuation)
    }

    /// The one iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var events: AsyncStream<CaptureEvent>.Iterator
      fileprivate let observers: Observers

      /// The next event; nil when the session was stopped or the task is cancelled.
      public mutating func next() async -> CaptureEvent? { await events.next() }
    }

    /// Begins the iteration.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(events: stream.makeAsyncIterator(), observers: observers)
    }
  }

  /// Observes as long as it lives.
  private final class Observers: @unchecked Sendable {
    /// Written by `init` alone.
    private var tokens: [any NSObjectProtocol] = []
    private let end: Task<Void, Never>

    init(_ session: CaptureSession, _ continuation: AsyncStream<CaptureEvent>.Continuation) {
      end = Task {
        await session.untilStopped()
        continuation.finish()
      }
      for (name, read) in Self.sources {
        tokens.append(
          NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
            guard let event = read(note) else { return }
            session.heard(event)
            continuation.yield(event)
          })
      }
    }

    deinit {
      end.cancel()
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    private typealias Read = @Sendable (Notification) -> CaptureEvent?

    private static var sources: [Notification.Name: Read] {
      var sources: [Notification.Name: Read] = [:]
      sources[.AVAudioEngineConfigurationChange] = { _ in .routeChanged }
      #if !os(macOS)
        sources[AVAudioSession.interruptionNotification] = { interruption($0) }
        sources[AVAudioSession.routeChangeNotification] = { routeChange($0) }
        sources[AVAudioSession.mediaServicesWereResetNotification] = { _ in .mediaServicesReset }
      #endif
      #if os(watchOS) || HOLDFAST_WATCH_STAND_INS
        sources[WKApplication.didBecomeActiveNotification] = { _ in active() }
        sources[WKApplication.willResignActiveNotification] = { _ in .resigned }
      #elseif canImport(UIKit)
        sources[UIApplication.didBecomeActiveNotification] = { _ in active() }
        sources[UIApplication.willResignActiveNotification] = { _ in .resigned }
      #endif
      return sources
    }

    /// No notification tells of a permission that was taken away in the settings: it shows when the
    /// app comes back.
    private static func active() -> CaptureEvent {
      AVAudioApplication.shared.recordPermission == .denied ? .permissionLost : .becameActive
    }

    #if !os(macOS)
      private static func interruption(_ note: Notification) -> CaptureEvent? {
        let raw = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        switch raw.flatMap({ AVAudioSession.InterruptionType(rawValue: $0) }) {
        case .began: return .interruptionBegan
        case .ended:
          let options = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
          return .interruptionEnded(
            shouldResume: AVAudioSession.InterruptionOptions(rawValue: options)
              .contains(.shouldResume))
        default: return nil
        }
      }

      /// Another device, or another configuration of the same. A change of the category is the
      /// app's own doing, and comes with each start.
      private static func routeChange(_ note: Notification) -> CaptureEvent? {
        let raw = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
        switch raw.flatMap({ AVAudioSession.RouteChangeReason(rawValue: $0) }) {
        case .newDeviceAvailable, .oldDeviceUnavailable, .override, .routeConfigurationChange:
          return .routeChanged
        default: return nil
        }
      }
    #endif
  }
#endif
