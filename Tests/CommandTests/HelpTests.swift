import HoldfastCommand
import Testing

@Suite("Help and manual")
struct HelpTests {
  private let commands = CommandTable.all

  @Test("the overview names every command with its summary")
  func overview() {
    let page = HelpPage(columns: 100).overview(commands)
    for command in commands {
      #expect(page.contains("  \(command.name)"))
      #expect(page.contains(command.summary))
    }
    for exit in ExitCode.meanings { #expect(page.contains("  \(exit.code.rawValue)  ")) }
  }

  @Test("a command's page shows every option, argument, example and exit code, and nothing hidden")
  func pages() {
    for command in commands {
      let page = HelpPage(columns: 100).text(of: command)
      for option in command.shownOptions + command.common {
        #expect(page.contains(HelpWords.term(option)), "\(command.name)")
      }
      for option in command.options where option.isHidden {
        #expect(!page.contains(option.typed), "\(command.name)")
      }
      for argument in command.arguments { #expect(page.contains(HelpWords.term(argument))) }
      for example in command.examples { #expect(page.contains(example.line)) }
      for exit in command.exits { #expect(page.contains(exit.meaning)) }
    }
  }

  @Test(
    "pages keep to the width, except where a line is one to copy", arguments: [40, 60, 80, 100])
  func width(columns: Int) {
    let pages =
      [HelpPage(columns: columns).overview(commands)]
      + commands.map { HelpPage(columns: columns).text(of: $0) }
    let examples = Set(commands.flatMap(\.examples).map { "  " + $0.line })
    for line in pages.flatMap({ $0.split(separator: "\n").map(String.init) }) {
      let isWord = !line.drop { $0 == " " }.contains(" ")
      let isTerm = line.hasPrefix("  -")
      guard !examples.contains(line), !isWord, !isTerm else { continue }
      #expect(DisplayWidth.of(line) <= columns, "\(line)")
    }
  }

  @Test("the usage line shows what is required and what is not")
  func usage() throws {
    func usage(_ name: String) throws -> String {
      HelpWords.usage(try ArgumentParser.command(named: name, among: commands))
    }
    #expect(try usage("export") == "holdfast export [OPTION…] -o FILE ID")
    #expect(try usage("import") == "holdfast import [OPTION…] FILE…")
    #expect(try usage("purge") == "holdfast purge [OPTION…] [ID]")
    #expect(try usage("completions") == "holdfast completions [OPTION…] bash|zsh|fish")
  }

  @Test("the manual has every command and option, and no line that is a request by accident")
  func manual() {
    let page = ManPage.text(commands, version: "1.2.3")
    #expect(page.hasPrefix(".TH \"HOLDFAST\" \"1\" \"\" \"holdfast 1.2.3\""))
    for command in commands {
      #expect(
        page.contains("\n.SS \"\(([command.name] + command.aliases).joined(separator: ", "))\"\n"))
    }
    let macros: Set = ["TH", "SH", "SS", "PP", "TP", "B", "RS", "RE", "nf", "fi", "ad", "nh"]
    for line in page.split(separator: "\n") where line.hasPrefix(".") {
      let name = line.dropFirst().prefix { $0 != " " }
      #expect(macros.contains(String(name)), "\(line)")
    }
    // Hidden options stay hidden.
    #expect(!page.contains("Print ids and titles"))
  }

  @Test("text that looks like a request, and what roff would alter, is kept")
  func roff() {
    var roff = Roff(title: "T", section: "1", program: "p")
    roff.text(".SH is no heading")
    roff.text("'tis a \\ back-slash ~ ^")
    roff.synopsis("say \"it\"")
    #expect(roff.source.contains("\n\\&.SH is no heading\n"))
    #expect(roff.source.contains("\n\\(aqtis a \\e back\\-slash \\(ti \\(ha\n"))
    #expect(roff.source.contains("\n.B \"say \\(dqit\\(dq\"\n"))
  }

  @Test(
    "man reads the manual without a warning",
    .enabled(if: Binary.has("man") && Binary.has("groff"), "man and groff are not installed"))
  func man() throws {
    let result = try Binary.run(
      script: "holdfast man > \"$0.1\"; man --warnings -l \"$0.1\"; rm \"$0.1\"")
    #expect(result.error.isEmpty)
    #expect(result.output.contains("holdfast export [OPTION...] -o FILE ID"))
    #expect(result.output.contains("--recorded-at TIME"))
  }
}
