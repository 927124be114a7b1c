import Foundation
import Testing

/// The privacy manifest names what our code uses of the interfaces for which Apple wants a reason,
/// and nothing else.
@Suite struct PrivacyTests {
  /// Words of each category, after Apple's list; boot times by `sysctl` are counted in.
  private static let categories: [String: Set<String>] = [
    "NSPrivacyAccessedAPICategoryFileTimestamp": [
      "stat", "fstat", "lstat", "fstatat", "getattrlist", "fgetattrlist", "getattrlistat",
      "getattrlistbulk", "creationDate", "modificationDate", "fileModificationDate",
      "contentModificationDateKey", "creationDateKey",
    ],
    "NSPrivacyAccessedAPICategorySystemBootTime": [
      "systemUptime", "mach_absolute_time", "mach_continuous_time", "clock_gettime_nsec_np",
      "KERN_BOOTTIME",
    ],
    "NSPrivacyAccessedAPICategoryDiskSpace": [
      "statfs", "statvfs", "fstatfs", "fstatvfs", "volumeAvailableCapacityKey",
      "volumeAvailableCapacityForImportantUsageKey", "volumeTotalCapacityKey", "systemFreeSize",
      "systemSize",
    ],
    "NSPrivacyAccessedAPICategoryActiveKeyboards": ["activeInputModes"],
    "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults"],
  ]

  /// What an app on an Apple system links: the library without the command and the measurements.
  private func isLinked(_ file: SourceFile) -> Bool {
    let notLinked: Set = ["HoldfastCommand", "HoldfastBench", "HoldfastTesting"]
    let folder = file.path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    return file.isShipped && (file.isSwift || file.isC) && !folder.hasPrefix("CHoldfastBench")
      && !folder.hasPrefix("CHoldfastTesting") && !notLinked.contains(folder)
      && !file.path.hasSuffix("/linux.c")
  }

  @Test func `the privacy manifest names what the code uses`() throws {
    let tree = Repository.shared
    let words = Set(
      tree.files.filter(isLinked).flatMap { file in
        file.code.filter { $0.kind == .word }.map(\.text)
      })
    let used = Self.categories.filter { !$0.value.isDisjoint(with: words) }.map(\.key)
    let data = try Data(
      contentsOf: tree.root.appending(path: "Sources/Holdfast/PrivacyInfo.xcprivacy"))
    let manifest = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    let entries = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    #expect(
      Set(entries.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }) == Set(used))
    for entry in entries {
      let reasons = entry["NSPrivacyAccessedAPITypeReasons"] as? [String] ?? []
      #expect(!reasons.isEmpty && reasons.allSatisfy { $0.hasSuffix(".1") })
    }
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
  }
}
