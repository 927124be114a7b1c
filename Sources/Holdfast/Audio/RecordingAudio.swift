public import Foundation
public import HoldfastModel
import HoldfastStore

/// The audio of a recording, to be taken out of the store. Works while it is being recorded: what
/// has been captured so far is exported.
public struct RecordingAudio: Sendable {
  /// The recording.
  public let recording: Recording.ID
  /// The names of its tracks: "microphone", "remote" …
  public let tracks: [String]
  private let host: StoreHost

  init(_ recording: Recording.ID, tracks: [String], _ host: StoreHost) {
    self.recording = recording
    self.tracks = tracks
    self.host = host
  }

  /// Writes a WAV file (RF64 from 4 GiB) with every sample as it was captured.
  ///
  /// Gaps up to 60 s become silence of their exact length, longer ones are cut; damaged or missing
  /// audio becomes silence of its length; the answer says where. A rate with a fraction of a hertz
  /// is rounded in the header, and the answer says so. A file that is there is replaced once the
  /// new one is whole and on the medium.
  ///
  /// - Parameters:
  ///   - url: the file. Where the format changed within the track (another microphone), there is a
  ///     file for each run of takes: `name-1.wav`, `name-2.wav` …
  ///   - track: the track's name; nil takes the one with most audio.
  /// - Returns: the files, and where they are not as it was recorded.
  /// - Throws: `conflict` when nothing was captured, or when the track holds a codec's packets
  ///   (``raw(to:track:)`` writes those); `notFound`, also when the file's directory is not there;
  ///   `invalidArgument` when the URL is no place for a file, or lies in the store; `diskFull`,
  ///   `suspended`; `interrupted` when the task is cancelled.
  @discardableResult
  public func wav(
    to url: URL, track: String? = nil
  ) async throws(HoldfastError) -> AudioExport {
    try await export(.wav, url, track)
  }

  /// Writes the audio as it came in: sample bytes without a header for plain PCM, an ADTS stream
  /// for AAC that came as one, a CAF file for the packets of any other codec.
  ///
  /// Packets that are damaged or missing, and gaps, are left out; the answer says where.
  ///
  /// - Parameters:
  ///   - url: the file; several, as for ``wav(to:track:)``.
  ///   - track: the track's name; nil takes the one with most audio.
  /// - Returns: as ``wav(to:track:)``.
  /// - Throws: as ``wav(to:track:)``.
  @discardableResult
  public func raw(
    to url: URL, track: String? = nil
  ) async throws(HoldfastError) -> AudioExport {
    try await export(.raw, url, track)
  }

  private func export(
    _ form: ExportOptions.Form, _ url: URL, _ track: String?
  ) async throws(HoldfastError) -> AudioExport {
    guard url.isFileURL else {
      throw HoldfastError(.invalidArgument, "\(url) is no file.")
    }
    var options = ExportOptions()
    options.form = form
    options.track = track
    let (store, id, wanted) = (HostCalls(host: host), recording.model, options)
    return try await OwnThread.run("holdfast-export") { isCancelled throws(HoldfastError) in
      let exporter = Exporter(store)
      let plan = try exporter.plan(id, wanted)
      var export = AudioExport()
      for part in plan.parts {
        let file = url.part(part.number, of: UInt32(plan.parts.count))
        let target = FileTarget(file.path, store.environment, outside: store.layout)
        let report = try target.write(replacing: true) { sink throws(HoldfastError) in
          try exporter.write(part, to: CancellableSink(sink, isCancelled: isCancelled))
        }
        export.add(report, part, file)
      }
      return export
    }
  }
}

/// What an export wrote.
public struct AudioExport: Hashable, Sendable {
  /// A stretch that is not as it was recorded.
  public struct Mark: Hashable, Sendable {
    /// Why: the gap's reason, "damaged" or "missing".
    public var reason: GapReason
    /// Where it stands in the recording, seconds from its start.
    public var recordingSeconds: Double
    /// Its length in seconds.
    public var seconds: Double
    /// Whether silence stands for it in the file; else it was left out.
    public var isSilence: Bool
  }

  /// The files, in the order of the recording; usually one.
  public internal(set) var files: [URL] = []
  /// Seconds of audio in all files, silence among them.
  public internal(set) var seconds: Double = 0
  /// The rate that a file's header names where it is not that of the audio, because WAV has whole
  /// rates only (44100.5 Hz becomes 44101); nil where it is right. Hertz.
  public internal(set) var headerSampleRate: Double?
  /// Everything that is not as it was recorded.
  public internal(set) var marks: [Mark] = []
  /// Whether audio that was captured is damaged or missing.
  public internal(set) var hasLoss = false

  mutating func add(_ report: ExportReport, _ part: ExportPart, _ file: URL) {
    let rate = part.format.sampleRate
    files.append(file)
    seconds += Double(report.frames) / rate
    hasLoss = hasLoss || report.hasLoss
    headerSampleRate = headerSampleRate ?? part.roundedRate
    marks += report.marks.map {
      Mark(
        reason: $0.reason, recordingSeconds: $0.recordingSeconds, seconds: Double($0.frames) / rate,
        isSilence: $0.isSilence)
    }
  }
}

extension URL {
  /// The file of a part: the URL itself when there is one part, else `name-2.wav` …
  package func part(_ number: UInt32, of count: UInt32) -> URL {
    guard count > 1 else { return self }
    let name = "\(deletingPathExtension().lastPathComponent)-\(number)"
    let directory = deletingLastPathComponent()
    let file = directory.appendingPathComponent(name, isDirectory: false)
    return pathExtension.isEmpty ? file : file.appendingPathExtension(pathExtension)
  }
}
