import HoldfastModel

/// Lets real time pass on the calling thread.
package struct SystemPause: Pause {
  package init() {}

  package func pause(nanoseconds: Int64) {
    // A signal that nobody sends: its timeout is the pause.
    _ = WakeSignal().wait(timeoutNanoseconds: UInt64(max(nanoseconds, 0)))
  }
}
