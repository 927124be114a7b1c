import CHoldfastPlatform

/// What tells this device and this process from others. Nothing of it is sent anywhere.
package enum HostIdentity {
  /// The number of this process. It says nothing about liveness (L1): numbers are given again.
  package static var processID: Int32 { hf_process_id() }

  /// The name that the process was started by, without directories.
  package static var processName: String { unsafe String(cString: hf_process_name()) }

  /// Bytes of memory that the process occupies now: the resident set on Linux, the footprint that
  /// the system's limits are about on Apple platforms. 0 when the system does not tell.
  package static func processMemoryFootprintBytes() -> UInt64 { hf_memory_footprint() }
}
