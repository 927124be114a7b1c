package import HoldfastModel

/// Why a reel could not be written or read.
package struct ReelFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a fault means to its caller. Open: a value that a caller does not know is "failed".
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// No room is left (J8): the take ends with what was written.
    package static let full = Code(rawValue: "full")
    /// The medium failed, on a second reel too when writing (J2).
    package static let medium = Code(rawValue: "medium")
    /// A payload or a header over its limit. Nothing was written.
    package static let tooLarge = Code(rawValue: "tooLarge")
    /// The header to be written makes no sense. Nothing was written.
    package static let invalid = Code(rawValue: "invalid")
    /// The writer was finished before.
    package static let closed = Code(rawValue: "closed")
    /// There is no such file.
    package static let absent = Code(rawValue: "absent")
    /// It may not be opened now: permissions, a locked device (J6: waiting, not damage).
    package static let denied = Code(rawValue: "denied")
    /// The file is no reel.
    package static let foreign = Code(rawValue: "foreign")
    /// The reel is of a format version that this program does not know.
    package static let newerVersion = Code(rawValue: "newerVersion")
    /// The header is there and wrong.
    package static let damaged = Code(rawValue: "damaged")
    /// The file ends inside its header.
    package static let cut = Code(rawValue: "cut")
    /// Anything else; ``ReelFault/cause`` tells.
    package static let failed = Code(rawValue: "failed")
  }

  /// What the fault means.
  package var code: Code
  /// What is wrong, for a person.
  package var message: String
  /// The fault at the file seam, when there was one.
  package var cause: FileFault?
  /// The chunks that the failed call wrote all the same, or moved, before the fault: the caller
  /// indexes them as if they had been answered.
  package var written: [ChunkRecord] = []

  /// A fault found by us.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A fault of the file seam.
  package init(_ fault: FileFault, written: [ChunkRecord] = []) {
    code =
      switch fault.kind {
      case .full: .full
      case .medium: .medium
      case .missing: .absent
      case .denied: .denied
      default: .failed
      }
    message = fault.description
    cause = fault
    self.written = written
  }

  /// Whether the file cannot be opened or read now, though nothing says that it is wrong (J6): its
  /// permissions, a locked device, no descriptors. Whoever meets it waits; it is no damage.
  package var isWaiting: Bool {
    guard let kind = cause?.kind else { return false }
    return [.denied, .exhausted, .other].contains(kind)
  }

  /// Whether the system would not give the bytes, whatever they say: the same may work later.
  var isOfSystem: Bool { cause.map { $0.kind != .missing } ?? false }

  /// The message.
  package var description: String { message }
}
