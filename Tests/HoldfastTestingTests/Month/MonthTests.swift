import Foundation
import HoldfastTesting
import Testing

/// Some days of a phone whose system does what the teams measured, with the real store and the real
/// engine. `HOLDFAST_LONG=1` makes it a month of several seeds; `HOLDFAST_SEED` chooses the first.
@Suite("A simulated month of the system", .serialized)
struct MonthTests {
  static let isLong = ProcessInfo.processInfo.environment["HOLDFAST_LONG"] == "1"
  static let days: UInt32 = isLong ? 30 : 3
  static let seed: UInt64 =
    ProcessInfo.processInfo.environment["HOLDFAST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 1...1_000_000_000)

  /// Runs the same days with both designs.
  static func run(_ days: UInt32, seed: UInt64) async throws -> MonthTable {
    let plan = PhonePlan(days: days, seed: seed)
    let (before, beforeLog) = (SimulatedPhone(), MonthLog())
    var monolithic = PhoneDays(plan, before, MonolithicApp(before, beforeLog))
    try await monolithic.run()
    let scratch = try Scratch()
    let (after, log) = (SimulatedPhone(), MonthLog())
    let app = CheckpointedApp(after, log, directory: scratch.file("store"), seed: seed)
    var checkpointed = PhoneDays(plan, after, app)
    try await checkpointed.run()
    try await app.checkAll()
    try await app.suspend()
    return MonthTable(
      before: .init(log: beforeLog, openings: monolithic.openings, again: "–"),
      after: .init(
        log: log, openings: checkpointed.openings, again: "\(log.again) of \(log.units)"))
  }

  @Test("every recording gets its transcript and its summary; no unit twice, nothing lost")
  func month() async throws {
    for seed in Self.isLong ? [Self.seed, Self.seed + 1, Self.seed + 2] : [Self.seed] {
      let table = try await Self.run(Self.days, seed: seed)
      let log = table.after.log
      print("\(Self.days) days, seed \(seed):\n\(table.text)\n")
      print("how processes ended, and what the next launch said of it:")
      for (verdict, count) in log.verdicts.sorted(by: { $0.key < $1.key }) {
        print("  \(count) × \(verdict)")
      }
      #expect(log.faults == [], "seed \(seed)")
      #expect(log.fates.count >= 3, "seed \(seed)")
      #expect(log.fates.count == table.before.log.fates.count, "seed \(seed)")
      for (number, fate) in log.fates {
        #expect(fate.transcript != nil, "seed \(seed): meeting \(number)")
        #expect(fate.summary != nil, "seed \(seed): meeting \(number)")
      }
      for (verdict, _) in log.verdicts {
        #expect(Self.verdicts.contains(verdict), "seed \(seed): \(verdict)")
      }
    }
  }

  /// What may be said of an end. A process that vanishes with its task, or records in the
  /// background, leaves nothing by which it could be told more exactly.
  static let verdicts: Set<String> = [
    "suspended → endedWhileSuspended", "inGrace → killedInGrace", "inGrace → neverStarted",
    "withTask → unknown", "recording → unknown", "poweredOff → poweredOff",
  ]
}
