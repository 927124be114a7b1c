package import HoldfastModel
import HoldfastPlatform

/// A disk with so much room and no more: as a hook of a ``DiskLog``, which fails what does not fit,
/// and as a file system that tells what is free.
///
/// Room is counted in pages of 4 KiB by the end of each file; growing a file by a truncation takes
/// none, as on the file systems that we know.
package final class DiskBudget: Sendable {
  fileprivate struct State: Sendable {
    var free: UInt64
    var files: [String: UInt64] = [:]
  }

  private let state: Locked<State>
  fileprivate static let page: UInt64 = 4096

  /// A disk with so many bytes.
  package init(bytes: UInt64) { state = Locked(State(free: bytes)) }

  /// What is free.
  package var freeBytes: UInt64 { state.withLock { $0.free } }

  /// Somebody else takes all that is free.
  package func fill() { state.withLock { $0.free = 0 } }

  /// Somebody else gives room back.
  package func give(_ bytes: UInt64) { state.withLock { $0.free += bytes } }

  /// The hook.
  package var hook: DiskHook { { [self] in admit($0) } }

  private func admit(_ operation: DiskOperation) -> DiskVerdict {
    state.withLock { state in
      switch operation {
      case .write(let path, let offset, let bytes):
        return state.grow(path, to: offset + UInt64(bytes.count))
      case .allocate(let path, let size): return state.grow(path, to: size)
      case .makeDirectory(let path): return state.grow(path + "/", to: 1)
      case .truncate(let path, let size): state.shrink(path, to: size)
      case .unlink(let path): state.shrink(path, to: 0)
      case .removeDirectory(let path): state.shrink(path + "/", to: 0)
      case .rename(let path, let to):
        state.shrink(to, to: 0)
        state.files[to] = state.files.removeValue(forKey: path)
      default: break
      }
      return .pass
    }
  }

  fileprivate static func pages(_ bytes: UInt64) -> UInt64 { (bytes + page - 1) / page * page }
}

extension DiskBudget.State {
  fileprivate mutating func grow(_ path: String, to size: UInt64) -> DiskVerdict {
    let there = files[path] ?? 0
    let wanted = max(DiskBudget.pages(size), there)
    guard wanted - there <= free else { return .fail(.full) }
    free -= wanted - there
    files[path] = wanted
    return .pass
  }

  fileprivate mutating func shrink(_ path: String, to size: UInt64) {
    guard let there = files[path] else { return }
    let left = min(DiskBudget.pages(size), there)
    free += there - left
    files[path] = left == 0 ? nil : left
  }
}

/// A file system whose free room is a budget's.
package struct BudgetedFiles: ForwardingFiles {
  package let real: any FileSystem
  private let budget: DiskBudget

  /// What `fileSystem` does, with the free room of `budget`.
  package init(_ fileSystem: any FileSystem, _ budget: DiskBudget) {
    real = fileSystem
    self.budget = budget
  }

  package func freeBytes(_ path: String) throws(FileFault) -> UInt64 { budget.freeBytes }
}
