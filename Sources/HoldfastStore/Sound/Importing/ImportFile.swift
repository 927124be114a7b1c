package import HoldfastAudio
package import HoldfastModel

/// A file of audio that is open and known to be one that we read.
package struct ImportFile: Sendable {
  /// As the user named it.
  package let path: String
  /// What it is and where its audio lies.
  package let info: AudioFileInfo
  /// Its bytes; their number is that at the opening.
  package let source: FileByteSource
  private let file: any OpenFile
  private let files: any FileSystem
  private let found: FileStatus?

  /// Opens and probes a file. With a `raw` format it is taken for sample bytes without a header.
  ///
  /// - Throws: `inputRefused`, naming the file and the reason; `notFound`,
  ///   `protectedDataUnavailable`, `medium` when it cannot be read.
  package init(
    _ path: String, raw: AudioFormat? = nil, _ files: any FileSystem
  ) throws(HoldfastError) {
    self.path = path
    self.files = files
    do throws(FileFault) {
      file = try files.open(path, .read)
      found = try files.status(path)
    } catch {
      guard error.kind == .wrongType else { throw StoreFaults.error(error) }
      throw HoldfastError(
        .inputRefused, "\(path) is no file of audio: \(error.reason).",
        cause: error.description, context: ["path": path])
    }
    do throws(AudioError) {
      source = try FileByteSource(file)
      if let raw {
        info = try AudioFile.raw(source, format: raw, name: path)
      } else {
        info = try AudioFile.probe(source, name: path)
      }
    } catch {
      file.close()
      throw StoreFaults.error(error)
    }
  }

  /// Closes it; reading fails afterwards.
  package func close() { file.close() }

  /// Bytes of audio in the file, which an import is measured against.
  package var sourceBytes: UInt64 { info.runs.reduce(0) { $0 + $1.dataLength } }

  /// What happened to the file since it was opened; nil when nothing is to be seen.
  ///
  /// The time of the last write is looked at to warn, never to decide what is kept.
  var change: String? {
    let size = (try? file.size()) ?? 0
    let begun = source.byteCount ?? 0
    if size < begun { return "became shorter" }
    if size > begun { return "grew" }
    // Another file under the same name does not matter: ours stays open.
    guard let now = (try? files.status(path)) ?? nil, let found, now.inode == found.inode,
      now.device == found.device, now.modifiedMilliseconds != found.modifiedMilliseconds
    else { return nil }
    return "was written to"
  }

  /// The error for a file that did not stay as it was.
  func changedError(_ change: String, _ recording: RecordingID) -> HoldfastError {
    HoldfastError(
      .failed,
      "\(path) \(change) while it was read. What was read is kept as recording "
        + "\(recording).",
      hint: "Import it again when nothing writes to it.", isRetryable: true,
      context: ["path": path, "recording": recording.description])
  }
}
