import HoldfastModel

/// A transcript as paragraphs: lines of one speaker that follow each other are one.
struct Paragraphs {
  struct Paragraph: Hashable {
    var speaker: String?
    var startSeconds: Double
    var endSeconds: Double
    var text: String
  }

  /// A silence that begins a new paragraph of the same speaker, seconds.
  static let pause: Double = 5

  private(set) var list: [Paragraph] = []

  init(_ transcript: ShownTranscript) {
    for segment in transcript.segments {
      if let last = list.last, last.speaker == segment.speaker,
        segment.startSeconds - last.endSeconds < Self.pause
      {
        list[list.count - 1].text += " " + segment.text
        list[list.count - 1].endSeconds = max(last.endSeconds, segment.endSeconds)
      } else {
        list.append(
          Paragraph(
            speaker: segment.speaker, startSeconds: segment.startSeconds,
            endSeconds: segment.endSeconds, text: segment.text))
      }
    }
  }
}

/// Plain text and Markdown.
extension ShownTranscript {
  /// Plain text: a paragraph whenever somebody else speaks, after a blank line, begun by the name
  /// and a colon where it is known. Ends with a newline, unless it is empty.
  package var plainText: String {
    let paragraphs = Paragraphs(self).list.map { paragraph in
      (paragraph.speaker.map { $0 + ": " } ?? "") + paragraph.text
    }
    return paragraphs.isEmpty ? "" : paragraphs.joined(separator: "\n\n") + "\n"
  }

  /// Markdown: the title, the date, then paragraphs with the speaker in bold and the recording
  /// time.
  ///
  /// - Parameters:
  ///   - title: of the recording; "" gives none.
  ///   - date: when it began, as it is to be shown.
  package func markdown(title: String, date: String) -> String {
    var text = title.isEmpty ? "" : "# \(Markdown.line(title))\n\n"
    text += "\(Markdown.line(date))\n"
    for paragraph in Paragraphs(self).list {
      let time = TimeCode.short(paragraph.startSeconds)
      let head = paragraph.speaker.map { "**\(Markdown.line($0))** (\(time))" } ?? "(\(time))"
      text += "\n\(head)\n\n\(Markdown.block(paragraph.text))\n"
    }
    return text
  }
}

/// Text that stays text in Markdown (CommonMark 0.31, section 2.4: backslash escapes).
enum Markdown {
  private static let signs: Set<Character> = [
    "\\", "`", "*", "_", "[", "]", "<", ">", "#", "&", "|", "~", "!",
  ]

  /// On one line.
  static func line(_ text: String) -> String {
    escaped(text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  /// On several lines; a newline of the text stays one.
  static func block(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      let escaped = escaped(String(line))
      // What begins a list or a rule is text here.
      guard let first = escaped.first, "-+=".contains(first) else { return numbered(escaped) }
      return "\\" + escaped
    }.joined(separator: "\\\n")
  }

  private static func numbered(_ line: String) -> String {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, let sign = line[digits.endIndex...].first, ".)".contains(sign) else {
      return line
    }
    return digits + "\\" + line[digits.endIndex...]
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      if signs.contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }
}
