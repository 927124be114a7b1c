/// What went wrong in a cryptographic call.
package struct CryptographyFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of fault. Open: more may be added.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A key, nonce or output of a length that the algorithm does not have.
    package static let badLength = Code(rawValue: "badLength")
    /// The bytes are not what was sealed with this key, nonce and associated data.
    package static let notAuthentic = Code(rawValue: "notAuthentic")
    /// The system's library failed.
    package static let failed = Code(rawValue: "failed")
  }

  /// What kind of fault.
  package let code: Code
  /// What is wrong, for a person.
  package let description: String

  /// The one that tampering gives, without a hint of where.
  static let notAuthentic = CryptographyFault(
    .notAuthentic, "The bytes are not what was sealed with this key.")

  /// A fault of the kind, in words.
  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

/// The three primitives that Holdfast builds on, by OpenSSL on Linux and CryptoKit on Apple
/// platforms.
///
/// Invariant: what ``open(_:key:nonce:associatedData:)`` answers was authenticated as a whole.
package enum Cryptography {
  /// Bytes of an AES-256 key.
  package static let keyBytes: UInt32 = 32
  /// Bytes of a nonce: 96 bits, the size that NIST SP 800-38D recommends for GCM.
  package static let nonceBytes: UInt32 = 12
  /// Bytes that sealing adds: GCM's whole tag of 128 bits.
  package static let tagBytes: UInt32 = 16

  /// Encrypts with AES-256-GCM and binds the associated data to the result.
  ///
  /// A nonce must never be used for two different plaintexts under one key: the caller derives it
  /// from what it seals (S9).
  ///
  /// - Returns: as many bytes as the plaintext has, then the tag.
  package static func seal(
    _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
  ) throws(CryptographyFault) -> [UInt8] {
    try check(key: key, nonce: nonce)
    guard
      let sealed = CryptographyBackend.seal(
        plaintext, key: key, nonce: nonce, associatedData: associatedData)
    else { throw CryptographyFault(.failed, "AES-256-GCM failed to seal.") }
    return sealed
  }

  /// The plaintext of what ``seal(_:key:nonce:associatedData:)`` made.
  ///
  /// - Throws: ``CryptographyFault/Code/notAuthentic`` when a single bit of anything differs.
  package static func open(
    _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
  ) throws(CryptographyFault) -> [UInt8] {
    try check(key: key, nonce: nonce)
    guard sealed.count >= Int(tagBytes) else { throw .notAuthentic }
    guard
      let plaintext = try CryptographyBackend.open(
        sealed, key: key, nonce: nonce, associatedData: associatedData)
    else { throw CryptographyFault(.failed, "AES-256-GCM failed to open.") }
    return plaintext
  }

  /// HMAC-SHA256 (RFC 2104): 32 bytes. Compare codes with ``areEqual(_:_:)``.
  package static func authenticationCode(
    of message: [UInt8], key: [UInt8]
  ) throws(CryptographyFault) -> [UInt8] {
    guard let code = CryptographyBackend.authenticationCode(of: message, key: key) else {
      throw CryptographyFault(.failed, "HMAC-SHA256 failed.")
    }
    return code
  }

  /// HKDF-SHA256 (RFC 5869), extract and expand.
  ///
  /// - Parameters:
  ///   - count: bytes wanted, 1 to 8,160 (255 digests).
  ///   - key: the secret, not empty.
  ///   - salt: not secret, may be empty.
  ///   - info: what the derived bytes are for.
  package static func derive(
    _ count: UInt32, key: [UInt8], salt: [UInt8], info: [UInt8]
  ) throws(CryptographyFault) -> [UInt8] {
    guard count > 0, count <= 255 * 32, !key.isEmpty else {
      throw CryptographyFault(
        .badLength, "HKDF gives 1 to 8160 bytes of a key that is not empty, not \(count).")
    }
    guard let derived = CryptographyBackend.derive(count, key: key, salt: salt, info: info) else {
      throw CryptographyFault(.failed, "HKDF failed.")
    }
    return derived
  }

  /// Whether the bytes are equal, in a time that depends on their counts alone.
  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CryptographyBackend.areEqual(left, right)
  }

  private static func check(key: [UInt8], nonce: [UInt8]) throws(CryptographyFault) {
    guard key.count == Int(keyBytes), nonce.count == Int(nonceBytes) else {
      throw CryptographyFault(
        .badLength,
        "AES-256-GCM takes key and nonce of 32 and 12 bytes, not \(key.count), \(nonce.count)."
      )
    }
  }
}
