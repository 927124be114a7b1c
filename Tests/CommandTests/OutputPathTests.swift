import Foundation
import Testing

/// Where commands write what a user asked for: every wrong place is named as the user named it.
@Suite("The place of an output", .serialized)
struct OutputPathTests {
  private static let commands = ["export", "bundle", "backup", "rebuild", "archive"]
  private static let files = ["export", "bundle"]

  /// Runs a command with an output path and says how it went.
  private func run(_ command: String, _ path: String, in place: Place, _ id: String) throws
    -> Binary.Result
  {
    let words = command == "export" ? ["export", id] : [command]
    return try place.script(
      "holdfast " + (words + ["-o", "'\(path)'"]).joined(separator: " "))
  }

  @Test("in the store is refused with 2, by whatever name", arguments: commands)
  func insideStore(command: String) throws {
    let place = try Place()
    let id = try place.recorded()
    _ = try place.script("ln -s store/audio link; mkdir other")
    let before = try place.script("find store | sort")
    for path in ["store", "store/new", "store/audio/new", "link/new", "other/../store/audio/x"]
    where !(path == "store" && Self.files.contains(command)) {
      let result = try run(command, path, in: place, id)
      #expect(result.status == 2, "\(path)")
      #expect(result.error.contains("\(path) lies in the store \(place.store)"), "\(path)")
    }
    if command == "export" {
      let forced = try place.script("holdfast export \(id) --force -o store/store.sqlite")
      #expect(forced.status == 2)
    }
    #expect(try place.script("find store | sort").output == before.output)
    #expect(try place.run(["verify"]).status == 0)
  }

  @Test("whose parent is a file is refused with 2", arguments: commands)
  func parentIsFile(command: String) throws {
    let place = try Place()
    let result = try run(command, "in.raw/x", in: place, try place.recorded())
    #expect(result.status == 2)
    #expect(result.error.contains("in.raw/x cannot be made: in.raw is no directory"))
  }

  @Test("of a file needs its directory, and the user's path is named", arguments: files)
  func missingParent(command: String) throws {
    let place = try Place()
    let result = try run(command, "none/x", in: place, try place.recorded())
    #expect(result.status == 1)
    #expect(result.error.contains("none/x cannot be written: the directory none does not exist"))
    #expect(!result.error.contains(".part"))
  }

  @Test("of a directory is made with its parents", arguments: ["backup", "rebuild", "archive"])
  func madeParents(command: String) throws {
    let place = try Place()
    #expect(try run(command, "none/deep/x", in: place, try place.recorded()).status == 0)
  }

  @Test("that is there is left alone", arguments: commands)
  func existing(command: String) throws {
    let place = try Place()
    let id = try place.recorded()
    _ = try place.script("mkdir full; echo mine > full/file; mkfifo pipe")
    for path in ["full/file", "full", "pipe"] {
      let result = try run(command, path, in: place, id)
      #expect([1, 2].contains(result.status) && result.error.contains(path), "\(path)")
    }
    #expect(try place.script("cat full/file; ls full").output == "mine\nfile\n")
  }

  @Test("as long as a name may be is taken, and a longer one refused")
  func longName() throws {
    let place = try Place()
    let id = try place.recorded()
    let longest = String(repeating: "n", count: 251) + ".wav"
    #expect(try run("export", longest, in: place, id).status == 0)
    let result = try run("export", "n" + longest, in: place, id)
    #expect(result.status == 1 && result.error.contains("too long"))
  }

  @Test(
    "without the right to write is told with the right that is missing, and no retry is promised",
    .enabled(if: geteuid() != 0 || Binary.has("setpriv")), arguments: commands)
  func noRight(command: String) throws {
    let place = try Place()
    let id = try place.recorded()
    // By a process of its own: a descriptor that this one writes by could be inherited meanwhile.
    _ = try place.script("cp '\(Binary.url.path)' holdfast")
    _ = try place.script("mkdir locked; chmod -R a+rX,a-w store locked; chmod 755 . holdfast")
    let user = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
    let words = command == "export" ? "export \(id)" : command
    let result = try place.script("\(user) ./holdfast \(words) -o locked/x")
    #expect(result.status == 1)
    #expect(result.error.contains("locked/x cannot be written: Permission denied"))
    #expect(result.error.contains("may not create files in locked."))
  }

  @Test(
    "on a full disk is told by its name, with 4, and no part is left",
    .enabled(if: mayMount), arguments: commands)
  func full(command: String) throws {
    let place = try Place()
    let id = try place.recorded(frames: 80_000)
    let words = command == "export" ? "export \(id)" : command
    let result = try place.script(
      """
      mkdir small; unshare -m bash -c '
        mount -t tmpfs -o size=64k none small && (head -c 80k /dev/zero >small/fill || true) 2>&-
        holdfast \(words) -o small/x; echo "code $?"; ls -A small'
      """)
    #expect(result.output.hasPrefix("code 4\n"))
    #expect(result.error.contains("There is no room for small/x"))
    if command != "archive" { #expect(result.output == "code 4\nfill\n") }
  }

  private static let mayMount: Bool = {
    let result = try? Binary.run(script: "unshare -m sh -c 'mount -t tmpfs none /mnt'")
    return result?.status == 0
  }()

  @Test("of a directory is no stream")
  func dash() throws {
    let place = try Place()
    _ = try place.recorded()
    #expect(try place.script("holdfast backup -o -").status == 2)
  }

  @Test("is told when WAV cannot hold the rate; every sample is there")
  func fractionalRate() throws {
    let place = try Place()
    let file = try place.audio("in.raw", frames: 4_000)
    let id = try place.run([
      "record", "--encoding", "s16le", "--rate", "44100.5", "--channels", "1", "-q", file,
    ]).output.trimmingCharacters(in: .newlines)
    let result = try place.script("holdfast export \(id) -o x.wav")
    #expect(result.status == 0)
    #expect(result.error.contains("the header says 44101 Hz, the audio has 44100.5 Hz"))
    let json = try place.script("holdfast export \(id) -o y.wav --json")
    #expect(json.output.contains("\"headerSampleRate\":44101,\"sampleRate\":44100.5"))
    #expect(try place.script("tail -c 8000 x.wav | cmp - in.raw; cmp x.wav y.wav").status == 0)
    let whole = try place.script("holdfast export \(try place.recorded()) -o z.wav --json")
    #expect(!whole.output.contains("headerSampleRate"))
  }
}
