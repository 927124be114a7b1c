import CHoldfastPlatform
import HoldfastModel

/// The system's cryptographic generator (getrandom, or arc4random_buf on Apple platforms).
package struct SystemRandom: RandomSource {
  /// The system's generator.
  package init() {}

  package func bytes(_ count: Int64) -> [UInt8] {
    guard count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(clamping: count)) { buffer, filled in
      let code = unsafe hf_random(buffer.baseAddress, UInt64(buffer.count))
      precondition(code == 0, "The system gives no random bytes (error \(code)).")
      filled = buffer.count
    }
  }
}
