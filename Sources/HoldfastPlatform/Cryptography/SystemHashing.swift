#if !canImport(CryptoKit)
  import CHoldfastCrypto
  package import HoldfastModel

  /// SHA-256 by OpenSSL.
  ///
  /// The process ends when OpenSSL gives none (memory is out, or its configuration forbids it):
  /// nothing can be stored safely without.
  package struct SystemHashing: Hashing {
    /// The system's SHA-256.
    package init() {}

    package func sha256(_ bytes: Span<UInt8>) -> Digest {
      unsafe bytes.withUnsafeBytes { raw in
        unsafe Digest.filled { unsafe hf_sha256(raw.baseAddress, raw.count, $0) }
      }
    }

    package func start() -> any HashState { OpenSSLHashState() }
  }

  /// A SHA-256 under way.
  @safe private final class OpenSSLHashState: HashState {
    private let state: OpaquePointer
    private var isSpent = false

    init() {
      guard let begun = unsafe hf_sha256_begin() else {
        preconditionFailure("OpenSSL gives no SHA-256.")
      }
      unsafe state = begun
    }

    deinit { unsafe hf_sha256_free(state) }

    func update(_ bytes: Span<UInt8>) {
      precondition(!isSpent, "A finished digest takes no more bytes.")
      let done = unsafe bytes.withUnsafeBytes {
        unsafe hf_sha256_update(state, $0.baseAddress, $0.count)
      }
      precondition(done == 1, "OpenSSL failed to hash.")
    }

    func finish() -> Digest {
      precondition(!isSpent, "A digest is finished once.")
      isSpent = true
      return unsafe Digest.filled { unsafe hf_sha256_finish(state, $0) }
    }
  }

  extension Digest {
    /// The digest that a C call writes into 32 bytes; the call answers 1 for success.
    fileprivate static func filled(_ body: (UnsafeMutablePointer<UInt8>) -> Int32) -> Digest {
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: byteCount) { buffer in
        guard let start = buffer.baseAddress, unsafe body(start) == 1 else {
          preconditionFailure("OpenSSL failed to hash.")
        }
        return unsafe Digest(
          words: word(buffer, 0), word(buffer, 8), word(buffer, 16), word(buffer, 24))
      }
    }

    /// Eight bytes, most significant first.
    private static func word(_ buffer: UnsafeMutableBufferPointer<UInt8>, _ at: Int) -> UInt64 {
      var word: UInt64 = 0
      for index in at..<at + 8 { word = unsafe word << 8 | UInt64(buffer[index]) }
      return word
    }
  }
#endif
