import Holdfast

/// What `record --acks` prints, one JSON line each.
enum RecordEvent: Encodable, Sendable {
  /// The recording is durable.
  case started(RecordingID)
  /// A chunk is acknowledged.
  case chunk(Chunk)
  /// The recording is stopped.
  case stopped(RecordingID, durationSeconds: Double)

  /// An acknowledged chunk.
  struct Chunk: Encodable, Sendable {
    let event = "chunk"
    let recording, take: String
    let takeIndex: UInt32
    let seq, firstFrame: UInt64
    let frames: UInt32
    let sha256, mark: String

    init(_ record: ChunkRecord, _ take: OpenTake, _ mark: ChunkMark) {
      recording = take.recording.description
      self.take = take.take.description
      takeIndex = take.index
      seq = record.sequence
      firstFrame = record.firstFrame
      frames = record.frames
      sha256 = record.sha256.description
      self.mark = mark.rawValue
    }
  }

  private enum CodingKeys: String, CodingKey { case event, recording, durationSeconds }

  func encode(to encoder: any Encoder) throws {
    if case .chunk(let chunk) = self { return try chunk.encode(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .started(let id):
      try container.encode("started", forKey: .event)
      try container.encode(id.description, forKey: .recording)
    case .stopped(let id, let seconds):
      try container.encode("stopped", forKey: .event)
      try container.encode(id.description, forKey: .recording)
      try container.encode(seconds, forKey: .durationSeconds)
    case .chunk: break
    }
  }
}
