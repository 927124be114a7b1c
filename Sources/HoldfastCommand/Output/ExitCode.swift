package import Holdfast

/// How the command ends, for a script. Open: a later version may add codes.
package struct ExitCode: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// What was asked was done.
  package static let done = ExitCode(rawValue: 0)
  /// It failed.
  package static let failed = ExitCode(rawValue: 1)
  /// The command line makes no sense.
  package static let usage = ExitCode(rawValue: 2)
  /// Damage or loss was found.
  package static let damage = ExitCode(rawValue: 3)
  /// Not now: the same may work later.
  package static let blocked = ExitCode(rawValue: 4)
  /// An input is not of a form that we read.
  package static let refused = ExitCode(rawValue: 5)

  /// Every code with its meaning, for help and manual.
  package static let meanings: [(code: ExitCode, meaning: String)] = [
    (.done, "done"),
    (.failed, "failed"),
    (.usage, "the command line makes no sense"),
    (.damage, "damage or loss was found"),
    (.blocked, "blocked now, retry later: locked, disk full, or the store cannot be opened yet"),
    (.refused, "an input was refused: not a format that is read"),
  ]

  /// The one to end with when several files ended differently: the highest.
  package static func < (left: ExitCode, right: ExitCode) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The exit code of each error code that has one of its own.
  private static let ofErrors: [HoldfastError.Code: ExitCode] = [
    .invalidArgument: .usage,
    .damaged: .damage,
    .protectedDataUnavailable: .blocked,
    .newerSchema: .blocked,
    .diskFull: .blocked,
    .locked: .blocked,
    .suspended: .blocked,
    .offline: .blocked,
    .inputRefused: .refused,
  ]

  /// The exit code of an error: by its code, else *blocked* if it says that the same may work
  /// later, else *failed*.
  package init(_ error: HoldfastError) {
    self = Self.ofErrors[error.code] ?? (error.isRetryable ? .blocked : .failed)
  }
}
