import Foundation
import Holdfast

/// The audio that `record` takes: a file or a pipe, WAV or raw PCM, as a stream of whole frames.
///
/// Confined to the thread that feeds; made before it starts.
final class RecordInput: @unchecked Sendable {
  /// What the frames are.
  let format: AudioFormat
  /// Seconds of audio to come; nil when nobody knows.
  let seconds: Double?
  /// What is odd about the input, known so far.
  private(set) var oddities: [AudioOddity]
  private let source: Source

  private enum Source {
    case file(any OpenFile, [AudioFileInfo])
    case wavPipe(FileHandle)
    case rawPipe(FileHandle)
  }

  private var position: UInt64 = 0
  private var parser = WAVStreamParser()
  /// Frames that came with the header, or parts of a frame that is not whole yet.
  private var pending: [UInt8] = []
  private var hasEnded = false

  private init(
    _ format: AudioFormat, _ source: Source, seconds: Double?, oddities: [AudioOddity] = []
  ) {
    self.format = format
    self.source = source
    self.seconds = seconds
    self.oddities = oddities
  }

  /// Opens the input.
  ///
  /// - Parameters:
  ///   - name: a file; nil and "-" are standard input.
  ///   - raw: what raw samples are; nil: the input has a header.
  /// - Throws: `inputRefused`, `notFound`.
  static func open(_ name: String?, raw: AudioFormat?) throws(HoldfastError) -> RecordInput {
    guard let name, name != "-" else { return try pipe(.standardInput, raw: raw) }
    // A named pipe or a device cannot be read at a place.
    guard try !AudioInput.isStream(name) else {
      guard !PathText.holdsBytes(name), let handle = FileHandle(forReadingAtPath: name) else {
        throw HoldfastError(
          .failed, "\(name) cannot be read.",
          hint: "Check its permissions, or give it as standard input: record - <NAME.")
      }
      return try pipe(handle, raw: raw)
    }
    let file = try AudioInput.open(name)
    return try regular(file, name, raw: raw)
  }

  private static func regular(
    _ file: any OpenFile, _ name: String, raw: AudioFormat?
  ) throws(HoldfastError) -> RecordInput {
    do throws(AudioError) {
      let source = try FileByteSource(file)
      let info =
        if let raw {
          try AudioFile.raw(source, format: raw, name: name)
        } else {
          try AudioFile.probe(source, name: name)
        }
      guard info.format.isPCM else {
        throw AudioError(
          .unsupportedCodec,
          "\(name) holds \(info.format.encoding.rawValue) packets, which cannot be recorded as "
            + "samples. Use `holdfast import`.")
      }
      let runs = info.runs
      guard runs.allSatisfy({ $0.format == info.format }) else {
        throw AudioError(
          .unsupportedCodec,
          "\(name) changes its format, and a take has one. Use `holdfast import`.")
      }
      let frames = runs.reduce(0) { $0 + Double($1.frames ?? 0) }
      return RecordInput(
        info.format, .file(file, runs), seconds: frames / info.format.sampleRate,
        oddities: info.oddities.filter { runs.count == 1 || $0.code != .severalDataChunks })
    } catch { throw AudioInput.error(error) }
  }

  private static func pipe(
    _ handle: FileHandle, raw: AudioFormat?
  ) throws(HoldfastError) -> RecordInput {
    if let raw { return RecordInput(raw, .rawPipe(handle), seconds: nil) }
    var parser = WAVStreamParser()
    var frames: [UInt8] = []
    var hasEnded = false
    while parser.format == nil {
      let bytes = try read(handle)
      do throws(AudioError) {
        hasEnded = bytes.isEmpty
        frames += hasEnded ? try parser.finish() : try parser.push(bytes)
      } catch { throw AudioInput.error(error) }
      if hasEnded { break }
    }
    guard let format = parser.format else {
      throw HoldfastError(.inputRefused, "Standard input ended before its audio began.")
    }
    let input = RecordInput(format, .wavPipe(handle), seconds: nil)
    input.parser = parser
    input.pending = frames
    input.hasEnded = hasEnded
    return input
  }

  private static func read(_ handle: FileHandle) throws(HoldfastError) -> [UInt8] {
    // What is there now, not so many bytes: audio that was delivered must not wait for more.
    [UInt8](handle.availableData)
  }

  /// The next whole frames, at most so many bytes of a file; blocks on a pipe.
  ///
  /// - Returns: nil at the end.
  func next(_ bytes: UInt64) throws(HoldfastError) -> [UInt8]? {
    if !pending.isEmpty {
      let whole = wholeFrames()
      if !whole.isEmpty { return whole }
    }
    if hasEnded { return nil }
    switch source {
    case .file(let file, let runs): return try fromFile(file, runs, bytes)
    case .wavPipe(let handle): return try fromWAV(handle)
    case .rawPipe(let handle): return try fromRaw(handle)
    }
  }

  private func fromFile(
    _ file: any OpenFile, _ runs: [AudioFileInfo], _ wanted: UInt64
  ) throws(HoldfastError) -> [UInt8]? {
    let frame = UInt64(format.bytesPerFrame)
    var before: UInt64 = 0
    let run = runs.first { run in
      defer { before += run.dataLength }
      return position < before + run.dataLength
    }
    guard let run else { return nil }
    let place = position - (before - run.dataLength)
    let count = min(max(wanted / frame, 1) * frame, run.dataLength - place)
    do throws(FileFault) {
      let bytes = try file.read(at: run.dataOffset + place, count: Int64(count))
      guard bytes.count >= Int(frame) else { return nil }
      position += UInt64(bytes.count) / frame * frame
      return bytes.count % Int(frame) == 0
        ? bytes : Array(bytes.prefix(bytes.count / Int(frame) * Int(frame)))
    } catch { throw StoreFaults.error(error) }
  }

  private func fromWAV(_ handle: FileHandle) throws(HoldfastError) -> [UInt8]? {
    while true {
      let bytes = try Self.read(handle)
      do throws(AudioError) {
        let frames = bytes.isEmpty ? try parser.finish() : try parser.push(bytes)
        if bytes.isEmpty {
          hasEnded = true
          oddities = parser.oddities
          return frames.isEmpty ? nil : frames
        }
        if !frames.isEmpty { return frames }
      } catch { throw AudioInput.error(error) }
    }
  }

  private func fromRaw(_ handle: FileHandle) throws(HoldfastError) -> [UInt8]? {
    while true {
      let bytes = try Self.read(handle)
      guard !bytes.isEmpty else {
        hasEnded = true
        if !pending.isEmpty {
          oddities.append(
            AudioOddity(
              .partialFrame,
              "The input ends inside a frame: \(pending.count) bytes were left out."))
        }
        return nil
      }
      pending += bytes
      let whole = wholeFrames()
      if !whole.isEmpty { return whole }
    }
  }

  private func wholeFrames() -> [UInt8] {
    let frame = Int(format.bytesPerFrame)
    let count = pending.count / frame * frame
    let whole = Array(pending.prefix(count))
    pending.removeFirst(count)
    return whole
  }
}
