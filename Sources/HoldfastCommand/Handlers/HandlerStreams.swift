import CHoldfastTerminal
import Foundation
import Holdfast

/// The standard streams of a program, moved on as they can be.
struct HandlerStreams {
  private var input: ArraySlice<UInt8>
  private let line: ([UInt8]) -> Void
  private var open: [UInt8] = []
  private var isLineTooLong = false
  private var words: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(input: [UInt8], _ line: @escaping ([UInt8]) -> Void) {
    self.input = input[...]
    self.line = line
  }

  /// Whether it has closed what it speaks by.
  func haveEnded(_ child: holdfast_child) -> Bool { child.output < 0 && child.errors < 0 }

  /// The last line of standard error, cut to a sentence.
  var complaint: String {
    let text = String(decoding: words, as: UTF8.self)
    let last = text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
    return String((last ?? "").prefix(200))
  }

  /// Moves on what is ready.
  mutating func move(_ child: inout holdfast_child, _ ready: Int32) {
    if ready & 1 != 0 { write(&child) }
    if ready & 2 != 0, let count = read(&child.output) { takeOutput(count) }
    if ready & 4 != 0, let count = read(&child.errors) {
      words += buffer.prefix(count)
      if words.count > 8_192 { words.removeFirst(words.count - 4_096) }
    }
  }

  /// Closes what is open; a last line without an end is a line.
  mutating func close(_ child: inout holdfast_child) {
    end(&child.input)
    end(&child.output)
    end(&child.errors)
    if !open.isEmpty { line(open) }
  }

  private mutating func write(_ child: inout holdfast_child) {
    let count = FileDescriptorBytes.write(child.input, input.prefix(65_536))
    switch count {
    case .some(let count): input.removeFirst(count)
    case .none: input = []  // It reads no more.
    }
    if input.isEmpty { end(&child.input) }
  }

  /// - Returns: nil when there is nothing now, or no more.
  private mutating func read(_ descriptor: inout Int32) -> Int? {  // tidy: index
    guard descriptor >= 0 else { return nil }
    switch FileDescriptorBytes.read(descriptor, into: &buffer) {
    case .bytes(let count): return count
    case .nothingNow: return nil
    case .end:
      end(&descriptor)
      return nil
    }
  }

  private func end(_ descriptor: inout Int32) {
    if descriptor >= 0 { Foundation.close(descriptor) }
    descriptor = -1
  }

  /// Cuts lines out. Of one that is too long the beginning is handed out at once, the rest never.
  private mutating func takeOutput(_ count: Int) {  // tidy: index
    for byte in buffer.prefix(count) {
      if byte == 0x0A {
        if !isLineTooLong { line(open) }
        open.removeAll(keepingCapacity: open.count < 65_536)
        isLineTooLong = false
      } else if !isLineTooLong {
        open.append(byte)
        guard UInt64(open.count) > HandlerLines.longestLine else { continue }
        line(open)
        open = []
        isLineTooLong = true
      }
    }
  }
}
