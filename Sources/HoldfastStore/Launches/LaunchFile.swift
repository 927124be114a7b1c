package import HoldfastModel
import HoldfastPlatform

/// The small preallocated file of one launch (J6, L1).
///
/// Its `flock` is the launch's liveness. Its records are written by plain writes that need no room
/// and no sync: they survive the process, cost microseconds, and go on when the disk is full.
///
/// Layout, all numbers little-endian, each record closed by a CRC-32C:
///
/// | from | what |
/// |---|---|
/// | 0 | header: who, when, in which boot |
/// | 4096, 4608 | marks in turn: highest commit, highest power-safe commit |
/// | 5120, 5632 | states in turn: running, suspended, ended |
/// | 6144, 6656 | heartbeats in turn: the unit in hand, memory, heat |
/// | 8192 + 128 n | capture slots: how far a take came in, is written, is power-safe |
/// | 16384 … 65536 | a ring of events of 128 bytes |
package final class LaunchFile: Sendable {
  /// Bytes of the file.
  package static let size: UInt64 = 64 << 10

  package let header: LaunchHeader
  private let file: any OpenFile
  private let clock: any DeviceClock
  private let device: any DeviceSense
  private let state: Locked<Counters>

  private struct Counters: Sendable {
    var mark = LaunchMark()
    var marks: UInt64 = 0
    var states: UInt64 = 0
    var beats: UInt64 = 0
    var beat: LaunchHeartbeat?
    var events: UInt64 = 0
    var slots: [TakeID: UInt64] = [:]
    var epoch: UInt64 = 1
  }

  /// Makes the file of a new launch, whole and locked.
  ///
  /// It is not synced: what it adds to the launch's row, its marks and its log, is written later by
  /// plain writes and is no safer than the system makes it. A launch whose file a power cut took is
  /// still known by its row, with its boot.
  package init(
    _ layout: StoreLayout, _ header: LaunchHeader, _ environment: StoreEnvironment
  ) throws(FileFault) {
    self.header = header
    clock = environment.clock
    device = environment.device
    state = Locked(Counters())
    // Under its own name only when it is whole and locked: an unlocked one is a dead launch.
    let path = layout.launchFile(header.launch) + ".new"
    file = try environment.files.open(path, [.write, .create, .exclusive])
    do throws(FileFault) {
      guard try file.tryLock(exclusive: true) else {
        throw FileFault(
          kind: .other, operation: "lock", path: path, errno: 0, reason: "somebody holds it")
      }
      try file.write(Array(repeating: 0, count: Int(Self.size)), at: 0)
      try file.write(header.encoded, at: 0)
      try environment.files.rename(path, to: layout.launchFile(header.launch))
    } catch {
      file.close()
      try? environment.files.unlink(path)
      throw error
    }
    setState(.running)
  }

  /// Notes that a commit returned (J6): its number, and whether it is power-safe.
  package func mark(_ commit: UInt64, isPowerSafe: Bool) {
    let now = clock.now()
    state.withLock { counters in
      counters.mark.highest = max(counters.mark.highest, commit)
      if isPowerSafe {
        counters.mark.highestPowerSafe = max(counters.mark.highestPowerSafe, commit)
      }
      counters.mark.at = LaunchTime(now)
      counters.marks += 1
      counters.mark.counter = counters.marks
      write(counters.mark.encoded, at: LaunchMark.offset(counters.marks))
    }
  }

  /// Notes how far a take came in, how far it is written and how far it is power-safe, in sample
  /// frames.
  package func captured(
    _ take: TakeID, frames: UInt64, written: UInt64, safe: UInt64, sampleRate: Double
  ) {
    let progress = CaptureProgress(
      take: take, capturedFrames: frames, writtenFrames: written, safeFrames: safe,
      sampleRate: sampleRate, at: LaunchTime(clock.now()))
    state.withLock { counters in
      guard let slot = slot(of: take, &counters) else { return }
      write(progress.encoded, at: CaptureProgress.offset(slot))
    }
  }

  /// Gives the slot of a closed take to another.
  package func forget(_ take: TakeID) {
    state.withLock { counters in _ = counters.slots.removeValue(forKey: take) }
  }

  private func slot(of take: TakeID, _ counters: inout Counters) -> UInt64? {
    if let slot = counters.slots[take] { return slot }
    let used = Set(counters.slots.values)
    guard let free = (0..<CaptureProgress.slots).first(where: { !used.contains($0) }) else {
      return nil
    }
    counters.slots[take] = free
    return free
  }

  /// Notes what the system or the user told (L2, L3), from any thread. A warning of memory is noted
  /// with what the process held.
  package func note(_ event: String, detail: String = "") {
    let now = clock.now()
    var detail = detail
    if event == LaunchEventName.memoryWarning.rawValue {
      detail = LaunchEventName.memoryDetail(device.vitals())
    }
    state.withLock { counters in
      counters.events += 1
      let record = LaunchEventRecord(
        number: counters.events, name: event, detail: detail, at: LaunchTime(now))
      write(record.encoded, at: LaunchEventRecord.offset(counters.events))
    }
  }

  /// Notes what is in hand and how process and device are (L2), from any thread.
  package func beat(_ heartbeat: LaunchHeartbeat) { beat { _ in heartbeat } }

  /// Notes how process and device are; what is in hand is as it was.
  package func beat() { beat { $0 ?? LaunchHeartbeat() } }

  /// Notes that a task is not in hand any more; another one that is meanwhile stays.
  package func rest(_ task: String) {
    beat { $0.flatMap { $0.task == task ? LaunchHeartbeat() : nil } }
  }

  private func beat(_ next: (LaunchHeartbeat?) -> LaunchHeartbeat?) {
    let vitals = device.vitals()
    let now = LaunchTime(clock.now())
    state.withLock { counters in
      guard var record = next(counters.beat) else { return }
      counters.beats += 1
      record.counter = counters.beats
      record.at = now
      record.vitals = vitals
      let last = counters.beat ?? LaunchHeartbeat(progressed: header.started)
      record.progressed = record.isNoFurther(than: last) ? last.progressed : now
      counters.beat = record
      write(record.encoded, at: LaunchHeartbeat.offset(counters.beats))
    }
  }

  /// Notes that the launch runs, is suspended or has ended (J9).
  package func setState(_ new: LaunchState.Word) {
    let now = clock.now()
    state.withLock { counters in
      counters.states += 1
      let record = LaunchState(
        counter: counters.states, word: new, epoch: counters.epoch, at: LaunchTime(now))
      write(record.encoded, at: LaunchState.offset(counters.states))
    }
  }

  /// Suspension: the state is noted and made durable, then the lock and the file are let go (J9).
  package func suspend() {
    setState(.suspended)
    try? file.sync()
    file.close()
  }

  /// A clean end.
  package func end() {
    setState(.ended)
    try? file.sync()
    file.close()
  }

  /// Lets the lock go without a word, as the death of the process does: for tests of recovery.
  package func drop() { file.close() }

  /// Records are advice of a dying process: when one cannot be written, work goes on.
  private func write(_ bytes: [UInt8], at offset: UInt64) {
    try? file.write(bytes, at: offset)
  }
}
