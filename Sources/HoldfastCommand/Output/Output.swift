package import Holdfast

/// Everything that the command says: results on standard output; errors, remarks and progress on
/// standard error.
///
/// - Results are buffered; ``event(_:)`` and ``write(_:)`` flush. What is printed to a terminal
///   never mixes with the progress bar: it is erased first.
/// - Standard error never makes anybody wait, and a failure to write there is no failure.
package actor Output {
  /// Whether results are JSON.
  package nonisolated let isJSON: Bool
  /// Whether remarks are unwanted; results and errors are always wanted.
  package nonisolated let isQuiet: Bool
  /// What the streams are.
  package nonisolated let terminal: Terminal

  private let device: any OutputDevice
  private let now: @Sendable () -> UInt64
  private var buffer: [UInt8] = []
  private var bar = ProgressBar()
  private var isDrawing = false
  private static let bufferBytes = 64 * 1024

  /// - Parameter now: nanoseconds of a clock that does not step, for the progress bar.
  package init(
    device: any OutputDevice, terminal: Terminal, json: Bool = false, quiet: Bool = false,
    now: @escaping @Sendable () -> UInt64
  ) {
    self.device = device
    self.terminal = terminal
    self.now = now
    isJSON = json
    isQuiet = quiet
  }

  // MARK: Results

  /// Prints a line for a person. The text is made visible first, so any title may be in it.
  package func line(_ text: String, _ style: Terminal.Style = .plain) async throws(HoldfastError) {
    try await add(terminal.styled(visible(text), style) + "\n")
  }

  /// Prints a table, its heading bold; cut to the terminal's width if standard output is one.
  package func table(_ table: TextTable) async throws(HoldfastError) {
    let lines = table.lines(width: terminal.tableColumns)
    try await add(terminal.styled(lines[0], .bold) + "\n")
    for line in lines.dropFirst() { try await add(line + "\n") }
  }

  /// Prints text as it is: pages that we made ourselves, with their newlines.
  package func page(_ text: String) async throws(HoldfastError) {
    try await add(text)
  }

  /// Prints the one document of `--json`.
  package func document(_ document: some Encodable & Sendable) async throws(HoldfastError) {
    try await add(JSONText.line(document))
  }

  /// Prints one line of a stream of JSON Lines; it has left the process when this returns.
  package func event(_ event: some Encodable & Sendable) async throws(HoldfastError) {
    buffer += Array(try JSONText.line(event).utf8)
    try await flush()
  }

  /// Writes bytes, as an export to `-` does. They have left the process when this returns, so the
  /// next piece is not read before the reader wants it.
  package func write(_ bytes: [UInt8]) async throws(HoldfastError) {
    buffer += bytes
    try await flush()
  }

  private func add(_ text: String) async throws(HoldfastError) {
    buffer += Array(text.utf8)
    if buffer.count >= Self.bufferBytes { try await flush() }
  }

  /// Sends what is buffered.
  ///
  /// - Throws: `outputClosed` when the reader went away, `failed` when the device has no room or
  ///   fails.
  package func flush() async throws(HoldfastError) {
    guard !buffer.isEmpty else { return }
    let bytes = buffer
    buffer = []
    eraseProgress()
    // The queue's order is that of these calls: the closure runs before this actor lets go.
    let failure = await withCheckedContinuation { continuation in
      device.write(bytes, to: .output) { continuation.resume(returning: $0) }
    }
    if let failure { throw failure }
  }

  // MARK: Remarks, errors, progress

  /// Tells a person something that is no result; not with `--quiet` or `--json`.
  package func remark(_ text: String) {
    guard !isQuiet, !isJSON else { return }
    say("holdfast: \(visible(text))\n")
  }

  /// Puts a question on standard error and waits until it stands there.
  package func ask(_ question: String) async {
    say("\(visible(question)) [y/N] ")
    await drain()
  }

  /// Reports an error: for a person the message, and the hint on a line of its own; with `--json`
  /// one JSON line. What was printed before comes first.
  package func report(_ error: HoldfastError) async {
    try? await flush()
    if isJSON, let line = try? JSONText.line(ErrorDocument(error)) { return say(line) }
    say("holdfast: \(visible(error.message))\n")
    if !error.hint.isEmpty { say("hint: \(visible(error.hint))\n") }
  }

  /// Shows how far the work has come: only on a terminal, and not with `--quiet` or `--json`. As
  /// often as the caller likes; most calls do nothing. While the terminal takes nothing, none is
  /// drawn.
  package func progress(_ reading: ProgressReading) {
    guard terminal.canRedraw, !isQuiet, !isJSON, !isDrawing,
      let text = bar.draw(reading, now: now(), columns: terminal.columns)
    else { return }
    isDrawing = true
    device.write(Array(text.utf8), to: .error) { _ in
      Task { await self.hasDrawn() }
    }
  }

  /// Takes the progress bar away. Called by whatever prints, and at the end.
  package func eraseProgress() {
    let text = bar.erase()
    if !text.isEmpty { device.write(Array(text.utf8), to: .error) { _ in } }
  }

  private func hasDrawn() {
    isDrawing = false
  }

  private func say(_ text: String) {
    eraseProgress()
    device.write(Array(text.utf8), to: .error) { _ in }
  }

  /// Ends all output: takes the bar away, sends what is buffered, waits until standard error was
  /// written, closes standard output.
  package func finish() async throws(HoldfastError) {
    eraseProgress()
    try await flush()
    await drain()
    if let failure = device.closeOutput() { throw failure }
  }

  /// Waits until all that was said on standard error was written.
  package func drain() async {
    await withCheckedContinuation { continuation in
      device.write([], to: .error) { _ in continuation.resume() }
    }
  }
}
