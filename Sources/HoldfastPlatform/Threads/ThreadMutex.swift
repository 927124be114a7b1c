import CHoldfastPlatform

/// A mutex at a fixed address.
///
/// It finds out when a thread locks it twice, and stops with a message instead of standing still
/// for ever.
@safe struct ThreadMutex: ~Copyable, @unchecked Sendable {
  fileprivate let mutex: OpaquePointer

  init() {
    guard let made = unsafe hf_mutex_create() else {
      preconditionFailure("No memory is left for a mutex.")
    }
    unsafe mutex = made
  }

  deinit { unsafe hf_mutex_destroy(mutex) }

  /// Waits until no other thread holds the mutex, and takes it.
  borrowing func lock() {
    let code = unsafe hf_mutex_lock(mutex)
    precondition(code == 0, "A thread locked a mutex that it holds (error \(code)).")
  }

  /// Gives it back.
  borrowing func unlock() {
    let code = unsafe hf_mutex_unlock(mutex)
    precondition(code == 0, "A thread gave back a mutex that it does not hold (error \(code)).")
  }
}

/// A condition variable at a fixed address, measured by a clock that nobody sets.
@safe struct ThreadCondition: ~Copyable, @unchecked Sendable {
  private let condition: OpaquePointer

  init() {
    guard let made = unsafe hf_condition_create() else {
      preconditionFailure("No memory is left for a condition variable.")
    }
    unsafe condition = made
  }

  deinit { unsafe hf_condition_destroy(condition) }

  /// Gives the mutex back, sleeps until woken, takes the mutex. It may also wake without a cause.
  borrowing func wait(_ mutex: borrowing ThreadMutex) {
    unsafe hf_condition_wait(condition, mutex.mutex)
  }

  /// The same, for `nanoseconds` at most.
  borrowing func wait(_ mutex: borrowing ThreadMutex, nanoseconds: UInt64) {
    unsafe hf_condition_wait_for(condition, mutex.mutex, nanoseconds)
  }

  /// Wakes one sleeper.
  borrowing func wakeOne() { unsafe hf_condition_wake_one(condition) }

  /// Wakes all sleepers.
  borrowing func wakeAll() { unsafe hf_condition_wake_all(condition) }
}
