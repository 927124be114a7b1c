/// One result of a task. It is bound to the recording that was captured at claim (T7).
///
/// Ordered by which is shown first: the best declared quality, then the smallest hash (T9). Equal
/// content may have been made twice by other versions: the newest first.
package struct TaskResult: Hashable, Sendable, Comparable {
  /// What the result is, by content.
  package let hash: Digest
  /// The quality that its handler declares; more is better.
  package let quality: Int32
  /// The handler's version that made it.
  package let version: Int32
  /// The revision of the input that it was made from.
  package let inputRevision: UInt64

  package init(hash: Digest, quality: Int32, version: Int32, inputRevision: UInt64) {
    self.hash = hash
    self.quality = quality
    self.version = version
    self.inputRevision = inputRevision
  }

  package static func < (left: TaskResult, right: TaskResult) -> Bool {
    if left.quality != right.quality { return left.quality > right.quality }
    if left.hash != right.hash { return left.hash < right.hash }
    if left.version != right.version { return left.version > right.version }
    return left.inputRevision > right.inputRevision
  }
}

/// All results of one task: a set that only grows. What is shown follows from the set and the
/// user's choice alone, never from order or a clock (T9, S1).
package struct TaskResults: Hashable, Sendable {
  /// Every result, by its content.
  package private(set) var all: Set<TaskResult> = []
  /// What the user chose; counts once that result is here.
  package var choice: Digest?

  /// No result yet.
  package init() {}

  /// Adds a result, a late one of a stale worker too.
  package mutating func add(_ result: TaskResult) { all.insert(result) }

  /// Adds what another replica has.
  package mutating func merge(_ other: TaskResults) { all.formUnion(other.all) }

  /// The result to show: the user's choice, else the best declared quality, then the smallest
  /// hash.
  package var shown: TaskResult? {
    if let choice, let chosen = all.filter({ $0.hash == choice }).min() {
      return chosen
    }
    return all.min()
  }
}
