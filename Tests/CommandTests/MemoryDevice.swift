import Foundation
import HoldfastCommand
import HoldfastModel

/// Standard streams in memory. Remembers every write in order, and fails or stalls as told.
final class MemoryDevice: OutputDevice, @unchecked Sendable {
  struct Write: Equatable {
    let stream: StandardStream
    let text: String
  }

  private let lock = NSLock()
  private var written: [Write] = []
  private let failure: HoldfastError?
  private let closing: HoldfastError?
  private let stalls: Bool

  /// - Parameters:
  ///   - failure: what every write to standard output ends with.
  ///   - closing: what closing standard output ends with.
  ///   - stalls: whether a write to standard error is taken and never reported as done.
  init(failing failure: HoldfastError? = nil, closing: HoldfastError? = nil, stalls: Bool = false) {
    self.failure = failure
    self.closing = closing
    self.stalls = stalls
  }

  func write(
    _ bytes: [UInt8], to stream: StandardStream,
    done: @escaping @Sendable (HoldfastError?) -> Void
  ) {
    let text = String(decoding: bytes, as: UTF8.self)
    if !text.isEmpty, stream == .error || failure == nil {
      lock.withLock { written.append(Write(stream: stream, text: text)) }
    }
    if stream == .output { return done(failure) }
    if !stalls { done(nil) }
  }

  func closeOutput() -> HoldfastError? { closing }

  var writes: [Write] { lock.withLock { written } }
  var output: String { text(of: .output) }
  var error: String { text(of: .error) }

  private func text(of stream: StandardStream) -> String {
    writes.filter { $0.stream == stream }.map(\.text).joined()
  }
}

extension Terminal {
  /// A world without terminals.
  static let pipes = Terminal(
    inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, environment: [:]
  ) { nil }

  /// All three streams on a terminal of so many columns.
  static func screen(_ columns: Int = 80, _ environment: [String: String] = ["TERM": "xterm"])
    -> Terminal
  {
    Terminal(
      inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: true,
      environment: environment
    ) { columns }
  }
}

extension CommandLineTool {
  /// The command in a world of memory.
  static func test(
    _ device: MemoryDevice, registry: CommandRegistry = .all, terminal: Terminal = .pipes,
    environment: [String: String] = [:], answer: String? = nil
  ) -> CommandLineTool {
    CommandLineTool(
      registry: registry, device: device, terminal: terminal, environment: environment,
      zone: .gmt, now: { 0 }, readLine: { answer })
  }
}

/// A clock that is further on by a step each time it is read.
final class SteppingClock: @unchecked Sendable {
  private let lock = NSLock()
  private let step: UInt64
  private var time: UInt64 = 0

  init(step: UInt64) { self.step = step }

  func next() -> UInt64 {
    lock.withLock {
      time += step
      return time
    }
  }
}
