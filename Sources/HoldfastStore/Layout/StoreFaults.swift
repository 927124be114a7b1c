import HoldfastAudio
package import HoldfastModel
import HoldfastPlatform
package import HoldfastSQLite

/// The one place where the faults of the layers below become errors of the face.
package enum StoreFaults {
  /// What a file fault means to the user of a store.
  package static func error(_ fault: FileFault) -> HoldfastError {
    let context = ["path": fault.path]
    switch fault.kind {
    case .full:
      return diskFull(errno: fault.errno, cause: fault.description, context: context)
    case .denied:
      return HoldfastError(
        .protectedDataUnavailable,
        "Cannot \(fault.operation) \(fault.path): \(fault.reason).",
        hint: remedy(errno: fault.errno, right: right(fault.operation)), isRetryable: true,
        cause: fault.description, context: context)
    case .medium:
      return HoldfastError(
        .medium, "The medium failed: \(fault.description).",
        hint: "What was acknowledged before is kept. Check the device.", isRetryable: true,
        cause: fault.description, context: context)
    case .missing:
      return HoldfastError(
        .notFound, "\(fault.path) is not there.", hint: "Check the path.",
        cause: fault.description, context: context)
    case .exhausted:
      return HoldfastError(
        .failed, "The system has no descriptors or memory left: \(fault.reason).",
        hint: "Close files or raise the limit; then retry.", isRetryable: true,
        cause: fault.description, context: context)
    default:
      return HoldfastError(
        .failed, "Could not \(fault.operation) \(fault.path): \(fault.reason).",
        hint: "Look at what stands at that path (`ls -ld`); then retry.",
        cause: fault.description, context: context)
    }
  }

  /// What an SQLite fault means to the user of a store.
  package static func error(_ fault: SQLiteError, path: String) -> HoldfastError {
    let context = ["path": path, "sqlite": String(fault.code.rawValue)]
    let cause = fault.description
    switch fault.code.primary {
    case .full: return diskFull(cause: cause, context: context)
    // A log that cannot be made for want of room is refused as a file that cannot be opened.
    case .cannotOpen where isNoRoom(fault.systemErrno),
      .ioError where isNoRoom(fault.systemErrno):
      return diskFull(errno: fault.systemErrno, cause: cause, context: context)
    // The index of the log could not be made larger: SQLite gives no number for it.
    case .ioError where fault.code == .ioErrorShmSize:
      return diskFull(cause: cause, context: context)
    case .ioError where fault.code == .ioErrorWrite:
      // J8: a failed write means what a full disk means; what it says is what is so.
      let reason = words(fault.systemErrno).map { ": \($0)" } ?? ""
      return HoldfastError(
        .diskFull, "The disk does not take what is written to \(path)\(reason).",
        hint: "Everything acknowledged is kept. Check the device and its room; then retry.",
        isRetryable: true, cause: cause, context: context)
    case .ioError where isMedium(fault):
      let reason = words(fault.systemErrno) ?? fault.message
      return HoldfastError(
        .medium, "The medium of the database \(path) failed: \(reason).",
        hint: "What was acknowledged before is kept. Check the device; then retry.",
        isRetryable: true, cause: cause, context: context)
    case .corrupt, .notADatabase:
      return HoldfastError(
        .damaged, "The database \(path) is damaged: \(fault.message).",
        hint: "Nothing was changed. `holdfast rebuild -o NEWDIR` makes a new store from all that "
          + "can be read.", cause: cause, context: context)
    case .busy, .locked:
      return HoldfastError(
        .locked, "Another process is using the database \(path).", hint: "Retry later.",
        isRetryable: true, cause: cause, context: context)
    case .cannotOpen, .auth, .permission, .readOnly, .ioError:
      return HoldfastError(
        .protectedDataUnavailable, "The database \(path) cannot be used now: \(fault.message).",
        hint: remedy(errno: fault.systemErrno, right: "read and write"), isRetryable: true,
        cause: cause, context: context)
    case .interrupt:
      return HoldfastError(
        .interrupted, "The call was interrupted.", isRetryable: true, cause: cause,
        context: context)
    default:
      return HoldfastError(
        .failed, "The database \(path) refused a call: \(fault.message).", cause: cause,
        context: context)
    }
  }

  /// Any error that came out of a body, as one of the face.
  package static func error(_ fault: any Error, path: String) -> HoldfastError {
    switch fault {
    case let known as HoldfastError: known
    case let known as SQLiteError: error(known, path: path)
    case let known as FileFault: error(known)
    case let known as ReelFault: error(known)
    case let known as AudioError: error(known)
    case let known as MalformedBytes:
      HoldfastError(
        .damaged, "A change in \(path) cannot be read: \(known.description).",
        hint: "`holdfast rebuild -o NEWDIR` makes a new store from all that can be read.",
        cause: known.description)
    default: HoldfastError(.failed, "\(fault)", cause: "\(fault)")
    }
  }

  /// The error for want of room, whoever met it (J8).
  ///
  /// - Parameter errno: the system's number, which tells a quota and a limit from a full disk.
  package static func diskFull(
    errno: Int32 = 0, cause: String, context: [String: String] = [:]
  ) -> HoldfastError {
    let message =
      [0, noSpace].contains(errno)
      ? "There is no room left on the disk."
      : "The system grants no more room: \(words(errno) ?? "")."
    return HoldfastError(
      .diskFull, message,
      hint: "Everything acknowledged is kept. Free some room; then retry.", isRetryable: true,
      cause: cause, context: context)
  }

  /// What lifts a refusal, as far as it can be known.
  private static func remedy(errno: Int32, right: String) -> String {
    switch FileFault.refusal(errno: errno) {
    case .readOnlyFileSystem:
      return "Nothing is wrong with it: its file system is mounted read-only. Commands that only "
        + "read work there; to write, mount it writable, or `holdfast backup -o DIR` copies the "
        + "store to another place."
    case .rights:
      return "Nothing is wrong with it: the user of this process has no right to \(right) it. Give "
        + "that right (`ls -ld` shows the owner and the mode), or be the owner; then retry."
    case .system where FileFault.devicesAreLocked:
      return "Nothing is wrong with it as far as we know. Unlock the device; then retry."
    case .system:
      return "Nothing is wrong with it as far as we know. See what forbids it, a security module, "
        + "a sandbox or an attribute (`lsattr`); then retry."
    }
  }

  /// The right that an operation needs, as a verb.
  private static func right(_ operation: String) -> String {
    switch operation {
    case "read", "write", "enter": operation
    case "list", "look at": "read"
    default: "write"
    }
  }

  /// The system's words for its number; nil for none.
  private static func words(_ errno: Int32) -> String? {
    errno == 0 ? nil : FileFault(errno: errno, operation: "", path: "").reason
  }

  /// Whether the medium failed, and not the right to use it: by the system's number; a sync that
  /// tells none failed all the same.
  private static func isMedium(_ fault: SQLiteError) -> Bool {
    let syncs: Set<ResultCode> = [.ioErrorFsync, .ioErrorDirectoryFsync]
    return FileFault.Kind(errno: fault.systemErrno) == .medium
      || (fault.systemErrno == 0 && syncs.contains(fault.code))
  }

  /// ENOSPC, on Linux and Darwin alike.
  private static let noSpace: Int32 = 28

  /// ENOSPC, EFBIG and EDQUOT mean the same thing (J8). The numbers are Linux's and Darwin's.
  private static func isNoRoom(_ number: Int32) -> Bool {
    [noSpace, 27, 122, 69].contains(number)
  }

  /// Runs a body and turns whatever it throws into an error of the face.
  package static func mapped<T: ~Copyable>(
    _ path: String, _ body: () throws -> T
  ) throws(HoldfastError) -> T {
    do { return try body() } catch { throw StoreFaults.error(error, path: path) }
  }
}

extension HoldfastError {
  /// Whether the next of several things to be done would meet it too.
  package var concernsAll: Bool {
    if [.diskFull, .locked, .newerSchema, .suspended].contains(code) { return true }
    return [.protectedDataUnavailable, .damaged].contains(code) && context["path"] == nil
  }
}
