// swift-format-ignore-file

public protocol ContiguousBytes {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}
extension Array: ContiguousBytes where Element == UInt8 {}
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
public struct Data: RandomAccessCollection, DataProtocol {
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> UInt8 { 0 }
}

public protocol Digest: Sequence, Sendable where Element == UInt8 {}
public protocol HashFunction {
  associatedtype Digest: CryptoKit.Digest
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  func finalize() -> Digest
}
public struct SHA256Digest: Digest {
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}
public struct SHA256: HashFunction {
  public typealias Digest = SHA256Digest
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
}

public struct SymmetricKey: ContiguousBytes, Sendable {
  public init<D: ContiguousBytes>(data: D) {}
  public func withUnsafeBytes<R>(
    _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R { fatalError() }
}

public struct HashedAuthenticationCode<H: HashFunction>: Sequence, Sendable {
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}
public struct HMAC<H: HashFunction> {
  public typealias MAC = HashedAuthenticationCode<H>
  public static func authenticationCode<D: DataProtocol>(
    for data: D, using key: SymmetricKey
  ) -> MAC { MAC() }
}
public struct HKDF<H: HashFunction> {
  public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
    inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
  ) -> SymmetricKey { inputKeyMaterial }
}

public enum AES {
  public enum GCM {
    public struct Nonce: Sendable { public init<D: DataProtocol>(data: D) throws {} }
    public struct SealedBox: Sendable {
      public var ciphertext: Data { fatalError() }
      public var tag: Data { fatalError() }
      public init<C: DataProtocol, T: DataProtocol>(
        nonce: Nonce, ciphertext: C, tag: T
      ) throws {}
    }
    public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
      _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
      authenticating authenticatedData: AuthenticatedData
    ) throws -> SealedBox { fatalError() }
    public static func open<AuthenticatedData: DataProtocol>(
      _ sealedBox: SealedBox, using key: SymmetricKey,
      authenticating authenticatedData: AuthenticatedData
    ) throws -> Data { fatalError() }
  }
}
