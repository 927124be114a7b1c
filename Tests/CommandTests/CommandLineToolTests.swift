import HoldfastCommand
import HoldfastModel
import Testing

/// A body made of a closure.
private struct Body: Command {
  let action: @Sendable (CommandContext) async throws(HoldfastError) -> ExitCode

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    try await action(context)
  }
}

@Suite("From words to an exit code")
struct CommandLineToolTests {
  private func run(
    _ words: [String], _ device: MemoryDevice = MemoryDevice(), terminal: Terminal = .pipes,
    answer: String? = nil,
    _ action: @escaping @Sendable (CommandContext) async throws(HoldfastError) -> ExitCode
  ) async -> CommandLineTool.Ending {
    let registry = CommandRegistry(
      Dictionary(
        uniqueKeysWithValues: CommandTable.all.map { ($0.name, Body(action: action)) }))
    return await CommandLineTool.test(
      device, registry: registry, terminal: terminal, environment: ["HOME": "/users/u"],
      answer: answer
    ).run(words)
  }

  @Test("a body gets its values and the place of the store, and its code is the exit code")
  func body() async {
    let ending = await run(["list", "--limit", "3", "--json"]) { (context) throws(HoldfastError) in
      guard context[Options.limit] == 3, context.output.isJSON,
        try context.storeDirectory() == "/users/u/.local/share/holdfast/store"
      else { return .failed }
      return .damage
    }
    #expect(ending == .exit(.damage))
  }

  @Test("what a body throws is reported and becomes the exit code")
  func thrown() async {
    let device = MemoryDevice()
    let ending = await run(["list"], device) { (context) throws(HoldfastError) in
      try await context.output.line("partial")
      throw HoldfastError(.locked, "held by pid 7")
    }
    #expect(ending == .exit(.blocked))
    #expect(device.output == "partial\n")
    #expect(device.error == "holdfast: held by pid 7\n")
  }

  @Test("output that fails at the last moment is an error, whatever the body said")
  func lateFailure() async {
    for device in [
      MemoryDevice(failing: HoldfastError(.failed, "no room")),
      MemoryDevice(closing: HoldfastError(.failed, "no room")),
    ] {
      let ending = await run(["list"], device) { (context) throws(HoldfastError) in
        try await context.output.line("result")
        return .done
      }
      #expect(ending == .exit(.failed))
      #expect(device.error == "holdfast: no room\n")
    }
  }

  @Test("a reader that went away ends the command without a word")
  func outputClosed() async {
    let device = MemoryDevice(failing: HoldfastError(.outputClosed, "nobody reads"))
    let ending = await run(["list"], device) { (context) throws(HoldfastError) in
      try await context.output.line("result")
      return .done
    }
    #expect(ending == .outputClosed)
    #expect(device.error.isEmpty)
  }

  @Test("a body may go on although nobody reads its acknowledgements")
  func outliving() async {
    let device = MemoryDevice(failing: HoldfastError(.outputClosed, "nobody reads"))
    let ending = await run(["record"], device) { (context) throws(HoldfastError) in
      for _ in 0..<2 {
        do throws(HoldfastError) { try await context.output.event(["event": "chunk"]) } catch {
          guard error.code == .outputClosed else { throw error }
        }
      }
      return .done
    }
    #expect(ending == .exit(.done))
  }

