import HoldfastCommand
import HoldfastModel
import Testing

@Suite("What the command says")
struct OutputTests {
  private struct Document: Codable, Sendable {
    var path = "/a/b"
    var at = "é"
    var count: UInt64 = .max
  }

  private func output(
    _ device: MemoryDevice, _ terminal: Terminal = .pipes, json: Bool = false, quiet: Bool = false
  ) -> Output {
    Output(device: device, terminal: terminal, json: json, quiet: quiet, now: { 0 })
  }

  @Test("lines are made visible and leave together at the end")
  func lines() async throws {
    let device = MemoryDevice()
    let output = output(device)
    try await output.line("a\u{1B}[2J")
    try await output.line("b", .bold)
    #expect(device.writes.isEmpty)
    try await output.finish()
    #expect(device.writes == [.init(stream: .output, text: "a\\e[2J\nb\n")])
  }

  @Test("much text leaves in pieces, none of it lost")
  func pieces() async throws {
    let device = MemoryDevice()
    let output = output(device)
    for number in 0..<20_000 { try await output.line("line \(number)") }
    #expect(device.writes.count >= 2)
    try await output.finish()
    #expect(device.output == (0..<20_000).map { "line \($0)\n" }.joined())
  }

  @Test("a document has its keys in order and its slashes as they are")
  func document() async throws {
    let device = MemoryDevice()
    let output = output(device, json: true)
    try await output.document(Document())
    try await output.finish()
    #expect(device.output == "{\"at\":\"é\",\"count\":18446744073709551615,\"path\":\"/a/b\"}\n")
  }

  @Test("an event has left when the call returns, and so have bytes")
  func events() async throws {
    let device = MemoryDevice()
    let output = output(device, json: true)
    try await output.event(["event": "started"])
    #expect(device.output == "{\"event\":\"started\"}\n")
    try await output.write([0x41, 0x42])
    #expect(device.output.hasSuffix("AB"))
  }

  @Test("events of concurrent callers stay whole and in the order of their calls")
  func concurrent() async throws {
    let device = MemoryDevice()
    let output = output(device, json: true)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask { try await output.event(["number": number]) }
      }
      try await group.waitForAll()
    }
    let lines = Set(device.output.split(separator: "\n").map(String.init))
    #expect(lines == Set((0..<100).map { "{\"number\":\($0)}" }))
  }

  @Test("an error is a message and a hint, after what was printed before")
  func errors() async throws {
    let device = MemoryDevice()
    let output = output(device)
    try await output.line("before")
    await output.report(HoldfastError(.locked, "the store is lo\u{1B}cked", hint: "wait"))
    #expect(
      device.writes.map(\.text) == [
        "before\n", "holdfast: the store is lo\\ecked\n", "hint: wait\n",
      ])
    #expect(device.writes.map(\.stream) == [.output, .error, .error])
  }

  @Test("with --json an error is a JSON line on standard error")
  func jsonErrors() async {
    let device = MemoryDevice()
    await output(device, json: true).report(
      HoldfastError(.locked, "held by pid 7", hint: "wait", isRetryable: true))
    #expect(
      device.error
        == "{\"error\":{\"code\":\"locked\",\"hint\":\"wait\",\"message\":\"held by pid 7\","
        + "\"retryable\":true}}\n")
  }

  @Test("remarks are for people who did not ask for quiet")
  func remarks() async {
    for (json, quiet) in [(false, false), (true, false), (false, true)] {
      let device = MemoryDevice()
      await output(device, json: json, quiet: quiet).remark("already there")
      #expect(device.error == (json || quiet ? "" : "holdfast: already there\n"))
    }
  }

  @Test("progress needs a terminal that can redraw, and neither --quiet nor --json")
  func progress() async {
    let cases: [(Terminal, Bool, Bool, Bool)] = [
      (.screen(), false, false, true), (.screen(), true, false, false),
      (.screen(), false, true, false), (.pipes, false, false, false),
      (.screen(80, ["TERM": "dumb"]), false, false, false), (.screen(80, [:]), false, false, false),
    ]
    for (terminal, json, quiet, isShown) in cases {
      let device = MemoryDevice()
      await output(device, terminal, json: json, quiet: quiet).progress(
        ProgressReading("x", bytes: 1, of: 2))
      #expect(!device.writes.isEmpty == isShown)
    }
  }

  @Test("the bar is gone before anything else is printed, and at the end")
  func progressAndText() async throws {
    let device = MemoryDevice()
    let output = output(device, .screen())
    await output.progress(ProgressReading("x", bytes: 1, of: 2))
    await output.remark("note")
    #expect(device.writes.dropFirst().map(\.text) == ["\r\u{1B}[K", "holdfast: note\n"])

    let second = MemoryDevice()
    let other = self.output(second, .screen())
    await other.progress(ProgressReading("x", bytes: 1, of: 2))
    try await other.line("result")
    try await other.finish()
    #expect(second.writes.dropFirst().map(\.text) == ["\r\u{1B}[K", "result\n"])
  }

  @Test("a terminal that takes nothing holds nobody up and gets no second bar")
  func stalledTerminal() async {
    let device = MemoryDevice(stalls: true)
    let output = Output(
      device: device, terminal: .screen(), now: stepping(by: 1_000_000_000))
    for done: UInt64 in 0..<5 { await output.progress(ProgressReading("x", bytes: done, of: 5)) }
    #expect(device.writes.count == 1)
  }

  @Test("a failed write is thrown by whoever flushes")
  func failures() async {
    let device = MemoryDevice(failing: HoldfastError(.failed, "no room"))
    let output = output(device)
    let error = await #expect(throws: HoldfastError.self) {
      try await output.line("x")
      try await output.finish()
    }
    #expect(error?.message == "no room")
  }

  @Test("a failure that only closing tells is an error too")
  func closing() async {
    let output = output(MemoryDevice(closing: HoldfastError(.failed, "no room after all")))
    await #expect(throws: HoldfastError.self) { try await output.finish() }
  }

  @Test("emphasis needs a terminal and is off with NO_COLOR")
  func colour() {
    #expect(Terminal.screen().styled("x", .red) == "\u{1B}[31mx\u{1B}[0m")
    #expect(Terminal.screen(80, ["TERM": "xterm", "NO_COLOR": "1"]).styled("x", .red) == "x")
    #expect(
      Terminal.screen(80, ["TERM": "xterm", "NO_COLOR": ""]).styled("x", .red) != "x")
    #expect(Terminal.pipes.styled("x", .red) == "x")
    #expect(Terminal.screen().styled("x", .plain) == "x")
  }

  @Test("COLUMNS outranks the terminal, and tables in a pipe are not cut")
  func columns() {
    #expect(Terminal.screen(120).columns == 120)
    #expect(Terminal.screen(120, ["COLUMNS": "60"]).columns == 60)
    #expect(Terminal.screen(120, ["COLUMNS": "0"]).columns == 120)
    #expect(Terminal.pipes.columns == 80)
    #expect(Terminal.screen(120).tableColumns == 120)
    #expect(Terminal.pipes.tableColumns == nil)
    #expect(Terminal.screen(300).textColumns == 100)
  }

  private func stepping(by step: UInt64) -> @Sendable () -> UInt64 {
    let clock = SteppingClock(step: step)
    return { clock.next() }
  }
}
