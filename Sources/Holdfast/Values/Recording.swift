public import Foundation
package import HoldfastModel
package import HoldfastStore

/// One recording as the store knows it now.
public struct Recording: Identifiable, Hashable, Sendable {
  /// The name of a recording: 32 lower-case hexadecimal digits.
  public struct ID: Hashable, Sendable, Codable, LosslessStringConvertible {
    package let model: RecordingID

    package init(_ model: RecordingID) { self.model = model }

    /// Reads 32 hexadecimal digits; nil for anything else.
    public init?(_ text: String) {
      guard let model = RecordingID(text) else { return nil }
      self.model = model
    }

    /// The 32 digits.
    public var description: String { model.description }

    /// Reads the digits from a single text value.
    public init(from decoder: any Decoder) throws {
      self = try decoder.name("A recording's id is 32 hexadecimal digits.", Self.init)
    }

    /// Writes the digits as a single text value.
    public func encode(to encoder: any Encoder) throws {
      try encoder.encode(name: description)
    }
  }

  /// What an app says of a recording. What is nil is left as it is.
  public struct Draft: Sendable {
    /// The title; nil for none.
    public var title: String?
    /// When it was recorded, if not when it was started here.
    public var recordedAt: Date?
    /// The app's own values.
    public var attributes: [String: AttributeValue]

    /// A draft.
    public init(
      title: String? = nil, recordedAt: Date? = nil, attributes: [String: AttributeValue] = [:]
    ) {
      self.title = title
      self.recordedAt = recordedAt
      self.attributes = attributes
    }
  }

  /// Where a recording is in its life.
  @nonexhaustive
  public enum State: Sendable {
    /// Audio is being captured.
    case recording
    /// Capture is interrupted and may go on in this launch.
    case interrupted
    /// Capture waits for the user to come back; survives launches.
    case pendingResume
    /// Ended.
    case stopped
    /// In the trash.
    case deleted
  }

  /// Which recordings an observation shows.
  public struct Request: Sendable {
    /// Everything that is not in the trash.
    public static let all = Request()
    /// Whether the trash is shown too.
    public var includesDeleted = false
    /// At most so many, the newest; nil for no bound.
    public var limit: Int32?
    /// A request for everything that is not in the trash.
    public init() {}
  }

  /// The recording's name.
  public var id: ID
  /// The title; "" when it has none.
  public var title: String
  /// Where it is in its life.
  public var state: State
  /// When it began.
  public var startedAt: Date
  /// Seconds of audio that were kept, of the track that has most.
  public var capturedSeconds: Double
  /// Seconds from its start to its end, gaps included.
  public var elapsedSeconds: Double
  /// Bytes of audio.
  public var payloadBytes: Int64
  /// Progress 0…1 of deferred work by kind.
  public var work: [String: Double]
  /// Names of replicas that durably have all of it, this one not counted.
  public var custody: Set<String>
  /// The app's own values.
  public var attributes: [String: AttributeValue]
}

/// A value of the app's own, kept with a recording.
public enum AttributeValue: Hashable, Sendable, Codable {
  /// Text.
  case string(String)
  /// A number.
  case number(Double)
  /// A truth value.
  case bool(Bool)
  /// A point in time, to the millisecond.
  case date(Date)
}

extension AttributeValue {
  /// The value as it stands in a change. A date is tagged, so that it is told from a number.
  package var canonical: CanonicalValue {
    switch self {
    case .string(let text): .text(text)
    case .number(let number): .double(number)
    case .bool(let flag): .bool(flag)
    case .date(let date): .map(["date": .integer(date.milliseconds)])
    }
  }

  /// Reads a value; nil for one that this version does not know.
  package init?(_ value: CanonicalValue) {
    switch value {
    case .text(let text): self = .string(text)
    case .double(let number): self = .number(number)
    case .bool(let flag): self = .bool(flag)
    case .map(let map):
      guard let at = map["date"]?.integer else { return nil }
      self = .date(Date(milliseconds: at))
    default: return nil
    }
  }
}

extension Date {
  /// Milliseconds since 1970, clamped to what a change can hold.
  package var milliseconds: Int64 {
    let value = (timeIntervalSince1970 * 1000).rounded()
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -9e15), 9e15))
  }

  /// A date from milliseconds since 1970.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}

extension Recording {
  /// A recording as an app sees it.
  package init(_ summary: RecordingSummary, attributes: [String: CanonicalValue]) {
    id = ID(summary.id)
    title = summary.title
    state = State(summary)
    startedAt = Date(milliseconds: summary.startedMilliseconds)
    capturedSeconds = summary.timeline.capturedSeconds
    elapsedSeconds = summary.timeline.elapsedSeconds
    payloadBytes = Int64(clamping: summary.payloadBytes)
    work = summary.work
    custody = []
    self.attributes = attributes.compactMapValues { AttributeValue($0) }
  }
}

extension Recording.State {
  package init(_ summary: RecordingSummary) {
    switch summary.phase.phase {
    case _ where summary.isDeleted: self = .deleted
    case .recording: self = .recording
    case .interrupted: self = .interrupted
    case .pendingResume: self = .pendingResume
    default: self = .stopped
    }
  }
}

extension Recording.Draft {
  /// What the engine takes.
  package func seed(externalID: String? = nil, sourceBytes: UInt64? = nil) -> RecordingSeed {
    RecordingSeed(
      title: title, recordedAtMilliseconds: recordedAt?.milliseconds,
      attributes: attributes.mapValues(\.canonical), externalID: externalID,
      sourceBytes: sourceBytes)
  }
}
