import HoldfastModel
import HoldfastPlatform
import Testing

@Suite struct SystemHashingTests {
  let hashing = SystemHashing()

  @Test(
    "published digests are met (FIPS 180-4 examples, NIST CAVP)",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func vectors(text: String, digest: String) {
    #expect(hashing.sha256(Array(text.utf8)).description == digest)
  }

  @Test(
    "a digest fed in pieces is the digest of the whole", arguments: 1...20 as ClosedRange<UInt64>)
  func pieces(seed: UInt64) {
    var random = Seeded(seed)
    let bytes = random.bytes(Int.random(in: 0...5000, using: &random))
    let state = hashing.start()
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Int.random(in: 0...700, using: &random)))
      state.update(piece.span)
      rest = rest.dropFirst(piece.count)
    }
    #expect(state.finish() == hashing.sha256(bytes))
  }

  @Test func digestsUnderWayDoNotDisturbOneAnother() throws {
    let expected = hashing.sha256([UInt8](repeating: 7, count: 100_000))
    let wrong = Locked<UInt64>(0)
    try together(
      (0..<4).map { _ in
        {
          for _ in 0..<50 {
            let state = SystemHashing().start()
            for _ in 0..<100 { state.update([UInt8](repeating: 7, count: 1000).span) }
            if state.finish() != expected { wrong.withLock { $0 += 1 } }
          }
        }
      })
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test func aSpentDigestStopsTheProcessRatherThanAnswerWrongly() async {
    await #expect(processExitsWith: .failure) {
      let state = SystemHashing().start()
      _ = state.finish()
      state.update([1].span)
    }
  }
}
