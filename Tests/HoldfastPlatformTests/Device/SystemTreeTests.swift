import Foundation
import HoldfastModel
import Testing

@testable import HoldfastPlatform

/// What Linux tells of power, network and heat, read from files as they lie in /sys and /proc.
@Suite struct SystemTreeTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var tree: SystemTree { SystemTree(root: directory.path) }

  private func write(_ path: String, _ text: String) throws {
    let url = URL(fileURLWithPath: directory.path + path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data((text + "\n").utf8).write(to: url)
  }

  private func supply(_ name: String, _ files: [String: String]) throws {
    for (file, text) in files { try write("/sys/class/power_supply/\(name)/\(file)", text) }
  }

  private func zone(_ number: Int, _ now: Int, _ trips: [(String, Int)]) throws {
    let zone = "/sys/class/thermal/thermal_zone\(number)"
    try write("\(zone)/temp", "\(now)")
    for (index, trip) in trips.enumerated() {
      try write("\(zone)/trip_point_\(index)_type", trip.0)
      try write("\(zone)/trip_point_\(index)_temp", "\(trip.1)")
    }
  }

  @Test func whatNoFileTellsOfIsTakenToBeThere() {
    #expect(tree.conditions() == [.network, .power])
    #expect(tree.thermal() == .unknown)
  }

  @Test func aLaptopHasPowerWhileItsAdapterIsOnLine() throws {
    try supply("AC", ["type": "Mains", "online": "0"])
    try supply("BAT0", ["type": "Battery", "status": "Discharging", "scope": "System"])
    #expect(!tree.conditions().contains(.power))
    try supply("AC", ["online": "1"])
    #expect(tree.conditions().contains(.power))
  }

  @Test(arguments: [("Charging", true), ("Full", true), ("Discharging", false)])
  func withoutAnAdapterTheBatteryTells(status: String, isPowered: Bool) throws {
    try supply("battery", ["type": "Battery", "status": status, "online": "1"])
    #expect(tree.conditions().contains(.power) == isPowered)
  }

  @Test func theBatteryOfAMouseSaysNothing() throws {
    try supply("hid", ["type": "Battery", "status": "Discharging", "scope": "Device"])
    #expect(tree.conditions().contains(.power))
  }

  private let heading = "Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT"

  @Test func aDefaultRouteThatIsUpIsANetwork() throws {
    let near = "eth0 000200C0 00000000 0001 0 0 0 00FFFFFF 0 0 0"
    try write("/proc/net/route", [heading, near].joined(separator: "\n"))
    #expect(!tree.conditions().contains(.network))
    let down = "eth0 00000000 010200C0 0002 0 0 0 00000000 0 0 0"
    try write("/proc/net/route", [heading, near, down].joined(separator: "\n"))
    #expect(!tree.conditions().contains(.network))
    let out = "eth0 00000000 010200C0 0003 0 0 0 00000000 0 0 0"
    try write("/proc/net/route", [heading, near, out].joined(separator: "\n"))
    #expect(tree.conditions().contains(.network))
  }

  @Test func aDefaultRouteOfTheNewerProtocolIsOneToo() throws {
    let zero = String(repeating: "0", count: 32)
    let gate = "fe800000000000000000000000000001"
    try write("/proc/net/route", heading)
    try write("/proc/net/ipv6_route", "\(zero) 00 \(zero) 00 \(zero) ffffffff 1 0 00200200 lo")
    #expect(!tree.conditions().contains(.network))
    try write("/proc/net/ipv6_route", "\(zero) 00 \(zero) 00 \(gate) 00000400 1 0 00000003 eth0")
    #expect(tree.conditions().contains(.network))
  }

  @Test(arguments: [
    (40_000, DeviceVitals.Thermal.nominal), (80_000, .fair), (95_000, .serious),
    (105_000, .critical),
  ])
  func heatIsMeasuredByTheZonesOwnTripPoints(now: Int, heat: DeviceVitals.Thermal) throws {
    try zone(0, 30_000, [("passive", 75_000)])
    try zone(1, now, [("critical", 105_000), ("hot", 95_000), ("passive", 80_000), ("active", 1)])
    #expect(tree.thermal() == heat)
  }

  @Test func zonesWithoutSenseSayNothing() throws {
    try zone(0, -274_000, [("critical", 105_000)])
    try zone(1, 40_000, [("critical", 0), ("passive", -1)])
    try zone(2, 40_000, [("active", 30_000)])
    #expect(tree.thermal() == .unknown)
  }

  @Test func thisProcessHoldsMemory() {
    let vitals = SystemDevice().vitals()
    #expect(vitals.footprintBytes > 1 << 20 && vitals.footprintBytes < 1 << 40)
  }
}
