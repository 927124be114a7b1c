import Foundation
import Holdfast
import Testing

/// Writers come and go while a recorder starts.
@Suite("A recorder that starts beside other processes", .serialized)
struct BesideTests {
  @Test("is not taken for dead by writers that open at that moment (L1, J12)")
  func writersAtStart() throws {
    let seed = Torture.seed
    var dice = Torture.Dice(seed: seed)
    let place = Torture.Place()
    try place.makeAudio(seconds: 2)
    let raw = ["--encoding", "s16le", "--rate", "16000", "--channels", "1", place.audio.path]
    let first = try place.run(["record", "--quiet"] + raw)
    let id = first.output.trimmingCharacters(in: .newlines)
    for round in 0..<(Torture.isLong ? 100 : 8) {
      let recorder = try place.start(["record", "--acks", "--chunk-seconds", "0.1"] + raw)
      var others: [Torture.Running] = []
      for other in 0..<3 {
        Thread.sleep(forTimeInterval: dice.seconds(0.005, 0.02))
        others.append(try place.start(["edit", id, "--title", "Round \(round).\(other)"]))
      }
      for process in [recorder] + others { process.process.waitUntilExit() }
      let heard = Heard(try recorder.output())
      let label: Comment = "seed \(seed) round \(round)"
      #expect(heard.hasStopped && heard.chunks.count == 20, label)
      #expect(try Custody.missing(heard, in: place.store).isEmpty, label)
      #expect(others.allSatisfy { $0.process.terminationStatus == 0 }, label)
    }
    let verified = try place.run(["verify", "--json"])
    #expect(verified.code == 0 && verified.output.contains("\"orphans\":[]"), "\(verified.output)")
    #expect(try place.run(["recover", "--json"]).code == 0)
  }
}
