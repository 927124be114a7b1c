// Apple platforms only.
#if canImport(CryptoKit)
  import CryptoKit
  import Darwin

  /// The calls into CryptoKit. ``Cryptography`` has checked the lengths; nil says that CryptoKit
  /// failed.
  enum CryptographyBackend {
    /// Ciphertext and tag.
    static func seal(
      _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8]? {
      guard let nonce = try? AES.GCM.Nonce(data: nonce),
        let box = try? AES.GCM.seal(
          plaintext, using: SymmetricKey(data: key), nonce: nonce,
          authenticating: associatedData)
      else { return nil }
      return Array(box.ciphertext) + Array(box.tag)
    }

    /// The plaintext.
    static func open(
      _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptographyFault) -> [UInt8]? {
      let tagBytes = Int(Cryptography.tagBytes)
      guard let nonce = try? AES.GCM.Nonce(data: nonce),
        let box = try? AES.GCM.SealedBox(
          nonce: nonce, ciphertext: sealed.dropLast(tagBytes), tag: sealed.suffix(tagBytes))
      else { return nil }
      guard
        let plaintext = try? AES.GCM.open(
          box, using: SymmetricKey(data: key), authenticating: associatedData)
      else { throw CryptographyFault.notAuthentic }
      return Array(plaintext)
    }

    /// HMAC-SHA256.
    static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8]? {
      Array(
        HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }

    /// HKDF-SHA256.
    static func derive(
      _ count: UInt32, key: [UInt8], salt: [UInt8], info: [UInt8]
    ) -> [UInt8]? {
      let derived = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: key), salt: salt, info: info,
        outputByteCount: Int(count))
      return unsafe derived.withUnsafeBytes { unsafe Array($0) }
    }

    /// Whether two equally long runs of bytes are equal.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
      guard !left.isEmpty else { return true }
      return unsafe timingsafe_bcmp(left, right, left.count) == 0
    }
  }
#endif
