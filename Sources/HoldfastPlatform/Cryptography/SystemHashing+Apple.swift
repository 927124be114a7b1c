// Apple platforms only.
#if canImport(CryptoKit)
  import CryptoKit
  package import HoldfastModel

  /// SHA-256 by CryptoKit.
  package struct SystemHashing: Hashing {
    /// The system's SHA-256.
    package init() {}

    package func sha256(_ bytes: Span<UInt8>) -> HoldfastModel.Digest {
      var state = SHA256()
      unsafe bytes.withUnsafeBytes { unsafe state.update(bufferPointer: $0) }
      return HoldfastModel.Digest(finished: state.finalize())
    }

    package func start() -> any HashState { CryptoKitHashState() }
  }

  /// A SHA-256 under way.
  private final class CryptoKitHashState: HashState {
    private var state = SHA256()
    private var isSpent = false

    func update(_ bytes: Span<UInt8>) {
      precondition(!isSpent, "A finished digest takes no more bytes.")
      unsafe bytes.withUnsafeBytes { unsafe state.update(bufferPointer: $0) }
    }

    func finish() -> HoldfastModel.Digest {
      precondition(!isSpent, "A digest is finished once.")
      isSpent = true
      return HoldfastModel.Digest(finished: state.finalize())
    }
  }

  extension HoldfastModel.Digest {
    /// CryptoKit's digest as ours: both are 32 bytes.
    fileprivate init(finished digest: SHA256.Digest) {
      guard let value = Self(Array(digest)) else {
        preconditionFailure("A SHA-256 is 32 bytes.")
      }
      self = value
    }
  }
#endif
