/// An app on a simulated phone. Called one call at a time.
package protocol PhoneApp: Sendable {
  /// Whether the system may start it in the background.
  static var usesWindows: Bool { get }
  /// A process begins.
  func launch() async throws
  /// The process that was suspended goes on.
  func resume() async throws
  func beginRecording() async throws
  /// Sound has come in.
  func heard() async throws
  func endRecording() async throws
  /// Whether something is left to do.
  func hasWork() async throws -> Bool
  /// Works until nothing can run now.
  func work() async throws
  /// Nothing can run: before the system suspends the process.
  func suspend() async throws
  /// The process ended.
  func died() async throws
}

/// Leads an app through the days of a plan.
package struct PhoneDays<App: PhoneApp> {
  /// Seconds between two looks at what came in while it records: a unit of the team's recognizer.
  package static var unitSeconds: Double { 12 }
  /// Seconds of the grace time that an app leaves unused.
  package static var spareSeconds: Double { 5 }
  /// Seconds after which the user notices that a recording has ended by itself.
  private static var noticedSeconds: Double { 300 }

  private let plan: PhonePlan
  private let phone: SimulatedPhone
  private let app: App
  private var isRunning = false
  /// From when to when the app ran after the user opened it, the background after it counted.
  package private(set) var openings: [ClosedRange<Double>] = []

  /// Days that have not begun.
  package init(_ plan: PhonePlan, _ phone: SimulatedPhone, _ app: App) {
    self.plan = plan
    self.phone = phone
    self.app = app
  }

  /// Runs all days; then the user opens the app once more and waits until it has nothing to do.
  package mutating func run() async throws {
    for (index, item) in plan.events.enumerated() {
      phone.sleep(until: item.at)
      try await settle()
      try await take(item.event, next: nextOpening(after: index))
    }
    try await open(nil, next: .infinity)
    try await stay()
  }

  private func nextOpening(after index: Int) -> Double {
    let next = plan.events[(index + 1)...].first {
      switch $0.event {
      case .meeting, .opening: true
      case .window, .reboot, .update: false
      }
    }
    return next?.at ?? .infinity
  }

  private mutating func take(_ event: PhonePlan.Event, next: Double) async throws {
    switch event {
    case .meeting(let meeting): try await record(meeting, next: next)
    case .opening(let stay):
      try await open(stay, next: next)
      try await self.stay()
    case .window(let seconds, let stay):
      guard App.usesWindows else { return }
      let isThere = phone.isAlive
      phone.enterWindow(seconds, stay)
      try await begin(isThere: isThere)
      try await self.stay()
    case .reboot:
      phone.reboot()
      try await settle()
    case .update:
      try await pause()
      phone.end(.suspended)
      try await settle()
    }
  }

  /// The user opens the app.
  private mutating func open(_ stay: PhoneStay?, next: Double) async throws {
    let isThere = phone.isAlive
    phone.enterForeground(stay, returnsAt: next)
    openings.append(phone.now...phone.now)
    try await begin(isThere: isThere)
  }

  private mutating func begin(isThere: Bool) async throws {
    if isThere { try await app.resume() } else { try await app.launch() }
    isRunning = true
  }

  private mutating func record(_ meeting: PhonePlan.Meeting, next: Double) async throws {
    try await open(nil, next: .infinity)
    try await app.beginRecording()
    phone.beginRecording(diesAfterSeconds: meeting.diesAfterSeconds)
    let end = phone.now + meeting.seconds
    while phone.isAlive, phone.now < end {
      phone.rest(until: min(phone.now + Self.unitSeconds, end))
      if phone.isAlive { try await app.heard() }
    }
    guard phone.isAlive else {
      try await settle()
      phone.sleep(until: phone.now + Self.noticedSeconds)
      try await open(meeting.stay, next: next)
      return try await stay()
    }
    if meeting.isStoppedOnLockScreen {
      phone.endRecording(meeting.stay, returnsAt: next)
    } else {
      phone.enterForeground(meeting.stay, returnsAt: next)
    }
    try await app.endRecording()
    try await stay()
  }

  /// Until the user has left and nothing runs any more, or comes back.
  private mutating func stay() async throws {
    while phone.scene == .foreground || phone.scene == .background {
      try await app.work()
      switch phone.scene {
      case .ended, .suspended: break
      case .foreground where phone.leavesAt == .infinity: return close()
      case .foreground: phone.rest(until: phone.leavesAt)
      case .background: try await wait()
      }
    }
    try await settle()
    close()
  }

  /// Nothing can run now: a continued task may still begin, else the app is done.
  private mutating func wait() async throws {
    let end = (phone.mustEndAt ?? .infinity) - Self.spareSeconds
    if phone.awaitsTask, phone.now < end, try await app.hasWork() {
      phone.rest(until: min(phone.now + 1, end))
    } else {
      phone.finishTask()
      try await pause()
    }
  }

  private mutating func pause() async throws {
    guard phone.scene == .foreground || phone.scene == .background else { return }
    try await app.suspend()
    phone.suspend()
  }

  private mutating func close() {
    guard let last = openings.popLast() else { return }
    openings.append(last.lowerBound...phone.now)
  }

  /// Tells the app's side of the simulation that its process is gone.
  private mutating func settle() async throws {
    guard isRunning, !phone.isAlive else { return }
    isRunning = false
    try await app.died()
  }
}
