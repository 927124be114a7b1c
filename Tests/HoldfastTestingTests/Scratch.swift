import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastTesting
import Testing

/// A directory of its own for one test, removed with the object.
final class Scratch: Sendable {
  let path: String

  init() throws {
    // In memory where that is possible: these tests make thousands of trees and syncs.
    let memory = "/dev/shm"
    let isThere = FileManager.default.isWritableFile(atPath: memory)
    let parent = isThere ? memory : FileManager.default.temporaryDirectory.path
    path = parent + "/holdfast-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// What is there now, without SQLite's shared memory, which no log has.
  func tree() throws -> DiskTree {
    var tree = try DiskTree(reading: path, on: SystemFiles())
    tree.files = tree.files.filter { !$0.key.hasSuffix("-shm") }
    return tree
  }
}

/// A generator with a seed (SplitMix64, Steele, Lea and Flood 2014).
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
