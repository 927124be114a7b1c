import HoldfastModel
import Testing

@Suite("The time line")
struct TimelineTests {
  private let track = TrackID(random: Dice(1))

  private func take(
    _ index: UInt32, start: Double, frames: UInt64, end: UInt64? = nil, closed: GapReason?,
    lost: Int64 = 0, at: Int64 = 0, jumps: [ClosedFact.Jump] = []
  ) -> TakeSpan {
    TakeSpan(
      take: TakeID(random: Dice(UInt64(index) + 10)), track: track, index: index,
      sampleRate: 1000, startNanoseconds: Int64(start * 1e9), known: .monotonic,
      endFrame: end ?? frames, frames: frames, closedReason: closed, closedMilliseconds: at,
      lostAtMostNanoseconds: lost, openedMilliseconds: 0, jumps: jumps)
  }

  private func phase(_ phase: RecordingPhase, at: Int64 = 0) -> PhaseValue {
    PhaseValue(phase, reason: .stop, atMilliseconds: at)
  }

  @Test("of an uninterrupted recording has no gap")
  func whole() {
    let line = Timeline([take(0, start: 0, frames: 5000, closed: .stop)], phase: phase(.stopped))
    #expect(line.gaps.isEmpty)
    #expect(line.capturedSeconds == 5 && line.elapsedSeconds == 5)
  }

  @Test("shows the gap between takes with the reason of the first one's end")
  func between() throws {
    let line = Timeline(
      [
        take(1, start: 8, frames: 2000, closed: .stop),
        take(0, start: 0, frames: 5000, closed: .interruption),
      ], phase: phase(.stopped))
    let gap = try #require(line.gaps.first)
    #expect(line.gaps.count == 1)
    #expect(gap.reason == .interruption && gap.seconds == 3 && gap.atFrame == 5000)
    #expect(line.capturedSeconds == 7 && line.elapsedSeconds == 10)
  }

  @Test("shows a dead end as a bound, and nothing between takes that meet")
  func termination() throws {
    let dead = take(0, start: 0, frames: 5000, closed: .termination, lost: 1_500_000_000)
    let line = Timeline([dead], phase: phase(.stopped))
    let gap = try #require(line.gaps.first)
    #expect(gap.reason == .termination && gap.seconds == 1.5 && gap.known == .unknown)
    let resumed = Timeline(
      [dead, take(1, start: 5, frames: 100, closed: .stop)], phase: phase(.stopped))
    #expect(resumed.gaps.isEmpty)
  }

  @Test("shows what came in and was not kept before the end, and counts it as elapsed (J8)")
  func notKept() throws {
    let full = take(0, start: 0, frames: 4000, closed: .diskFull, lost: 4_000_000_000, at: 8_000)
    let line = Timeline([full], phase: phase(.stopped, at: 8_500))
    let gap = try #require(line.gaps.first)
    #expect(line.gaps.count == 1 && gap.reason == .diskFull && gap.seconds == 4.5)
    #expect(line.capturedSeconds == 4 && line.elapsedSeconds == 8.5)
  }

  @Test("calls a stretch of lost chunks missing, and what it was unknown")
  func missing() throws {
    let jumps = [
      ClosedFact.Jump(atFrame: 0, frames: 3000, reason: .missing),
      ClosedFact.Jump(atFrame: 4000, frames: 10, reason: .overflow),
    ]
    let span = take(0, start: 0, frames: 2000, end: 5010, closed: .stop, jumps: jumps)
    let line = Timeline([span], phase: phase(.stopped))
    #expect(line.gaps.map(\.reason) == [.missing, .overflow])
    #expect(line.gaps.map(\.seconds) == [3, 0.01])
    #expect(line.gaps.map(\.known) == [.unknown, .monotonic])
  }

  @Test("shows an interruption that goes on without a length, and closes it at the stop")
  func open() throws {
    let span = take(0, start: 0, frames: 5000, closed: .interruption, at: 5_000)
    let running = Timeline([span], phase: phase(.interrupted))
    #expect(running.gaps.first?.seconds == nil && running.gaps.count == 1)
    let stopped = Timeline([span], phase: phase(.stopped, at: 65_000))
    #expect(stopped.gaps.first?.seconds == 60)
    #expect(stopped.elapsedSeconds == 65)
  }

