// Invariant: the log has every change in an order in which they could have happened one by one. An
// operation is appended after it was done and before its caller goes on, so one that was caused by
// another stands behind it. A sync counts only for what was appended before the sync began.
package import HoldfastModel
import HoldfastPlatform

/// The ordered record of every change to the files below one directory, with the hook that may make
/// operations fail and with exact counters. Shared by ``RecordingFiles`` and ``RecordingVFS``; used
/// from any thread.
package final class DiskLog: Sendable {
  /// One change.
  package struct Entry: Hashable, Sendable {
    /// What was done.
    package var operation: DiskOperation
    /// The number of the file or directory that it was done to.
    package var node: UInt64
    /// What it changed about names.
    var names: NameChange?
    /// How many entries the log had when it began. A sync covers these.
    package var begun: Int
  }

  /// What the lock guards.
  private struct State: Sendable {
    var names: DiskNames
    var nextNode: UInt64
    var entries: [Entry] = []
    var counters: [String: DiskCounters] = [:]
    var hook: DiskHook?
    var roots: [String]
  }

  /// The tree before the first entry; it counts as durable.
  package let base: DiskTree
  private let keepsEntries: Bool
  private let state: Locked<State>

  /// A log for the tree at a root.
  ///
  /// - Parameters:
  ///   - root: the directory, absolute or relative to the working directory. What lies elsewhere is
  ///     passed on unseen.
  ///   - base: what is there already.
  ///   - keepsEntries: whether changes are kept. A log without them only counts, in little memory.
  package init(root: String, base: DiskTree = DiskTree(), keepsEntries: Bool = true) {
    self.base = base
    self.keepsEntries = keepsEntries
    state = Locked(
      State(
        names: DiskNames(base), nextNode: UInt64(base.files.count + base.directories.count) + 1,
        roots: [DiskPath.normalized(root)]))
  }

  /// A log for the tree at a root with what is there now, as a file system reads it.
  package convenience init(
    root: String, on fileSystem: some FileSystem, keepsEntries: Bool = true
  ) throws(FileFault) {
    let base = try DiskTree(reading: root, on: fileSystem)
    self.init(root: root, base: base, keepsEntries: keepsEntries)
  }
}

// What tests ask for.
extension DiskLog {
  /// The changes so far, in order.
  package var entries: [Entry] { state.withLock { $0.entries } }
  /// What was done so far, in order.
  package var operations: [DiskOperation] { entries.map(\.operation) }
  /// How many changes there are.
  package var count: Int { state.withLock { $0.entries.count } }

  /// Makes the hook the one that is asked before each operation; nil asks nobody.
  package func setHook(_ hook: DiskHook?) { state.withLock { $0.hook = hook } }

  /// The counts over all files whose path satisfies the condition: the path that each was opened
  /// by, for a directory sync the directory's.
  package func counters(where isCounted: (String) -> Bool = { _ in true }) -> DiskCounters {
    let all = state.withLock { $0.counters }
    return all.reduce(into: DiskCounters()) { sum, next in
      if isCounted(next.key) { sum = sum + next.value }
    }
  }
}

// What the seams do.
extension DiskLog {
  /// The path from the root on; nil for what lies outside the tree.
  func name(of path: String) -> String? {
    let path = DiskPath.normalized(path)
    return state.withLock { state in
      state.roots.lazy.compactMap { DiskPath.relative(path, to: $0) }.first
    }
  }

  /// Knows the root by another name too, as somebody else calls it.
  func addRoots(_ rename: (String) -> String?) {
    let others = state.withLock { $0.roots }.compactMap(rename)
    state.withLock { $0.roots += others.map(DiskPath.normalized) }
  }

  /// Asks the hook; also answers how many entries there are now that it has spoken.
  func ask(_ operation: DiskOperation) -> (verdict: DiskVerdict, begun: Int) {
    let hook = state.withLock { $0.hook }
    let verdict = hook?(operation) ?? .pass
    return (verdict, count)
  }

  /// The number of the file at a path; nil when the log knows none.
  func file(at path: String) -> UInt64? {
    guard case .file(let number) = state.withLock({ $0.names[path] }) else { return nil }
    return number
  }

  /// Appends a change that was done.
  ///
  /// - Parameters:
  ///   - operation: what was done.
  ///   - file: the file's number when it is open; without one its path says which it is.
  ///   - begun: how many entries there were before it began; all, when left out.
  /// - Returns: the number of the file or directory.
  @discardableResult
  package func append(
    _ operation: DiskOperation, file: UInt64? = nil, begun: Int? = nil
  ) -> UInt64 {
    state.withLock { state in
      let change = state.names.change(by: operation, number: state.nextNode)
      let number = file ?? (change?.node ?? state.names[operation.path])?.number
      guard let number, !state.names.isHomeless(operation) else {
        preconditionFailure("\(operation): a path that was not made through this log's seams")
      }
      state.counters[operation.path, default: DiskCounters()].add(operation)
      if let change { state.names.apply(change) }
      if number == state.nextNode { state.nextNode += 1 }
      if keepsEntries {
        let begun = begun ?? state.entries.count
        state.entries.append(
          Entry(operation: operation, node: number, names: change, begun: begun))
      }
      return number
    }
  }
}
