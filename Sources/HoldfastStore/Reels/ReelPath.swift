package import HoldfastModel

/// Where a reel lies: `audio/<take>/<nnnn>`, relative to the store's directory.
///
/// The number has four decimal digits, more from 10,000 on. Each reel has exactly one spelling, so
/// a file that is named otherwise is no reel of ours.
package struct ReelPath: Hashable, Sendable, Comparable, LosslessStringConvertible {
  /// The take whose chunks the reel holds.
  package let take: TakeID
  /// The reel's number within the take's directory.
  package let reel: UInt32

  /// The directory of all takes, relative to the store's.
  package static let audioDirectory = "audio"

  /// The path of a take's reel.
  package init(take: TakeID, reel: UInt32) {
    self.take = take
    self.reel = reel
  }

  /// Reads a path relative to the store's directory; nil when it is not spelled as we spell it.
  package init?(_ relative: String) {
    let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let take = TakeID(String(parts[1])), let reel = UInt32(parts[2])
    else { return nil }
    self.init(take: take, reel: reel)
    if description != relative { return nil }
  }

  /// The directory of a take's reels, relative to the store's: `audio/<take>`.
  package static func directory(of take: TakeID) -> String { "\(audioDirectory)/\(take)" }

  /// The file's name within the take's directory.
  package var fileName: String {
    let digits = String(reel)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  /// The path relative to the store's directory.
  package var description: String { "\(Self.directory(of: take))/\(fileName)" }

  package static func < (left: Self, right: Self) -> Bool {
    (left.take, left.reel) < (right.take, right.reel)
  }
}
