import Foundation
import Holdfast
import Testing

/// A real disk of a megabyte or two, full.
@Suite("The command on a small disk that is full", .serialized)
struct SmallDiskTests {
  /// A tmpfs of its own, unmounted with the value.
  private final class Disk {
    let path: String

    init(kilobytes: UInt32) throws {
      path = NSTemporaryDirectory() + "holdfast-disk-\(UUID().uuidString)"
      let line =
        "mkdir -p '\(path)' && mount -t tmpfs -o size=\(kilobytes)k,mode=700 none '\(path)'"
      guard try Self.shell(line) == 0 else { throw CocoaError(.featureUnsupported) }
    }

    deinit { _ = try? Self.shell("umount -l '\(path)'; rmdir '\(path)'") }

    static let canMount = (try? Disk(kilobytes: 64)) != nil

    static func shell(_ line: String) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", line]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }

    /// Somebody else takes what is left.
    func fill() throws { _ = try Self.shell("cat /dev/zero >> '\(path)/other' 2>/dev/null") }

    /// Somebody else lets go what they took.
    func release() throws { try FileManager.default.removeItem(atPath: path + "/other") }

    var audio: [String] {
      (try? FileManager.default.subpathsOfDirectory(atPath: path + "/store/audio")) ?? []
    }
  }

  @Test(
    "can be emptied with rm and purge after a recording filled it, and records again (J4, J8)",
    .enabled(if: Disk.canMount, "a tmpfs cannot be mounted here"),
    arguments: [1_024, 1_536, 2_048], [false, true])
  func emptied(kilobytes: UInt32, isKilled: Bool) throws {
    let disk = try Disk(kilobytes: kilobytes)
    let place = Torture.Place()
    try place.makeAudio(seconds: 120)
    func start(_ arguments: [String]) throws -> Torture.Running {
      try Torture.Running(arguments + ["--store", disk.path + "/store"], place.root)
    }
    func run(_ arguments: [String]) throws -> Torture.Result {
      let running = try start(arguments)
      running.process.waitUntilExit()
      return try running.result()
    }
    let raw = ["--encoding", "s16le", "--rate", "16000", "--channels", "1"]
    let recorder = try start(
      ["record", "--acks", "--chunk-seconds", "0.1", place.audio.path] + raw)
    if isKilled {
      try recorder.waitForChunk()
      kill(recorder.process.processIdentifier, SIGKILL)
    }
    recorder.process.waitUntilExit()
    #expect(isKilled || recorder.process.terminationStatus == 4, "\(recorder.errors())")
    // Without the log's index, which even a reader would make anew.
    try? FileManager.default.removeItem(atPath: disk.path + "/store/store.sqlite-shm")
    try disk.fill()
    let id = try #require(Heard(try recorder.output()).recording)
    for arguments in [["list"], ["rm", id], ["purge", id, "--yes"]] {
      let result = try run(arguments)
      #expect(result.code == 0, "\(arguments): \(result.error)")
    }
    #expect(disk.audio == [])
    // Of a recorder that was killed early little came back, and of a megabyte the database and the
    // last reserve take half.
    if isKilled || kilobytes < 1_536 { try disk.release() }
    let small = place.root.appendingPathComponent("small.raw")
    try Data(count: 32_000).write(to: small)
    let again = try run(["record", small.path] + raw)
    #expect(again.code == 0, "\(again.error)")
    let verified = try run(["verify"])
    #expect(verified.code == 0, "\(verified.output) \(verified.error)")
  }
}
