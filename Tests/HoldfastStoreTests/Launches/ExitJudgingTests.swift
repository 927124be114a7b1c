import HoldfastModel
import HoldfastStore
import Testing

/// L2: a report of the system, brought into the database.
@Suite struct ExitJudgingTests {
  /// The time in which all of a test happens.
  private func today(_ store: KeptStore) -> ClosedRange<Int64> {
    let now = store.environment.clock.now().wallMilliseconds
    return now - 60_000...now + 60_000
  }

  private func list(_ store: KeptStore) throws -> [LaunchInfo] {
    try LaunchList.read(store.reader())
  }

  @Test("the launch that a crash names says so in the list, is new to the user, and stays so")
  func crash() throws {
    let store = try KeptStore()
    do { try store.open().launchFile.note("foreground") }
    let writer = try store.open()
    #expect(try list(store).map(\.ending?.rawValue) == [nil, "killedInForeground"])
    let process = try #require(try list(store).last?.process)
    let report = ExitReport(
      time: today(store), exits: [.init(.crashed, process: process, words: "a crash (signal 6)")])
    let changed = try writer.judge(by: report)
    #expect(changed.values.map(\.kind) == [.crashed])
    let told = try #require(try list(store).last)
    #expect(told.ending == .crashed && !told.isAcknowledged)
    #expect(told.evidence.hasPrefix("the system reported a crash (signal 6); inferred before: "))
    #expect(told.evidence.contains("killedInForeground"))
    #expect(try writer.judge(by: report).isEmpty)
    writer.close()
    let again = try store.open()
    #expect(try list(store).last?.ending == .crashed)
    again.close()
  }
}
