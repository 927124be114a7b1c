import Foundation
import HoldfastInspect
import HoldfastModel
import HoldfastStore
import Testing

@Suite("A support bundle")
struct SupportBundleTests {
  /// A store full of what must not leave it.
  private func secretive() throws -> (ShownStore, StoreWriter) {
    let store = try ShownStore()
    do {
      let killed = try store.open()
      let id = try killed.startRecording(
        RecordingSeed(
          title: "Sekret one", attributes: ["sekretKey": .text("sekret two")],
          externalID: "sekret-three"))
      try store.take(
        killed, id, track: "sekret four", at: 0, [(4, 0), (2, 3)],
        reason: GapReason(rawValue: "sekret five"))
      try store.take(killed, id, track: "sekret four", at: 20, [(3, 0)], reason: nil)
      killed.launchFile.note("capture", detail: "sekret six")
      killed.launchFile.note("foreground")
    }
    return (store, try store.open())
  }

  @Test("has nothing of what was recorded, no boot, no path and no name of a machine")
  func leaksNothing() throws {
    let (store, writer) = try secretive()
    let reader = try store.reader()
    let verified = try StoreVerification.run(reader)
    let tree = try SupportBundle(reader, verified: verified).tree()
    let texts = tree.allTexts
    #expect(texts.count > 100)
    let boot = "\(store.environment.clock.now().boot)"
    for forbidden in ["sekret", boot, store.root, ProcessInfo.processInfo.hostName] {
      #expect(!texts.contains { $0.lowercased().contains(forbidden.lowercased()) }, "\(forbidden)")
    }
    #expect(!texts.contains { $0.contains("/") })
    writer.close()
  }

  @Test("has what a supporter asks for")
  func content() throws {
    let (store, writer) = try secretive()
    let reader = try store.reader()
    let tree = try SupportBundle(reader, verified: try StoreVerification.run(reader)).tree()
    #expect(tree.value(at: "store", "schema") == .integer(Migrator.currentVersion))
    #expect(tree.value(at: "store", "rows", "take") == .integer(2))
    #expect(tree.value(at: "integrity", "verified", "ok") == .integer(9))
    #expect(tree.value(at: "integrity", "database") == .object([:]))
    #expect(
      tree.value(at: "store", "settings")
        == .array(
          ["commitNumber", "hostToken", "launchEpoch", "store"].map { .string($0) }))
    let launches = try #require(tree.value(at: "launches")?.items)
    #expect(launches.map { $0.value(at: "isAlive") } == [.bool(true), .bool(false)])
    #expect(launches[1].value(at: "ending") == .string("killedInForeground"))
    #expect(
      launches[1].value(at: "events")?.items?.map { $0.value(at: "detail") } == [
        .string("other"), .string(""),
      ])
    let recording = try #require(tree.value(at: "recordings")?.items?.first)
    #expect(
      recording.value(at: "takes")?.items?.map { $0.value(at: "startSeconds") } == [
        .double(0), .double(20),
      ])
    #expect(recording.value(at: "takes")?.items?.first?.value(at: "closed") == .string("other"))
    let gaps = try #require(recording.value(at: "gaps")?.items)
    #expect(
      gaps.map { $0.value(at: "reason") } == [
        .string("overflow"), .string("other"), .string("termination"),
      ])
    #expect(gaps[0].value(at: "seconds") == .double(3))
    #expect(tree.value(at: "recovery")?.items?.count == 1)
    #expect(tree.value(at: "sqlite", "version") != .string(""))
    writer.close()
  }
}

extension InspectValue {
  fileprivate var items: [InspectValue]? { if case .array(let items) = self { items } else { nil } }
}
