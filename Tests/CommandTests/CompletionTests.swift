import Foundation
import HoldfastCommand
import Testing

@Suite("Completion scripts")
struct CompletionTests {
  /// What bash proposes for the words, the last of which the cursor stands in.
  private func bash(_ words: [String], setup: String = "") throws -> [String] {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let result = try Binary.run(
      script: """
        set -u
        \(setup)
        source <(holdfast completions bash)
        COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1) COMPREPLY=()
        _holdfast
        ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
        """)
    #expect(result.error.isEmpty)
    #expect(result.status == 0)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("bash completes commands, options and words to choose from")
  func bashWords() throws {
    #expect(try bash(["holdfast", "exp"]) == ["export"])
    #expect(try bash(["holdfast", ""]).count == CommandTable.all.count)
    #expect(try bash(["holdfast", "--json", "re"]) == ["record", "recover", "rebuild", "restore"])
    #expect(try bash(["holdfast", "--store", "/s", "ver"]) == ["verify", "version"])
    #expect(try bash(["holdfast", "export", "--fo"]) == ["--format", "--force"])
    #expect(try bash(["holdfast", "--q"]) == ["--quiet"])
    #expect(try bash(["holdfast", "export", "--format", ""]) == ["wav", "raw"])
    #expect(try bash(["holdfast", "export", "--format", "=", "w"]) == ["wav"])
    #expect(try bash(["holdfast", "export", "--format", "="]) == ["wav", "raw"])
    #expect(try bash(["holdfast", "ls", "--state", "st"]) == ["stopped"])
    #expect(try bash(["holdfast", "help", "com"]) == ["completions"])
    #expect(try bash(["holdfast", "completions", ""]) == ["bash", "zsh", "fish"])
  }

  @Test("bash leaves file names to readline, and proposes no options after two dashes")
  func bashFiles() throws {
    #expect(try bash(["holdfast", "record", "ta"]) == [])
    #expect(try bash(["holdfast", "export", "-o", "ta"]) == [])
    #expect(try bash(["holdfast", "import", "--", "--ti"]) == [])
    #expect(try bash(["holdfast", "record", "--title", "ta"]) == [])
  }

  @Test("bash completes ids from the store that the line names")
  func bashIDs() throws {
    // A stand-in, so that no store is needed: it answers only to the call that the script makes.
    let setup = """
      fake() {
        [[ "$*" == 'list --ids --store /the store' ]] || return
        printf '4f2aaaaa\\tA title\\nbeefbeef\\tB\\n'
      }
      """
    #expect(
      try bash(["fake", "--store", "/the store", "show", "4"], setup: setup) == ["4f2aaaaa"])
    #expect(
      try bash(["fake", "export", "--store", "/the store", ""], setup: setup)
        == ["4f2aaaaa", "beefbeef"])
    #expect(try bash(["fake", "show", ""], setup: setup) == [])
  }

  @Test("the scripts are sound", arguments: ["bash", "zsh", "fish"])
  func syntax(shell: String) throws {
    guard Binary.has(shell) else {
      // Visible in the log: a machine without this shell has checked nothing.
      return withKnownIssue("\(shell) is not installed") { Issue.record("not checked") }
    }
    let result = try Binary.run(
      script:
        "holdfast completions \(shell) > \"$0.c\"; \(shell) -n \"$0.c\"; s=$?; rm \"$0.c\"; exit $s"
    )
    #expect(result.status == 0)
    #expect(result.error.isEmpty)
  }

  @Test(
    "shellcheck finds nothing in the bash script",
    .enabled(if: Binary.has("shellcheck"), "shellcheck is not installed"))
  func shellcheck() throws {
    let result = try Binary.run(script: "holdfast completions bash | shellcheck -s bash -")
    #expect(result.status == 0, "\(result.output)")
  }

  @Test("fish completes commands, options and values", .enabled(if: Binary.has("fish"), "no fish"))
  func fish() throws {
    func complete(_ line: String) throws -> [String] {
      let result = try Binary.run(
        script: "holdfast completions fish | source; complete -C '\(line)'", in: "fish",
        ["--no-config"])
      #expect(result.error.isEmpty)
      return result.output.split(separator: "\n").compactMap {
        $0.split(separator: "\t").first.map(String.init)
      }
    }
    #expect(try complete("holdfast exp") == ["export"])
    #expect(try complete("holdfast export --fo") == ["--force", "--format"])
    #expect(try complete("holdfast export --format ") == ["raw", "wav"])
    #expect(try complete("holdfast record /etc/passw").contains("/etc/passwd"))
  }

  @Test("hidden options stay hidden")
  func hidden() {
    for script in [BashCompletion.script, ZshCompletion.script, FishCompletion.script] {
      let text = script(CommandTable.all).replacing("list --ids", with: "")
      #expect(!text.contains("ids"))
    }
  }
}
