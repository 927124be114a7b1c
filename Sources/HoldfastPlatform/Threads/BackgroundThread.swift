import CHoldfastPlatform
package import HoldfastModel

/// A thread of one's own, for work that blocks or must not wait for the cooperative pool.
///
/// Invariant: once ``join()`` has returned, the body has returned and what it captured was let go.
package final class BackgroundThread: Sendable {
  private let completion: Completion

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: shown by debuggers and `ps -L`; Linux keeps 15 bytes of it.
  ///   - body: runs once, on the new thread.
  /// - Throws: ``FileFault/Kind/exhausted`` when the system has no thread left.
  package init(name: String, _ body: @escaping @Sendable () -> Void) throws(FileFault) {
    completion = Completion()
    let launch = Launch(body: body, completion: completion)
    let context = unsafe Unmanaged.passRetained(launch)
    let code = unsafe hf_thread_start(
      name,
      { context in
        unsafe Unmanaged<Launch>.fromOpaque(context).takeRetainedValue().run()
      }, unsafe context.toOpaque())
    guard code == 0 else {
      unsafe context.release()
      throw FileFault(errno: code, operation: "start thread", path: name, kind: .exhausted)
    }
  }

  /// Waits until the body has returned. Any number of threads may; on the thread itself it returns
  /// at once, since it would wait for ever.
  package func join() { completion.wait() }
}

/// What the new thread takes with it.
private final class Launch: @unchecked Sendable {
  private var body: (@Sendable () -> Void)?
  private let completion: Completion

  init(body: @escaping @Sendable () -> Void, completion: Completion) {
    self.body = body
    self.completion = completion
  }

  func run() {
    completion.begin()
    body?()
    body = nil
    completion.finish()
  }
}

/// Whether a thread is done, and which one it is.
private final class Completion: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private let condition = ThreadCondition()
  private var thread: UInt64 = 0
  private var done = false

  func begin() {
    mutex.lock()
    thread = hf_thread_id()
    mutex.unlock()
  }

  func finish() {
    mutex.lock()
    done = true
    condition.wakeAll()
    mutex.unlock()
  }

  func wait() {
    mutex.lock()
    while !done, thread != hf_thread_id() { condition.wait(mutex) }
    mutex.unlock()
  }
}
