import Foundation
import HoldfastModel
import HoldfastStore
import Testing

@Suite("A file that is written whole or not at all")
struct FileTargetTests {
  @Test("replaces the old one in one step, and leaves no part behind")
  func replaces() throws {
    let store = try SoundStore()
    let path = try store.file("out.wav", [1, 2, 3])
    try FileTarget(path, store.environment).write(replacing: true) { sink throws(HoldfastError) in
      try sink.write([4, 5])
      try sink.write([6])
      #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
    }
    #expect(FileManager.default.contents(atPath: path) == Data([4, 5, 6]))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.root).sorted() == [
        "out.wav", "store",
      ])
  }

  @Test("refuses to replace when it is told to, also one that appears meanwhile")
  func refuses() throws {
    let store = try SoundStore()
    let path = try store.file("out.wav", [1])
    let target = FileTarget(path, store.environment)
    let error = #expect(throws: HoldfastError.self) {
      try target.write(replacing: false) { _ throws(HoldfastError) in Issue.record("ran") }
    }
    #expect(error?.code == .conflict)
    let late = FileTarget(store.root + "/late.wav", store.environment)
    let second = #expect(throws: HoldfastError.self) {
      try late.write(replacing: false) { sink throws(HoldfastError) in
        try sink.write([2])
        _ = FileManager.default.createFile(atPath: store.root + "/late.wav", contents: Data([3]))
      }
    }
    #expect(second?.code == .conflict)
    #expect(FileManager.default.contents(atPath: store.root + "/late.wav") == Data([3]))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.root).sorted()
        == ["late.wav", "out.wav", "store"])
  }

  @Test("leaves nothing when the body fails")
  func fails() throws {
    let store = try SoundStore()
    let target = FileTarget(store.root + "/out.wav", store.environment)
    #expect(throws: HoldfastError.self) {
      try target.write(replacing: true) { sink throws(HoldfastError) in
        try sink.write([1])
        throw HoldfastError(.interrupted, "stop")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.root) == ["store"])
  }
}
