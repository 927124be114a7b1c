package import HoldfastModel

/// The lock that writers and checkpoints of the whole machine take in turn (J7).
///
/// It is `flock(LOCK_EX)` on `writer.lock`, which the system gives back whatever ends the process.
/// Who waits in vain asks the system who holds it. Where that does not tell, the name that each
/// holder of ours writes into the file is told as what it is: that of the last one. Another program
/// that took the lock has not written it.
package final class WriterLock {
  private let file: any OpenFile
  private let environment: StoreEnvironment
  private let waitNanoseconds: Int64
  /// Whether this object holds the lock now.
  package private(set) var isHeld = false
  /// Room for the holder's name, bytes.
  private static let nameBytes: Int64 = 96

  /// Opens the lock's file, making it when absent.
  package init(
    _ path: String, _ environment: StoreEnvironment, waitNanoseconds: Int64
  ) throws(FileFault) {
    self.environment = environment
    self.waitNanoseconds = waitNanoseconds
    file = try environment.files.open(path, [.write, .create])
  }

  /// Takes the lock, waiting at most as long as was said.
  ///
  /// - Throws: code `locked`, naming the holder.
  package func acquire() throws(HoldfastError) {
    do {
      if try file.tryLock(exclusive: true) { return took() }
      let start = environment.clock.now().monotonicNanoseconds
      var step: Int64 = 200_000
      while environment.clock.now().monotonicNanoseconds - start < waitNanoseconds {
        environment.pause.pause(nanoseconds: step)
        if try file.tryLock(exclusive: true) { return took() }
        step = min(step * 2, 20_000_000)
      }
    } catch { throw StoreFaults.error(error) }
    throw HoldfastError(
      .locked, "The store is being written by \(holder()).",
      hint: "Wait for it to end, or give a longer wait.", isRetryable: true,
      context: ["path": file.path])
  }

  /// Gives the lock back.
  package func release() {
    guard isHeld else { return }
    isHeld = false
    file.unlock()
  }

  /// Gives the lock back and closes its file.
  package func close() {
    release()
    file.close()
  }

  private func took() {
    isHeld = true
    var name = Array("process \(environment.process) (\(environment.program))\n".utf8)
    name = Array(name.prefix(Int(Self.nameBytes)))
    name += Array(repeating: UInt8(ascii: " "), count: Int(Self.nameBytes) - name.count)
    // The name is for messages only: a disk that does not take it changes nothing.
    try? file.write(name, at: 0)
  }

  private func holder() -> String {
    if let holder = file.lockHolder() { return holder }
    let bytes = (try? file.read(at: 0, count: Self.nameBytes)) ?? []
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 >= 0x20 }
    let last = String(decoding: line, as: UTF8.self)
    return "another process" + (last.isEmpty ? "" : "; the last one known to write is \(last)")
  }
}
