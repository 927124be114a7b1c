import Foundation
import HoldfastModel
import HoldfastStore
import Testing

@Suite("Private directories for copies")
struct ScratchTests {
  @Test("of killed processes are removed by the next; those of living ones, and others', stay")
  func swept() throws {
    let store = try KeptStore()
    let living = try Scratch(store.temporary, store.environment)
    try Disk.write([1], living.path + "/store.sqlite")
    let dead = store.temporary + "/holdfast-0123456789abcdef"
    try Disk.write([], dead + "/lock")
    try Disk.write([1], dead + "/store.sqlite")
    let others = ["holdfast-0123456789abcdeg", "holdfast-01", "holdfast-fedcba9876543210"]
    for name in others { try Disk.write([2], "\(store.temporary)/\(name)/mine") }
    let next = try Scratch(store.temporary, store.environment)
    #expect(!Disk.exists(dead) && Disk.exists(living.path + "/store.sqlite"))
    for name in others { #expect(Disk.exists("\(store.temporary)/\(name)/mine")) }
    next.remove()
    living.remove()
    #expect(!Disk.exists(next.path) && !Disk.exists(living.path))
  }

  @Test("are not needed to show what recovery would say (J12)")
  func unnamed() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed(title: "Now"))
    try store.capture(writer, id, chunks: 9, indexed: 5)
    let path = store.root + "/copy"
    _ = try StoreBackup.run(from: store.directory, to: path, store.environment)
    let reader = try ReaderOpening.open(path, temporary: "/nowhere", store.environment)
    #expect(reader.isPreview)
    #expect(try reader.recordings(RecordingRequest()).map(\.state) == ["stopped"])
    try Disk.remove(path + "/store.sqlite")
    let rebuilt = try ReaderOpening.open(path, temporary: "/nowhere", store.environment)
    #expect(try rebuilt.recordings(RecordingRequest()).map(\.chunks) == [9])
    writer.close()
  }
}
