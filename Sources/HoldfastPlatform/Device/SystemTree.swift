#if !canImport(Darwin)
  import HoldfastModel

  /// What Linux tells of the device in files; nothing is sent to learn it.
  struct SystemTree {
    private let root: String
    private let files: any FileSystem

    /// - Parameter root: what stands before /sys and /proc.
    init(root: String = "", files: any FileSystem = SystemFiles()) {
      self.root = root
      self.files = files
    }

    /// Network and power, as far as they are there. What no file tells of is taken to be there.
    func conditions() -> TaskConditions {
      var conditions: TaskConditions = []
      if hasPower { conditions.insert(.power) }
      if hasNetwork { conditions.insert(.network) }
      return conditions
    }

    // MARK: power

    /// External power: a supply that is on line, or else no battery that is being emptied. A
    /// machine without supplies is on the mains. Batteries of mice and the like say nothing.
    private var hasPower: Bool {
      let supplies = names("/sys/class/power_supply").map { "/sys/class/power_supply/\($0)" }
        .filter { word($0 + "/scope") != "Device" }
      let isOnLine = supplies.contains { supply in
        word(supply + "/online") == "1" && word(supply + "/type") != "Battery"
      }
      if isOnLine { return true }
      return !supplies.contains {
        word($0 + "/type") == "Battery" && word($0 + "/status") == "Discharging"
      }
    }

    // MARK: network

    /// Whether a route leads out: a default route that is up.
    private var hasNetwork: Bool {
      let (old, new) = (text("/proc/net/route"), text("/proc/net/ipv6_route"))
      if old == nil, new == nil { return true }
      return Self.lines(old).contains { words in
        words.count > 7 && words[1] == "00000000" && words[7] == "00000000"
          && Self.isUp(words[3])
      }
        || Self.lines(new).contains { words in
          words.count > 9 && words[0].allSatisfy { $0 == "0" } && words[1] == "00"
            && words[9] != "lo" && Self.isUp(words[8])
        }
    }

    /// RTF_UP without RTF_REJECT.
    private static func isUp(_ flags: Substring) -> Bool {
      UInt32(flags, radix: 16).map { $0 & 0x1 != 0 && $0 & 0x200 == 0 } ?? false
    }

    // MARK: heat

    /// The hottest zone, measured by its own trip points. Zones without sensible ones say nothing.
    func thermal() -> DeviceVitals.Thermal {
      let zones = names("/sys/class/thermal").filter { $0.hasPrefix("thermal_zone") }
      return zones.map { heat("/sys/class/thermal/\($0)") }.max { $0.rawValue < $1.rawValue }
        ?? .unknown
    }

    /// Temperatures that a device can have, thousandths of a degree.
    private static let sensible: ClosedRange<Int64> = 1_000...200_000
    /// No zone has more trip points.
    private static let trips: UInt32 = 12

    private func heat(_ zone: String) -> DeviceVitals.Thermal {
      guard let now = number(zone + "/temp"), Self.sensible.contains(now) else { return .unknown }
      var heat = DeviceVitals.Thermal.unknown
      for trip in 0..<Self.trips {
        guard let kind = word("\(zone)/trip_point_\(trip)_type") else { break }
        guard let bound = number("\(zone)/trip_point_\(trip)_temp"), Self.sensible.contains(bound)
        else { continue }
        let reached: DeviceVitals.Thermal? =
          switch kind {
          case "critical": .critical
          case "hot": .serious
          case "passive": .fair
          default: nil
          }
        guard let reached else { continue }
        let step = now >= bound ? reached : .nominal
        if step.rawValue > heat.rawValue { heat = step }
      }
      return heat
    }

    // MARK: files

    /// Bytes that are read of a file.
    private static let most: Int64 = 65_536

    private func names(_ directory: String) -> [String] {
      (try? files.list(root + directory)) ?? []
    }

    private func text(_ path: String) -> String? {
      guard let file = try? files.open(root + path, .read) else { return nil }
      defer { file.close() }
      return (try? file.read(at: 0, count: Self.most)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func word(_ path: String) -> String? {
      text(path).map { $0.filter { !$0.isWhitespace } }
    }

    private func number(_ path: String) -> Int64? { word(path).flatMap { Int64($0) } }

    private static func lines(_ text: String?) -> [[Substring]] {
      (text ?? "").split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
    }
  }
#endif
