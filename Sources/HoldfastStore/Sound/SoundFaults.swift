package import HoldfastAudio
package import HoldfastModel

/// What audio that cannot be read means to the user of a store.
extension StoreFaults {
  /// What refused audio means to the user: the file is not taken (`inputRefused`), unless the file
  /// beneath failed.
  package static func error(_ fault: AudioError) -> HoldfastError {
    if let file = fault.fault { return error(file) }
    let context = ["reason": fault.code.rawValue]
    guard fault.code != .source else {
      return HoldfastError(
        .failed, fault.message, isRetryable: true, cause: fault.message, context: context)
    }
    return HoldfastError(
      .inputRefused, fault.message, hint: "`holdfast probe` tells what a file is.",
      cause: fault.message, context: context)
  }
}
