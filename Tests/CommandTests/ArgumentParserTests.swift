import Foundation
import HoldfastCommand
import HoldfastModel
import Testing

/// The command and the values of a line that is to be understood.
func parsed(_ words: String...) throws -> (name: String, values: ParsedArguments) {
  guard case .run(let command, let values) = try ArgumentParser(zone: .gmt).parse(words) else {
    throw Unexpected()
  }
  return (command.name, values)
}

/// The error of a line that is not to be understood.
func refusal(_ words: String...) -> HoldfastError? {
  do {
    _ = try ArgumentParser(zone: .gmt).parse(words)
    return nil
  } catch {
    return error
  }
}

struct Unexpected: Error {}

@Suite("Parsing a command line that makes sense")
struct ArgumentParserTests {
  @Test("a value follows in the next word, after an equals sign, or right after a letter")
  func valueForms() throws {
    for words in [
      ["--output", "a b.wav"], ["--output=a b.wav"], ["-o", "a b.wav"], ["-oa b.wav"],
      ["-o=a b.wav"],
    ] {
      let line = try ArgumentParser().parse(["export"] + words + ["4f2a"])
      guard case .run(_, let values) = line else { throw Unexpected() }
      #expect(values[Options.exportFile] == "a b.wav", "\(words)")
      #expect(values[Arguments.recording] == "4f2a", "\(words)")
    }
  }

  @Test("an equals sign in the value stays there")
  func equalsInValue() throws {
    #expect(try parsed("record", "--title=a=b").values[Options.title] == "a=b")
    #expect(try parsed("record", "--title=").values[Options.title] == "")
  }

  @Test("flags in one word are several flags, the last may take a value")
  func bundles() throws {
    let values = try parsed("export", "4f2a", "-qfoout.wav").values
    #expect(values[Options.quiet])
    #expect(values[Options.force])
    #expect(values[Options.exportFile] == "out.wav")
  }

  @Test("options stand anywhere, the shared ones before the command too")
  func anywhere() throws {
    let line = try parsed("--store", "/s", "list", "--all", "--json")
    #expect(line.name == "list")
    #expect(line.values[Options.store] == "/s")
    #expect(line.values[Options.all])
    #expect(line.values[Options.json])
    #expect(try parsed("show", "4f2a", "--quiet").values[Options.quiet])
  }

  @Test("two dashes end the options")
  func endOfOptions() throws {
    let values = try parsed("import", "--title", "t", "--", "--title", "-x", "--").values
    #expect(values[Arguments.files] == ["--title", "-x", "--"])
    #expect(values[Options.title] == "t")
  }

  @Test("a dash alone is an argument or a value")
  func dash() throws {
    #expect(try parsed("record", "-").values[Arguments.source] == "-")
    #expect(try parsed("export", "-o", "-", "4f2a").values[Options.exportFile] == "-")
  }

  @Test("a negative number is a value or an argument, not an option")
  func negativeNumbers() throws {
    #expect(try parsed("record", "--title", "-5").values[Options.title] == "-5")
    #expect(try parsed("import", "-5.wav", "-.5").values[Arguments.files] == ["-5.wav", "-.5"])
    #expect(refusal("list", "--wait", "-5")?.message.contains("0 or more, not '-5'") == true)
  }

  @Test("a repeated option counts once and the last one, or every one where that is its nature")
  func repetition() throws {
    #expect(try parsed("record", "--title", "a", "--title=b").values[Options.title] == "b")
    let states = ["--state", "stopped", "--state", "recording"]
    guard case .run(_, let values) = try ArgumentParser().parse(["list"] + states) else {
      throw Unexpected()
    }
    #expect(values[Options.state] == ["stopped", "recording"])
    #expect(try parsed("list").values[Options.state] == [])
  }

  @Test("what is not given has its default")
  func defaults() throws {
    let values = try parsed("record").values
    #expect(values[Options.wait] == 10)
    #expect(values[Options.chunkSeconds] == 1)
    #expect(values[Options.track] == "microphone")
    #expect(values[Options.title] == nil)
    #expect(values[Arguments.source] == nil)
    #expect(!values[Options.json])
    #if os(Linux)
      #expect(values[Options.durability] == "power")
    #endif
  }

  @Test("an alias is the command")
  func alias() throws {
    #expect(try parsed("ls").name == "list")
  }

  @Test(
    "help is given wherever it is asked for, even beside a mistake",
    arguments: [
      ["record", "--help"], ["record", "-h"], ["--help", "record"], ["record", "--bogus", "-h"],
      ["record", "-qh"], ["record", "--rate", "--help"],
    ])
  func help(words: [String]) throws {
    guard case .help(let command) = try ArgumentParser().parse(words) else { throw Unexpected() }
    #expect(command?.name == "record")
  }

  @Test("no words, or a lone wish for help, is help on everything")
  func overview() throws {
    for words in [[], ["--help"], ["-h"]] {
      guard case .help(nil) = try ArgumentParser().parse(words) else { throw Unexpected() }
    }
    guard case .version = try ArgumentParser().parse(["--version"]) else { throw Unexpected() }
  }

  @Test("after two dashes a wish for help is a file")
  func helpAsFile() throws {
    #expect(try parsed("import", "--", "--help").values[Arguments.files] == ["--help"])
  }

  @Test("random words are understood or refused as a wrong usage with a hint", arguments: 0..<20)
  func random(seed: UInt64) {
    var source = Seeded(seed)
    let pieces = [
      "record", "list", "export", "-", "--", "--title", "--title=", "-o", "-of", "-qf", "x.wav",
      "4f2a", "--rate", "16000", "-1", "--wait=0", "--help", "=", "", "é—", "--=", "-=",
    ]
    for _ in 0..<100 {
      let count = Int.random(in: 0...6, using: &source)
      let words = (0..<count).map { _ in pieces.randomElement(using: &source) ?? "" }
      do {
        _ = try ArgumentParser(zone: .gmt).parse(words)
      } catch {
        #expect(error.code == .invalidArgument, "\(words)")
        #expect(error.hint.hasPrefix("see 'holdfast help"), "\(words)")
      }
    }
  }
}
