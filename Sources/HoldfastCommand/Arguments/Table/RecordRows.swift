/// Rows of the table: how audio comes in.
extension CommandTable {
  /// `holdfast record`.
  static let record = CommandSpec(
    "record", in: .recordAndLook, "Journal audio as a recording",
    discussion: [
      "Reads a WAV file, or raw PCM with --encoding, --rate and --channels, from a file or from "
        + "standard input, and journals it chunk by chunk. The id of the recording is printed "
        + "first, after the recording is durable; every chunk that was acknowledged after that is "
        + "there, whatever ends the process.",
      "The end of the input, SIGINT (Ctrl-C), SIGTERM and SIGHUP (the terminal is closed) stop the "
        + "recording cleanly; under nohup it goes on without its terminal. SIGUSR1 begins an "
        + "interruption: the take closes and a gap begins. SIGUSR2 ends it with a new take. Any "
        + "other end, SIGQUIT and SIGKILL too, costs what was not acknowledged yet, a chunk or so; "
        + "recover says how much at most.",
    ],
    arguments: [Arguments.source],
    options: [
      Options.encoding, Options.rate, Options.channels, Options.title, Options.track,
      Options.chunkSeconds, Options.realtime, Options.durability, Options.resume, Options.acks,
      Options.pipeline,
    ],
    constraints: [.together(["encoding", "rate", "channels"])],
    json: [
      "JSON Lines: {\"event\":\"started\", \"recording\"}, then with --acks for each chunk "
        + "once it is acknowledged {\"event\":\"chunk\", \"recording\", \"take\", \"takeIndex\", "
        + "\"seq\", \"firstFrame\", \"frames\", \"sha256\", \"mark\"}, where firstFrame counts "
        + "within the take, and at last {\"event\":\"stopped\", \"recording\", "
        + "\"durationSeconds\"}."
    ],
    examples: [
      CommandExample("holdfast record --title 'Weekly call' talk.wav", "Record a file"),
      CommandExample(
        "arecord -f S16_LE -r 16000 -c 1 -t raw | "
          + "holdfast record --encoding s16le --rate 16000 --channels 1",
        "Record from a microphone until Ctrl-C"),
      CommandExample(
        "holdfast record --resume 4f2a more.wav", "Go on with a recording in a new take"),
    ],
    exits: [
      ExitNote(.blocked, "the store is locked or cannot be opened now, or the disk is full"),
      ExitNote(.refused, "the input is not a format that is read"),
    ])

  /// `holdfast import`.
  static let `import` = CommandSpec(
    "import", in: .recordAndLook, "Journal files at full speed",
    discussion: [
      "Does what record does, from files and as fast as the disk allows. The same content a second "
        + "time adds nothing and says so. An import that was killed goes on where it was when it "
        + "is started again."
    ],
    arguments: [Arguments.files],
    options: [
      Options.title, Options.recordedAt, Options.externalID, Options.track, Options.encoding,
      Options.rate, Options.channels, Options.chunkSeconds, Options.pipeline,
    ],
    constraints: [
      .together(["encoding", "rate", "channels"]),
      .single(option: "external-id", argument: "FILE"),
    ],
    json: [
      "{\"imported\":[{\"file\", \"recording\", \"result\", \"inTrash\", \"bytes\", "
        + "\"error\"}]}; a result is imported, alreadyThere, completed (it went on), cancelled or "
        + "refused."
    ],
    examples: [
      CommandExample("holdfast import meetings/*.wav", "Import files; the same ones only once"),
      CommandExample(
        "holdfast import --recorded-at 2026-11-30T09:15:00+01:00 --title Interview tape.wav",
        "Import a file with its time and title"),
    ],
    exits: [
      ExitNote(.blocked, "the store is locked or cannot be opened now, or the disk is full"),
      ExitNote(.refused, "a file is not a format that is read; the other files are imported"),
    ])

  /// `holdfast probe`.
  static let probe = CommandSpec(
    "probe", in: .recordAndLook, "Say what an audio file is, and what is odd about it",
    discussion: ["Reads WAV in all its kinds, CAF and AAC in ADTS; touches no store."],
    arguments: [Arguments.file],
    json: [
      "{\"accept\", \"format\", \"encoding\", \"sampleRate\", \"channels\", \"frames\", "
        + "\"durationSeconds\", \"oddities\":[{\"code\", \"message\"}]}; where it is refused, "
        + "\"refusal\" says why."
    ],
    examples: [CommandExample("holdfast probe talk.wav", "Look at a file before importing it")],
    exits: [ExitNote(.refused, "record and import would refuse the file")])
}
