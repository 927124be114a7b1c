import CHoldfastTerminal
import Foundation

// The calls that take pointers: the one place of this module where memory is not checked.

/// Starts a program.
enum ChildStart {
  /// As `holdfast_child_start`.
  static func run(
    _ line: String, _ directory: String, _ environment: [String: String],
    _ child: inout holdfast_child
  ) -> Int32 {
    let words = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
    defer { unsafe words.forEach { unsafe free($0) } }
    let list = unsafe words.map { unsafe UnsafePointer($0) } + [nil]
    return unsafe holdfast_child_start(line, directory, list, &child)
  }
}

/// Bytes to and from descriptors that do not block.
enum FileDescriptorBytes {
  enum Reading {
    case bytes(Int)  // tidy: index
    case nothingNow
    case end
  }

  /// - Returns: how many were taken; nil when none ever will be.
  static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int? {  // tidy: index
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
    }
    if count >= 0 { return count }
    return [EAGAIN, EINTR].contains(errno) ? 0 : nil
  }

  static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Reading {
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
    }
    if count > 0 { return .bytes(count) }
    return count < 0 && [EAGAIN, EINTR].contains(errno) ? .nothingNow : .end
  }
}
