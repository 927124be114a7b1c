import HoldfastCommand
import Testing

@Suite("The table of commands")
struct CommandTableTests {
  private let commands = CommandTable.all

  @Test("every command of the part Record and look is there, and nothing of later parts")
  func complete() {
    let expected = [
      "record", "import", "probe", "list", "show", "edit", "stop", "export", "recover", "launches",
      "verify", "rebuild", "adopt", "backup", "rm", "restore", "purge", "archive", "space",
      "inspect", "dump", "bundle",
    ]
    let names = commands.filter { $0.group == .recordAndLook }.map(\.name)
    #expect(names.sorted() == expected.sorted())
    #expect(
      commands.filter { $0.group == .transcripts }.map(\.name)
        == ["work", "tasks", "transcript", "search"])
    #expect(
      commands.filter { $0.group == .about }.map(\.name)
        == ["help", "completions", "man", "version"])
  }

  @Test("no two commands share a name or an alias")
  func names() {
    let names = commands.flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
  }

  @Test("within a command no two options share a name, a letter, or a name with an argument")
  func options() {
    for command in commands {
      let keys = command.allOptions.map(\.name) + command.arguments.map(\.name)
      #expect(Set(keys).count == keys.count, "\(command.name)")
      let letters = command.allOptions.compactMap(\.short)
      #expect(Set(letters).count == letters.count, "\(command.name)")
    }
  }

  @Test("only the last argument may be repeated, and none follows an optional one")
  func arguments() {
    for command in commands {
      for argument in command.arguments.dropLast() {
        #expect(!argument.isRepeated && !argument.isOptional, "\(command.name)")
      }
    }
  }

  @Test("rules name options and arguments that the command has")
  func constraints() {
    for command in commands {
      let names = Set(command.allOptions.map(\.name))
      for constraint in command.constraints {
        switch constraint {
        case .together(let options), .apart(let options):
          #expect(names.isSuperset(of: options), "\(command.name)")
        case .single(let option, let argument):
          #expect(names.contains(option), "\(command.name)")
          #expect(command.arguments.contains { $0.name == argument }, "\(command.name)")
        }
      }
    }
  }

  @Test("every default is a value that the option takes")
  func defaults() throws {
    for command in commands {
      for option in command.allOptions {
        guard let fallback = option.fallback else { continue }
        let required = command.options.filter(\.isRequired).flatMap { [$0.typed, "x"] }
        let words = [command.name, "\(option.typed)=\(fallback)"] + required
        _ = try ArgumentParser().parse(words + command.arguments.map(sample))
      }
    }
  }

  @Test("every example that begins with holdfast can be typed")
  func examples() throws {
    for command in commands {
      #expect(command.group == .about || !command.examples.isEmpty, "\(command.name)")
      for example in command.examples where example.line.hasPrefix("holdfast ") {
        let words = shellWords(example.line).dropFirst().prefix { $0 != "|" && $0 != ">" }
        _ = try ArgumentParser(zone: .gmt).parse(Array(words))
      }
    }
  }

  @Test("every command has a body, or stands in the one list of those that wait for theirs")
  func registry() {
    let names = Set(commands.map(\.name))
    #expect(CommandRegistry.all.names == names)
  }

  @Test("summaries are short, and are one sentence without its full stop")
  func summaries() {
    for command in commands {
      #expect(command.summary.count <= 66 && !command.summary.hasSuffix("."), "\(command.name)")
      for option in command.allOptions {
        #expect(!option.summary.isEmpty && !option.summary.hasSuffix("."), "\(option.name)")
      }
    }
  }

  private func sample(_ argument: ArgumentSpec) -> String {
    switch argument.kind {
    case .recording: "4f2a"
    case .choice(let words): words[0]
    default: "word"
    }
  }

  /// The words of a line, as a shell splits it, as far as our examples need it.
  private func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var (word, quote): (String, Character?) = ("", nil)
    for character in line + " " {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else if quote == nil, character == " " {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return words
  }
}
