// Apple platforms only.
#if canImport(CryptoKit)
  import CryptoKit
  import Darwin

  /// The calls into CryptoKit. ``Cryptography`` has checked the lengths; nil says that CryptoKit
  /// failed.
  enum CryptographyBackend {
    /// Ciphertext and tag.
    static func seal(
      _ plaintext: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>, associatedData: Span<UInt8>
    ) -> [UInt8]? {
      guard let nonce = try? AES.GCM.Nonce(data: copy(nonce)),
        let box = try? AES.GCM.seal(
          copy(plaintext), using: SymmetricKey(data: copy(key)), nonce: nonce,
          authenticating: copy(associatedData))
      else { return nil }
      return Array(box.ciphertext) + Array(box.tag)
    }

    /// The plaintext.
    static func open(
      _ sealed: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>, associatedData: Span<UInt8>
    ) throws(CryptographyFault) -> [UInt8]? {
      let bytes = copy(sealed)
      let tagBytes = Int(Cryptography.tagBytes)
      guard let nonce = try? AES.GCM.Nonce(data: copy(nonce)),
        let box = try? AES.GCM.SealedBox(
          nonce: nonce, ciphertext: bytes.dropLast(tagBytes), tag: bytes.suffix(tagBytes))
      else { return nil }
      guard
        let plaintext = try? AES.GCM.open(
          box, using: SymmetricKey(data: copy(key)), authenticating: copy(associatedData))
      else { throw CryptographyFault.notAuthentic }
      return Array(plaintext)
    }

    /// HMAC-SHA256.
    static func authenticationCode(of message: Span<UInt8>, key: Span<UInt8>) -> [UInt8]? {
      Array(
        HMAC<SHA256>.authenticationCode(for: copy(message), using: SymmetricKey(data: copy(key))))
    }

    /// HKDF-SHA256.
    static func derive(
      _ count: UInt32, key: Span<UInt8>, salt: Span<UInt8>, info: Span<UInt8>
    ) -> [UInt8]? {
      let derived = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: copy(key)), salt: copy(salt), info: copy(info),
        outputByteCount: Int(count))
      return unsafe derived.withUnsafeBytes { unsafe Array($0) }
    }

    /// Whether two equally long runs of bytes are equal.
    static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
      unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in
          left.isEmpty
            || unsafe timingsafe_bcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
      }
    }

    /// CryptoKit takes collections of bytes, and a span is none.
    private static func copy(_ bytes: Span<UInt8>) -> [UInt8] {
      unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }
  }
#endif
