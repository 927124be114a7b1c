/// A 128-bit random name, typed by what it names.
///
/// Its text is 32 lower-case hexadecimal digits; a unique prefix of four or more digits is accepted
/// wherever a person types one. Random, not ordered: a prefix is short, and nothing can be read
/// from it (no time, no host).
package struct Identifier<Kind: IdentifierKind>: Hashable, Sendable, Comparable,
  LosslessStringConvertible
{
  /// Number of bytes of every identifier.
  package static var byteCount: Int { 16 }  // tidy: index

  /// The first eight bytes, most significant first.
  package let high: UInt64
  /// The last eight bytes, most significant first.
  package let low: UInt64

  /// A name of two words. For paths on which no array may be made.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Takes exactly 16 bytes; any other count gives nil.
  package init?(_ bytes: some Collection<UInt8>) {
    // Copied first: stepping through a generic collection costs more than all the rest.
    let bytes = Array(bytes)
    guard bytes.count == Self.byteCount else { return nil }
    high = bytes.bigEndianWord(at: 0)
    low = bytes.bigEndianWord(at: 8)
  }

  /// Takes 32 hexadecimal digits in either case; anything else gives nil.
  package init?(_ text: String) {
    guard let bytes = Hex.decode(text) else { return nil }
    self.init(bytes)
  }

  /// A new name from the injected source of randomness.
  package init(random: some RandomSource) {
    let bytes = random.bytes(Int64(Self.byteCount))
    high = bytes.bigEndianWord(at: 0)
    low = bytes.bigEndianWord(at: 8)
  }

  /// The 16 bytes, most significant first.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
    return bytes
  }

  /// 32 lower-case hexadecimal digits.
  package var description: String { Hex.encode(bytes) }

  package static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// What an ``Identifier`` names; the word is used in messages.
package protocol IdentifierKind {
  /// The noun, for messages: "recording", "take" …
  static var noun: String { get }
}

/// Names a recording: what the user made.
package enum RecordingKind: IdentifierKind { package static let noun = "recording" }
/// Names a track: one signal of a recording.
package enum TrackKind: IdentifierKind { package static let noun = "track" }
/// Names a take: one uninterrupted run of capture on a track.
package enum TakeKind: IdentifierKind { package static let noun = "take" }
/// Names an origin: one incarnation of a replica's log.
package enum OriginKind: IdentifierKind { package static let noun = "origin" }
/// Names a launch: one process lifetime that held the store open for writing.
package enum LaunchKind: IdentifierKind { package static let noun = "launch" }
/// Names a store: one directory on one device.
package enum StoreKind: IdentifierKind { package static let noun = "store" }

package typealias RecordingID = Identifier<RecordingKind>
package typealias TrackID = Identifier<TrackKind>
package typealias TakeID = Identifier<TakeKind>
package typealias OriginID = Identifier<OriginKind>
package typealias LaunchID = Identifier<LaunchKind>
package typealias StoreID = Identifier<StoreKind>
