/// A source of random bytes, as a seam: the system's cryptographic generator, or a seeded one.
package protocol RandomSource: Sendable {
  /// `count` random bytes. The real source ends the process when the system can give none, since
  /// nothing safe can be done without.
  func bytes(_ count: Int64) -> [UInt8]
}
