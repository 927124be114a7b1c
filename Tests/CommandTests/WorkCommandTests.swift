import Foundation
import Testing

/// Handlers that are programs, good ones and bad ones.
@Suite("work", .serialized)
struct WorkCommandTests {
  /// A stopped recording of 3 s with one task.
  static func place(_ pipeline: String = "k") throws -> Place {
    let place = try Place()
    let file = try place.audio("in.raw", frames: 24_000)
    let made = try place.record(file, ["-q", "--title", "Call", "--pipeline", pipeline])
    #expect(made.status == 0, "\(made.error)")
    return place
  }

  struct Work: Decodable {
    var units, done, failed, left: Int
    var ended: String?
    var tasks: [Item]
  }

  struct Item: Decodable {
    var id, kind, state: String
    var cause: String?
    var failures, interruptions, deaths, units: Int
    var progress: Double
  }

  static func work(_ place: Place, _ arguments: [String]) throws -> (Work, Int32) {
    let result = try place.run(["work", "--json"] + arguments)
    let data = Data(result.output.utf8)
    let work = try JSONDecoder().decode(Work.self, from: data)
    return (work, result.status)
  }

  /// A handler, what becomes of its task, and what that costs.
  struct Bad: CustomTestStringConvertible, Sendable {
    var name, command: String
    var unit = false
    var state = "waiting"
    var failures = 1
    var cause: String
    var testDescription: String { name }
  }

  static let bad: [Bad] = [
    Bad(name: "prints nothing", command: "true", cause: "said nothing"),
    Bad(name: "prints nonsense", command: "echo hello", cause: "line 1"),
    Bad(name: "prints bytes", command: "head -c 100000 /dev/urandom", cause: "line 1"),
    Bad(name: "prints gigabytes in a line", command: "yes | tr -d '\\n'", cause: "line 1"),
    Bad(name: "prints gigabytes in lines", command: "yes", cause: "line 1"),
    Bad(name: "fails", command: "echo no luck >&2; exit 9", cause: "code 9: no luck"),
    Bad(
      name: "refuses its input", command: "exit 65", state: "failed", failures: 5,
      cause: "never work"),
    Bad(name: "is busy", command: "exit 75", failures: 0, cause: "tried later"),
    Bad(name: "kills itself", command: "kill -9 $$", cause: "signal 9"),
    Bad(name: "is not executable", command: "/etc/passwd", failures: 0, cause: "cannot be run"),
    Bad(name: "is not there", command: "/no/such/program", failures: 0, cause: "cannot be run"),
    Bad(
      name: "makes an empty artefact",
      command: #"echo '{"artefact":{"kind":"summary","text":"  "}}'"#, cause: "without a result"),
    Bad(
      name: "speaks of what is not there",
      command: #"echo '{"segment":{"startSeconds":900,"endSeconds":901,"text":"x"}}'"#,
      cause: "after the audio"),
    Bad(
      name: "speaks outside its unit",
      command: #"echo '{"segment":{"startSeconds":2.9,"endSeconds":3,"text":"x"}}'"#, unit: true,
      cause: "outside the unit"),
    Bad(
      name: "turns time round",
      command: #"echo '{"segment":{"startSeconds":2,"endSeconds":1,"text":"x"}}'"#,
      cause: "no time range"),
  ]

  @Test(
    "a handler that breaks its contract costs what it must, and nothing else (T4)", arguments: bad)
  func contract(_ bad: Bad) throws {
    let place = try Self.place()
    let info = bad.unit ? ["--handler-info", "k:unit=1"] : []
    let (work, status) = try Self.work(place, ["--handler", "k=\(bad.command)"] + info)
    #expect(status == 1 && work.done == 0 && work.failed == 1)
    let list = try place.run(["tasks", "ls", "--all", "--json"]).output
    let item = try #require(
      try JSONDecoder().decode([String: [Item]].self, from: Data(list.utf8))["tasks"]?.first)
    #expect(item.state == bad.state && item.failures == bad.failures && item.deaths == 0)
    #expect(item.cause?.contains(bad.cause) == true, "\(item.cause ?? "nil")")
    #expect(try place.run(["verify"]).status == 0)
  }

