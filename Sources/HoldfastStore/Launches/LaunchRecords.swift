package import HoldfastModel

/// Both clocks of a record; the boot is the header's.
package struct LaunchTime: Hashable, Sendable, Comparable {
  package var monotonicNanoseconds: Int64
  package var wallMilliseconds: Int64

  package init(_ moment: Moment) {
    monotonicNanoseconds = moment.monotonicNanoseconds
    wallMilliseconds = moment.wallMilliseconds
  }

  package init(monotonicNanoseconds: Int64 = 0, wallMilliseconds: Int64 = 0) {
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallMilliseconds = wallMilliseconds
  }

  /// By the clock that nobody sets; both are of one boot.
  package static func < (left: LaunchTime, right: LaunchTime) -> Bool {
    left.monotonicNanoseconds < right.monotonicNanoseconds
  }

  /// Seconds from this time to a later one; 0 when it is no later.
  package func seconds(to later: LaunchTime) -> Double {
    Double(max(later.monotonicNanoseconds - monotonicNanoseconds, 0)) / 1e9
  }
}

/// Who a launch is.
package struct LaunchHeader: Hashable, Sendable {
  package var launch: LaunchID
  package var store: StoreID
  package var boot: BootID
  package var process: Int64
  package var program: String
  package var started: LaunchTime

  package init(
    launch: LaunchID, store: StoreID, boot: BootID, process: Int64, program: String,
    started: LaunchTime
  ) {
    self.launch = launch
    self.store = store
    self.boot = boot
    self.process = process
    self.program = program
    self.started = started
  }

  private static let magic = Array("HFLAUNCH".utf8)
  private static let version: UInt16 = 1
  /// Bytes of the record.
  static let size: UInt64 = 256

  var encoded: [UInt8] {
    var record = RecordWriter(capacity: Self.size)
    record.put(Self.magic)
    record.put(UInt64(Self.version), bytes: 2)
    record.put(launch.bytes)
    record.put(store.bytes)
    record.put(boot.bytes)
    record.put(UInt64(bitPattern: process), bytes: 8)
    record.put(started)
    record.put(text: program, capacity: 128)
    return record.closed()
  }

  init?(_ bytes: [UInt8]) {
    guard var record = RecordReader(bytes, size: Self.size), record.take(8) == Self.magic,
      record.number(2) == UInt64(Self.version), let launch = LaunchID(record.take(16)),
      let store = StoreID(record.take(16)), let boot = BootID(record.take(16))
    else { return nil }
    self.launch = launch
    self.store = store
    self.boot = boot
    process = Int64(bitPattern: record.number(8))
    started = record.time()
    program = record.text(capacity: 128)
  }
}

/// The store's commit numbers as a launch saw them (J6).
package struct LaunchMark: Hashable, Sendable {
  package var counter: UInt64 = 0
  /// The highest commit of any class.
  package var highest: UInt64 = 0
  /// The highest commit that is power-safe.
  package var highestPowerSafe: UInt64 = 0
  package var at = LaunchTime()

  package init() {}

  static let size: UInt64 = 64
  /// Written in turn, so that a torn write leaves the one before.
  static func offset(_ counter: UInt64) -> UInt64 { 4096 + (counter & 1) * 512 }

  var encoded: [UInt8] {
    var record = RecordWriter(capacity: Self.size)
    record.put(counter, bytes: 8)
    record.put(highest, bytes: 8)
    record.put(highestPowerSafe, bytes: 8)
    record.put(at)
    return record.closed()
  }

  init?(_ bytes: [UInt8]) {
    guard var record = RecordReader(bytes, size: Self.size) else { return nil }
    counter = record.number(8)
    highest = record.number(8)
    highestPowerSafe = record.number(8)
    at = record.time()
  }
}

