import HoldfastModel
import Testing

@Suite("Names of files as text")
struct PathTextTests {
  @Test("UTF-8 stays as it is")
  func plain() {
    for text in ["", "a.wav", "Gespräch/会議.wav", "e\u{301}", "👩‍👩‍👧", "\u{FFFD}"] {
      #expect(PathText.text(of: Array(text.utf8)) == text)
      #expect(PathText.bytes(of: text) == Array(text.utf8) && PathText.shown(text) == text)
    }
  }

  @Test("other bytes are kept, shown as what they are, and repaired for titles")
  func bytes() {
    let name: [UInt8] = Array("caf".utf8) + [0xE9] + Array(".wav".utf8)
    let text = PathText.text(of: name)
    #expect(PathText.bytes(of: text) == name && PathText.holdsBytes(text))
    #expect(PathText.shown(text) == "caf\\xE9.wav" && PathText.repaired(text) == "caf\u{FFFD}.wav")
    #expect(PathText.shown(PathText.text(of: [0xFF, 0x0A, 0x80])) == "\\xFF\n\\x80")
  }

  @Test("every name has one text and is got back from it", arguments: 0..<40)
  func roundTrip(seed: UInt64) {
    let dice = Dice(seed)
    let pieces: [[UInt8]] = [
      [0xEF, 0xB7, 0x90], [0xEF, 0xB7, 0x9F], [0xEF, 0xB7], [0xFF], [0xC3], [0x28], [0xE9], [0x2F],
      Array("ä".utf8), Array("🏴".utf8), [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ]
    var texts: [String: [UInt8]] = [:]
    for _ in 0..<50 {
      var name: [UInt8] = []
      for _ in 0..<dice.below(6) {
        name += pieces[dice.below(pieces.count)]
      }
      let text = PathText.text(of: name)
      #expect(PathText.bytes(of: text) == name)
      #expect(texts[text] == nil || texts[text] == name)
      texts[text] = name
    }
  }
}
