import CHoldfastTesting
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite

/// What the VFS asks and tells: its calls in the words of the log.
final class VFSRecorder: Sendable {
  private let log: DiskLog
  /// Called at each write to a database or WAL.
  let writeGuard = Locked<(@Sendable (DiskOperation) -> Void)?>(nil)

  init(_ log: DiskLog) { self.log = log }

  /// The recorder behind the pointer that SQLite carries.
  static func from(_ owner: UnsafeMutableRawPointer) -> VFSRecorder {
    unsafe Unmanaged<VFSRecorder>.fromOpaque(owner).takeUnretainedValue()
  }

  /// Asks the guard and the hook.
  func before(_ call: holdfast_disk_call) -> holdfast_disk_verdict {
    guard let operation = unsafe operation(of: call) else {
      return holdfast_disk_verdict(code: 0, keep: 0, ticket: 0)
    }
    if unsafe call.is_store != 0 && operation.changesData {
      let writeGuard = writeGuard.withLock { $0 }
      writeGuard?(operation)
    }
    let (verdict, begun) = log.ask(operation)
    let ticket = UInt64(begun)
    return switch verdict {
    case .pass: holdfast_disk_verdict(code: 0, keep: 0, ticket: ticket)
    case .fail(let kind):
      holdfast_disk_verdict(code: code(of: kind, operation).rawValue, keep: 0, ticket: ticket)
    case .tear(let keeping, let kind):
      holdfast_disk_verdict(code: code(of: kind, operation).rawValue, keep: keeping, ticket: ticket)
    }
  }

  /// Appends what was done; answers the number of the file.
  func after(_ call: holdfast_disk_call, _ ticket: UInt64) -> UInt64 {
    guard let operation = unsafe operation(of: call) else { return 0 }
    switch operation {
    case .open(let path): return log.file(at: path) ?? 0
    case .read: return 0
    default:
      let file = unsafe call.file == 0 ? nil : call.file
      return log.append(operation, file: file, begun: Int(ticket))
    }
  }

  /// What SQLite's own VFS answers for such a fault.
  private func code(of kind: FileFault.Kind, _ operation: DiskOperation) -> ResultCode {
    switch operation {
    case .write: kind == .full ? .full : .ioErrorWrite
    case .read: .ioErrorRead
    case .sync: .ioErrorFsync
    case .syncDirectory: .ioErrorDirectoryFsync
    case .truncate: .ioErrorTruncate
    case .unlink: .ioErrorDelete
    // The C side answers that the file cannot be opened, and gives the system's number for it.
    default: kind == .full ? .full : .cannotOpen
    }
  }

  /// The call in the log's words; nil for a file outside of the tree.
  private func operation(of call: holdfast_disk_call) -> DiskOperation? {
    guard let path = log.name(of: unsafe String(cString: call.path)) else { return nil }
    let (offset, count) = unsafe (call.offset, call.count)
    switch unsafe Int(call.kind) {
    case HOLDFAST_DISK_OPEN: return .open(path)
    case HOLDFAST_DISK_CREATE: return .create(path)
    case HOLDFAST_DISK_READ: return .read(path, offset: offset, count: count)
    case HOLDFAST_DISK_WRITE:
      let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: call.bytes, count: Int(count)))
      return .write(path, offset: offset, bytes: bytes)
    case HOLDFAST_DISK_TRUNCATE: return .truncate(path, size: offset)
    case HOLDFAST_DISK_SYNC: return .sync(path)
    case HOLDFAST_DISK_UNLINK: return .unlink(path)
    case HOLDFAST_DISK_SYNC_DIRECTORY: return .syncDirectory(DiskPath.parent(of: path))
    default: return nil
    }
  }
}