  @Test("shows one gap around takes that were over before any audio came, and not these")
  func void() throws {
    let spans = [
      take(0, start: 0, frames: 5000, closed: .interruption),
      take(1, start: 6, frames: 0, closed: .interruption),
      take(2, start: 7, frames: 0, closed: .stop), take(3, start: 9, frames: 1000, closed: .stop),
    ]
    #expect(TakeSpan.telling(spans).map(\.index) == [0, 3])
    let line = Timeline(spans, phase: phase(.stopped))
    #expect(line.gaps.map(\.seconds) == [4] && line.gaps.first?.reason == .interruption)
    // A recording that was interrupted before anything came keeps the gap before its first audio.
    let late = Timeline(
      [
        take(0, start: 0, frames: 0, closed: .interruption),
        take(1, start: 3, frames: 9, closed: .stop),
      ],
      phase: phase(.stopped))
    #expect(late.gaps.map(\.seconds) == [3])
    // A killed import that goes on and finds that all was there has no gap.
    let whole = [
      take(0, start: 0, frames: 5000, closed: .termination, lost: 1_000_000_000),
      take(1, start: 5, frames: 0, closed: .stop),
    ]
    #expect(Timeline(whole, phase: phase(.stopped)).gaps.isEmpty)
    // What may have been lost is told.
    let dead = take(1, start: 6, frames: 0, closed: .termination, lost: 1_000)
    #expect(TakeSpan.telling([spans[0], dead]).count == 2)
  }

  @Test("counts dropped frames as elapsed, not as captured")
  func jumps() throws {
    let jump = ClosedFact.Jump(atFrame: 1000, frames: 500, reason: .overflow)
    let line = Timeline(
      [take(0, start: 0, frames: 4500, end: 5000, closed: .stop, jumps: [jump])],
      phase: phase(.stopped))
    #expect(line.gaps.first?.reason == .overflow && line.gaps.first?.seconds == 0.5)
    #expect(line.capturedSeconds == 4.5 && line.elapsedSeconds == 5)
  }
}

@Suite("Capture that is interrupted")
struct CaptureMachineTests {
  @Test("resumes by itself on a phone, and waits for the user on a watch in the background (L3)")
  func policies() {
    var phone = CaptureMachine(policy: .automatic, isActive: false)
    #expect(phone.handle(.interruptionBegan).actions == [.pause])
    #expect(phone.handle(.interruptionEnded(shouldResume: true)).actions == [.resume])
    #expect(phone.handle(.resumed).effects == [.phase(.recording, .interruption)])
    var watch = CaptureMachine(policy: .whenForeground)
    _ = watch.handle(.resigned)
    _ = watch.handle(.interruptionBegan)
    let ended = watch.handle(.interruptionEnded(shouldResume: true))
    #expect(ended.actions == [.postResumeNotice])
    #expect(ended.effects.contains(.phase(.pendingResume, .interruption)))
    #expect(watch.handle(.becameActive).actions == [.resume])
    #expect(watch.handle(.resumed).actions == [.withdrawResumeNotice])
  }

  @Test("falls back to a pending resume when resuming fails, on the phone too")
  func resumeFailed() {
    var phone = CaptureMachine(policy: .automatic)
    _ = phone.handle(.interruptionBegan)
    _ = phone.handle(.interruptionEnded(shouldResume: true))
    let failed = phone.handle(.resumeFailed("busy"))
    #expect(failed.effects.contains(.phase(.pendingResume, .interruption)))
    #expect(failed.actions.contains(.postResumeNotice))
  }

  @Test("is not believed to run when no audio comes: stalled, with a gap, tried anew")
  func silence() {
    var phone = CaptureMachine(policy: .automatic)
    #expect(phone.handle(.silence(seconds: 1)).actions.isEmpty)
    let outcome = phone.handle(.silence(seconds: 6))
    #expect(outcome.actions == [.showStalled, .resume])
    #expect(outcome.effects.first == .closeTakes(GapReason(rawValue: "noAudio")))
  }

  @Test("never leaves the stopped state, whatever comes", arguments: 1...50)
  func stopped(seed: UInt64) {
    let dice = Dice(seed)
    let events: [CaptureEvent] = [
      .interruptionBegan, .interruptionEnded(shouldResume: true), .becameActive, .resigned,
      .routeChanged, .mediaServicesReset, .permissionLost, .resumed, .resumeFailed(""),
      .silence(seconds: 9),
    ]
    var machine = CaptureMachine(policy: dice.below(2) == 0 ? .automatic : .whenForeground)
    for _ in 0..<dice.below(20) { _ = machine.handle(events[dice.below(events.count)]) }
    _ = machine.stop()
    for _ in 0..<20 {
      #expect(machine.handle(events[dice.below(events.count)]).effects.isEmpty)
      #expect(machine.state == .stopped)
    }
  }
}
