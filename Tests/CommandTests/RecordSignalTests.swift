import Foundation
import Testing

/// What signals do to a recording that runs.
@Suite("A recording and signals", .serialized)
struct RecordSignalTests {
  /// Starts a recorder of a minute, waits for its second acknowledgement and sends the signal.
  private func send(_ signal: String, in place: Place) throws -> String {
    _ = try place.audio("long.raw", frames: 480_000)
    return try place.script(
      """
      exec 3< <(exec holdfast record --realtime --acks --chunk-seconds 0.1 \\
        --encoding s16le --rate 8000 --channels 1 long.raw 2>err)
      pid=$!
      for _ in 1 2 3; do read -r line <&3; done
      kill -\(signal) $pid; wait $pid
      echo "code $?"; cat err; cat <&3 | tail -n 1
      """
    ).output
  }

  @Test("SIGINT, SIGTERM and SIGHUP stop it cleanly", arguments: ["INT", "TERM", "HUP"])
  func clean(signal: String) throws {
    let place = try Place()
    let said = try send(signal, in: place)
    #expect(said.hasPrefix("code 0\n") && said.contains("\"event\":\"stopped\""))
    #expect(try place.run(["recover"]).status == 0)
    #expect(try place.run(["list", "--state", "stopped", "--ids"]).output.count > 32)
    #expect(try place.run(["launches", "--json"]).output.contains("\"clean\""))
  }

  @Test("SIGQUIT ends it at once and in silence; the next launch recovers it")
  func quit() throws {
    let place = try Place()
    let said = try send("QUIT", in: place)
    #expect(said.hasPrefix("code 131\n"))
    #expect(!said.contains("rash") && !said.contains("stopped"))
    #expect(try place.run(["recover"]).status == 3)
    #expect(try place.run(["verify"]).status == 0)
  }

  @Test("SIGHUP is ignored where nohup says so", .enabled(if: Binary.has("nohup")))
  func nohup() throws {
    let place = try Place()
    _ = try place.audio("in.raw", frames: 8_000)
    let said = try place.script(
      """
      exec 3< <(exec nohup holdfast record --realtime --acks --chunk-seconds 0.1 \\
        --encoding s16le --rate 8000 --channels 1 in.raw 2>err)
      pid=$!
      for _ in 1 2 3; do read -r line <&3; done
      kill -HUP $pid; wait $pid; echo "code $?"
      """)
    #expect(said.output == "code 0\n")
    #expect(try place.run(["list", "--json"]).output.contains("\"durationSeconds\":1,"))
  }

  @Test(
    "a terminal that is gone stops it cleanly", .enabled(if: Binary.has("script")))
  func terminal() throws {
    let place = try Place()
    _ = try place.audio("long.raw", frames: 480_000)
    _ = try place.script(
      """
      mkfifo gone; exec 4<>gone
      cat >inside <<'END'
      exec holdfast record --realtime --acks --chunk-seconds 0.1 \\
        --encoding s16le --rate 8000 --channels 1 long.raw 9>gone
      END
      mkfifo said; exec 3<>said
      script -qfc 'bash inside' /dev/null </dev/null >said 4>&- & pid=$!
      for _ in 1 2 3; do read -r line <&3; done
      kill -9 $pid
      # The recorder holds the pipe's end until it is gone.
      exec 5<gone 4>&-; cat <&5
      """)
    #expect(try place.run(["recover"]).status == 0)
    #expect(try place.run(["list", "--state", "stopped", "--ids"]).output.count > 32)
  }
}
