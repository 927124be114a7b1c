/// What happens to a phone in some days, drawn from a seed before anything runs: so that two
/// designs of an app meet the same days.
package struct PhonePlan: Sendable {
  /// A meeting that is recorded.
  package struct Meeting: Hashable, Sendable {
    package var seconds: Double
    /// Stopped on the lock screen: the app does not come to the foreground.
    package var isStoppedOnLockScreen: Bool
    /// Seconds after which the process dies while it records; nil: it does not.
    package var diesAfterSeconds: Double?
    /// The user's stay after the stop, or after the death was noticed.
    package var stay: PhoneStay
  }

  package enum Event: Hashable, Sendable {
    case meeting(Meeting)
    /// The user opens the app.
    case opening(PhoneStay)
    /// The system starts the app in the background for so many seconds at least.
    case window(seconds: Double, PhoneStay)
    /// The device is started anew.
    case reboot
    /// Another version of the app is installed: its process ends.
    case update
  }

  package let seed: UInt64
  /// By their time, in seconds since the first midnight.
  package private(set) var events: [(at: Double, event: Event)] = []
  private var dice: PhoneDice
  private let rules: PhoneRules

  /// Draws days, the first of which is a Monday.
  package init(days: UInt32, seed: UInt64, _ rules: PhoneRules = PhoneRules()) {
    self.seed = seed
    self.rules = rules
    dice = PhoneDice(seed)
    for day in 0..<days { draw(day) }
    events.sort { $0.at < $1.at }
  }

  private static let hour = 3_600.0

  private mutating func draw(_ day: UInt32) {
    let midnight = Double(day) * 24 * Self.hour
    let isWeekend = day % 7 >= 5
    let hasLowPower = dice.isTrue(0.15)
    let busy = meetings(midnight, isWeekend: isWeekend)
    for _ in 0..<UInt32(dice.within(3...7)) {
      let at = midnight + dice.within(7...23) * Self.hour
      let stay = PhoneStay(seconds: dice.within(3...120), rules, &dice)
      add(at, .opening(stay), unless: busy)
    }
    // On a charger at night there is time; by day seconds, and none with low power.
    let night = (midnight + dice.within(2...5) * Self.hour, dice.within(60...300))
    let day = (midnight + dice.within(9...21) * Self.hour, dice.within(20...30))
    for (window, share) in [(night, 0.5), (day, hasLowPower ? 0 : 0.4)] {
      let stay = PhoneStay(seconds: 0, rules, &dice)
      if dice.isTrue(share) { add(window.0, .window(seconds: window.1, stay), unless: busy) }
    }
    for (event, share) in [(Event.reboot, 0.05), (.update, 0.1)] {
      let at = midnight + dice.within(0...24) * Self.hour
      if dice.isTrue(share) { add(at, event, unless: busy) }
    }
  }

  /// Meetings of a day, one after the other.
  ///
  /// - Returns: when the phone records.
  private mutating func meetings(
    _ midnight: Double, isWeekend: Bool
  ) -> [ClosedRange<Double>] {
    let most = isWeekend ? (dice.isTrue(0.2) ? 1 : 0) : UInt32(dice.within(2...5))
    var busy: [ClosedRange<Double>] = []
    var from = midnight + dice.within(8.5...10) * Self.hour
    for _ in 0..<most {
      // Short ones are more frequent.
      let share = dice.fraction()
      let seconds = 60 * (5 + 85 * share * share)
      let dies = dice.within(30...seconds)
      let meeting = Meeting(
        seconds: seconds, isStoppedOnLockScreen: dice.isTrue(rules.stoppedOnLockScreen),
        diesAfterSeconds: dice.isTrue(rules.diesRecording) ? dies : nil,
        stay: PhoneStay(seconds: dice.within(rules.stayAfterStop), rules, &dice))
      events.append((from, .meeting(meeting)))
      busy.append(from - 60...from + seconds + 120)
      from += seconds + dice.within(0.2...2.5) * Self.hour
    }
    return busy
  }

  private mutating func add(_ at: Double, _ event: Event, unless busy: [ClosedRange<Double>]) {
    if !busy.contains(where: { $0.contains(at) }) { events.append((at, event)) }
  }
}
