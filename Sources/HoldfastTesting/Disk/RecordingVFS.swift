import CHoldfastTesting
package import HoldfastModel
import HoldfastPlatform

/// An SQLite VFS that does what the system's own does, asks the log's hook before each operation on
/// a database, WAL or journal below the log's root, and appends each change to the log.
///
/// Shared memory is passed through: it is no part of what a crash leaves. The VFS is registered as
/// long as this object lives; connections that are open then work on until they are closed.
package final class RecordingVFS: Sendable {
  /// The name to open connections by.
  package let name: String
  private let recorder: VFSRecorder
  private let registration: Registration

  /// Registers a VFS.
  ///
  /// - Parameters:
  ///   - log: takes the operations.
  ///   - name: the name to register by; by default one that no other object has.
  /// - Throws: ``FileFault/Kind/exists`` when the name is taken or longer than 63 bytes.
  package init(log: DiskLog, name: String? = nil) throws(FileFault) {
    recorder = VFSRecorder(log)
    guard let registration = Registration(name, recorder) else {
      throw FileFault(
        kind: .exists, operation: "register", path: name ?? "", errno: 0,
        reason: "There is a VFS of that name, or no room for it")
    }
    self.registration = registration
    self.name = registration.name
    log.addRoots(Self.fullPath)
  }

  /// Calls the guard at each write to, and truncation of, a database or its WAL: the place to
  /// assert that the writer lock is held (J7). Nil calls nobody.
  package func setWriteGuard(_ writeGuard: (@Sendable (DiskOperation) -> Void)?) {
    recorder.writeGuard.withLock { $0 = writeGuard }
  }

  /// A path as SQLite names it in its calls: absolute, links followed.
  private static func fullPath(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let size = Int32(buffer.count)
    let isKnown = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      return unsafe holdfast_disk_full_path(path, start, size) != 0
    }
    guard isKnown else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Takes the VFS away when it goes.
@safe private final class Registration: @unchecked Sendable {
  private let vfs: OpaquePointer
  let name: String

  init?(_ name: String?, _ recorder: VFSRecorder) {
    let owner = unsafe Unmanaged.passRetained(recorder)
    let calls = unsafe holdfast_disk_calls(
      owner: owner.toOpaque(),
      before: { owner, call in unsafe VFSRecorder.from(owner).before(call.pointee) },
      after: { owner, call, ticket in unsafe VFSRecorder.from(owner).after(call.pointee, ticket) },
      release: { owner in unsafe Unmanaged<VFSRecorder>.fromOpaque(owner).release() })
    guard let vfs = unsafe holdfast_disk_register(name, calls) else {
      unsafe owner.release()
      return nil
    }
    unsafe self.vfs = unsafe vfs
    unsafe self.name = String(cString: holdfast_disk_name(vfs))
  }

  deinit { unsafe holdfast_disk_unregister(vfs) }
}
