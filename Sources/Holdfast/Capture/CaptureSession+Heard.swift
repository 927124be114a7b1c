public import HoldfastModel

extension CaptureSession {
  /// Journals at once that the system told this, before the app gets to ``handle(_:)``: should the
  /// process die in between, the next launch knows. From any thread; never touches the database.
  public func heard(_ event: CaptureEvent) {
    host.note(LaunchEvent("heard", Self.name(event)))
  }

  /// Returns when the session was stopped, or the task is cancelled.
  public func untilStopped() async {
    var seen = statusHub.version
    while await statusHub.wait(after: seen) { seen = statusHub.version }
  }
}
