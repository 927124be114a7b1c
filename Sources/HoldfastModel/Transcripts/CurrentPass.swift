/// What the choice of the current pass needs to know of one pass: one run of an engine over audio.
package struct PassSummary: Hashable, Sendable {
  /// The pass's hash: its name on every replica, and the last word between equals.
  package var hash: Digest
  /// Made while the recording ran.
  package var isLive: Bool
  /// Closed: no further unit belongs to it.
  package var isFinal: Bool
  /// Words of its final segments.
  package var words: UInt64
  /// The quality that its handler declared; larger is better.
  package var quality: Int32

  package init(hash: Digest, isLive: Bool, isFinal: Bool, words: UInt64, quality: Int32) {
    self.hash = hash
    self.isLive = isLive
    self.isFinal = isFinal
    self.words = words
    self.quality = quality
  }
}

/// Which pass of a recording is shown (X1): a function of the set, whatever the order of arrival.
package enum CurrentPass {
  /// The hash of the current pass; nil when there is none to show.
  ///
  /// - Parameters:
  ///   - passes: what is known here of the recording's passes, in any order, repeated or not.
  ///   - chosen: the user's choice. One whose pass is not here decides nothing until it arrives.
  package static func hash(
    among passes: some Collection<PassSummary>, chosen: Digest? = nil
  ) -> Digest? {
    if let chosen, passes.contains(where: { $0.hash == chosen }) { return chosen }
    let final = passes.filter(\.isFinal)
    let candidates = final.isEmpty ? passes.filter(\.isLive) : final
    guard let most = candidates.map(\.words).max() else { return nil }
    // At least half, written so that it can neither round nor overflow.
    let wordy = candidates.filter { $0.words >= most - $0.words }
    return wordy.min { left, right in
      left.quality == right.quality ? left.hash < right.hash : left.quality > right.quality
    }?.hash
  }
}
