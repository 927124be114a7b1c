import HoldfastCommand
import HoldfastModel
import Testing

@Suite("Parsing a command line that makes no sense")
struct ArgumentErrorTests {
  @Test("each mistake is named and the help to read is told")
  func messages() {
    let cases: [(words: [String], message: String, hint: String)] = [
      (["recrod"], "there is no command 'recrod'; did you mean record?", "help"),
      (["xyzzy"], "there is no command 'xyzzy'", "help"),
      (
        ["record", "--tilte", "a"], "record has no option --tilte; did you mean --title?", "record"
      ),
      (["record", "--en"], "record has no option --en; did you mean --encoding?", "record"),
      (["record", "-x"], "record has no option -x", "record"),
      (["--title", "a", "record"], "there is no common option --title", "help"),
      (["--store", "/s", "man"], "man has no option --store", "man"),
      (["record", "--title"], "--title needs a value, TEXT", "record"),
      (
        ["record", "--title", "--acks"],
        "--title needs a value, TEXT; to give '--acks' itself, write --title=--acks", "record"
      ),
      (["export", "4f2a", "-o"], "--output needs a value, FILE", "export"),
      (["list", "--all=yes"], "--all takes no value", "list"),
      (["show"], "the argument ID is missing", "show"),
      (["import"], "the argument FILE is missing", "import"),
      (["show", "4f2a", "beef"], "the argument 'beef' is one too many", "show"),
      (["export", "4f2a"], "the option --output FILE is missing", "export"),
      (["--json"], "no command is given", "help"),
      (["help", "a", "b"], "the argument 'b' is one too many", "help"),
      (
        ["completions", "bosh"],
        "SHELL must be one of bash, zsh, fish, not 'bosh'; did you mean bash?", "completions"
      ),
      (
        ["record", "--encoding", "s16le"], "--encoding needs --rate and --channels beside it",
        "record"
      ),
      (["recover", "--ack", "-n"], "--ack and --dry-run cannot be given together", "recover"),
      (
        ["import", "a.wav", "b.wav", "--external-id", "x"],
        "--external-id is for a single FILE, and 2 are given", "import"
      ),
    ]
    for (words, message, hint) in cases {
      let page =
        hint == "help" && words[0] != "help" ? "see 'holdfast help'" : "see 'holdfast help \(hint)'"
      do {
        _ = try ArgumentParser(zone: .gmt).parse(words)
        Issue.record("\(words) was understood")
      } catch {
        #expect(error.message == message)
        #expect(error.hint == page, "\(words)")
        #expect(ExitCode(error) == .usage)
      }
    }
  }

  @Test("several equally near words are all offered")
  func ambiguous() {
    #expect(
      Suggestion.nearest(to: "re", among: ["record", "restore", "list"]) == [
        "record", "restore",
      ])
    #expect(
      refusal("export", "4f2a", "--t", "x")?.message == "export has no option --t")
    #expect(
      refusal("export", "4f2a", "--ta", "x")?.message
        == "export has no option --ta; did you mean --take?")
  }

  @Test("hidden options are never offered")
  func hidden() throws {
    #expect(refusal("list", "--id")?.message == "list has no option --id")
    #expect(try parsed("list", "--ids").values[Options.ids])
  }

  @Test("a swap of neighbours is one step, and distance is symmetric", arguments: 0..<20)
  func distance(seed: UInt64) {
    #expect(Suggestion.distance("list", "lsit") == 1)
    #expect(Suggestion.distance("", "abc") == 3)
    #expect(Suggestion.distance("kitten", "sitting") == 3)
    var source = Seeded(seed)
    func word() -> String {
      String(
        (0..<Int.random(in: 0...6, using: &source)).map { _ in
          "abc".randomElement(using: &source) ?? "a"
        })
    }
    let (left, right) = (word(), word())
    let distance = Suggestion.distance(left, right)
    #expect(distance == Suggestion.distance(right, left))
    #expect((distance == 0) == (left == right))
    #expect(distance <= max(left.count, right.count))
  }
}