/// Whether a launch runs, is suspended or has ended (J9).
package struct LaunchState: Hashable, Sendable {
  /// The three states. Stored as a number; an unknown one reads as running.
  package enum Word: UInt64, Hashable, Sendable {
    case running = 1
    case suspended = 2
    case ended = 3
  }
  package var counter: UInt64
  package var word: Word
  /// Grows with every resume.
  package var epoch: UInt64
  package var at: LaunchTime

  static let size: UInt64 = 64
  static func offset(_ counter: UInt64) -> UInt64 { 5120 + (counter & 1) * 512 }

  init(counter: UInt64, word: Word, epoch: UInt64, at: LaunchTime) {
    self.counter = counter
    self.word = word
    self.epoch = epoch
    self.at = at
  }

  var encoded: [UInt8] {
    var record = RecordWriter(capacity: Self.size)
    record.put(counter, bytes: 8)
    record.put(word.rawValue, bytes: 8)
    record.put(epoch, bytes: 8)
    record.put(at)
    return record.closed()
  }

  init?(_ bytes: [UInt8]) {
    guard var record = RecordReader(bytes, size: Self.size) else { return nil }
    counter = record.number(8)
    word = Word(rawValue: record.number(8)) ?? .running
    epoch = record.number(8)
    at = record.time()
  }
}

/// How far a take came in, was written and was power-safe, when the record was made.
package struct CaptureProgress: Hashable, Sendable {
  package var take: TakeID
  package var capturedFrames: UInt64
  package var writtenFrames: UInt64
  package var safeFrames: UInt64
  package var sampleRate: Double
  package var at: LaunchTime

  static let size: UInt64 = 128
  /// Takes that can run at once in one launch with progress; more run without.
  static let slots: UInt64 = 64
  static func offset(_ slot: UInt64) -> UInt64 { 8192 + slot * size }

  init(
    take: TakeID, capturedFrames: UInt64, writtenFrames: UInt64, safeFrames: UInt64,
    sampleRate: Double, at: LaunchTime
  ) {
    self.take = take
    self.capturedFrames = capturedFrames
    self.writtenFrames = writtenFrames
    self.safeFrames = safeFrames
    self.sampleRate = sampleRate
    self.at = at
  }

  var encoded: [UInt8] {
    var record = RecordWriter(capacity: Self.size)
    record.put(take.bytes)
    record.put(capturedFrames, bytes: 8)
    record.put(writtenFrames, bytes: 8)
    record.put(sampleRate.bitPattern, bytes: 8)
    record.put(at)
    record.put(safeFrames, bytes: 8)
    return record.closed()
  }

  init?(_ bytes: [UInt8]) {
    guard var record = RecordReader(bytes, size: Self.size), let take = TakeID(record.take(16))
    else { return nil }
    self.take = take
    capturedFrames = record.number(8)
    writtenFrames = record.number(8)
    sampleRate = Double(bitPattern: record.number(8))
    at = record.time()
    safeFrames = record.number(8)
  }
}

/// One event of the flight log.
package struct LaunchEventRecord: Hashable, Sendable {
  package var number: UInt64
  /// At most 24 bytes of text.
  package var name: String
  /// At most 64 bytes of text: the identifier of a task, a number of seconds.
  package var detail: String
  package var at: LaunchTime

  static let size: UInt64 = 128
  static let first: UInt64 = 16_384
  /// Records in the ring; older ones are overwritten.
  static let capacity: UInt64 = (LaunchFile.size - first) / size
  static func offset(_ number: UInt64) -> UInt64 { first + (number % capacity) * size }

  init(number: UInt64, name: String, detail: String, at: LaunchTime) {
    self.number = number
    self.name = name
    self.detail = detail
    self.at = at
  }

  var encoded: [UInt8] {
    var record = RecordWriter(capacity: Self.size)
    record.put(number, bytes: 8)
    record.put(at)
    record.put(text: name, capacity: 24)
    record.put(text: detail, capacity: 64)
    return record.closed()
  }

  init?(_ bytes: [UInt8]) {
    guard var record = RecordReader(bytes, size: Self.size) else { return nil }
    number = record.number(8)
    guard number > 0 else { return nil }
    at = record.time()
    name = record.text(capacity: 24)
    detail = record.text(capacity: 64)
  }
}
