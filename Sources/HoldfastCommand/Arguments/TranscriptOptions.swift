/// Options and arguments of the commands about transcripts.
extension Options {
  /// The form of a transcript.
  package static let transcriptFormat = CommandOption<String>(
    "format", "FORMAT", .choice(["txt", "srt", "vtt", "json", "md"]), default: "txt",
    "Plain text, subtitles (SubRip or WebVTT), JSON, or Markdown")
  /// The pass to show; nil is the current one.
  package static let pass = CommandOption<String?>(
    optional: "pass", "N", .text,
    "Show this pass instead of the current one: its number, or the first digits of its hash")
  /// Where a transcript goes; nil is standard output.
  package static let transcriptFile = CommandOption<String?>(
    optional: "output", short: "o", "FILE", .file,
    "Write to this file; without it, and with -, to standard output")
  /// The line at a recording time, in seconds.
  package static let lineAt = CommandOption<Double?>(
    optional: "at", "SECONDS", .seconds, "edit: the line that is spoken at this recording time")
  /// The line by its number.
  package static let lineNumber = CommandOption<UInt32?>(
    optional: "segment", "N", .whole(1...UInt32.max),
    "edit: the line by its number, from 1, in the order of --format json")
  /// The text that a line gets.
  package static let lineText = CommandOption<String?>(
    optional: "text", "TEXT", .text, "edit: the new text; an empty one takes an edit back")
  /// The track of a speaker.
  package static let speakerTrack = CommandOption<String?>(
    optional: "track", "NAME", .text,
    "name: the track of the speaker, where several have one of that label")
  /// At most so many hits.
  package static let hits = CommandOption<UInt32>(
    "limit", "COUNT", .whole(1...1_000_000), default: "20", "At most this many lines")
  /// Only this recording.
  package static let onlyRecording = CommandOption<String?>(
    optional: "recording", "ID", .recording, "Only in this recording")
  /// Only what started before: milliseconds since 1970-01-01T00:00:00Z.
  package static let until = CommandOption<Int64?>(
    optional: "until", "TIME", .date,
    "Only what started before: RFC 3339, or YYYY-MM-DD for a local day")
}

extension Arguments {
  /// A recording whose transcript is meant; or what to do with it, when that stands first.
  package static let transcribed = CommandArgument<String>(
    "ID", ValueReader(.recording, "the id of a recording") { word, _ in word },
    "The id of a recording, or a unique prefix of 4 or more digits")
  /// What to do with a transcript, and with what.
  package static let transcriptWords = CommandArgument<[String]>(
    anyNumber: "WORD", .text,
    "passes, restore N, name SPEAKER NAME, or edit; without it the transcript is shown")
  /// Words to look for.
  package static let words = CommandArgument<[String]>(
    repeated: "WORDS", .text, "The words; each must occur in the line")
}
