import CHoldfastPlatform

/// A 64-bit word that threads share without a lock, on a cache line of its own.
@safe struct AtomicWord: ~Copyable, @unchecked Sendable {
  private let word: UnsafeMutablePointer<UInt64>

  /// Room for one word in 128 bytes: the line size of Apple's processors, twice that of Intel's.
  private static let lineBytes = 128

  init(_ value: UInt64 = 0) {
    let line = UnsafeMutableRawPointer.allocate(
      byteCount: Self.lineBytes, alignment: Self.lineBytes)
    unsafe word = line.initializeMemory(as: UInt64.self, to: value)
  }

  deinit { unsafe UnsafeMutableRawPointer(word).deallocate() }

  /// Reads; what the writer did before its ``store(_:)`` is visible afterwards.
  borrowing func load() -> UInt64 { unsafe hf_load_acquire(word) }

  /// Writes; what was done before is visible to whoever ``load()``s the value.
  borrowing func store(_ value: UInt64) { unsafe hf_store_release(word, value) }

  /// Adds, by the word's only writer.
  borrowing func advance(by count: UInt64) { store(load() &+ count) }

  // The three that follow take part in one order that all threads agree on.

  /// Reads.
  borrowing func loadOrdered() -> UInt64 { unsafe hf_load_ordered(word) }

  /// Replaces, and answers what was there.
  borrowing func exchange(_ value: UInt64) -> UInt64 { unsafe hf_exchange_ordered(word, value) }

  /// Adds, by any thread.
  borrowing func add(_ value: UInt64) { _ = unsafe hf_add_ordered(word, value) }
}
