/// The sizes that bound reels and the writer's memory. One set is in force; tests use small ones.
package struct ReelLimits: Hashable, Sendable {
  /// A reel takes no further chunk that would end after this many bytes. A chunk that is larger
  /// than a whole reel gets one alone.
  package var reelBytes: UInt64
  /// A larger payload is refused before anything is written, and no reader believes it.
  package var payloadBytes: UInt64
  /// Payloads not yet power-safe are kept in memory up to this many bytes, in case their reel fails
  /// (J2); older ones are read back from the failed reel.
  package var keptBytes: UInt64

  /// Limits of the given sizes, in bytes.
  package init(
    reelBytes: UInt64 = 8 << 20, payloadBytes: UInt64 = 64 << 20, keptBytes: UInt64 = 1 << 20
  ) {
    self.reelBytes = reelBytes
    self.payloadBytes = payloadBytes
    self.keptBytes = keptBytes
  }

  /// The limits of every store (DESIGN 2: a reel is a file of at most 8 MiB).
  package static let standard = ReelLimits()
}
