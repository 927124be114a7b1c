import HoldfastModel
import Testing

@Suite("X1: the current pass")
struct CurrentPassTests {
  private func pass(
    _ name: UInt64, words: UInt64, quality: Int32 = 0, live: Bool = false, final: Bool = true
  ) -> PassSummary {
    PassSummary(
      hash: Digest(words: name, 0, 0, 0), isLive: live, isFinal: final, words: words,
      quality: quality)
  }

  private func name(_ name: UInt64) -> Digest { Digest(words: name, 0, 0, 0) }

  private func orders(_ passes: [PassSummary]) -> [[PassSummary]] {
    guard passes.count > 1 else { return [passes] }
    return passes.indices.flatMap { index in
      var rest = passes
      let first = rest.remove(at: index)
      return orders(rest).map { [first] + $0 }
    }
  }

  @Test("X1: of 100, 40 and 15 words the wordiest is shown, in every order, at any quality")
  func wordiest() {
    let passes = [
      pass(3, words: 100), pass(2, words: 40, quality: 9), pass(1, words: 15, quality: 99),
    ]
    for order in orders(passes) {
      #expect(CurrentPass.hash(among: order) == name(3))
      #expect(CurrentPass.hash(among: order + order.reversed()) == name(3), "repeated")
    }
  }

  @Test("X1: half the words are enough for a better quality, one word less is not")
  func half() {
    #expect(
      CurrentPass.hash(among: [pass(1, words: 100), pass(2, words: 50, quality: 1)]) == name(2))
    #expect(
      CurrentPass.hash(among: [pass(1, words: 100), pass(2, words: 49, quality: 1)]) == name(1))
    #expect(
      CurrentPass.hash(among: [pass(1, words: 99), pass(2, words: 49, quality: 1)]) == name(1))
    #expect(CurrentPass.hash(among: [pass(1, words: .max), pass(2, words: .max)]) == name(1))
  }

  @Test("X1: equals are decided by the smallest hash")
  func equals() {
    for order in orders([pass(7, words: 10), pass(5, words: 8), pass(6, words: 10)]) {
      #expect(CurrentPass.hash(among: order) == name(5))
    }
  }

  @Test("X1: a live pass is shown only while none is final")
  func live() {
    let live = pass(1, words: 80, quality: 5, live: true, final: false)
    #expect(CurrentPass.hash(among: [live]) == name(1))
    #expect(CurrentPass.hash(among: [live, pass(2, words: 3)]) == name(2))
    #expect(CurrentPass.hash(among: [pass(4, words: 9, final: false)]) == nil)
    #expect(CurrentPass.hash(among: []) == nil)
  }

  @Test("X1: the user's choice goes before all, once its pass is here")
  func choice() {
    let passes = [pass(1, words: 100, quality: 9), pass(2, words: 3)]
    #expect(CurrentPass.hash(among: passes, chosen: name(2)) == name(2))
    #expect(CurrentPass.hash(among: passes, chosen: name(8)) == name(1))
  }
}
