import Foundation
import Holdfast
import Testing

/// L2: MetricKit's reports, as the system writes them.
@Suite struct MetricReportTests {
  /// Keys after Apple's documentation; what is of no matter here is left out.
  static func diagnostics(begin: String, end: String, pid: Int32) -> String {
    """
    {"timeStampBegin": "\(begin)", "timeStampEnd": "\(end)",
     "crashDiagnostics": [{
       "version": "1.0.0",
       "callStackTree": {"callStackPerThread": true, "callStacks": []},
       "diagnosticMetaData": {
         "appBuildVersion": "7", "appVersion": "1.2", "bundleIdentifier": "app.meetings",
         "deviceType": "iPhone16,1", "osVersion": "iPhone OS 26.1 (23B85)",
         "platformArchitecture": "arm64e", "regionFormat": "DE", "pid": \(pid),
         "exceptionType": 1, "exceptionCode": 0, "signal": 11,
         "terminationReason": "Namespace SIGNAL, Code 11\\nSegmentation fault"}}],
     "hangDiagnostics": [{"diagnosticMetaData": {"hangDuration": "20 sec"}}]}
    """
  }

  static let metrics = """
    {"timeStampBegin": "2026-11-29 23:00:00 +0000", "timeStampEnd": "2026-11-30 23:00:00 +0000",
     "appVersion": "1.2", "includesMultipleApplicationVersions": false,
     "applicationExitMetrics": {
       "foregroundExitData": {
         "cumulativeNormalAppExitCount": 2, "cumulativeMemoryResourceLimitExitCount": 0,
         "cumulativeBadAccessExitCount": 1, "cumulativeAbnormalExitCount": 0,
         "cumulativeAppWatchdogExitCount": 1, "cumulativeCPUResourceLimitExitCount": 0,
         "cumulativeIllegalInstructionExitCount": 0},
       "backgroundExitData": {
         "cumulativeMemoryPressureExitCount": 5, "cumulativeMemoryResourceLimitExitCount": 3,
         "cumulativeBackgroundTaskAssertionTimeoutExitCount": 4,
         "cumulativeSuspendedWithLockedFileExitCount": "6 ends",
         "cumulativeSomethingNewExitCount": 7}},
     "cpuMetrics": {"cumulativeCPUTime": "100 sec"}}
    """

  @Test("of diagnostics the crashes are read, with process and reason, in any form of time")
  func crashes() throws {
    for zone in [" +0000", ""] {
      let text = Self.diagnostics(
        begin: "2026-11-30 21:28:05\(zone)", end: "2026-11-30 21:28:06\(zone)", pid: 412)
      let report = try #require(ExitReport(metricKit: Data(text.utf8)))
      let begin = try #require(RFC3339.milliseconds("2026-11-30T21:28:05Z"))
      #expect(report.time == begin...begin + 1_000)
      #expect(
        report.exits == [
          .init(
            .crashed, process: 412,
            words: "a crash (Namespace SIGNAL, Code 11 Segmentation fault, signal 11, exception 1)")
        ])
    }
  }

  @Test("of metrics the counts of ends are read, an unknown counter by its name")
  func counts() throws {
    let report = try #require(ExitReport(metricKit: Data(Self.metrics.utf8)))
    #expect(report.time.upperBound - report.time.lowerBound == 86_400_000)
    let read = report.exits.map { exits in
      "\(exits.scene == .foreground ? "f" : "b") \(exits.kind?.rawValue ?? "-") \(exits.count)"
    }
    #expect(
      read == [
        "f watchdog 1", "f crashed 1", "f - 2",
        "b backgroundTaskTimeout 4", "b memoryPressure 5", "b memoryLimit 3",
        "b reportedSomethingNew 7", "b suspendedWithLockedFile 6",
      ])
  }

  @Test(
    "what is no such report is refused",
    arguments: [
      "", "[]", "{", "{}", #"{"timeStampBegin": 1, "timeStampEnd": 2}"#,
      #"{"timeStampBegin": "2026-11-30 21:00:00", "timeStampEnd": "2026-11-30 20:00:00"}"#,
      #"{"timeStampBegin": "yesterday at noon", "timeStampEnd": "today"}"#,
      String(repeating: "[", count: 1_000),
    ])
  func nonsense(text: String) {
    #expect(ExitReport(metricKit: Data(text.utf8)) == nil)
  }

  @Test("a report of another shape than expected holds no ends")
  func otherShape() throws {
    let text = """
      {"timeStampBegin": "2026-11-30 20:00:00", "timeStampEnd": "2026-11-30 21:00:00",
       "crashDiagnostics": {"a": 1}, "applicationExitMetrics": [1, {"foregroundExitData": -3}]}
      """
    #expect(try #require(ExitReport(metricKit: Data(text.utf8))).exits.isEmpty)
  }

  /// A crash of this process, today.
  private var crashOfThisProcess: LaunchEvent {
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let times = [now - 60_000, now + 60_000].map { time in
      RFC3339.text(time).prefix(19).replacingOccurrences(of: "T", with: " ")
    }
    let process = ProcessInfo.processInfo.processIdentifier
    let text = Self.diagnostics(begin: times[0], end: times[1], pid: process)
    return .metricReport(Data(text.utf8))
  }

  private func dead(_ place: TemporaryStore) async throws {
    let store = try await place.open()
    store.note(.foreground)
    await store.host.dropForTests()
  }

  @Test("a report before open() is in that open's account of the last launch")
  func before() async throws {
    let place = TemporaryStore()
    try await dead(place)
    let store = RecordingStore(.init(directory: place.directory))
    store.note(crashOfThisProcess)
    store.note(.metricReport(Data("nonsense".utf8)))
    let report = try await store.open()
    #expect(report.endings.map(\.kind) == ["crashed"])
    #expect(report.endings[0].evidence.contains("inferred before: killedInForeground"))
    await store.close()
  }

  @Test("a report while the store is suspended is kept until it is open again")
  func suspended() async throws {
    let place = TemporaryStore()
    try await dead(place)
    let store = try await place.open()
    await store.suspend()
    store.note(crashOfThisProcess)
    try await store.resume()
    let list = try LaunchList.read(
      ReaderOpening.open(
        place.directory.path, temporary: NSTemporaryDirectory(), store.host.environment))
    #expect(list.last?.events.contains { $0.name == "metricReport" } == false)
    #expect(list.first?.events.contains { $0.name == "metricReport" } == true)
    await store.close()
  }

  @Test("a process that was suspended and came back has not ended, whatever was reported")
  func resumed() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    await store.suspend()
    store.note(crashOfThisProcess)
    try await store.resume()
    #expect(try await store.open().endings.isEmpty)
    let list = try LaunchList.read(
      ReaderOpening.open(
        place.directory.path, temporary: NSTemporaryDirectory(), store.host.environment))
    #expect(list.map(\.ending?.rawValue) == [nil, "clean"])
    #expect(list.last?.evidence == "it was suspended, and its process went on")
    // Suspended again, and now it does end.
    await store.suspend()
    let next = try await RecordingStore(.init(directory: place.directory)).open()
    #expect(next.endings.map(\.kind) == ["endedWhileSuspended"])
  }
}
