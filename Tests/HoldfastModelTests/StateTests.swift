import HoldfastModel
import HoldfastPlatform
import Testing

/// Makes changes as three replicas would that do not know of each other's latest.
struct ChangeMaker {
  let dice: Dice
  let recording: RecordingID
  private var sequences: [OriginID: UInt64] = [:]
  private let origins: [OriginID]
  private(set) var changes: [Change] = []

  init(seed: UInt64) {
    dice = Dice(seed)
    recording = RecordingID(random: dice)
    let dice = dice
    origins = (0..<3).map { _ in OriginID(random: dice) }
  }

  mutating func add(
    _ kind: ChangeKind, _ body: [String: CanonicalValue], replaces: [ChangeName] = []
  ) {
    let origin = origins[dice.below(3)]
    sequences[origin, default: 0] += 1
    changes.append(
      Change(
        name: ChangeName(origin: origin, sequence: sequences[origin] ?? 1),
        stamp: Stamp(milliseconds: Int64(dice.below(1000)), counter: UInt32(dice.below(3))),
        kind: kind, recording: recording, body: body, replaces: replaces))
  }

  mutating func fill() {
    add(.recordingCreated, RecordingFact(startedMilliseconds: 5).body)
    for index in 0..<UInt32(1 + dice.below(3)) {
      let track = TrackFact(track: TrackID(random: dice), name: "t\(index)")
      let take = TakeID(random: dice)
      add(.trackCreated, track.body)
      if let format = AudioFormat(pcm: .s16le, sampleRate: 16_000, channels: 1) {
        add(
          .takeOpened,
          TakeFact(
            take: take, track: track.track, index: index, format: format,
            startNanoseconds: Int64(dice.below(1_000_000)), known: .monotonic,
            openedMilliseconds: 7
          ).body)
      }
      for chunks in 0..<UInt64(dice.below(4)) {
        add(
          .takeExtent,
          ExtentFact(
            take: take, chunks: chunks, endFrame: chunks * 16, frames: chunks * 16,
            bytes: chunks * 32, digest: .zero
          ).body)
      }
      add(
        .takeClosed,
        ClosedFact(take: take, reason: .pause, chunks: 3, endFrame: 48, closedMilliseconds: 9)
          .body)
    }
    for number in 0..<12 {
      let seen = changes.filter { $0.kind == .registerSet }.map(\.name)
      let replaces = seen.isEmpty || dice.below(3) == 0 ? [] : [seen[dice.below(seen.count)]]
      add(
        .registerSet, ["f": .text("title"), "v": .text("title \(number)")], replaces: replaces)
    }
    add(.life, ["n": .unsigned(UInt64(dice.below(4)))])
    add(ChangeKind(rawValue: "fromTheFuture"), ["x": dice.value()])
  }
}

@Suite("The state of a recording")
struct StateTests {
  @Test(
    "is a function of the set of changes: order and duplicates change nothing (S1)",
    arguments: 1...200)
  func order(seed: UInt64) {
    var maker = ChangeMaker(seed: seed)
    maker.fill()
    let state = RecordingState(maker.recording, changes: maker.changes)
    for _ in 0..<5 {
      let shuffled = maker.dice.shuffled(maker.changes + maker.changes.prefix(maker.dice.below(9)))
      #expect(RecordingState(maker.recording, changes: shuffled) == state)
    }
  }

  @Test(
    "shows the largest unreplaced value and keeps the others as conflicts (S5)", arguments: 1...100)
  func registers(seed: UInt64) throws {
    var maker = ChangeMaker(seed: seed)
    maker.fill()
    let state = RecordingState(maker.recording, changes: maker.changes)
    let register = try #require(state.registers["title"])
    let replaced = Set(maker.changes.flatMap(\.replaces))
    let heads = maker.changes.filter { $0.kind == .registerSet && !replaced.contains($0.name) }
    let largest = try #require(heads.max { ($0.stamp, $0.name) < ($1.stamp, $1.name) })
    #expect(register.name == largest.name)
    #expect(Set(register.heads) == Set(heads.map(\.name)))
  }