  @Test("a wrong usage is told in the form that was asked for")
  func usage() async {
    let plain = MemoryDevice()
    #expect(await run(["lst"], plain) { _ in .done } == .exit(.usage))
    #expect(
      plain.error
        == "holdfast: there is no command 'lst'; did you mean list?\nhint: see 'holdfast help'\n")
    let json = MemoryDevice()
    #expect(await run(["lst", "--json"], json) { _ in .done } == .exit(.usage))
    #expect(json.error.hasPrefix("{\"error\":{\"code\":\"invalidArgument\""))
    let late = MemoryDevice()
    #expect(await run(["lst", "--", "--json"], late) { _ in .done } == .exit(.usage))
    #expect(late.error.hasPrefix("holdfast:"))
  }

  @Test(
    "only a plain yes on a terminal confirms",
    arguments: [("y", true), ("YES", true), ("n", false), ("", false), ("yeah", false)])
  func confirm(answer: String, isYes: Bool) async {
    let device = MemoryDevice()
    let ending = await run(["purge"], device, terminal: .screen(), answer: answer) {
      (context) throws(HoldfastError) in
      try await context.confirm("Remove 3 recordings for good?") ? .done : .failed
    }
    #expect(ending == .exit(isYes ? .done : .failed))
    #expect(device.error == "holdfast: Remove 3 recordings for good? [y/N] ".dropFirst(10))
  }

  @Test("without a terminal nothing is confirmed, and the end of input is a no")
  func unconfirmed() async {
    let device = MemoryDevice()
    let ending = await run(["purge"], device, answer: "y") { (context) throws(HoldfastError) in
      try await context.confirm("Remove?") ? .done : .failed
    }
    #expect(ending == .exit(.usage))
    #expect(device.error.contains("--yes"))
    let ended = await run(["purge"], terminal: .screen()) { (context) throws(HoldfastError) in
      try await context.confirm("Remove?") ? .done : .failed
    }
    #expect(ended == .exit(.failed))
  }

  @Test("the commands about the command need neither a store nor a home")
  func about() async {
    for words in [
      [], ["help"], ["help", "record"], ["record", "--help"], ["man"], ["version"], ["--version"],
      ["completions", "bash"], ["completions", "zsh"], ["completions", "fish"],
    ] {
      let device = MemoryDevice()
      #expect(await CommandLineTool.test(device).run(words) == .exit(.done))
      #expect(device.output.hasSuffix("\n") && device.error.isEmpty)
    }
    let device = MemoryDevice()
    #expect(await CommandLineTool.test(device).run(["version", "--json"]) == .exit(.done))
    #expect(device.output == "{\"version\":\"\(HoldfastVersion.text)\"}\n")
    #expect(await CommandLineTool.test(device).run(["help", "recrod"]) == .exit(.usage))
  }
}

@Suite("Exit codes and places")
struct ExitCodeTests {
  @Test("each error code has the exit code that the contract gives it")
  func errors() {
    let cases: [(HoldfastError.Code, ExitCode)] = [
      (.protectedDataUnavailable, .blocked), (.newerSchema, .blocked), (.diskFull, .blocked),
      (.locked, .blocked), (.suspended, .blocked), (.offline, .blocked), (.damaged, .damage),
      (.inputRefused, .refused), (.invalidArgument, .usage), (.notFound, .failed),
      (.noStore, .failed), (.conflict, .failed), (.medium, .failed), (.interrupted, .failed),
      (.failed, .failed), (.notCapturing, .failed),
    ]
    for (code, exit) in cases { #expect(ExitCode(HoldfastError(code, "x")) == exit) }
  }

  @Test("a code that is not known yet is blocked when it says that waiting helps")
  func unknown() {
    let code = HoldfastError.Code(rawValue: "quota")
    #expect(ExitCode(HoldfastError(code, "x", isRetryable: true)) == .blocked)
    #expect(ExitCode(HoldfastError(code, "x")) == .failed)
  }

  @Test("of several codes the highest wins")
  func highest() {
    #expect([ExitCode.done, .refused, .failed].max() == .refused)
    #expect(ExitCode.meanings.map(\.code.rawValue) == [0, 1, 2, 3, 4, 5])
  }

  @Test("the store is where the option, the environment or the home says, in this order")
  func store() throws {
    func place(_ option: String?, _ environment: [String: String]) throws -> String {
      try StoreLocation.directory(option: option, environment: environment)
    }
    let all = ["HOLDFAST_STORE": "/env", "XDG_DATA_HOME": "/xdg", "HOME": "/users/u"]
    #expect(try place("rel", all) == "rel")
    #expect(try place(nil, all) == "/env")
    #expect(try place(nil, all.merging(["HOLDFAST_STORE": ""]) { $1 }) == "/xdg/holdfast/store")
    #expect(
      try place(nil, ["XDG_DATA_HOME": "xdg", "HOME": "/users/u/"])
        == "/users/u/.local/share/holdfast/store")
    #expect(throws: HoldfastError.self) { try place(nil, [:]) }
  }
}
