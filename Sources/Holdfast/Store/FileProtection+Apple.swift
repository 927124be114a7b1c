// Apple platforms only. Not compiled on Linux; last built with an Apple SDK: never.
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
      try? manager.setAttributes([.protectionKey: type], ofItemAtPath: directory.path)
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
