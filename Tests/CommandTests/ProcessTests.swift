import Foundation
import HoldfastCommand
import HoldfastModel
import Testing

@Suite("The program as a process")
struct ProcessTests {
  @Test("results go to standard output and errors to standard error, with the exit code")
  func streams() throws {
    let version = try Binary.run(["--version"])
    #expect(version.output == "holdfast \(HoldfastVersion.text)\n")
    #expect(version.error.isEmpty && version.status == 0)
    let wrong = try Binary.run(["recrod"])
    #expect(wrong.output.isEmpty && wrong.status == 2)
    #expect(wrong.error.contains("did you mean record?"))
  }

  @Test(
    "a full device is an error", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDevice() throws {
    let result = try Binary.run(script: "holdfast man > /dev/full")
    #expect(result.status == 1)
    #expect(
      result.error.hasPrefix(
        "holdfast: cannot write to standard output: No space left on device\nhint: "))
    let json = try Binary.run(script: "holdfast version --json > /dev/full")
    #expect(json.status == 1)
    #expect(json.error.hasPrefix("{\"error\":{\"code\":\"failed\""))
  }

  @Test("standard error that takes nothing changes nothing")
  func fullError() throws {
    let result = try Binary.run(script: "holdfast recrod 2> /dev/full")
    #expect(result.status == 2)
  }

  @Test("closed standard streams are errors and never become files of ours")
  func closedStreams() throws {
    let result = try Binary.run(script: "holdfast man >&-")
    #expect(result.status == 1)
    #expect(
      result.error.hasPrefix(
        "holdfast: cannot write to standard output: Bad file descriptor\nhint: "))
    let none = try Binary.run(script: "holdfast man <&- >&- 2>&-")
    #expect(none.status == 1)
    let other = try Binary.run(script: "holdfast --version <&- 2>&-")
    #expect(other.output == "holdfast \(HoldfastVersion.text)\n" && other.status == 0)
  }

  @Test(
    "it dies of SIGPIPE, silently, when nobody reads, even where a parent ignores that signal",
    arguments: ["", "trap '' PIPE"])
  func brokenPipe(setup: String) throws {
    let result = try Binary.run(
      script: """
        \(setup)
        mkfifo "$0.p"
        exec 3<>"$0.p" 4>"$0.p" 3<&-
        rm "$0.p"
        holdfast man >&4
        echo $?
        """)
    #expect(result.output == "141\n")
    #expect(result.error.isEmpty)
  }

  @Test(
    "SIGINT and SIGTERM end a command that only prints, by the signal",
    arguments: [SIGINT, SIGTERM])
  func interrupted(signal number: Int32) throws {
    // A pipe that is full and never read: the command waits in its write.
    let output = Pipe()
    let descriptor = output.fileHandleForWriting.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let block = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    _ = fcntl(descriptor, F_SETFL, 0)
    let child = try Child(
      Binary.url.path, ["man"], environment: [:], output: descriptor, error: descriptor)
    kill(child.pid, number)
    let (status, wasKilled) = child.wait()
    #expect(wasKilled && status == number)
    withExtendedLifetime(output) {}
  }

  @Test(
    "help fills the width of the terminal",
    .enabled(if: Binary.has("script") && Binary.has("stty"), "no util-linux script"))
  func terminalWidth() throws {
    func longest(_ setup: String) throws -> Int {
      let result = try Binary.run(
        script: "script -qec '\(setup); holdfast help' /dev/null < /dev/null")
      // One line holds a path without a place to break it.
      let lines = result.output.split(whereSeparator: \.isNewline).filter { !$0.contains("XDG") }
      return lines.map { DisplayWidth.of($0) }.max() ?? 0
    }
    #expect((50...60).contains(try longest("stty cols 60")))
    #expect((80...90).contains(try longest("stty cols 90")))
    #expect((60...70).contains(try longest("stty cols 90; export COLUMNS=70")))
  }
}
