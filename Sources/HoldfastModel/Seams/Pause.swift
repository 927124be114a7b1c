/// Waiting, as a seam: the only place where an engine lets time pass.
package protocol Pause: Sendable {
  /// Lets at least so many nanoseconds pass on the calling thread.
  func pause(nanoseconds: Int64)
}
