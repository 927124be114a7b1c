import HoldfastTesting
import Testing

@Suite("What a crash leaves")
struct CrashImageTests {
  /// The image after everything in a log made by hand.
  private func image(
    _ operations: [DiskOperation], base: DiskTree = DiskTree(), after count: Int? = nil
  ) -> CrashImage {
    let log = DiskLog(root: "/tree", base: base)
    for operation in operations { log.append(operation) }
    return CrashImage(of: log, after: count ?? log.count)
  }

  @Test("a write is dropped unless a sync of the same file follows it")
  func coverage() {
    let image = image([
      .create("a"), .create("b"),
      .write("a", offset: 0, bytes: [1]), .write("b", offset: 0, bytes: [2]), .sync("a"),
      .write("a", offset: 1, bytes: [3]),
    ])
    #expect(image.tree(.allKept, names: .kept).files == ["a": [1, 3], "b": [2]])
    #expect(image.tree(.allDropped, names: .kept).files == ["a": [1], "b": []])
    #expect(image.uncoveredChanges == 2)
  }

  @Test("a sync covers only what was there when it began")
  func syncUnderWay() {
    let log = DiskLog(root: "/tree")
    log.append(.create("a"))
    log.append(.write("a", offset: 0, bytes: [1]))
    let begun = log.count
    log.append(.write("a", offset: 1, bytes: [2]))
    log.append(.sync("a"), begun: begun)
    let image = CrashImage(of: log, after: log.count)
    #expect(image.tree(.allDropped, names: .kept).files == ["a": [1]])
  }

  @Test("each uncovered change can be the one that is missing; a hole before a kept one is zeros")
  func oneDropped() {
    let image = image([
      .create("a"), .write("a", offset: 0, bytes: [1, 1]), .sync("a"),
      .write("a", offset: 2, bytes: [2, 2]), .write("a", offset: 4, bytes: [3]),
      .truncate("a", size: 3),
    ])
    #expect(image.uncoveredChanges == 3)
    let files = (0..<4).map { image.tree(.oneDropped($0), names: .kept).files["a"] }
    #expect(files == [[1, 1, 0], [1, 1, 2], [1, 1, 2, 2, 3], [1, 1, 2]])
  }

  @Test("the last write is torn to any length, and only when nothing covers it")
  func lastTorn() {
    let operations: [DiskOperation] = [
      .create("a"), .write("a", offset: 0, bytes: [9, 9, 9, 9]),
      .write("a", offset: 2, bytes: [1, 2, 3]),
    ]
    let torn = image(operations)
    #expect(torn.tearableBytes == 3)
    let files = (0...3).map { torn.tree(.lastTorn(UInt64($0)), names: .kept).files["a"] }
    #expect(files == [[9, 9, 9, 9], [9, 9, 1, 9], [9, 9, 1, 2], [9, 9, 1, 2, 3]])
    let covered = image(operations + [.sync("a")])
    #expect(covered.tearableBytes == nil)
    #expect(covered.tree(.lastTorn(0), names: .kept).files["a"] == [9, 9, 1, 2, 3])
  }

  @Test("a truncation and an allocation are changes like a write")
  func sizes() {
    let base = DiskTree(files: ["a": [1, 2, 3]])
    let cut = image([.truncate("a", size: 1)], base: base)
    #expect(cut.tree(.allKept, names: .kept).files["a"] == [1])
    #expect(cut.tree(.allDropped, names: .kept).files["a"] == [1, 2, 3])
    let grown = image(
      [.allocate("a", size: 5), .allocate("a", size: 2), .sync("a")], base: base)
    #expect(grown.tree(.allDropped, names: .kept).files["a"] == [1, 2, 3, 0, 0])
  }

  @Test("only the operations before the crash count")
  func prefix() {
    let operations: [DiskOperation] = [
      .create("a"), .write("a", offset: 0, bytes: [1]), .sync("a"), .unlink("a"),
    ]
    #expect(image(operations, after: 2).tree(.allDropped, names: .kept).files == ["a": []])
    #expect(image(operations, after: 3).tree(.allDropped, names: .kept).files == ["a": [1]])
    #expect(image(operations, after: 4).tree(.allDropped, names: .kept).files == [:])
    #expect(image(operations, after: 99).tree(.allKept, names: .kept).files == [:])
  }

