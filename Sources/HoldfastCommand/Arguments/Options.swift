/// Every option of the command, as typed keys. The rows of the table say which command takes which;
/// a body fetches `context[Options.title]`.
package enum Options {
  // MARK: Of every command that may touch a store

  /// The directory of the store; nil leaves it to the environment (``StoreLocation``).
  package static let store = CommandOption<String?>(
    optional: "store", "DIR", .directory,
    "Use the store in this directory; without it HOLDFAST_STORE, else "
      + "${XDG_DATA_HOME:-~/.local/share}/holdfast/store")
  /// Machine-readable output.
  package static let json = CommandOption<Bool>(
    flag: "json", "Print one JSON document, or JSON Lines where the output is a stream")
  /// No progress, no remarks.
  package static let quiet = CommandOption<Bool>(
    flag: "quiet", short: "q", "Print results and errors only: no progress bar, no remarks")
  /// How long to wait for another process's lock, in seconds.
  package static let wait = CommandOption<Double>(
    "wait", "SECONDS", .seconds, default: "10",
    "Wait this long for a lock that another process holds, then exit with 4 and name the holder")
  /// Print help and do nothing.
  package static let help = CommandOption<Bool>(
    flag: "help", short: "h", "Print help and do nothing")
  /// Print the version and do nothing.
  package static let version = CommandOption<Bool>(
    flag: "version", "Print the version and do nothing")
  /// All of the above.
  package static let common: [any DeclaredOption] = [store, json, quiet, wait, help, version]

  // MARK: Audio that comes in

  /// How the samples of raw PCM lie in the input.
  package static let encoding = CommandOption<String?>(
    optional: "encoding", "ENCODING", .choice(["s16le", "s24le", "s32le", "f32le", "u8"]),
    "The input is raw PCM of this sample encoding, interleaved, without a header")
  /// Sample frames per second of raw PCM.
  package static let rate = CommandOption<Double?>(
    optional: "rate", "HERTZ", .sampleRate, "Sample frames per second of raw PCM")
  /// Channels of raw PCM.
  package static let channels = CommandOption<UInt32?>(
    optional: "channels", "COUNT", .whole(1...65_535), "Channels of raw PCM")
  /// A new recording's title.
  package static let title = CommandOption<String?>(
    optional: "title", "TEXT", .text, "The title of the recording")
  /// The track that is recorded.
  package static let track = CommandOption<String>(
    "track", "NAME", .text, default: "microphone", "The name of the track")
  /// The length of a chunk in seconds.
  package static let chunkSeconds = CommandOption<Double>(
    "chunk-seconds", "SECONDS", .chunkSeconds, default: "1",
    "Journal the audio in chunks of this length")
  /// Whether a file is paced by the clock.
  package static let realtime = CommandOption<Bool>(
    flag: "realtime", "Take a file no faster than it would play, as a microphone would give it")
  /// When a chunk becomes power-safe.
  package static let durability = CommandOption<String>(
    "durability", "WHEN", .choice(["power", "paced", "process"]), default: platformDurability,
    "Acknowledge a chunk when it survives a power failure (power), or when it survives the "
      + "process, with the medium following every 10 seconds (paced) or with the system (process)")
  // DESIGN J2: a flush is cheap on Linux; Apple's devices are spared one at each append.
  #if canImport(Darwin)
    private static let platformDurability = "paced"
  #else
    private static let platformDurability = "power"
  #endif
  /// The recording that goes on.
  package static let resume = CommandOption<String?>(
    optional: "resume", "ID", .recording, "Go on with this recording in a new take")
  /// Events as JSON Lines.
  package static let acks = CommandOption<Bool>(
    flag: "acks", "Print a JSON line for each chunk once it is acknowledged")
  /// When an imported recording was made: milliseconds since 1970-01-01T00:00:00Z.
  package static let recordedAt = CommandOption<Int64?>(
    optional: "recorded-at", "TIME", .date,
    "When the recording was made: RFC 3339, or YYYY-MM-DD for the first instant of a local day")
  /// A name of the caller's own.
  package static let externalID = CommandOption<String?>(
    optional: "external-id", "TEXT", .text,
    "A name of your own for the recording; the same name adds nothing a second time")

  // MARK: Looking and editing

  /// Trash too.
  package static let all = CommandOption<Bool>(
    flag: "all", short: "a", "Show what is in the trash too")
  /// Only these states.
  package static let state = CommandOption<[String]>(
    repeated: "state", "STATE",
    .choice(["recording", "interrupted", "pendingResume", "stopped", "deleted"]),
    "Only recordings in this state; may be given again for another")
  /// Only what started then or later: milliseconds since 1970-01-01T00:00:00Z.
  package static let since = CommandOption<Int64?>(
    optional: "since", "TIME", .date,
    "Only what started then or later: RFC 3339, or YYYY-MM-DD for a local day")
  /// At most so many.
  package static let limit = CommandOption<UInt32?>(
    optional: "limit", "COUNT", .whole(1...UInt32.max), "At most this many")
  /// Ids for the shells' completion: one line a recording, the id, a tab, the title made visible.
  package static let ids = CommandOption<Bool>(
    flag: "ids", hidden: true, "Print ids and titles for shell completion")
  /// The title that a recording gets.
  package static let newTitle = CommandOption<String>(
    required: "title", "TEXT", .text, "The new title")
  /// The canonical text's digest instead of the text.
  package static let digest = CommandOption<Bool>(
    flag: "digest", "Print the SHA-256 of the text instead of the text")

  // MARK: What goes out

  /// Where an export goes; `-` is standard output.
  package static let exportFile = CommandOption<String>(
    required: "output", short: "o", "FILE", .file, "Write to this file; - is standard output")
  /// The form of an export.
  package static let format = CommandOption<String>(
    "format", "FORMAT", .choice(["wav", "raw"]), default: "wav",
    "A WAV file (RF64 from 4 GiB), or the sample bytes as they came in")
  /// Only this track.
  package static let onlyTrack = CommandOption<String?>(
    optional: "track", "NAME", .text, "Only this track")
  /// Only this take: its index within its track, from 0.
  package static let onlyTake = CommandOption<UInt32?>(
    optional: "take", "NUMBER", .whole(0...UInt32.max),
    "Only this take, as show numbers them: from 0")
  /// What becomes of gaps; nil is silence up to 60 s and a cut beyond.
  package static let gaps = CommandOption<String?>(
    optional: "gaps", "HOW", .choice(["silence", "cut"]),
    "Fill every gap with silence, or cut every gap; without it gaps up to 60 seconds become "
      + "silence and longer ones are cut. Damaged audio is silence of its length in any case")
  /// Replace a file that exists.
  package static let force = CommandOption<Bool>(
    flag: "force", short: "f", "Replace the file if it exists")
  /// The directory of a rebuilt store.
  package static let newStore = CommandOption<String>(
    required: "output", short: "o", "NEWDIR", .directory,
    "The directory of the new store, which must be empty or absent")
  /// The directory that is written.
  package static let outputDirectory = CommandOption<String>(
    required: "output", short: "o", "DIR", .directory,
    "Write into this directory, which must be empty or absent")
  /// The file that is written.
  package static let outputFile = CommandOption<String>(
    required: "output", short: "o", "FILE", .file,
    "Write to this file; - is standard output")

  // MARK: Work

  /// Programs that do work, by kind.
  package static let handler = CommandOption<[String]>(
    repeated: "handler", "KIND=COMMAND", .text,
    "Do work of this kind with this line of the shell; may be given again for another kind")
  /// What handlers declare.
  package static let handlerInfo = CommandOption<[String]>(
    repeated: "handler-info", "KIND:KEY=VALUE,…", .text,
    "What the handler declares: version=N, quality=N, unit=SECONDS (cut the audio into units), "
      + "after=KIND+KIND, needs=network+power, audio=no, transcript=yes")
  /// Seconds until all work must have ended.
  package static let budget = CommandOption<Double?>(
    optional: "budget", "SECONDS", .seconds,
    "Return before this time is over, with everything saved; a unit that cannot end in time is "
      + "not begun")
  /// One unit.
  package static let once = CommandOption<Bool>(flag: "once", "Do one unit of work at most")
  /// Go on.
  package static let watch = CommandOption<Bool>(
    flag: "watch", "Go on until Ctrl-C: follow recordings, and do what becomes due")
  /// Kinds that a new recording gets.
  package static let pipeline = CommandOption<String>(
    "pipeline", "KIND,…", .text, default: "transcribe,summarize",
    "The work that is to be done on the recording, each kind after the one before; none for none")
  /// Settled tasks too.
  package static let allTasks = CommandOption<Bool>(
    flag: "all", short: "a", "Show tasks that are done or called off too")

  // MARK: Decisions

  /// Acknowledge what recovery reports.
  package static let acknowledge = CommandOption<Bool>(
    flag: "ack", "Acknowledge what is reported; the next time it is not reported again")
  /// Say it, do not do it.
  package static let dryRun = CommandOption<Bool>(
    flag: "dry-run", short: "n",
    "Open for reading only, write nothing, and say what recovery would do")
  /// Do not ask.
  package static let yes = CommandOption<Bool>(flag: "yes", short: "y", "Do not ask")
}

