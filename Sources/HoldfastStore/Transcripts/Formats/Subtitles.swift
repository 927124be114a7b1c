import HoldfastModel

/// Subtitles. Cues begin in order, and none is of no length: players leave such cues out.
extension ShownTranscript {
  /// SubRip text.
  package var srt: String {
    var text = ""
    for (index, cue) in cues.enumerated() {
      let start = TimeCode.cue(milliseconds: cue.start, separator: ",")
      let end = TimeCode.cue(milliseconds: cue.end, separator: ",")
      let name = cue.speaker.map { $0 + ": " } ?? ""
      // The arrow belongs to the line of times.
      let words = (name + cue.text).split(separator: "-->", omittingEmptySubsequences: false)
        .joined(separator: "--›")
      text += "\(index + 1)\n\(start) --> \(end)\n\(words)\n\n"
    }
    return text
  }

  /// WebVTT (https://www.w3.org/TR/webvtt1/): speakers are voices.
  package var vtt: String {
    var text = "WEBVTT\n"
    for cue in cues {
      let start = TimeCode.cue(milliseconds: cue.start, separator: ".")
      let end = TimeCode.cue(milliseconds: cue.end, separator: ".")
      let voice = cue.speaker.map { "<v \(Self.escaped($0))>" } ?? ""
      text += "\n\(start) --> \(end)\n\(voice)\(Self.escaped(cue.text))\n"
    }
    return text
  }

  private struct Cue {
    var start: UInt64
    var end: UInt64
    var speaker: String?
    var text: String
  }

  private var cues: [Cue] {
    var earliest: UInt64 = 0
    return segments.map { segment in
      let start = max(TimeCode.milliseconds(segment.startNanoseconds), earliest)
      earliest = start
      // An empty line would end the cue.
      let lines = segment.text.split(separator: "\n").filter { line in
        line.contains { !$0.isWhitespace }
      }
      return Cue(
        start: start, end: max(TimeCode.milliseconds(segment.endNanoseconds), start + 1),
        speaker: segment.speaker, text: lines.joined(separator: "\n"))
    }
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.append(character)
      }
    }
  }
}
