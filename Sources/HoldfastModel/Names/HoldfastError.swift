/// The one error of the public face.
///
/// Match on ``code``; show ``message``. New codes may appear in any version, so a `switch` over
/// codes needs a default.
public struct HoldfastError: Error, Sendable, CustomStringConvertible {
  /// What kind of thing went wrong. Open: more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's stable text, the same in JSON output.
    public let rawValue: String
    /// A code by its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device is locked, or permissions forbid opening the store now. Nothing is wrong with it.
    public static let protectedDataUnavailable = Code(rawValue: "protectedDataUnavailable")
    /// The store was written by a newer version; it opens read-only.
    public static let newerSchema = Code(rawValue: "newerSchema")
    /// No room is left on the device. What was acknowledged is kept.
    public static let diskFull = Code(rawValue: "diskFull")
    /// The store is suspended; `resume()` opens it again.
    public static let suspended = Code(rawValue: "suspended")
    /// Bytes are there and wrong: a failed check of a file or of the database.
    public static let damaged = Code(rawValue: "damaged")
    /// The call needs a running capture, and there is none.
    public static let notCapturing = Code(rawValue: "notCapturing")
    /// The other side cannot be reached.
    public static let offline = Code(rawValue: "offline")
    /// Another process holds the lock that the call needs.
    public static let locked = Code(rawValue: "locked")
    /// There is no store in the directory.
    public static let noStore = Code(rawValue: "noStore")
    /// What the call names does not exist, or is not unique.
    public static let notFound = Code(rawValue: "notFound")
    /// The call cannot be done in the present state of the thing that it names.
    public static let conflict = Code(rawValue: "conflict")
    /// The input is not in a form that we read.
    public static let inputRefused = Code(rawValue: "inputRefused")
    /// An argument makes no sense.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// The medium failed to read or write.
    public static let medium = Code(rawValue: "medium")
    /// The call was cancelled or interrupted before it was done.
    public static let interrupted = Code(rawValue: "interrupted")
    /// A fault that has no code of its own; the message tells.
    public static let failed = Code(rawValue: "failed")
  }

  /// What kind of thing went wrong.
  public let code: Code
  /// What is wrong and what to do, for a person; one or two sentences.
  public let message: String
  /// Whether the same call may succeed later without anything being changed.
  public let isRetryable: Bool
  /// What to do, when it can be said apart from the message; empty otherwise.
  public let hint: String
  /// The text of the fault beneath, for a log; nil when there was none.
  public let cause: String?
  /// The names that the fault concerns (path, recording …), for a log.
  public let context: [String: String]

  /// An error of the face.
  ///
  /// - Parameters:
  ///   - code: what kind of thing went wrong.
  ///   - message: what is wrong, for a person.
  ///   - hint: what to do about it.
  ///   - isRetryable: whether waiting may help.
  ///   - cause: the fault beneath.
  ///   - context: the names concerned.
  public init(
    _ code: Code, _ message: String, hint: String = "", isRetryable: Bool = false,
    cause: String? = nil, context: [String: String] = [:]
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.isRetryable = isRetryable
    self.cause = cause
    self.context = context
  }

  /// The message, and the hint after it.
  public var description: String { hint.isEmpty ? message : "\(message) \(hint)" }
}
