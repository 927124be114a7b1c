package import Foundation
import HoldfastModel
package import HoldfastStore

/// Reads what MetricKit writes: the JSON of `MXDiagnosticPayload` (its crashes) and of
/// `MXMetricPayload` (its counts of exits). Keys are those that Apple documents for the properties;
/// numbers may come as text with a unit.
extension ExitReport {
  /// Bytes that are read: a payload with its call stacks has some hundred thousand.
  private static let largest = 16 << 20  // tidy: index

  /// - Returns: nil for anything that is not such JSON.
  package init?(metricKit json: Data) {
    guard json.count <= Self.largest,
      let object = try? JSONSerialization.jsonObject(with: json),
      let payload = object as? [String: Any],
      let begin = Self.time(payload["timeStampBegin"]),
      let end = Self.time(payload["timeStampEnd"]), begin <= end
    else { return nil }
    self.init(
      time: begin...end,
      exits: Self.crashes(payload["crashDiagnostics"])
        + Self.counts(payload["applicationExitMetrics"]))
  }

  // MARK: crashes

  private static func crashes(_ list: Any?) -> [Exits] {
    (list as? [[String: Any]] ?? []).map { crash in
      let data = crash["diagnosticMetaData"] as? [String: Any] ?? crash
      let process = integer(data["pid"]).flatMap { $0 > 0 ? $0 : nil }
      return Exits(.crashed, process: process, words: crashWords(data))
    }
  }

  private static func crashWords(_ data: [String: Any]) -> String {
    var words = ["a crash"]
    if let reason = data["terminationReason"] as? String { words.append(short(reason)) }
    if let signal = integer(data["signal"]) { words.append("signal \(signal)") }
    if let exception = integer(data["exceptionType"]) { words.append("exception \(exception)") }
    return words.count == 1
      ? words[0] : words[0] + " (\(words.dropFirst().joined(separator: ", ")))"
  }

  /// A text of the system in so many characters, without line ends.
  private static func short(_ text: String) -> String {
    String(text.prefix(120).map { $0.isNewline ? " " : $0 })
  }

  // MARK: counts

  /// The counters of `MXForegroundExitData` and `MXBackgroundExitData`. One that is not here is
  /// a kind of its own, by its name.
  private static let kinds: [String: LaunchVerdict.Kind] = [
    "MemoryResourceLimit": .memoryLimit,
    "MemoryPressure": .memoryPressure,
    "CPUResourceLimit": .processorLimit,
    "BadAccess": .crashed,
    "Abnormal": .crashed,
    "IllegalInstruction": .crashed,
    "AppWatchdog": .watchdog,
    "SuspendedWithLockedFile": .suspendedWithLockedFile,
    "BackgroundTaskAssertionTimeout": .backgroundTaskTimeout,
  ]

  private static func counts(_ metrics: Any?) -> [Exits] {
    let metrics = metrics as? [String: Any] ?? [:]
    return counts(metrics["foregroundExitData"], .foreground, "foreground")
      + counts(metrics["backgroundExitData"], .background, "background")
  }

  private static func counts(_ data: Any?, _ scene: Scene, _ place: String) -> [Exits] {
    let counters = (data as? [String: Any] ?? [:]).sorted { $0.key < $1.key }
    return counters.compactMap { key, value in
      guard key.hasPrefix("cumulative"), key.hasSuffix("ExitCount"),
        let count = integer(value), count > 0
      else { return nil }
      let name = String(key.dropFirst("cumulative".count).dropLast("ExitCount".count))
      let isOrdinary = name.hasPrefix("Normal")
      return Exits(
        isOrdinary ? nil : kinds[name] ?? .reported(name), scene,
        count: UInt64(count), words: "an end of the kind \(name) in the \(place)")
    }
  }

  // MARK: values

  private static func integer(_ value: Any?) -> Int64? {
    switch value {
    case let number as NSNumber: number.int64Value
    case let text as String: Int64(text.prefix { $0.isNumber || $0 == "-" })
    default: nil
    }
  }

  /// "2026-11-30 20:00:00 +0000", also without the offset, which is then none.
  private static func time(_ value: Any?) -> Int64? {
    guard let text = value as? String else { return nil }
    let parts = text.split(separator: " ")
    guard parts.count == 2 || parts.count == 3 else { return nil }
    var zone = parts.count == 3 ? String(parts[2]) : "Z"
    if zone.count == 5 { zone.insert(":", at: zone.index(zone.startIndex, offsetBy: 3)) }
    return RFC3339.milliseconds("\(parts[0])T\(parts[1])\(zone)")
  }
}
