import Foundation
import HoldfastCommand
import Testing

@Suite("Signals", .serialized)
struct ProcessSignalsTests {
  @Test("signals that a command takes come as a stream and end nothing")
  func stream() async throws {
    let signals = try ProcessSignals.stream([.user1, .user2])
    var iterator = signals.makeAsyncIterator()
    for sent in [ProcessSignal.user1, .user2, .user1] {
      kill(getpid(), sent.rawValue)
      #expect(await iterator.next() == sent)
    }
  }
}
