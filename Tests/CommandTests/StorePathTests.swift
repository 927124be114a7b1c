import Foundation
import HoldfastCommand
import HoldfastModel
import Testing

/// Paths given with --store as people give them.
@Suite("The path of a store", .serialized)
struct StorePathTests {
  private func record(_ place: Place, _ store: String) throws -> Binary.Result {
    try place.script(
      "holdfast record --store \(store) -q --encoding s16le --rate 8000 --channels 1 in.raw")
  }

  @Test(
    "is the same for every command: relative, with slashes, through links, with odd characters",
    arguments: [
      "new", "./new/", "'a new\nline'", "link", "link/", "'way/../new'", "'%41~#?'", "./~/x",
    ])
  func sameForAll(path: String) throws {
    let place = try Place()
    _ = try place.audio("in.raw", frames: 800)
    _ = try place.script("mkdir -p there/in real; ln -s real link; ln -s there/in way")
    let recorded = try record(place, path)
    #expect(recorded.status == 0, "\(recorded.error)")
    let listed = try place.script("holdfast list --store \(path) --ids; test -d \(path)/audio")
    #expect(listed.status == 0)
    #expect(listed.output.prefix(32) == recorded.output.prefix(32))
  }

  @Test("that the system takes one way is not taken another")
  func upFromLink() throws {
    let place = try Place()
    _ = try place.audio("in.raw", frames: 800)
    _ = try place.script("mkdir -p there/in; ln -s there/in way")
    #expect(try record(place, "way/../new").status == 0)
    #expect(FileManager.default.fileExists(atPath: place.path("there/new/store.sqlite")))
  }

  @Test(
    "that cannot or must not become a store is refused with 2, and nothing is made",
    arguments: [
      ("in.raw", "is a file"), ("pipe", "is a file"), ("/dev/null", "is a file"),
      ("dangling", "is a symbolic link to nowhere, which is not there"),
      ("home", "has other files in it"), ("in.raw/sub", "is no directory"),
      ("store/new", "would lie in the store"), ("store/audio/new", "would lie in the store"),
      ("''", "not ''"), ("-", "not '-'"), ("'~/store'", "no shell has put your home directory"),
      (String(repeating: "x", count: 300), "too long"),
      (String(repeating: "x/", count: 3_000), "too long"),
    ])
  func refused(path: String, words: String) throws {
    let place = try Place()
    _ = try place.recorded()
    _ = try place.script(
      "mkfifo pipe; ln -s nowhere dangling; mkdir home; echo mine > home/.profile")
    let before = try place.script("find . -not -path './store/*' | sort").output
    let result = try record(place, path)
    #expect(result.status == 2)
    #expect(result.error.contains(words), "\(result.error)")
    #expect(try place.script("find . -not -path './store/*' | sort").output == before)
  }

  @Test("in a store names that store")
  func insideStore() throws {
    let place = try Place()
    _ = try place.recorded()
    let result = try place.script("cd store/audio; holdfast list --store .")
    #expect(result.status == 1)
    #expect(result.error.contains("is a directory in the store \(place.store)."))
  }

  @Test("is absolute in messages, whatever the shell left of a ~ is refused")
  func words() throws {
    let at: [(String, String)] = [
      ("x", "/w/x"), (".", "/w"), ("./", "/w"), ("./x", "/w/x"), (".//x", "/w/x"),
      ("../x", "/w/../x"),
      ("/x", "/x"), ("~x", "/w/~x"),
    ]
    for (path, absolute) in at { #expect(StoreLocation.absolute(path, in: "/w") == absolute) }
    for path in ["~", "~/", "~/x"] {
      #expect(throws: HoldfastError.self) {
        try StoreLocation.directory(option: path, environment: [:])
      }
      #expect(throws: HoldfastError.self) {
        try StoreLocation.directory(option: nil, environment: ["HOLDFAST_STORE": path])
      }
    }
  }
}
