// The model of a disk that loses power. Invariants: what a sync covered is there; of what no sync
// covered, exactly what the policy says is there; what is kept was done in its order.

/// What a crash leaves of the changes of bytes that no sync of their file had covered.
package enum CrashData: Hashable, Sendable {
  /// All of them.
  case allKept
  /// None of them.
  case allDropped
  /// All but one: the index counts uncovered changes, from 0.
  case oneDropped(Int)
  /// All, but of the last write only the first bytes. Does nothing where that write was covered.
  case lastTorn(UInt64)
}

/// What a crash leaves of the changes of names that no sync of their directory had covered.
package enum CrashNames: Hashable, Sendable, CaseIterable {
  /// All of them, as file systems that journal their metadata in order leave it.
  case kept
  /// None of them: the least that POSIX promises.
  case dropped
}

/// What can be found on a disk after a crash.
package struct CrashImage: Sendable {
  private let base: DiskTree
  private let happened: ArraySlice<DiskLog.Entry>
  /// Which entries change bytes and are covered by no sync, in order.
  private let uncovered: [Int]
  /// For each directory by its number, how many entries its syncs cover.
  private let coveredNames: [UInt64: Int]

  /// The crash after the first `count` changes of a log.
  package init(of log: DiskLog, after count: Int) {
    let happened = log.entries.prefix(count)
    var coveredData: [UInt64: Int] = [:]
    var coveredNames: [UInt64: Int] = [:]
    for entry in happened {
      switch entry.operation {
      case .sync:
        coveredData[entry.node] = max(coveredData[entry.node] ?? 0, entry.begun)
      case .syncDirectory:
        coveredNames[entry.node] = max(coveredNames[entry.node] ?? 0, entry.begun)
      default: break
      }
    }
    uncovered = happened.indices.filter {
      happened[$0].operation.changesData && $0 >= coveredData[happened[$0].node] ?? 0
    }
    base = log.base
    self.happened = happened
    self.coveredNames = coveredNames
  }

  /// How many changes of bytes no sync covers: the range of ``CrashData/oneDropped(_:)``.
  package var uncoveredChanges: Int { uncovered.count }

  /// How many bytes the last write has, when no sync covers it: the range of
  /// ``CrashData/lastTorn(_:)``. Nil when it is covered, or nothing was written.
  package var tearableBytes: UInt64? {
    guard let last = lastWrite, uncovered.contains(last),
      case .write(_, _, let bytes) = happened[last].operation
    else { return nil }
    return UInt64(bytes.count)
  }

  private var lastWrite: Int? {
    happened.lastIndex { if case .write = $0.operation { true } else { false } }
  }

  /// What is left.
  package func tree(_ data: CrashData, names: CrashNames) -> DiskTree {
    let contents = contents(data)
    var tree = DiskTree()
    for (path, node) in self.names(names).paths() {
      switch node {
      case .file(let number): tree.files[path] = contents[number] ?? []
      case .directory: tree.directories.insert(path)
      }
    }
    return tree
  }

  /// The bytes of each file by its number.
  private func contents(_ data: CrashData) -> [UInt64: [UInt8]] {
    var dropped: Set<Int> = []
    var torn: (index: Int, bytes: Int)?
    switch data {
    case .allKept: break
    case .allDropped: dropped = Set(uncovered)
    case .oneDropped(let index):
      if uncovered.indices.contains(index) { dropped = [uncovered[index]] }
    case .lastTorn(let bytes):
      if tearableBytes != nil, let lastWrite { torn = (lastWrite, Int(clamping: bytes)) }
    }
    var contents: [UInt64: [UInt8]] = [:]
    for (path, node) in DiskNames(base).paths() { contents[node.number] = base.files[path] }
    for index in happened.indices where happened[index].operation.changesData {
      if dropped.contains(index) { continue }
      let entry = happened[index]
      let limit = torn?.index == index ? torn?.bytes : nil
      Self.apply(entry.operation, limit: limit, to: &contents[entry.node, default: []])
    }
    return contents
  }

  private static func apply(
    _ operation: DiskOperation, limit: Int?, to content: inout [UInt8]
  ) {
    switch operation {
    case .write(_, let offset, let bytes):
      let bytes = bytes.prefix(limit ?? bytes.count)
      guard !bytes.isEmpty else { return }
      let start = Int(offset)
      extend(&content, to: start + bytes.count)
      content.replaceSubrange(start..<start + bytes.count, with: bytes)
    case .truncate(_, let size):
      content.removeLast(max(0, content.count - Int(size)))
      extend(&content, to: Int(size))
    case .allocate(_, let size): extend(&content, to: Int(size))
    default: break
    }
  }

  private static func extend(_ content: inout [UInt8], to size: Int) {
    guard content.count < size else { return }
    content += [UInt8](repeating: 0, count: size - content.count)
  }

  /// Which names there are, and what they mean.
  private func names(_ policy: CrashNames) -> DiskNames {
    var left = DiskNames(base)
    for index in happened.indices {
      guard let change = happened[index].names else { continue }
      if policy == .kept || index < coveredNames[change.directory] ?? 0 {
        left.apply(change)
      } else {
        left.admit(change.node)
      }
    }
    return left
  }
}
