public import Foundation
public import HoldfastModel
import HoldfastStore
import HoldfastTasks

/// One piece of work on one recording: what a handler is given.
public struct WorkUnit: Sendable {
  /// The recording, as it stood when the unit was begun. What the handler answers is bound to it.
  public var recording: Recording
  /// The unit's range in recording time: seconds since the recording's start. Of a windowed handler
  /// it lies within one take of one track.
  public var range: Range<Double>
  /// What is written so far.
  public var transcript: Transcript
  /// What the handler said with its last committed unit.
  public var checkpoint: Data?
  /// When the unit will be ended; nil where no end is known. A unit that by its measured time
  /// cannot end before is not begun.
  public var deadline: ContinuousClock.Instant?
  private let call: WorkCall
  private let host: StoreHost

  init(_ call: WorkCall, _ host: StoreHost) async throws(HoldfastError) {
    let id = call.order.recording.id
    let (attributes, shown) = try await host.query { db in
      (try RecordingRows.attributes(of: id, db), try TranscriptReading.current(of: id, db))
    }
    recording = Recording(call.order.recording, attributes: attributes)
    range = call.unit.seconds
    transcript = Transcript(shown)
    checkpoint = call.order.task.checkpoint.map { Data($0) }
    deadline = call.deadlineNanoseconds.map {
      .now + .nanoseconds($0 - host.environment.clock.now().monotonicNanoseconds)
    }
    self.call = call
    self.host = host
  }

  /// The unit's sound: samples of full scale ±1, channels interleaved, round(seconds × rate)
  /// frames. Gaps and damage read as silence.
  ///
  /// - Parameter format: the rate and channels that are wanted; its kind of sample is not looked
  ///   at.
  /// - Throws: `conflict` for a codec that is not decoded here; `invalidArgument` for a format that
  ///   makes no sense or a range over an hour; `protectedDataUnavailable`, `suspended`.
  public func pcm(_ format: PCMFormat) async throws(HoldfastError) -> [Float] {
    try await host.samples(
      of: recording.id.model, track: call.trackName, range, sampleRate: format.sampleRate,
      channels: UInt32(clamping: format.channels))
  }

  /// Tells how much of the unit is done, 0…1; less than before changes nothing. From any thread.
  public func report(_ fraction: Double) { call.report(fraction) }
}

extension WorkCall {
  /// The name of the track that is heard; nil: the one with most audio.
  var trackName: String? {
    order.recording.tracks.first { $0.track == unit.track }?.name
  }
}

/// A recording as a stream of sound, for recognizers that keep state.
public struct WorkStream: Sendable {
  /// The recording, as it stood when the stream was begun.
  public var recording: Recording
  /// Recording time, seconds, through which everything was committed before: 0 the first time.
  public var resumeFrom: Double
  private let call: WorkCall
  private let host: StoreHost

  /// Seconds that are read at once.
  private static let piece: Double = 2

  init(_ call: WorkCall, _ host: StoreHost) async throws(HoldfastError) {
    let id = call.order.recording.id
    let attributes = try await host.query { try RecordingRows.attributes(of: id, $0) }
    recording = Recording(call.order.recording, attributes: attributes)
    resumeFrom = call.unit.seconds.lowerBound
    self.call = call
    self.host = host
  }

  /// The sound from ``resumeFrom`` on, as it comes in, in pieces of at most 2 s; ends when the
  /// recording has stopped and all of it was handed out. Gaps are silence of their length, so that
  /// samples tell recording time. The track with most audio is heard.
  ///
  /// - Parameter format: as ``WorkUnit/pcm(_:)``.
  public func audio(_ format: PCMFormat) -> AsyncThrowingStream<[Float], any Error> {
    let place = StreamPlace(resumeFrom)
    return AsyncThrowingStream { try await next(format, place) }
  }

  private func next(
    _ format: PCMFormat, _ place: StreamPlace
  ) async throws(HoldfastError) -> [Float]? {
    let id = recording.id.model
    while true {
      if Task.isCancelled { throw HoldfastError(.interrupted, "The stream was ended.") }
      let seen = host.changeHub.version
      let (takes, isOver) = try await host.workTakes(of: id)
      let heard = takes.filter { call.unit.track == nil || $0.track == call.unit.track }
      let end = heard.map(\.endSeconds).max() ?? 0
      let from = place.seconds
      if end - from >= (isOver ? 1e-3 : Self.piece) {
        let to = min(end, from + Self.piece)
        let samples = try await host.samples(
          of: id, track: call.trackName, from..<to, sampleRate: format.sampleRate,
          channels: UInt32(clamping: format.channels))
        place.seconds = to
        return samples
      }
      guard !isOver else { return nil }
      host.wantRows()
      _ = await host.changeHub.wait(after: seen)
    }
  }

  /// Commits what was said through a time, together with the note that it is: a death resumes here,
  /// and nothing is there twice. Returns when it is durable.
  ///
  /// - Parameters:
  ///   - segments: final ones, in recording time; others are not kept.
  ///   - seconds: recording time through which nothing more will come.
  /// - Throws: `interrupted` when the stream was ended; `invalidArgument` for segments without a
  ///   place in the recording.
  public func commit(
    _ segments: [Segment], finalizedThrough seconds: Double
  ) async throws(HoldfastError) {
    try await call.save(
      WorkPart(segments: segments.map { SpokenSegment($0) }, throughSeconds: seconds))
  }
}
