package import HoldfastModel

/// What a launch file says, read from outside.
package struct LaunchLog: Hashable, Sendable {
  package var header: LaunchHeader
  /// Zero when no commit was noted.
  package var mark: LaunchMark
  package var state: LaunchState?
  package var progress: [CaptureProgress]
  /// The last one; nil when there was none.
  package var heartbeat: LaunchHeartbeat?
  /// In the order in which they happened; the oldest may be overwritten.
  package var events: [LaunchEventRecord]
  /// Whether the launch holds its lock: it lives (L1).
  package var isAlive: Bool

  /// The latest time in any record: its last sign of life.
  package var lastSign: LaunchTime {
    let times =
      [header.started, mark.at] + [state?.at, heartbeat?.at].compactMap(\.self)
      + progress.map(\.at)
      + events.map(\.at)
    return times.max { $0.monotonicNanoseconds < $1.monotonicNanoseconds } ?? header.started
  }

  /// Reads a launch file without changing anything.
  ///
  /// - Returns: nil when the file is none of ours: cut before its header, or torn while it was
  ///   made.
  package static func read(
    _ path: String, _ files: any FileSystem
  ) throws(FileFault) -> LaunchLog? {
    let file = try files.open(path, .read)
    defer { file.close() }
    let isAlive = try isAlive(file)
    let bytes = try file.read(at: 0, count: Int64(LaunchFile.size))
    guard let header = LaunchHeader(slice(bytes, 0, LaunchHeader.size)) else { return nil }
    let marks = (0..<2).compactMap {
      LaunchMark(slice(bytes, LaunchMark.offset($0), LaunchMark.size))
    }
    let states = (0..<2).compactMap {
      LaunchState(slice(bytes, LaunchState.offset($0), LaunchState.size))
    }
    let progress = (0..<CaptureProgress.slots).compactMap {
      CaptureProgress(slice(bytes, CaptureProgress.offset($0), CaptureProgress.size))
    }
    let beats = (0..<2).compactMap {
      LaunchHeartbeat(slice(bytes, LaunchHeartbeat.offset($0), LaunchHeartbeat.size))
    }
    let events = (0..<LaunchEventRecord.capacity).compactMap {
      LaunchEventRecord(slice(bytes, LaunchEventRecord.offset($0), LaunchEventRecord.size))
    }
    return LaunchLog(
      header: header, mark: marks.max { $0.counter < $1.counter } ?? LaunchMark(),
      state: states.max { $0.counter < $1.counter }, progress: progress,
      heartbeat: beats.max { $0.counter < $1.counter },
      events: events.sorted { $0.number < $1.number }, isAlive: isAlive)
  }

  /// Whether the launch of a file holds its lock (L1).
  static func isAlive(_ path: String, _ files: any FileSystem) throws(FileFault) -> Bool {
    let file = try files.open(path, .read)
    defer { file.close() }
    return try isAlive(file)
  }

  /// A shared lock is had only when nobody holds the exclusive one; it is given back at once.
  private static func isAlive(_ file: any OpenFile) throws(FileFault) -> Bool {
    guard try file.tryLock(exclusive: false) else { return true }
    file.unlock()
    return false
  }

  /// The bytes of a record; none where there is none. Most places are empty: a record begins with a
  /// number or a name, which is not zero, so that an empty one is told without a checksum.
  private static func slice(_ bytes: [UInt8], _ offset: UInt64, _ size: UInt64) -> [UInt8] {
    let end = Int(offset + size)
    guard bytes.count >= end else { return [] }
    for index in Int(offset)..<min(Int(offset) + 16, end) where bytes[index] != 0 {
      return Array(bytes[Int(offset)..<end])
    }
    return []
  }
}
