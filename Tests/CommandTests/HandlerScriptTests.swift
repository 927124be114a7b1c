import Foundation
import Testing

/// The handlers in `tools/handlers`, run as `holdfast work` runs them: a line in, lines out.
@Suite("The handlers of tools/handlers", .serialized)
struct HandlerScriptTests {
  private static let handlers = Recognizer.root.appendingPathComponent("tools/handlers").path
  /// What a handler printed, by the key of each line.
  private struct Answer {
    var lines: [[String: Any]] = []
    var status: Int32
    var error: String

    func all<T>(_ key: String, _ type: T.Type = T.self) -> [T] {
      lines.compactMap { $0[key] as? T }
    }
    var artefacts: [[String: String]] { all("artefact") }
    var segments: [[String: Any]] { all("segment") }
  }

  /// Runs a handler with an order on its standard input.
  private func run(_ handler: String, _ order: String, setting: String = "") throws -> Answer {
    let place = try Place()
    try order.write(toFile: place.path("order"), atomically: true, encoding: .utf8)
    let result = try place.script("\(setting)\n'\(Self.handlers)/\(handler)' <order")
    let lines = try result.output.split(separator: "\n").map { line in
      try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
    return Answer(lines: lines, status: result.status, error: result.error)
  }

  /// An order with lines of four seconds each.
  private func order(_ texts: [String], speaker: String? = nil) throws -> String {
    let segments = texts.enumerated().map { index, text in
      var segment: [String: Any] = [
        "startSeconds": Double(index) * 4, "endSeconds": Double(index) * 4 + 3, "text": text,
        "final": true, "unknown": [1],
      ]
      segment["speaker"] = speaker
      return segment
    }
    let object: [String: Any] = [
      "task": ["id": "1", "kind": "summarize"], "recording": ["title": "Board"], "new": 1,
      "transcript": segments,
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  private let meeting = [
    "Good morning.", "The budget is too high this year. We must cut the budget for travel.",
    "Is it raining?", "The bank wants to see the budget for travel by Friday.", "Yes.",
    "I will send the budget to the bank.", "Somebody has to water the plants in the kitchen.",
    "My train was late again, and nobody knew where the tickets were.",
    "The new disk is for the recordings of the old phone, which is full.",
  ]

  @Test("a summary has what was spoken of most, in order of time, and is the same each time")
  func summary() throws {
    let answer = try run("summarize", order(meeting, speaker: "Anna"))
    #expect(answer.status == 0 && answer.error.isEmpty)
    let artefact = try #require(answer.artefacts.first)
    #expect(answer.artefacts.count == 1 && artefact["kind"] == "summary")
    #expect(artefact["contentType"] == "text/plain")
    let text = try #require(artefact["text"])
    let picked = text.split(separator: "\n").filter { $0.hasPrefix("[") }
    #expect(picked == picked.sorted() && (2...6).contains(picked.count), "\(text)")
    #expect(text.contains("Anna: ") && text.contains("budget") && !text.contains("Good morning"))
    #expect(text.contains("nothing here was understood"), "it says what it is")
    #expect(answer.all("progress", Double.self).last == 1)
    let again = try run("summarize", order(meeting, speaker: "Anna"))
    #expect(again.artefacts == answer.artefacts)
  }

  @Test("a transcript without words gives one line that says so", arguments: [[], ["", " ", "…"]])
  func nothing(texts: [String]) throws {
    let answer = try run("summarize", order(texts))
    let text = try #require(answer.artefacts.first?["text"])
    #expect(answer.status == 0 && text.hasPrefix("Nothing to summarize"), "\(text)")
    #expect(!text.contains("\n"))
  }

  @Test(
    "what is not written in Latin letters is summarized too",
    arguments: [
      ["我们今天讨论预算。预算太高了，需要减少。", "下周一再讨论预算。"],
      ["Мы обсуждаем бюджет проекта.", "Бюджет проекта слишком большой."],
      ["वर्तमान में बजट पर चर्चा करें।", "बजट बहुत अधिक है।"],
    ])
  func scripts(texts: [String]) throws {
    let text = try #require(try run("summarize", order(texts)).artefacts.first?["text"])
    #expect(text.hasPrefix("[00:00] \(texts[0].prefix(4))"), "\(text)")
  }

  @Test("long transcripts give bounded summaries: many lines, one line, one word, repetition")
  func long() throws {
    let many = (0..<20_000).map { "Line \($0 % 977) of part \($0 % 89) names thing \($0)." }
    for texts in [
      many, [many.joined(separator: " ")], [String(repeating: "x", count: 1_000_000)],
      Array(repeating: "The budget is too high.", count: 5_000),
    ] {
      let answer = try run("summarize", order(texts))
      let text = try #require(answer.artefacts.first?["text"], "\(answer.error)")
      #expect(answer.status == 0 && text.utf8.count < 20_000 && text.hasPrefix("["))
    }
    let repeated = try run("summarize", order(Array(repeating: "Cut the budget.", count: 9)))
    #expect(repeated.artefacts.first?["text"]?.contains("(1 of 9 sentences") == true)
  }

  @Test(
    "input that is no order is refused for good",
    arguments: ["", "nonsense", "[]", "{}", #"{"task":{},"transcript":7}"#, "\u{FEFF}{"])
  func refused(line: String) throws {
    let answer = try run("summarize", line + "\n")
    #expect(answer.status == 65 && answer.lines.isEmpty && answer.error.contains("input"))
  }

  @Test("work runs it after any transcriber, and the summary is there (T7)")
  func work() throws {
    let place = try Place()
    let id = try place.recorded("Board", frames: 80_000)
    let result = try place.script(
      #"""
      cat >say <<'EOF'
      echo '{"segment":{"startSeconds":1,"endSeconds":9,"text":"The budget is cut. Yes."}}'
      EOF
      holdfast work --handler "transcribe=sh '$PWD/say'" \#
        --handler "summarize='\#(Self.handlers)/summarize'" --handler-info summarize:audio=no
      task=$(holdfast tasks ls --all | awk '/summarize/ {print $1}')
      holdfast tasks show "$task"
      """#)
    #expect(result.output.contains("[00:01] The budget is cut."), "\(result) \(id)")
  }

  @Test("without its recognizer the transcriber asks to be tried later, and says what to run")
  func absent() throws {
    let answer = try run(
      "transcribe", #"{"task":{}}"#, setting: "export HOLDFAST_HANDLERS=\"$PWD/none\"")
    #expect(answer.status == 75 && answer.lines.isEmpty)
    #expect(answer.error.contains("tools/setup handlers"))
  }

  /// A tone in a WAV file of 16-bit samples.
  private static let tone = """
    import array, math, struct, sys
    path, rate, channels, frames = sys.argv[1], *map(int, sys.argv[2:5])
    data = array.array("h", (round(9000 * math.sin(4398 * n / rate)) for n in range(frames)
                             for _ in range(channels))).tobytes()
    open(path, "wb").write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack(
        "<IHHIIHH", 16, 1, channels, rate, rate * 2 * channels, 2 * channels, 16)
        + b"data" + struct.pack("<I", len(data)) + data)
    """

  @Test(
    "sound of any rate becomes 16 kHz mono, to the frame and without a shift",
    arguments: [
      (44_100, 2, 132_300), (48_000, 1, 96_000), (8_000, 1, 16_000), (16_000, 3, 20_000),
      (11_025, 1, 22_050), (44_099, 1, 44_099), (8_000, 1, 40), (192_000, 6, 96_000), (8_000, 1, 0),
    ])
  func resampled(rate: Int, channels: Int, frames: Int) throws {
    let result = try Place().script(
      """
      cat >tone.py <<'EOF'
      \(Self.tone)
      EOF
      cat >listen.py <<'EOF'
      import array, math, sys
      sys.dont_write_bytecode = True
      sys.path.insert(0, "\(Self.handlers)/support")
      import sound
      heard = array.array("h", b"".join(sound.pieces("tone.wav")))
      inner = range(100, len(heard) - 100)
      wrong = max((abs(heard[n] - 9000 * math.sin(4398 * n / 16000)) for n in inner), default=0)
      print(len(heard), wrong < 90)
      EOF
      python3 tone.py tone.wav \(rate) \(channels) \(frames)
      python3 listen.py
      """)
    #expect(result.output == "\(frames * 16_000 / rate) True\n", "\(result.error)")
  }

  @Test("the wrapper of whisper.cpp says what whisper-cli wrote, in time of the recording")
  func whisper() throws {
    let setting = """
      cat >tone.py <<'EOF'
      \(Self.tone)
      EOF
      python3 tone.py unit.wav 8000 1 80000
      cat >whisper-cli <<'EOF'
      #!/bin/sh
      echo noise
      test "$*" = "-m model -f heard.wav -l auto -oj -of heard -np" || exit 9
      test "$(wc -c <heard.wav)" = 320044 || exit 8
      cat >heard.json <<'END'
      {"transcription":[{"offsets":{"from":500,"to":2000},"text":" Hello."},
      {"offsets":{"from":2000,"to":30000},"text":" There."}]}
      END
      EOF
      chmod +x whisper-cli; touch model
      export WHISPER_CLI=./whisper-cli WHISPER_MODEL=model
      """
    let line =
      #"{"task":{},"input":{"wav":"unit.wav","startSeconds":20,"endSeconds":30},"checkpoint":null}"#
    let answer = try run("transcribe-whisper-cpp", line, setting: setting)
    #expect(answer.status == 0, "\(answer.error)")
    #expect(answer.segments.compactMap { $0["text"] as? String } == ["Hello.", "There."])
    #expect(answer.segments.compactMap { $0["startSeconds"] as? Double } == [20.5, 22])
    #expect(answer.segments.last?["endSeconds"] as? Double == 30, "not beyond the unit")
    let none = try run("transcribe-whisper-cpp", line)
    #expect(none.status == 75 && none.error.contains("WHISPER_CLI"))
  }
}

/// What `tools/setup handlers` installs.
private enum Recognizer {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let isInstalled = FileManager.default.fileExists(
    atPath: root.appendingPathComponent(".build/handlers/venv/bin/python").path)

  /// Commands for a script: `$T` is the handler, `speech` and `silence` write WAV files of seconds.
  static let commands = """
    T='\(root.path)/tools/handlers/transcribe'
    cut() {
      python3 - "$@" <<'EOF'
    import sys, wave
    path, source, seconds = sys.argv[1:]
    with wave.open(source) as old, wave.open(path, "wb") as new:
        new.setparams(old.getparams())
        new.writeframes(old.readframes(int(float(seconds) * old.getframerate())))
    EOF
    }
    speech() { cut "$1" '\(root.path)/tools/samples/standup.wav' "$2"; }
    silence() {
      python3 -c 'import sys, wave
    with wave.open(sys.argv[1], "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(bytes(32000 * int(sys.argv[2])))' "$1" "$2"
    }
    order() {
      echo '{"task":{},"input":{"wav":'"$1"',"track":"m","startSeconds":'$2',"endSeconds":'$3'}' \
        ',"checkpoint":'"${4:-null}"'}'
    }
    """
}

@Suite(
  "The recognizer of tools/handlers", .serialized,
  .enabled(if: Recognizer.isInstalled, "tools/setup handlers installs it"))
struct RecognizerTests {
  private struct Shown: Decodable {
    struct Segment: Decodable {
      let startSeconds, endSeconds: Double
      let text: String
    }
    let segments: [Segment]
  }

  @Test("speech becomes words with times of the recording; silence and nothing become no words")
  func heard() throws {
    let result = try Place().script(
      Recognizer.commands + """

        speech unit.wav 6
        order '"unit.wav"' 100 106 | "$T" >out || exit
        grep -c '"words"' out; tail -n 2 out
        python3 -c '
        import json
        lines = [json.loads(line)["segment"] for line in open("out") if "segment" in line]
        words = [word for line in lines for word in line["words"]]
        times = [time for word in words for time in (word["startSeconds"], word["endSeconds"])]
        print(len(words) > 4, times == sorted(times), 100 <= times[0] and times[-1] <= 106)'
        order '"unit.wav"' 100 106 '{"track":"m","doneSeconds":106}' | "$T" | grep -c segment
        silence unit.wav 3
        order '"unit.wav"' 0 3 | "$T" | grep -v progress; echo "${PIPESTATUS[1]}"
        speech unit.wav 0.005
        order '"unit.wav"' 0 0.005 | "$T" | tail -n 1
        order null 0 3 | "$T"; echo "${PIPESTATUS[1]}"
        echo nonsense | "$T"; echo "${PIPESTATUS[1]}"
        """)
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 9, "\(result)")
    #expect(Int(lines[0]).map { $0 > 0 } == true)
    #expect(
      lines[1] == #"{"checkpoint": {"track": "m", "doneSeconds": 106.0}}"#
        && lines[2] == #"{"progress": 1}"#)
    #expect(lines[3] == "True True True")
    #expect(lines[4...] == ["0", "0", #"{"progress": 1}"#, "65", "65"])
  }

  @Test(
    "work that is killed with its transcriber goes on, and no unit is there twice (T1, T3, X1)",
    arguments: ["unit=3", "version=1"])
  func killed(info: String) throws {
    let place = try Place()
    let result = try place.script(
      Recognizer.commands + """

        speech talk.wav 10
        id=$(holdfast record -q talk.wav)
        printf '#!/bin/sh\necho $$ >"%s"\nexec "%s"\n' "$PWD/handler" "$T" >run
        set -- work --handler "transcribe=sh '$PWD/run'" --handler-info transcribe:\(info)
        holdfast "$@" >/dev/null 2>&1 &
        worker=$!
        for _ in $(seq 600); do
          sleep 0.1
          test -e handler || continue
          test '\(info)' = version=1 && sleep 2 && break
          holdfast transcript --json --pass 1 $id 2>/dev/null | grep -q startSeconds && break
        done
        kill -9 $worker $(cat handler)
        wait $worker 2>/dev/null
        holdfast "$@" >/dev/null || exit
        holdfast transcript --json $id
        """)
    let shown = try JSONDecoder().decode(Shown.self, from: Data(result.output.utf8))
    #expect(!shown.segments.isEmpty)
    var end = 0.0
    for segment in shown.segments {
      #expect(segment.startSeconds >= end - 0.001, "\(shown)")
      end = segment.endSeconds
    }
    #expect(end > 7, "as far as the speech: \(shown)")
  }
}
