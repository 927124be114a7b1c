/// SHA-256 as a seam (OpenSSL on Linux, CryptoKit on Apple platforms).
package protocol Hashing: Sendable {
  /// The digest of the bytes.
  func sha256(_ bytes: Span<UInt8>) -> Digest
  /// Begins a digest that is fed piece by piece.
  func start() -> any HashState
}

/// A digest under way. Not shared between threads.
package protocol HashState: AnyObject {
  /// Takes the next bytes.
  func update(_ bytes: Span<UInt8>)
  /// The digest of everything taken; the state is spent afterwards.
  func finish() -> Digest
}

extension Hashing {
  /// The digest of an array's bytes.
  package func sha256(_ bytes: [UInt8]) -> Digest { sha256(bytes.span) }
}
