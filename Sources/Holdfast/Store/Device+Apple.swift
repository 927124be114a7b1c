// Apple platforms only. On Linux it is type-checked alone, by tools/check-app-code; last built with
// an Apple SDK: never.
#if canImport(Darwin)
  import Foundation
  import HoldfastModel
  import HoldfastPlatform
  import HoldfastStore

  /// An Apple device. Network and power are the app's to tell.
  struct AppleDevice: DeviceSense {
    private let system = SystemDevice()

    func vitals() -> DeviceVitals {
      var vitals = system.vitals()
      let process = ProcessInfo.processInfo
      vitals.isLowPower = process.isLowPowerModeEnabled
      // Its four steps are counted from 0, ours from 1: 0 is unknown.
      let step = UInt64(clamping: process.thermalState.rawValue) + 1
      vitals.thermal = DeviceVitals.Thermal(rawValue: step) ?? .unknown
      return vitals
    }

    func conditions() -> TaskConditions { system.conditions() }
  }

  extension StoreEnvironment {
    /// The real device, as apps have it.
    static func ofApp() -> StoreEnvironment {
      var environment = StoreEnvironment.system()
      environment.device = AppleDevice()
      return environment
    }
  }
#else
  import HoldfastStore

  extension StoreEnvironment {
    /// The real device, as apps have it.
    static func ofApp() -> StoreEnvironment { .system() }
  }
#endif
