import CHoldfastPlatform

/// What this process does with signals that would end it for an ordinary fault.
package enum ProcessSignals {
  /// Sees to it that a write beyond the file-size limit fails with EFBIG, which means "full" (J8),
  /// instead of ending the process by SIGXFSZ. A handler of the program's own stays. Programs that
  /// this process starts are not affected.
  package static func ignoreFileSizeSignal() {
    let code = hf_survive_file_size_signal()
    precondition(code == 0, "SIGXFSZ cannot be handled (error \(code)).")
  }
}
