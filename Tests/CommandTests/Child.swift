import Foundation

/// A process that we started. Not `Foundation.Process`: on Linux its `waitUntilExit` may wait for
/// ever when all threads of the test run wait in it at once.
struct Child {
  let pid: pid_t

  /// Starts a program with standard input from nowhere, and with the signal mask and actions that a
  /// shell would give it; threads of a test run block most signals.
  init(
    _ program: String, _ arguments: [String], environment: [String: String], output: Int32,
    error: Int32
  ) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, error, 2)
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let words = Self.array([program] + arguments)
    let variables = Self.array(environment.map { "\($0.key)=\($0.value)" })
    defer { for text in words + variables { free(text) } }
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, program, &actions, &attributes, words, variables)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
    self.pid = pid
  }

  private static func array(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// Waits for its end: the exit code, or the signal that killed it.
  func wait() -> (status: Int32, wasKilled: Bool) {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8 & 0xFF, false) : (signal, true)
  }
}
