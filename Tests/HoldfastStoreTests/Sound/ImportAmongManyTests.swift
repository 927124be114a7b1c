import HoldfastModel
import HoldfastStore
import Testing

@Suite("Import among many of one length")
struct ImportAmongManyTests {
  @Test(
    "says that content which is there has no external id, and finds it among many of its length")
  func amongMany() throws {
    let store = try SoundStore()
    let format = SoundFiles.format(.s16le, 8_000, 1)
    var ids: [RecordingID] = []
    for seed in 0..<12 {
      let wav = try SoundFiles.wav(format, SoundFiles.bytes(20_000, seed: UInt64(seed)))
      let path = try store.file("\(seed).wav", wav)
      ids.append(
        try store.importFile(path, chunkSeconds: seed % 2 == 0 ? 1 : 0.3).recording)
    }
    #expect(Set(ids).count == 12)
    for seed in [4, 7] {
      let again = try store.importFile("\(store.root)/\(seed).wav", externalID: "x")
      #expect(again.kind == .alreadyThere && again.recording == ids[seed] && again.isNameless)
    }
    let plain = try store.importFile("\(store.root)/3.wav")
    #expect(plain.kind == .alreadyThere && !plain.isNameless)
    // Alike at the begin, and not later.
    var bytes = SoundFiles.bytes(20_000, seed: 5)
    bytes[19_999] ^= 1
    let other = try store.importFile(try store.file("o.wav", try SoundFiles.wav(format, bytes)))
    #expect(other.kind == .imported)
  }
}
