import HoldfastModel
import HoldfastStore
import Testing

/// L2: what the system reports outranks what we infer, and only where no other reading is left.
@Suite struct ExitReportTests {
  private typealias Kind = LaunchVerdict.Kind

  /// A launch of process `process` that may have ended between two times.
  private func launch(
    _ kind: LaunchVerdict.Kind, process: Int64 = 1, _ ended: ClosedRange<Int64> = 100...110
  ) -> ExitReport.Launch {
    ExitReport.Launch(
      process: process, ended: ended,
      verdict: LaunchVerdict(kind: kind, evidence: "seen", atMilliseconds: ended.lowerBound))
  }

  private func report(_ exits: ExitReport.Exits...) -> ExitReport {
    ExitReport(time: 50...200, exits: exits)
  }

  @Test("a crash that names its process is that launch's, whatever was inferred")
  func named() throws {
    let crash = ExitReport.Exits(.crashed, process: 7, words: "a crash (signal 11)")
    let changed = report(crash).judge([
      launch(.killedInForeground, process: 6), launch(.poweredOff, process: 7),
    ])
    #expect(changed.keys.sorted() == [1])
    let verdict = try #require(changed[1])
    #expect(verdict.kind == .crashed && verdict.atMilliseconds == 100)
    #expect(
      verdict.evidence
        == "the system reported a crash (signal 11); inferred before: poweredOff, seen")
  }

  @Test("a process that is none of ours explains nothing")
  func strange() {
    let crash = ExitReport.Exits(.crashed, process: 9, words: "a crash")
    #expect(report(crash).judge([launch(.unknown, process: 7)]).isEmpty)
  }

  @Test("as many ends of one kind as launches: each had it")
  func asMany() {
    let exits = ExitReport.Exits(.memoryLimit, .foreground, count: 2, words: "memory")
    let changed = report(exits).judge([
      launch(.killedInForeground), launch(.killedInForeground), launch(.clean),
    ])
    #expect(changed.mapValues(\.kind) == [0: .memoryLimit, 1: .memoryLimit])
  }

  @Test("more launches than ends: the verdict stays, the evidence says what was reported")
  func tooFew() throws {
    let exits = ExitReport.Exits(.memoryLimit, count: 1, words: "memory")
    let changed = report(exits).judge([launch(.unknown), launch(.unknown)])
    #expect(changed.mapValues(\.kind) == [0: .unknown, 1: .unknown])
    #expect(changed[0]?.evidence == "seen; in this time the system reported 1 × memory")
  }

  @Test("more ends than launches: only when nothing else ended, and the launch ended in this time")
  func tooMany() {
    let crashes = ExitReport.Exits(.crashed, .foreground, count: 3, words: "crashes")
    let ordinary = ExitReport.Exits(nil, .foreground, count: 1, words: "ordinary ends")
    let inside = launch(.killedInForeground)
    let across = launch(.killedInForeground, 100...300)
    #expect(report(crashes).judge([inside])[0]?.kind == .crashed)
    #expect(report(crashes, ordinary).judge([inside])[0]?.kind == .killedInForeground)
    #expect(report(crashes).judge([across])[0]?.kind == .killedInForeground)
  }

  @Test("two kinds of ends: nobody can say which")
  func twoKinds() {
    let watchdog = ExitReport.Exits(.watchdog, .foreground, words: "watchdog")
    let memory = ExitReport.Exits(.memoryLimit, .foreground, words: "memory")
    let changed = report(watchdog, memory).judge([
      launch(.killedInForeground), launch(.killedInForeground),
    ])
    #expect(changed.mapValues(\.kind) == [0: .killedInForeground, 1: .killedInForeground])
  }

  @Test("an end in the background is none of a launch that ended in the foreground")
  func scenes() {
    let exits = [
      ExitReport.Exits(.memoryLimit, .foreground, words: "memory"),
      ExitReport.Exits(.backgroundTaskTimeout, .background, words: "timeout"),
    ]
    let changed = ExitReport(time: 50...200, exits: exits).judge([
      launch(.killedInGrace), launch(.killedInForeground),
    ])
    #expect(changed.mapValues(\.kind) == [0: .backgroundTaskTimeout, 1: .memoryLimit])
  }

  @Test("a suspended process cannot crash, but be removed or be killed for a lock")
  func suspended() {
    let crash = ExitReport.Exits(.crashed, .background, words: "a crash")
    let lock = ExitReport.Exits(.suspendedWithLockedFile, .background, words: "a lock")
    #expect(report(crash).judge([launch(.endedWhileSuspended)]).isEmpty)
    let changed = report(crash, lock).judge([launch(.endedWhileSuspended)])
    #expect(changed[0]?.kind == .suspendedWithLockedFile)
  }

  @Test("an ordinary end alone changes no verdict")
  func ordinary() {
    let exits = ExitReport.Exits(nil, .background, words: "an ordinary end")
    #expect(report(exits).judge([launch(.killedInGrace)])[0]?.kind == .killedInGrace)
  }

  @Test("a launch of another time, and a clean one, are left alone")
  func elsewhere() {
    let exits = ExitReport.Exits(.crashed, words: "a crash")
    #expect(report(exits).judge([launch(.unknown, 201...300), launch(.clean)]).isEmpty)
  }

  @Test(
    "the same report again changes nothing, whether it set a verdict or added to the evidence",
    arguments: [1, 2])
  func twice(launches: Int) {
    let exits = ExitReport.Exits(.reported("NewKind"), words: "something new")
    var all = (0..<launches).map { launch(.unknown, process: Int64($0)) }
    let first = report(exits).judge(all)
    #expect(first.count == launches)
    #expect(first[0]?.kind.rawValue == (launches == 1 ? "reportedNewKind" : "unknown"))
    for (place, verdict) in first { all[place].verdict = verdict }
    #expect(report(exits).judge(all).isEmpty)
  }

  @Test("a crash that was told at once is not counted again in the report of the day")
  func both() {
    var all = [launch(.killedInForeground, process: 7), launch(.killedInForeground, process: 8)]
    let crash = ExitReport.Exits(.crashed, process: 7, words: "a crash")
    for (place, verdict) in report(crash).judge(all) { all[place].verdict = verdict }
    let day = report(
      ExitReport.Exits(.crashed, .foreground, words: "an end of the kind BadAccess"),
      ExitReport.Exits(.memoryLimit, .foreground, words: "memory"))
    #expect(day.judge(all).mapValues(\.kind) == [1: .memoryLimit])
  }
}
