#if !canImport(CryptoKit)
  import CHoldfastCrypto

  /// The calls into OpenSSL. ``Cryptography`` has checked the lengths; nil says that OpenSSL
  /// failed.
  enum CryptographyBackend {
    /// Ciphertext and tag.
    static func seal(
      _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8]? {
      unsafe filled(plaintext.count + Int(Cryptography.tagBytes)) { output in
        unsafe withBytes(plaintext, key, nonce, associatedData) { plain, key, nonce, data in
          guard let key = key.baseAddress, let nonce = nonce.baseAddress else { return 0 }
          return unsafe hf_aes256gcm_seal(
            key, nonce, data.baseAddress, data.count, plain.baseAddress, plain.count, output)
        }
      }
    }

    /// The plaintext.
    static func open(
      _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptographyFault) -> [UInt8]? {
      var answer: Int32 = -1
      let plaintext = unsafe filled(sealed.count - Int(Cryptography.tagBytes)) { output in
        answer = unsafe withBytes(sealed, key, nonce, associatedData) { sealed, key, nonce, data in
          guard let key = key.baseAddress, let nonce = nonce.baseAddress,
            let start = sealed.baseAddress
          else { return -1 }
          return unsafe hf_aes256gcm_open(
            key, nonce, data.baseAddress, data.count, start, sealed.count, output)
        }
        return answer
      }
      guard answer != 0 else { throw CryptographyFault.notAuthentic }
      return plaintext
    }

    /// HMAC-SHA256.
    static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8]? {
      unsafe filled(32) { output in
        unsafe message.withUnsafeBytes { message in
          unsafe key.withUnsafeBytes { key in
            unsafe hf_hmac_sha256(
              key.baseAddress, key.count, message.baseAddress, message.count, output)
          }
        }
      }
    }

    /// HKDF-SHA256.
    static func derive(
      _ count: UInt32, key: [UInt8], salt: [UInt8], info: [UInt8]
    ) -> [UInt8]? {
      unsafe filled(Int(count)) { output in
        unsafe withBytes(key, salt, info, info) { key, salt, info, _ in
          unsafe hf_hkdf_sha256(
            key.baseAddress, key.count, salt.baseAddress, salt.count, info.baseAddress,
            info.count, output, Int(count))
        }
      }
    }

    /// Whether two equally long runs of bytes are equal.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
      unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in
          unsafe hf_equal_constant_time(left.baseAddress, right.baseAddress, left.count)
        }
      }
    }

    /// The bytes that a C call writes; nil unless the call answers 1.
    private static func filled(
      _ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int32
    ) -> [UInt8]? {
      var answer: Int32 = 0
      // One byte more, so that there is an address for no bytes too.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, filled in
        guard let start = buffer.baseAddress else { return }
        answer = unsafe body(start)
        filled = answer == 1 ? count : 0
      }
      return answer == 1 ? bytes : nil
    }

    private static func withBytes<R>(
      _ first: [UInt8], _ second: [UInt8], _ third: [UInt8], _ fourth: [UInt8],
      _ body: (
        UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer,
        UnsafeRawBufferPointer
      ) -> R
    ) -> R {
      unsafe first.withUnsafeBytes { first in
        unsafe second.withUnsafeBytes { second in
          unsafe third.withUnsafeBytes { third in
            unsafe fourth.withUnsafeBytes { unsafe body(first, second, third, $0) }
          }
        }
      }
    }
  }
#endif
