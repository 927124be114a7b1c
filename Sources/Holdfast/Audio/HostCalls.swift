import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore

/// Reaches the store of a handle from a thread that may wait: long work (import, export, archive)
/// runs on a thread of its own and asks the host for rows and commits in short calls between which
/// other callers have their turn (J11).
struct HostCalls: StoreCalls {
  let host: StoreHost

  var layout: StoreLayout { StoreLayout(host.configuration.directory.path) }
  var environment: StoreEnvironment { host.environment }

  func rows<T: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T {
    try OwnThread.wait { () async throws(HoldfastError) -> T in
      try await host.read { writer throws(HoldfastError) in try writer.database.read(body) }
    }
  }

  func call<T: Sendable>(
    _ body: @escaping @Sendable (StoreWriter) throws(HoldfastError) -> T
  ) throws(HoldfastError) -> T {
    try OwnThread.wait { () async throws(HoldfastError) -> T in try await host.write(body) }
  }
}

/// Runs work that blocks on a thread of its own.
package enum OwnThread {
  /// Waits for asynchronous work on the calling thread, which must be none of the cooperative pool.
  package static func wait<T: Sendable>(
    _ work: @escaping @Sendable () async throws(HoldfastError) -> T
  ) throws(HoldfastError) -> T {
    let done = WakeSignal()
    let answer = Locked<Result<T, HoldfastError>?>(nil)
    Task {
      let result: Result<T, HoldfastError>
      do throws(HoldfastError) { result = .success(try await work()) } catch {
        result = .failure(error)
      }
      answer.withLock { $0 = result }
      done.signal()
    }
    while true {
      done.wait()
      if let result = answer.withLock({ $0 }) { return try result.get() }
    }
  }

  /// Runs the body and answers what it did. The body is told when the task was cancelled.
  package static func run<T: Sendable>(
    _ name: String,
    _ body:
      @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool)
      throws(HoldfastError) -> T
  ) async throws(HoldfastError) -> T {
    let cancelled = Locked(false)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<T, HoldfastError>, Never>) in
        do throws(FileFault) {
          _ = try BackgroundThread(name: name) {
            do throws(HoldfastError) {
              continuation.resume(
                returning: .success(try body { cancelled.withLock { $0 } }))
            } catch {
              continuation.resume(returning: .failure(error))
            }
          }
        } catch {
          continuation.resume(returning: .failure(StoreFaults.error(error)))
        }
      }
    } onCancel: {
      cancelled.withLock { $0 = true }
    }
    return try result.get()
  }
}
