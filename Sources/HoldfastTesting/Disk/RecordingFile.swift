import HoldfastModel

/// An open file of ``RecordingFiles``.
final class RecordingFile: OpenFile {
  private let real: any OpenFile
  /// The path from the root on, as it was opened.
  private let name: String
  /// The log's number of the file; nil for one that the log does not know and nobody may change.
  private let number: UInt64?
  private let log: DiskLog

  init(_ file: any OpenFile, name: String, number: UInt64?, log: DiskLog) {
    real = file
    self.name = name
    self.number = number
    self.log = log
  }

  var path: String { real.path }

  func size() throws(FileFault) -> UInt64 { try real.size() }

  func read(at offset: UInt64, count: Int64) throws(FileFault) -> [UInt8] {
    _ = try log.admit(.read(name, offset: offset, count: UInt64(max(0, count))))
    return try real.read(at: offset, count: count)
  }

  func read(at offset: UInt64, into buffer: inout [UInt8]) throws(FileFault) -> Int64 {
    _ = try log.admit(.read(name, offset: offset, count: UInt64(buffer.count)))
    return try real.read(at: offset, into: &buffer)
  }

  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(FileFault) {
    let all = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    let operation = DiskOperation.write(name, offset: offset, bytes: all)
    let (verdict, begun) = log.ask(operation)
    switch verdict {
    case .pass:
      try real.write(bytes, at: offset)
      log.append(operation, file: number, begun: begun)
    case .fail(let kind):
      throw .injected(kind, operation)
    case .tear(let keeping, let kind):
      let kept = Array(all.prefix(Int(clamping: keeping)))
      if !kept.isEmpty {
        try real.write(kept, at: offset)
        log.append(.write(name, offset: offset, bytes: kept), file: number, begun: begun)
      }
      throw .injected(kind, operation)
    }
  }

  func sync() throws(FileFault) {
    try record(.sync(name)) { () throws(FileFault) in try real.sync() }
  }

  func truncate(to size: UInt64) throws(FileFault) {
    try record(.truncate(name, size: size)) { () throws(FileFault) in
      try real.truncate(to: size)
    }
  }

  func allocate(_ size: UInt64) throws(FileFault) {
    try record(.allocate(name, size: size)) { () throws(FileFault) in try real.allocate(size) }
  }

  func tryLock(exclusive: Bool) throws(FileFault) -> Bool {
    try real.tryLock(exclusive: exclusive)
  }

  func unlock() { real.unlock() }

  func close() { real.close() }

  /// Asks, does, appends.
  private func record(
    _ operation: DiskOperation, _ body: () throws(FileFault) -> Void
  ) throws(FileFault) {
    let begun = try log.admit(operation)
    try body()
    log.append(operation, file: number, begun: begun)
  }
}
