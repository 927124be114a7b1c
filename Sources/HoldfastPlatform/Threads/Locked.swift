/// A value behind a mutex: the stand-in for `Synchronization.Mutex`, which needs iOS 18.
///
/// Invariant: the value is read and written by the holder of the mutex only. A body that asks for
/// the same lock again is a programming error and stops the process.
package final class Locked<Value>: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var value: Value

  /// Takes the value over from its maker.
  package init(_ value: sending Value) { self.value = value }

  /// Runs the body on the value while no other thread can. Keep it short, and never wait in it.
  package func withLock<R, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&value)
  }
}
