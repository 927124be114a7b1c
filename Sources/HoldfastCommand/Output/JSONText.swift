import Foundation
package import Holdfast

/// JSON as all our output has it: keys in order, slashes as they are, one line.
package enum JSONText {
  /// The document and a newline.
  package static func line(_ document: some Encodable) throws(HoldfastError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    } catch {
      throw HoldfastError(
        .failed, "the answer cannot be written as JSON", cause: String(describing: error))
    }
  }
}

/// An error as `--json` shows it on standard error.
struct ErrorDocument: Encodable {
  private let error: Content
  private struct Content: Encodable { let code, message, hint: String, retryable: Bool }

  /// The document of an error.
  init(_ error: HoldfastError) {
    self.error = Content(
      code: error.code.rawValue, message: PathText.shown(error.message),
      hint: PathText.shown(error.hint),
      retryable: error.isRetryable)
  }
}
