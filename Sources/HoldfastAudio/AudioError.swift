package import HoldfastModel

/// Why audio was refused, or could not be read or written.
///
/// Match on ``code``; show ``message``.
package struct AudioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of thing went wrong. Open: a code that a caller does not know means "refused".
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The bytes are something else: text, a picture, nothing that we know.
    package static let notAudio = Code(rawValue: "notAudio")
    /// A container that we read, holding a codec that we do not.
    package static let unsupportedCodec = Code(rawValue: "unsupportedCodec")
    /// Audio in a container that we do not read.
    package static let unsupportedContainer = Code(rawValue: "unsupportedContainer")
    /// A header that contradicts itself or lacks what it must have.
    package static let damagedHeader = Code(rawValue: "damagedHeader")
    /// No bytes at all.
    package static let empty = Code(rawValue: "empty")
    /// The bytes end before the audio begins.
    package static let truncatedHeader = Code(rawValue: "truncatedHeader")
    /// Numbers that no audio has: no channels, a rate of zero, a block that ends inside a frame.
    package static let invalidFormat = Code(rawValue: "invalidFormat")
    /// The bytes could not be read; ``AudioError/fault`` tells why.
    package static let source = Code(rawValue: "source")
  }

  /// What kind of thing went wrong.
  package var code: Code
  /// What is wrong and what to do, naming the codec or container, in one or two sentences.
  package var message: String
  /// The fault of the file beneath, with ``Code/source``.
  package var fault: FileFault?

  package init(_ code: Code, _ message: String, fault: FileFault? = nil) {
    self.code = code
    self.message = message
    self.fault = fault
  }

  /// The error for a file that could not be read.
  package init(_ fault: FileFault) {
    self.init(.source, fault.description, fault: fault)
  }

  /// The message.
  package var description: String { message }

  /// The same error, said of a named file; one that names its path already stays as it is.
  func naming(_ name: String) -> AudioError {
    guard fault == nil, !name.isEmpty else { return self }
    return AudioError(code, "\(name): \(message)", fault: fault)
  }
}
