import HoldfastModel
import HoldfastPlatform
import Testing

@Suite struct CryptographyTests {
  /// A test case of McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B, which
  /// NIST SP 800-38D builds on.
  struct GCMCase: Sendable {
    let number: UInt8
    let key, nonce, plaintext, associated, sealed: String
  }

  static let longKey = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
  static let longText =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
  static let longCipher =
    "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
  static let zeros = String(repeating: "0", count: 64)

  static let gcmCases = [
    GCMCase(
      number: 13, key: zeros, nonce: String(zeros.prefix(24)), plaintext: "", associated: "",
      sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
    GCMCase(
      number: 14, key: zeros, nonce: String(zeros.prefix(24)),
      plaintext: String(zeros.prefix(32)), associated: "",
      sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
    GCMCase(
      number: 15, key: longKey, nonce: "cafebabefacedbaddecaf888", plaintext: longText,
      associated: "", sealed: longCipher + "b094dac5d93471bdec1a502270e3cc6c"),
    GCMCase(
      number: 16, key: longKey, nonce: "cafebabefacedbaddecaf888",
      plaintext: String(longText.prefix(120)),
      associated: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      sealed: longCipher.prefix(120) + "76fc6ece0f4e1768cddf8853bb2d551b"),
  ]

  @Test("AES-256-GCM meets the published test cases, both ways", arguments: gcmCases)
  func gcm(test: GCMCase) throws {
    let key = try bytes(test.key)
    let nonce = try bytes(test.nonce)
    let associated = try bytes(test.associated)
    let sealed = try Cryptography.seal(
      bytes(test.plaintext), key: key, nonce: nonce, associatedData: associated)
    #expect(Hex.encode(sealed) == test.sealed)
    let opened = try Cryptography.open(
      sealed, key: key, nonce: nonce, associatedData: associated)
    #expect(Hex.encode(opened) == test.plaintext)
  }

  @Test("a changed bit anywhere is not authentic (S9)", arguments: 1...8 as ClosedRange<UInt64>)
  func tampering(seed: UInt64) throws {
    var random = Seeded(seed)
    let inputs = [random.bytes(32), random.bytes(12), random.bytes(Int(seed % 3))]
    let plaintext = random.bytes(Int.random(in: 0...200, using: &random))
    let sealed = try Cryptography.seal(
      plaintext, key: inputs[0], nonce: inputs[1], associatedData: inputs[2])
    let good = inputs + [sealed]
    for part in 0..<good.count where !good[part].isEmpty {
      for _ in 0..<20 {
        var bad = good
        let bit = Int.random(in: 0..<bad[part].count * 8, using: &random)
        bad[part][bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(code(opening: bad) == .notAuthentic)
      }
    }
    #expect(code(opening: Array(good.dropLast()) + [Array(sealed.dropLast())]) == .notAuthentic)
    #expect(code(opening: Array(good.dropLast()) + [[1, 2, 3]]) == .notAuthentic)
    #expect(code(opening: good) == nil)
  }

  @Test func keysAndNoncesOfAnotherLengthAreRefused() {
    let key = [UInt8](repeating: 1, count: 32)
    let nonce = [UInt8](repeating: 1, count: 12)
    let sealed = [UInt8](repeating: 1, count: 40)
    #expect(code(opening: [Array(key.dropLast()), nonce, [], sealed]) == .badLength)
    #expect(code(opening: [key + [0], nonce, [], sealed]) == .badLength)
    #expect(code(opening: [key, nonce + [0], [], sealed]) == .badLength)
    #expect(code(opening: [key, [], [], sealed]) == .badLength)
    #expect(code(opening: [[], nonce, [], sealed]) == .badLength)
  }

  @Test(
    "HMAC-SHA256 meets RFC 4231",
    arguments: [
      (
        String(repeating: "0b", count: 20), Hex.encode("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Hex.encode("Jefe".utf8), Hex.encode("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        Hex.encode(1...25), String(repeating: "cd", count: 50),
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
      ),
      (
        String(repeating: "aa", count: 131),
        Hex.encode("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func hmac(key: String, message: String, expected: String) throws {
    let code = try Cryptography.authenticationCode(of: bytes(message), key: bytes(key))
    #expect(Hex.encode(code) == expected)
  }

  @Test func hmacTakesNoKeyAndNoMessage() throws {
    let none: [UInt8] = []
    // HMAC pads a key with zeros, so no key and a key of zeros are one key (RFC 2104).
    let zero: [UInt8] = [0]
    #expect(
      try Cryptography.authenticationCode(of: none, key: none)
        == Cryptography.authenticationCode(of: none, key: zero))
  }

  @Test(
    "HKDF-SHA256 meets RFC 5869",
    arguments: [
      (
        String(repeating: "0b", count: 22), Hex.encode(0...12), Hex.encode(0xf0...0xf9),
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
      ),
      (
        Hex.encode(0x00...0x4f), Hex.encode(0x60...0xaf), Hex.encode(0xb0...0xff),
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c6"
          + "5e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
      ),
      (
        String(repeating: "0b", count: 22), "", "",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
      ),
    ])
  func hkdf(key: String, salt: String, info: String, expected: String) throws {
    let derived = try Cryptography.derive(
      UInt32(expected.count / 2), key: bytes(key), salt: bytes(salt),
      info: bytes(info))
    #expect(Hex.encode(derived) == expected)
  }

  @Test(arguments: [0, 8161, .max] as [UInt32])
  func hkdfRefusesALengthThatItDoesNotHave(count: UInt32) {
    let some: [UInt8] = [1]
    #expect(throws: CryptographyFault.self) {
      try Cryptography.derive(count, key: some, salt: some, info: some)
    }
  }

  @Test func comparisonFindsEveryDifference() {
    let bytes = [UInt8](0..<32)
    #expect(Cryptography.areEqual(bytes, bytes))
    #expect(!Cryptography.areEqual(bytes, Array(bytes.dropLast())))
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x80
      #expect(!Cryptography.areEqual(bytes, other))
    }
    #expect(Cryptography.areEqual([], []))
  }

  /// The code that opening throws; the parts are key, nonce, associated data, sealed bytes.
  private func code(opening parts: [[UInt8]]) -> CryptographyFault.Code? {
    do throws(CryptographyFault) {
      _ = try Cryptography.open(
        parts[3], key: parts[0], nonce: parts[1], associatedData: parts[2])
      return nil
    } catch {
      return error.code
    }
  }

  private func bytes(_ text: String) throws -> [UInt8] { try #require(Hex.decode(text)) }
}
