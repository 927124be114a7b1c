import Foundation
import HoldfastTesting
import Testing

/// Some days of a phone whose system does what the teams measured, with the real store and the real
/// engine. `HOLDFAST_MONTH=1` (`tools/test --month`) makes it a month and prints its table,
/// `HOLDFAST_LONG=1` three months; `HOLDFAST_SEED` chooses the first.
@Suite("A simulated month of the system", .serialized)
struct MonthTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let isLong = environment["HOLDFAST_LONG"] == "1"
  static let isMonth = isLong || environment["HOLDFAST_MONTH"] == "1"
  static let seeds: [UInt64] = {
    let seed = environment["HOLDFAST_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...1_000_000_000)
    return isLong ? [seed, seed + 1, seed + 2] : [seed]
  }()

  /// Runs the same days with both designs.
  static func run(
    _ days: UInt32, seed: UInt64, _ rules: PhoneRules = PhoneRules(), crashing: Double = 0
  ) async throws -> MonthTable {
    let plan = PhonePlan(days: days, seed: seed, rules)
    let (before, beforeLog) = (SimulatedPhone(rules), MonthLog())
    var monolithic = PhoneDays(plan, before, MonolithicApp(before, beforeLog))
    try await monolithic.run()
    let scratch = try Scratch()
    let (after, log) = (SimulatedPhone(rules), MonthLog())
    let app = CheckpointedApp(
      after, log, directory: scratch.file("store"), seed: seed, crashing: crashing)
    var checkpointed = PhoneDays(plan, after, app)
    try await checkpointed.run()
    try await app.checkAll()
    try await app.suspend()
    return MonthTable(
      before: .init(
        log: beforeLog, openings: monolithic.openings, ends: UInt32(before.ends.count)),
      after: .init(log: log, openings: checkpointed.openings, ends: UInt32(after.ends.count)))
  }

  @Test("every recording gets its transcript and its summary; no unit twice, nothing lost")
  func month() async throws {
    for seed in Self.seeds {
      let days: UInt32 = Self.isMonth ? 30 : 2
      print("\(days) days of seed \(seed)")
      let table = try await Self.run(days, seed: seed)
      if Self.isMonth { print(table.text + "\n\n" + table.verdicts) }
      check(table, seed)
    }
  }

  @Test("the same where the system ends nearly everything, nearly at once")
  func harsh() async throws {
    var rules = PhoneRules()
    rules.diesRecording = 0.3
    rules.killedInGrace = 0.5
    rules.endsSuspended = 0.9
    rules.stoppedOnLockScreen = 0.5
    rules.stayAfterStop = 1...8
    rules.lifeSeconds = 5...100
    // What vanishes without a word three times in a row with the same work is quarantined (T1).
    rules.expires = 1
    for seed in Self.seeds {
      let days: UInt32 = Self.isMonth ? 10 : 1
      print("\(days) harsh days of seed \(seed)")
      let table = try await Self.run(days, seed: seed, rules, crashing: 0.01)
      if Self.isMonth { print(table.text + "\n\n" + table.verdicts) }
      check(table, seed)
    }
  }

  private func check(_ table: MonthTable, _ seed: UInt64) {
    let log = table.after.log
    #expect(log.faults == [], "seed \(seed)")
    #expect(log.fates.count >= 2, "seed \(seed)")
    // After any end at most one unit is done again (T3).
    #expect(log.again <= table.after.ends, "seed \(seed)")
    #expect(log.fates.count == table.before.log.fates.count, "seed \(seed)")
    for (number, fate) in log.fates {
      #expect(fate.transcript != nil, "seed \(seed): meeting \(number)")
      #expect(fate.summary != nil, "seed \(seed): meeting \(number)")
    }
    // An end while suspended is told from all others; no task that works becomes stale.
    for verdict in log.verdicts.keys {
      let (isSuspended, isTold) = (
        verdict.hasPrefix("suspended"), verdict.hasSuffix("endedWhileSuspended")
      )
      #expect(isSuspended == isTold && !verdict.hasPrefix("stale"), "seed \(seed): \(verdict)")
    }
  }
}
