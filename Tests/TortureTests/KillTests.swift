import Foundation
import Holdfast
import Testing

/// Real processes, really killed, at instants drawn from a printed seed.
///
/// `HOLDFAST_LONG=1` makes 200 rounds of them, `HOLDFAST_SEED` chooses the instants.
@Suite("A recorder that is killed", .serialized)
struct KillTests {
  static let rounds = Torture.isLong ? 200 : 12

  @Test("loses no acknowledged chunk, whenever it is killed (J1, J2, J12)")
  func killedWhileRecording() throws {
    let seed = Torture.seed
    var dice = Torture.Dice(seed: seed)
    let place = Torture.Place()
    try place.makeAudio(seconds: 400)
    var acknowledged = 0
    for round in 0..<Self.rounds {
      let recorder = try place.start([
        "record", "--acks", "--chunk-seconds", dice.pick(["0.1", "0.5", "1"]), "--durability",
        dice.pick(["power", "paced"]), "--encoding", "s16le", "--rate", "16000", "--channels", "1",
        place.audio.path,
      ])
      // Every other one is killed while it records, whatever else the machine does; the rest at any
      // time after their start.
      if round.isMultiple(of: 2) { try recorder.waitForChunk() }
      Thread.sleep(forTimeInterval: dice.seconds(0.02, 0.6))
      kill(recorder.process.processIdentifier, SIGKILL)
      recorder.process.waitUntilExit()
      let heard = Heard(try recorder.output())
      acknowledged += heard.chunks.count
      // Killed before the store was made: there is nothing to recover.
      guard FileManager.default.fileExists(atPath: place.store + "/store.sqlite") else {
        #expect(heard.recording == nil, "seed \(seed) round \(round)")
        continue
      }
      // First as a reader sees it, then after a writer has recovered it.
      let before = try Custody.missing(heard, in: place.store)
      #expect(before.isEmpty, "seed \(seed) round \(round): a reader misses \(before.first!)")
      let recovered = try place.run(["recover", "--ack", "--json"])
      // Killed while the database was made: nothing is in it, and nobody was told of anything.
      if heard.recording == nil, recovered.error.contains("\"noStore\"") { continue }
      #expect([0, 3].contains(recovered.code), "seed \(seed) round \(round): \(recovered.error)")
      let after = try Custody.missing(heard, in: place.store)
      #expect(after.isEmpty, "seed \(seed) round \(round): lost \(after.first!)")
    }
    #expect(acknowledged > Self.rounds, "seed \(seed): the kills came before anything was heard")
    let list = try place.run(["list", "--state", "recording", "--json"])
    #expect(list.output.contains("\"recordings\":[]"))
  }

  @Test("that was frozen for a while goes on, and nobody takes its recording away (L1, T8)")
  func frozen() throws {
    let place = Torture.Place()
    try place.makeAudio(seconds: 3)
    let recorder = try place.start([
      "record", "--acks", "--realtime", "--chunk-seconds", "0.1", "--encoding", "s16le", "--rate",
      "16000", "--channels", "1", place.audio.path,
    ])
    try recorder.waitForChunk()
    kill(recorder.process.processIdentifier, SIGSTOP)
    // Another writer comes and goes meanwhile: the frozen launch holds its lock and is alive.
    let other = try place.run(["recover", "--json"])
    #expect(other.code == 0, "\(other.error) \(other.output)")
    let list = try place.run(["list", "--json"])
    #expect(list.output.contains("\"state\":\"recording\""))
    kill(recorder.process.processIdentifier, SIGCONT)
    recorder.process.waitUntilExit()
    #expect(recorder.process.terminationStatus == 0)
    let heard = Heard(try recorder.output())
    #expect(heard.hasStopped)
    #expect(heard.chunks.reduce(0) { $0 + Int($1.frames) } == 48_000)
    #expect(try Custody.missing(heard, in: place.store).isEmpty)
  }

  @Test("leaves other recorders of the store alone: four at once, one killed (J7, L1)")
  func severalAtOnce() throws {
    let place = Torture.Place()
    try place.makeAudio(seconds: 60)
    let arguments = [
      "record", "--acks", "--chunk-seconds", "0.1", "--encoding", "s16le", "--rate", "16000",
      "--channels", "1", place.audio.path,
    ]
    let recorders = try (0..<4).map { _ in try place.start(arguments) }
    try recorders[0].waitForChunk()
    kill(recorders[0].process.processIdentifier, SIGKILL)
    for recorder in recorders { recorder.process.waitUntilExit() }
    for (index, recorder) in recorders.enumerated() {
      let heard = Heard(try recorder.output())
      #expect(index == 0 || heard.hasStopped, "\(recorder.errors())")
      #expect(index == 0 || heard.chunks.count == 600)
      #expect(try Custody.missing(heard, in: place.store).isEmpty)
    }
  }
}
