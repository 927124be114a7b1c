package import HoldfastModel

/// A transcript as paragraphs: lines of one speaker that follow each other are one.
package struct Paragraphs {
  /// One paragraph, or one line of which paragraphs are made.
  package struct Paragraph: Hashable, Sendable {
    package var speaker: String?
    /// Recording time.
    package var startSeconds: Double
    package var endSeconds: Double
    package var text: String

    package init(speaker: String?, startSeconds: Double, endSeconds: Double, text: String) {
      self.speaker = speaker
      self.startSeconds = startSeconds
      self.endSeconds = endSeconds
      self.text = text
    }
  }

  /// A silence that begins a new paragraph of the same speaker, seconds.
  private static let pause: Double = 5

  package private(set) var list: [Paragraph] = []

  /// - Parameter lines: by time.
  package init(_ lines: some Sequence<Paragraph>) {
    for line in lines {
      if let last = list.last, last.speaker == line.speaker,
        line.startSeconds - last.endSeconds < Self.pause
      {
        list[list.count - 1].text += " " + line.text
        list[list.count - 1].endSeconds = max(last.endSeconds, line.endSeconds)
      } else {
        list.append(line)
      }
    }
  }

  /// The paragraphs of a transcript.
  package init(_ transcript: ShownTranscript) {
    self.init(
      transcript.segments.map {
        Paragraph(
          speaker: $0.speaker, startSeconds: $0.startSeconds, endSeconds: $0.endSeconds,
          text: $0.text)
      })
  }

  /// Plain text: a blank line between paragraphs, each begun by the name and a colon where it is
  /// known. Ends with a newline, unless it is empty.
  package var plainText: String {
    let paragraphs = list.map { ($0.speaker.map { $0 + ": " } ?? "") + $0.text }
    return paragraphs.isEmpty ? "" : paragraphs.joined(separator: "\n\n") + "\n"
  }
}

/// Plain text and Markdown.
extension ShownTranscript {
  /// As ``Paragraphs/plainText``.
  package var plainText: String { Paragraphs(self).plainText }

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
