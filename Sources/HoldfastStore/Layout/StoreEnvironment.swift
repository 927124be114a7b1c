package import HoldfastModel
import HoldfastPlatform

/// Everything that the engine takes from outside, so that all of it can be simulated.
package struct StoreEnvironment: Sendable {
  package var files: any FileSystem
  package var clock: any DeviceClock
  package var random: any RandomSource
  package var hashing: any Hashing
  package var pause: any Pause
  /// Names this machine, for the twin check (S7).
  package var machine: [UInt8]
  /// This process's id and program name, for messages and the launch file.
  package var process: Int64
  package var program: String
  /// The SQLite VFS to use; nil for the system's.
  package var vfs: String?

  /// What calls later; nil leaves it to the thread of the store's host.
  package var alarm: (any Alarm)?
  /// What the device tells of itself; silent in a simulated world.
  package var device: any DeviceSense = SilentDevice()
  /// Threads that a check of all audio may use, the caller's counted; 1 in a simulated world.
  package var checkingThreads: UInt32 = 2

  package init(
    files: any FileSystem, clock: any DeviceClock, random: any RandomSource,
    hashing: any Hashing, pause: any Pause, machine: [UInt8], process: Int64, program: String,
    vfs: String? = nil
  ) {
    self.files = files
    self.clock = clock
    self.random = random
    self.hashing = hashing
    self.pause = pause
    self.machine = machine
    self.process = process
    self.program = program
    self.vfs = vfs
  }

  /// The real device.
  package static func system() -> StoreEnvironment {
    var environment = StoreEnvironment(
      files: SystemFiles(), clock: SystemClock(), random: SystemRandom(),
      hashing: SystemHashing(), pause: SystemPause(),
      machine: (try? HostIdentity.machineID()) ?? [],
      process: Int64(HostIdentity.processID), program: HostIdentity.processName)
    environment.device = SystemDevice()
    return environment
  }
}

/// How a store is opened for writing.
package struct StoreOptions: Hashable, Sendable {
  /// Whether a store is made where there is none.
  package var create = true
  /// How long to wait for ``StoreLayout/writerLock``, nanoseconds.
  package var lockWaitNanoseconds: Int64 = 10_000_000_000
  /// Room kept for a full disk, bytes; less is kept on a small disk.
  package var reserveBytes: UInt64 = 8 << 20
  /// Pages in the write-ahead log, in bytes, at which a checkpoint is due (J7).
  package var walBudgetBytes: UInt64 = 4 << 20
  /// Kinds of task that are made with a recording, each after the one before.
  package var pipeline: [TaskKind] = []
  /// The launch with which this process held the store before it was suspended: it has not ended.
  package var resumed: LaunchID?

  package init() {}
}
