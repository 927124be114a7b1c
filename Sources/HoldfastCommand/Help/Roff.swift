/// A roff document under construction. Text is escaped here and nowhere else.
package struct Roff: Sendable {
  /// The document so far.
  package private(set) var source = ""

  /// A document set flush left and not hyphenated: much of ours are words to type.
  package init(title: String, section: String, program: String) {
    macro("TH", title, section, "", program, "Holdfast")
    source += ".ad l\n.nh\n"
  }

  /// A request or macro with quoted arguments.
  package mutating func macro(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { "\"" + Self.escaped($0).replacing("\"", with: "\\(dq") + "\"" }
    source += (["." + name] + quoted).joined(separator: " ") + "\n"
  }

  /// The heading of a section.
  package mutating func heading(_ text: String) { macro("SH", text) }
  /// The heading of a part of a section.
  package mutating func subheading(_ text: String) { macro("SS", text) }

  /// A line of text; a full stop or a quote at its beginning is no request.
  package mutating func text(_ text: String) {
    let escaped = Self.escaped(text)
    source += (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
  }

  /// A paragraph.
  package mutating func paragraph(_ text: String) {
    macro("PP")
    self.text(text)
  }

  /// A bold line, as usage is shown.
  package mutating func synopsis(_ usage: String) {
    macro("PP")
    macro("B", usage)
  }

  /// A term with its meaning beneath.
  package mutating func item(_ term: String, _ meaning: String) {
    macro("TP")
    macro("B", term)
    text(meaning)
  }

  /// A line to type, not filled, after what it does.
  package mutating func example(_ line: String, _ meaning: String) {
    macro("PP")
    text(meaning)
    macro("PP")
    macro("RS", "4")
    macro("nf")
    text(line)
    macro("fi")
    macro("RE")
  }

  /// Backslashes, and hyphens and accents that must stay what they are when copied (groff_char(7)).
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "…": result += "..."
      case "\n": result += " "
      default: result.append(character)
      }
    }
    return result
  }
}
