import HoldfastModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The words that the process was started with.
package enum ProcessArguments {
  /// The words after the program's name, as ``PathText``: `CommandLine.arguments` would put U+FFFD
  /// in the place of bytes that are no UTF-8, and name another file.
  package static var words: [String] {
    let count = Int(CommandLine.argc)  // tidy: index
    return (0..<count).dropFirst().compactMap { index in
      guard let word = unsafe CommandLine.unsafeArgv[index] else { return nil }
      let length = unsafe strlen(word)
      let bytes = unsafe UnsafeRawBufferPointer(start: word, count: length)
      return PathText.text(of: unsafe Array(bytes))
    }
  }
}