  @Test(
    "survives encoding: a change is read back from its bytes as it was, byte for byte (S1)",
    arguments: 1...100)
  func changeBytes(seed: UInt64) throws {
    var maker = ChangeMaker(seed: seed)
    maker.fill()
    for change in maker.changes {
      let read = try Change(bytes: change.bytes)
      #expect(read.bytes == change.bytes)
      #expect(read.name == change.name && read.stamp == change.stamp && read.kind == change.kind)
      #expect(read.replaces == change.replaces)
    }
  }

  @Test("of a purged or trashed recording is deleted; a restore brings it back (S6)")
  func life() {
    var maker = ChangeMaker(seed: 1)
    maker.add(.recordingCreated, RecordingFact(startedMilliseconds: 5).body)
    func isDeleted() -> Bool {
      RecordingState(maker.recording, changes: maker.changes).isDeleted
    }
    #expect(!isDeleted())
    maker.add(.life, ["n": .unsigned(1)])
    #expect(isDeleted())
    maker.add(.life, ["n": .unsigned(2)])
    #expect(!isDeleted())
    maker.add(.life, ["n": .unsigned(1)])
    #expect(!isDeleted())
    maker.add(.purge, [:])
    #expect(isDeleted())
  }

  @Test("is chained: any flipped bit of a change changes the chain from there on (S7)")
  func chain() throws {
    var maker = ChangeMaker(seed: 3)
    maker.fill()
    let change = maker.changes[0]
    let chain = change.chain(after: .zero, SystemHashing())
    #expect(chain != change.chain(after: chain, SystemHashing()))
    var bytes = change.bytes
    bytes[bytes.count - 1] ^= 1
    if let other = try? Change(bytes: bytes) {
      #expect(other.chain(after: .zero, SystemHashing()) != chain)
    }
  }
}

@Suite("The hybrid clock")
struct ClockTests {
  @Test("only ever goes forward, whatever the wall clock does (S5)", arguments: 1...100)
  func monotone(seed: UInt64) {
    let dice = Dice(seed)
    var clock = HybridClock()
    var last = Stamp.zero
    for _ in 0..<200 {
      let wall = Int64(dice.below(1_000_000))
      if dice.below(4) == 0 {
        clock.observe(
          Stamp(milliseconds: Int64(dice.below(10_000_000)), counter: 0), wallMilliseconds: wall)
      }
      let stamp = clock.next(wallMilliseconds: wall)
      #expect(stamp > last)
      last = stamp
    }
  }

  @Test("is moved by a remote stamp by at most five minutes (S5)")
  func bound() {
    var clock = HybridClock()
    clock.observe(Stamp(milliseconds: .max, counter: 9), wallMilliseconds: 1_000)
    #expect(clock.last.milliseconds == 1_000 + 300_000)
  }

  @Test("of a recording gives steady times through steps of a year and a DST night, in one boot")
  func steps() throws {
    let boot = try #require(BootID(Array(repeating: 1, count: 16)))
    let start = Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_000_000, boot: boot)
    let clock = RecordingClock(start: start)
    for step in [-31_536_000_000, -3_600_000, 0, 3_600_000, 31_536_000_000] as [Int64] {
      let later = Moment(
        monotonicNanoseconds: 60_000_000_000, wallMilliseconds: 1_060_000 + step, boot: boot)
      let place = clock.place(later)
      #expect(place.nanoseconds == 60_000_000_000 && place.wallMilliseconds == 1_060_000)
      #expect(place.known == .monotonic)
    }
    let other = try #require(BootID(Array(repeating: 2, count: 16)))
    let rebooted = Moment(monotonicNanoseconds: 5, wallMilliseconds: 1_090_000, boot: other)
    #expect(clock.place(rebooted).known == .wall)
    #expect(clock.place(rebooted).nanoseconds == 90_000_000_000)
    let past = Moment(monotonicNanoseconds: 5, wallMilliseconds: 0, boot: other)
    #expect(clock.place(past).nanoseconds == 0)
  }
}