  @Test("work returns within its budget though a handler ignores it (T1, T6)")
  func budget() throws {
    let place = try Self.place()
    let start = ContinuousClock.now
    let (work, status) = try Self.work(
      place, ["--budget", "1", "--handler", "k=trap '' TERM INT; while :; do sleep 1; done"])
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(status == 4 && work.ended == "deadline" && work.tasks.first?.interruptions == 1)
  }

  @Test("what a handler leaves behind is ended with it, and hides nothing")
  func leftBehind() throws {
    let place = try Self.place()
    let mark = place.path("mark")
    let start = ContinuousClock.now
    let (work, status) = try Self.work(
      place,
      [
        "--handler", "k=(sleep 40; touch '\(mark)') & echo '{\"progress\":1}'", "--handler-info",
        "k:unit=1",
      ])
    #expect(status == 0 && work.done == 1 && work.units == 3)
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test("a checkpoint saves what came before it; the next attempt goes on behind it (T3)")
  func checkpoint() throws {
    let place = try Self.place()
    let script = #"""
      read line
      case $line in
        *'"checkpoint":null'*)
          echo '{"segment":{"startSeconds":0.1,"endSeconds":1.5,"text":"one"}}'
          echo '{"checkpoint":{"step":1}}'
          kill -9 $$ ;;
        *'"checkpoint":{"step":1}'*)
          echo '{"segment":{"startSeconds":1.6,"endSeconds":2.5,"text":"two"}}' ;;
      esac
      """#
    try Data(script.utf8).write(to: URL(fileURLWithPath: place.path("handler")))
    let handler = ["--handler", "k=sh '\(place.path("handler"))'"]
    let info = ["--handler-info", "k:transcript=yes"]
    #expect(try Self.work(place, handler + info).0.failed == 1)
    let id = try place.run(["list", "--ids"]).output.prefix(32)
    let list = try place.run(["tasks", "ls", "--json"]).output
    let task = try #require(
      try JSONDecoder().decode([String: [Item]].self, from: Data(list.utf8))["tasks"]?.first)
    #expect(task.units == 1)
    _ = try place.run(["tasks", "retry", task.id])
    #expect(try Self.work(place, handler + info).0.done == 1)
    let text = try place.run(["transcript", String(id)]).output
    #expect(text == "one two\n")
  }

  @Test("transcribe and summarize run in their order, on the unit's sound")
  func pipeline() throws {
    let place = try Self.place("transcribe,summarize")
    let script = #"""
      read line
      wav=$(printf '%s' "$line" | sed -E 's/.*"wav":"([^"]*)".*/\1/')
      start=$(printf '%s' "$line" | sed -E 's/.*"startSeconds":([0-9.]*).*/\1/')
      size=$(wc -c <"$wav")
      echo "{\"segment\":{\"startSeconds\":$start,\"endSeconds\":$start,\"text\":\"$size\"}}"
      """#
    try Data(script.utf8).write(to: URL(fileURLWithPath: place.path("tr")))
    let summary =
      #"grep -q '"text":"16044"' && echo '{"artefact":{"kind":"summary","text":"done"}}'"#
    let (work, status) = try Self.work(
      place,
      [
        "--handler", "transcribe=sh '\(place.path("tr"))'", "--handler-info",
        "transcribe:unit=1,version=7", "--handler", "summarize=\(summary)",
      ])
    #expect(status == 0 && work.done == 2 && work.units == 4, "\(work)")
    let id = String(try place.run(["list", "--ids"]).output.prefix(32))
    // A second of 8 kHz, 16 bit, behind a header of 44 bytes.
    #expect(try place.run(["transcript", id]).output == "16044 16044 16044\n")
    let again = try Self.work(place, ["--handler", "summarize=false"])
    #expect(again.0.units == 0 && again.1 == 0)
  }

  @Test("work that does not fit the time that it is given waits, and says for what (T6, S8)")
  func tooLong() throws {
    struct Waiting: Decodable { var state, cause, wake: String }
    let place = try Self.place()
    let handler = ["--handler", "k=sleep 3; echo '{\"progress\":1}'", "--handler-info", "k:unit=1"]
    #expect(try Self.work(place, ["--once"] + handler).0.units == 1)
    #expect(try Self.work(place, ["--budget", "1"] + handler).0.units == 0)
    let list = try place.run(["tasks", "--json"])
    let item = try #require(
      try JSONDecoder().decode([String: [Waiting]].self, from: Data(list.output.utf8))["tasks"]?
        .first)
    #expect(item.state == "waiting" && item.wake == "work runs with more time", "\(item)")
    #expect(item.cause.hasPrefix("a unit needs ") && item.cause.hasSuffix("more than is left"))
    let text = try place.run(["tasks"]).output
    #expect(text.contains("UNTIL") && text.contains("work runs with more time"), "\(text)")
    #expect(try Self.work(place, handler).0.done == 1)
  }

  struct Shown: Decodable {
    struct Result: Decodable {
      var id, text: String
      var chosen, shown: Bool
    }
    var results: [Result]
  }

  static func results(of task: String, _ place: Place) throws -> [Shown.Result] {
    let page = try place.run(["tasks", "show", task, "--json"]).output
    let tasks = try JSONDecoder().decode([String: [Shown]].self, from: Data(page.utf8))
    return try #require(tasks["tasks"]?.first).results
  }

  @Test("a result is chosen by its id, shown as such, and left to its quality again (T9)")
  func chosen() throws {
    let place = try Self.place()
    let two = ["a", "b"].map { #"echo '{"artefact":{"kind":"s","text":"\#($0)"}}'"# }
      .joined(separator: "; ")
    #expect(try Self.work(place, ["--handler", "k=\(two)"]).0.done == 1)
    let list = try place.run(["tasks", "ls", "--all", "--json"]).output
    let name = try #require(
      try JSONDecoder().decode([String: [Item]].self, from: Data(list.utf8))["tasks"]?.first
    ).id
    let before = try Self.results(of: name, place)
    #expect(before.map(\.shown) == [true, false] && before[0].id < before[1].id)
    #expect(try place.run(["tasks", "choose", name, String(before[1].id.prefix(8))]).status == 0)
    let after = try Self.results(of: name, place)
    #expect(after.map(\.text) == before.map(\.text).reversed())
    #expect(after.map(\.chosen) == [true, false] && after.map(\.shown) == [true, false])
    #expect(try place.run(["tasks", "show", name]).output.contains(", chosen"))
    #expect(try place.run(["dump"]).output.contains("set \"result:\(name):s\""))
    #expect(try place.run(["tasks", "choose", name, "auto"]).status == 0)
    #expect(try Self.results(of: name, place).map(\.text) == before.map(\.text))
    #expect(try place.run(["tasks", "choose", name, "ffff0000"]).status == 1)
    #expect(try place.run(["verify"]).status == 0)
  }

  @Test("a launch that recorded or worked tells its memory and what was in hand (L2)")
  func heartbeat() throws {
    struct Launch: Decodable {
      struct Beat: Decodable {
        var thermal: String
        var footprintBytes: UInt64?
        var lowPower: Bool
        var task: String?
      }
      var evidence: String
      var heartbeat: Beat?
    }
    let place = try Self.place()
    let died = try place.script(
      "holdfast work --handler 'k=kill -9 $PPID; sleep 9' >/dev/null 2>&1; echo $?")
    #expect(died.output.contains("137"))
    let page = try place.run(["launches", "--json"]).output
    let launches = try #require(
      try JSONDecoder().decode([String: [Launch]].self, from: Data(page.utf8))["launches"])
    #expect(launches.count == 2)
    for beat in launches.map(\.heartbeat) {
      #expect((beat?.footprintBytes ?? 0) > 1 << 20 && beat?.lowPower == false)
    }
    #expect(launches[0].heartbeat?.task?.hasPrefix("k ") == true)
    #expect(launches[1].heartbeat?.task == nil)
    for words in [" MB in use", "k in hand"] {
      #expect(launches[0].evidence.contains(words), "\(launches[0].evidence)")
    }
    #expect(try place.run(["launches"]).output.contains("MEMORY"))
  }

  @Test("a kind without a handler is parked and runs when there is one (T4)")
  func parked() throws {
    let place = try Self.place("diarize")
    #expect(try Self.work(place, ["--handler", "summarize=true"]).0.tasks.first?.state == "parked")
    let done = try Self.work(
      place, ["--handler", #"diarize=echo '{"artefact":{"kind":"turns","text":"x"}}'"#])
    #expect(done.0.done == 1)
  }

  @Test("three processes that die while a task runs quarantine it; other tasks go on (T1)")
  func quarantine() throws {
    let place = try Self.place("k")
    _ = try place.record(place.path("in.raw"), ["-q", "--pipeline", "other"])
    for _ in 0..<3 {
      // The handler takes its parent's life, as one that eats all memory does.
      let died = try place.script(
        "holdfast work --handler 'k=kill -9 $PPID; sleep 9' >/dev/null 2>&1; echo $?")
      #expect(died.output.contains("137"), "\(died.output)")
    }
    let (work, status) = try Self.work(
      place,
      [
        "--handler", "k=kill -9 $PPID; sleep 9", "--handler",
        #"other=echo '{"artefact":{"kind":"o","text":"x"}}'"#,
      ])
    #expect(status == 0 && work.done == 1)
    let list = try place.run(["tasks", "--json"]).output
    let items = try JSONDecoder().decode([String: [Item]].self, from: Data(list.utf8))["tasks"]
    let item = try #require(items?.first { $0.kind == "k" })
    #expect(item.state == "quarantined" && item.deaths == 3)
    #expect(try place.run(["tasks", "retry", item.id]).status != 0)
    #expect(try place.run(["tasks", "release", item.id]).status == 0)
    let after = try Self.work(
      place, ["--handler", #"k=echo '{"artefact":{"kind":"o","text":"x"}}'"#])
    #expect(after.0.done == 1)
  }

  @Test(
    "words that make no sense are refused with what to do",
    arguments: [
      ["work", "--handler", "k"], ["work", "--handler", "k="], ["work", "--handler", "a b=true"],
      ["work", "--handler", "k=true", "--handler", "k=false"],
      ["work", "--handler-info", "k:unit=1"],
      ["work", "--handler", "k=true", "--handler-info", "k:unit=0"],
      ["work", "--handler", "k=true", "--handler-info", "k:colour=red"],
      ["work", "--handler", "k=true", "--handler-info", "k:after=a+k"],
      ["work", "--handler", "k=true", "--handler-info", "k:needs="],
      ["tasks", "add", "k"], ["tasks", "retry"], ["tasks", "choose", "x"], ["tasks", "show", "xy"],
      ["tasks", "sing"],
    ])
  func usage(_ words: [String]) throws {
    let place = try Self.place()
    let result = try place.run(words)
    #expect(result.status == 2 && !result.error.isEmpty, "\(result.error)")
  }

  @Test(
    "a pipeline is refused or left out", arguments: [("none", 0), ("a,b", 0), ("a,a", 2), (",", 2)])
  func pipelines(_ pipeline: String, _ status: Int32) throws {
    let place = try Place()
    let file = try place.audio("in.raw", frames: 8_000)
    #expect(try place.record(file, ["--pipeline", pipeline]).status == status)
    guard status == 0 else { return }
    let list = try place.run(["tasks", "--json"]).output
    let items = try JSONDecoder().decode([String: [Item]].self, from: Data(list.utf8))["tasks"]
    #expect(items?.count == (pipeline == "none" ? 0 : 2))
  }
}