/// Every positional argument, as typed keys.
package enum Arguments {
  /// Audio to record; nil and `-` are standard input.
  package static let source = CommandArgument<String?>(
    optional: "FILE", .file, "The audio: a file, or - for standard input, which is the default")
  /// Files to import.
  package static let files = CommandArgument<[String]>(
    repeated: "FILE", .file, "The audio files")
  /// A file to look at.
  package static let file = CommandArgument<String>("FILE", .file, "The file")
  /// A recording.
  package static let recording = CommandArgument<String>(
    "ID", .recording, "The id of a recording, or a unique prefix of 4 or more digits")
  /// A recording, or all.
  package static let anyRecording = CommandArgument<String?>(
    optional: "ID", .recording, "The id of a recording; without it everything in the trash")
  /// Reels or audio files.
  package static let paths = CommandArgument<[String]>(
    repeated: "PATH", .file, "Reels, audio files, or directories of them")
  /// What is to be done with tasks, and with which.
  package static let taskWords = CommandArgument<[String]>(
    anyNumber: "ACTION", .text,
    "ls (the default), show, add, retry, cancel or release, and what it is to be done with. add: "
      + "KIND and the id of a recording; show, retry, cancel, release: ids of tasks, or unique "
      + "prefixes of 4 or more digits; ls: the id of a recording, if only its tasks are wanted")
  /// One of our commands.
  package static let command = CommandArgument<String?>(
    optional: "COMMAND", .command, "The command to explain")
  /// A shell that we write completions for.
  package static let shell = CommandArgument<String>(
    "SHELL", .choice(["bash", "zsh", "fish"]), "The shell")
}
