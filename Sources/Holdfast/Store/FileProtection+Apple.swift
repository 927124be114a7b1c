// Apple platforms only. On Linux it is type-checked alone, by tools/check-app-code; last built with
// an Apple SDK: never.
#if canImport(Darwin)
  import Foundation

  extension RecordingStore.Configuration {
    /// Applies data protection and backup choices to the store's directory: at every open, since
    /// some operations reset `isExcludedFromBackup`.
    func applyFileAttributes() {
      let manager = FileManager.default
      let type: FileProtectionType =
        switch protection {
        case .afterFirstUnlock: .completeUntilFirstUserAuthentication
        case .unlessOpen: .completeUnlessOpen
        case .none: .none
        }
      // What is made from now on takes the class of its folder; the database and the folders, which
      // are there already, keep the one that they were made with.
      let there = (try? manager.contentsOfDirectory(atPath: directory.path)) ?? []
      for path in [directory.path] + there.map({ directory.appendingPathComponent($0).path }) {
        try? manager.setAttributes([.protectionKey: type], ofItemAtPath: path)
      }
      exclude(directory, backup == .nothing)
      for name in ["audio", "incoming", "launches", "reserve", "reserve.last", "evidence"] {
        exclude(directory.appendingPathComponent(name), backup != .everything)
      }
    }

    private func exclude(_ url: URL, _ isExcluded: Bool) {
      var values = URLResourceValues()
      values.isExcludedFromBackup = isExcluded
      var url = url
      try? url.setResourceValues(values)
    }
  }
#else
  extension RecordingStore.Configuration {
    /// Nothing to apply here: Linux has neither data protection nor a device backup.
    func applyFileAttributes() {}
  }
#endif