  @Test("a name is dropped unless a sync of its directory follows; the bytes are another matter")
  func names() {
    let operations: [DiskOperation] = [
      .makeDirectory("d"), .create("d/a"), .write("d/a", offset: 0, bytes: [1]), .sync("d/a"),
      .syncDirectory("d"),
    ]
    let unnamed = image(operations)
    #expect(unnamed.tree(.allDropped, names: .kept).files == ["d/a": [1]])
    #expect(unnamed.tree(.allKept, names: .dropped) == DiskTree())
    let named = image(operations + [.syncDirectory("")])
    #expect(named.tree(.allDropped, names: .dropped).files == ["d/a": [1]])
  }

  @Test("a rename that is not durable leaves the old name, and what bore the new one")
  func rename() {
    let base = DiskTree(files: ["new": [0]])
    let operations: [DiskOperation] = [
      .create("tmp"), .write("tmp", offset: 0, bytes: [1]), .sync("tmp"), .syncDirectory(""),
      .rename("tmp", to: "new"),
    ]
    let open = image(operations, base: base)
    #expect(open.tree(.allKept, names: .kept).files == ["new": [1]])
    #expect(open.tree(.allKept, names: .dropped).files == ["new": [0], "tmp": [1]])
    let closed = image(operations + [.syncDirectory("")], base: base)
    #expect(closed.tree(.allDropped, names: .dropped).files == ["new": [1]])
  }

  @Test("a durable rename into a directory keeps the file whose creation was not durable")
  func renameAcross() {
    let base = DiskTree(directories: ["pool", "audio"])
    let image = image(
      [
        .create("pool/a"), .write("pool/a", offset: 0, bytes: [1]), .sync("pool/a"),
        .rename("pool/a", to: "audio/a"), .syncDirectory("audio"),
      ], base: base)
    #expect(image.tree(.allDropped, names: .dropped).files == ["audio/a": [1]])
  }

  @Test("a write through an open file follows the file, not its old name")
  func openWhileRenamed() {
    let log = DiskLog(root: "/tree")
    let first = log.append(.create("a"))
    log.append(.rename("a", to: "b"))
    log.append(.create("a"))
    log.append(.write("a", offset: 0, bytes: [7]), file: first)
    log.append(.unlink("b"))
    log.append(.write("b", offset: 0, bytes: [8]), file: first)
    let files = (4...6).map {
      CrashImage(of: log, after: $0).tree(.allKept, names: .kept).files
    }
    #expect(files == [["a": [], "b": [7]], ["a": []], ["a": []]])
  }

  @Test("two names of one file have the same bytes, and each is removed alone")
  func links() {
    let operations: [DiskOperation] = [
      .create("a"), .link("a", to: "b"), .write("b", offset: 0, bytes: [5]), .unlink("a"),
    ]
    #expect(image(operations, after: 3).tree(.allKept, names: .kept).files == ["a": [5], "b": [5]])
    #expect(image(operations).tree(.allKept, names: .kept).files == ["b": [5]])
  }

  @Test("a directory that moved is the one that was synced, by whatever name")
  func directoryIdentity() {
    let base = DiskTree(directories: ["d"])
    let operations: [DiskOperation] = [
      .create("d/a"), .rename("d", to: "x"), .create("x/b"), .syncDirectory("x"), .create("x/c"),
    ]
    let open = image(operations, base: base)
    #expect(Set(open.tree(.allKept, names: .dropped).files.keys) == ["d/a", "d/b"])
    let closed = image(operations + [.syncDirectory("")], base: base)
    #expect(Set(closed.tree(.allKept, names: .dropped).files.keys) == ["x/a", "x/b"])
    #expect(Set(closed.tree(.allKept, names: .kept).files.keys) == ["x/a", "x/b", "x/c"])
  }

  @Test("a directory moves with all that is in it, and goes with what could not be removed")
  func directories() {
    let operations: [DiskOperation] = [
      .makeDirectory("d"), .makeDirectory("d/e"), .create("d/e/a"), .create("da"),
      .rename("d", to: "x"),
    ]
    let moved = image(operations).tree(.allKept, names: .kept)
    #expect(moved.directories == ["x", "x/e"] && Set(moved.files.keys) == ["x/e/a", "da"])
    let removed = image([
      .makeDirectory("d"), .create("d/a"), .syncDirectory("d"), .unlink("d/a"),
      .removeDirectory("d"), .syncDirectory(""),
    ])
    #expect(removed.tree(.allKept, names: .dropped) == DiskTree())
  }
}
