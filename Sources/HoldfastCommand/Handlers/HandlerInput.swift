import Foundation
import Holdfast

/// The line that a handler reads: what is to be done, on what.
struct HandlerInput: Sendable {
  let spec: HandlerSpec
  let host: StoreHost
  let call: WorkCall

  private struct Document: Encodable {
    struct Task: Encodable {
      let id, kind: String
      let attempt, epoch: UInt64
      let deadlineSeconds: Double?

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind, forKey: .kind)
        try container.encode(attempt, forKey: .attempt)
        try container.encode(epoch, forKey: .epoch)
        try container.encode(deadlineSeconds, forKey: .deadlineSeconds)
      }
      private enum CodingKeys: CodingKey { case id, kind, attempt, epoch, deadlineSeconds }
    }
    struct Recording: Encodable {
      let id, title: String
      let durationSeconds: Double
    }
    struct Input: Encodable {
      let wav: String?
      let track: String?
      let startSeconds, endSeconds: Double
      let firstFrame, frames: UInt64
      let sampleRate: Double
      let channels: UInt32
      let revision: UInt64
    }
    struct Segment: Encodable {
      let startSeconds, endSeconds: Double
      let text: String
      let speaker: String?
      let final: Bool
    }
    let task: Task
    let recording: Recording
    let input: Input
    let transcript: [Segment]
  }

  /// Writes the sound and answers the line, with its end.
  func line(in directory: String) async throws(HoldfastError) -> Data {
    let recording = call.order.recording
    let path = directory + "/unit.wav"
    var file: StoreHost.UnitFile?
    if spec.hearsAudio, !call.unit.range.isEmpty {
      file = try await host.write(call.unit, of: recording, to: path)
    }
    let document = Document(
      task: .init(
        id: call.order.task.id.description, kind: spec.kind.rawValue,
        attempt: call.order.claim.counter, epoch: call.order.claim.epoch,
        deadlineSeconds: secondsLeft),
      recording: .init(
        id: recording.id.description, title: recording.title,
        durationSeconds: recording.timeline.elapsedSeconds),
      input: .init(
        wav: file == nil ? nil : path,
        track: recording.tracks.first { $0.track == call.unit.track }?.name,
        startSeconds: call.unit.seconds.lowerBound, endSeconds: call.unit.seconds.upperBound,
        firstFrame: file?.firstFrame ?? 0, frames: file?.frames ?? 0,
        sampleRate: file?.sampleRate ?? 0, channels: file?.channels ?? 0,
        revision: call.order.inputRevision),
      transcript: try await transcript())
    return try encode(document)
  }

  private var secondsLeft: Double? {
    call.deadlineNanoseconds.map {
      max(Double($0 - host.environment.clock.now().monotonicNanoseconds) / 1e9, 0)
    }
  }

  /// What is written so far: for work that reads it. What writes it needs it only where its handler
  /// comes after another.
  private func transcript() async throws(HoldfastError) -> [Document.Segment] {
    guard !spec.makesPass || !spec.after.isEmpty else { return [] }
    let id = call.order.recording.id
    let shown = try await host.query { try TranscriptReading.current(of: id, $0) }
    return shown.segments.map {
      Document.Segment(
        startSeconds: $0.startSeconds, endSeconds: $0.endSeconds, text: $0.text,
        speaker: $0.speaker, final: $0.line.isFinal)
    }
  }

  /// The document with the checkpoint, which is the handler's own JSON, put into it.
  private func encode(_ document: Document) throws(HoldfastError) -> Data {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
      var data = try encoder.encode(document)
      data.removeLast()  // The closing brace.
      data += Data(",\"checkpoint\":".utf8)
      data += call.order.task.checkpoint.map { Data($0) } ?? Data("null".utf8)
      return data + Data("}\n".utf8)
    } catch {
      throw HoldfastError(.failed, "the handler's input cannot be written: \(error)")
    }
  }
}
