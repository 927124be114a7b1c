import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastTesting
import Testing

@testable import HoldfastStore

/// The crash run: every operation of a scripted session is the last that happened once, with what
/// was not synced all kept, all dropped, each single write dropped, and the last write torn.
///
/// The default run takes a seeded sample; `HOLDFAST_LONG=1` takes all.
@Suite("A power cut at any operation of a session", .serialized)
struct CrashRunTests {
  private struct Case {
    let after: Int
    let data: CrashData
    let names: CrashNames
  }

  private static let isLong = ProcessInfo.processInfo.environment["HOLDFAST_LONG"] == "1"
  private static let seed =
    ProcessInfo.processInfo.environment["HOLDFAST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 1...1_000_000_000)
  /// `HOLDFAST_CRASH_CASES` makes the sample larger.
  private static let sample =
    ProcessInfo.processInfo.environment["HOLDFAST_CRASH_CASES"].flatMap { Int($0) } ?? 60

  @Test("keeps every promise made before it, and the next open is clean (J1–J4, J6, J12)")
  func everyOperation() throws {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("holdfast-crash-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let place = root.appendingPathComponent("store")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let script = try CrashScript(root: place)
    var cases = Self.cases(script.log)
    let all = cases.count
    if !Self.isLong {
      var dice = SeededRandom(Self.seed)
      cases = Array(Self.shuffled(cases, &dice).prefix(Self.sample))
    }
    for (number, item) in cases.enumerated() {
      let image = root.appendingPathComponent("image-\(number)").path
      try Self.check(script, item, image)
      try FileManager.default.removeItem(atPath: image)
    }
    print("crash run: \(cases.count) of \(all) cases, seed \(Self.seed)")
    #expect(script.promises.count > 12)
  }

  private static func cases(_ log: DiskLog) -> [Case] {
    var cases: [Case] = []
    for after in 0...log.entries.count {
      let image = CrashImage(of: log, after: after)
      for names in CrashNames.allCases {
        cases.append(Case(after: after, data: .allKept, names: names))
        cases.append(Case(after: after, data: .allDropped, names: names))
      }
      for index in 0..<image.uncoveredChanges {
        cases.append(Case(after: after, data: .oneDropped(index), names: .kept))
      }
      if let bytes = image.tearableBytes, bytes > 1 {
        cases.append(Case(after: after, data: .lastTorn(bytes / 2), names: .kept))
        if bytes > 512 {
          cases.append(Case(after: after, data: .lastTorn(512), names: .kept))
        }
      }
    }
    return cases
  }

  private static func shuffled(_ cases: [Case], _ dice: inout SeededRandom) -> [Case] {
    var cases = cases
    for index in cases.indices.reversed() where index > 0 {
      let draw = dice.bytes(8).reduce(0) { UInt64($0) << 8 | UInt64($1) }
      cases.swapAt(index, Int(draw % UInt64(index + 1)))
    }
    return cases
  }

  private static func check(_ script: CrashScript, _ item: Case, _ image: String) throws {
    let label: Comment =
      "seed \(seed): after \(item.after) \(item.data) names \(item.names)"
    try CrashImage(of: script.log, after: item.after)
      .tree(item.data, names: item.names).write(to: image, on: SystemFiles())
    guard FileManager.default.fileExists(atPath: image) else { return }
    do {
      let (outcome, _) = try CrashScript.reopen(image, boot: 2, seed: 2)
      for promise in script.promises where promise.after <= item.after {
        #expect(promise.holds(outcome), "\(label): not so: \(promise.text)")
      }
      let (again, report) = try CrashScript.reopen(image, boot: 2, seed: 3)
      #expect(again.chunks == outcome.chunks, label)
      #expect(report.recovered.isEmpty && report.endings.isEmpty, label)
    } catch {
      Issue.record("\(label): \(error)")
    }
  }
}
