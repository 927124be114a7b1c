import Testing

/// What the rules over modules take and refuse.
@Suite struct ImportRuleTests {
  private let rows = [
    "Low": ModuleRow(modules: ["CHoldfastLow"], platform: ["Glibc"]),
    "High": ModuleRow(modules: ["Low"]),
  ]
  private let manifest = Manifest(
    SourceFile(
      "Package.swift",
      """
      #if os(Linux)
        let more: [Target.Dependency] = ["CHoldfastLow"]
      #else
        let more: [Target.Dependency] = []
      #endif
      let package = Package(
        targets: [
          .target(name: "Low", dependencies: [] + more, swiftSettings: [.define("x")]),
          .target(name: "High", dependencies: ["Low", .target(name: "Low")]),
          .target(name: "CHoldfastLow", cSettings: [.define("_GNU_SOURCE")]),
          .testTarget(name: "LowTests", dependencies: ["Low"]),
        ])
      """))

  private func lines(_ text: String, _ path: String) -> [Int] {
    strayImports(SourceFile(path, text), house: rows, manifest: manifest).map(\.line)
  }

  @Test func `targets and their dependencies are read from the manifest`() {
    #expect(
      manifest.targets == [
        .init(name: "Low", dependencies: ["CHoldfastLow"], isTest: false, line: 8),
        .init(name: "High", dependencies: ["Low"], isTest: false, line: 9),
        .init(name: "CHoldfastLow", dependencies: [], isTest: false, line: 10),
        .init(name: "LowTests", dependencies: ["Low"], isTest: true, line: 11),
      ])
  }

  @Test func `every form of import is seen`() {
    let text = """
      import A
      package import B
      @testable import struct C.D
      #if canImport(E)
        public import E.F  // import G
      #endif
      let a = "import H", `import` = 1
      """
    let imports = SourceFile("Sources/High/a.swift", text).imports
    #expect(imports.map(\.module) == ["A", "B", "C", "E"])
    #expect(imports.map(\.line) == [1, 2, 3, 5])
  }

  @Test func `an import that the row does not name is refused`() {
    #expect(lines("import Low\n", "Sources/High/a.swift").isEmpty)
    #expect(lines("import CHoldfastLow\nimport Glibc\n", "Sources/Low/b/a.swift").isEmpty)
    #expect(lines("import Low\nimport Foundation\n", "Sources/High/a.swift") == [2])
    #expect(lines("import High\n", "Sources/Low/a.swift") == [1])
    #expect(lines("// Nothing.\n", "Sources/Strange/a.swift") == [1])
  }

  @Test func `a test target imports what the manifest gives it, and the test libraries`() {
    #expect(
      lines("import Testing\nimport Foundation\nimport Low\n", "Tests/LowTests/a.swift") == [])
    #expect(lines("import High\n", "Tests/LowTests/a.swift") == [1])
  }

  @Test func `a dependency that the row does not name is refused, and so is a row without target`()
  {
    #expect(strayDependencies(manifest, house: rows).isEmpty)
    var narrow = rows
    narrow["High"] = ModuleRow(modules: [])
    narrow["Gone"] = ModuleRow(modules: [])
    #expect(strayDependencies(manifest, house: narrow).map(\.line) == [9, 1])
    narrow["High"] = nil
    #expect(strayDependencies(manifest, house: narrow).map(\.line) == [9, 1])
  }

  @Test func `only one file of the face re-exports`() {
    let exporting = "@_exported public import HoldfastModel\n"
    let home = SourceFile("Sources/Holdfast/Exports.swift", exporting)
    let second = SourceFile("Sources/Holdfast/Other.swift", "\n" + exporting)
    let other = SourceFile("Sources/HoldfastStore/a.swift", exporting)
    #expect(strayExports([home]).isEmpty)
    #expect(strayExports([other, home, second]).map(\.file) == [other.path, second.path])
    #expect(strayExports([second]).isEmpty)
    #expect(strayExports([other]).map(\.line) == [1])
  }

  @Test func `the table points down: no module reaches itself`() {
    func below(_ module: String, depth: Int = 0) -> Set<String> {
      guard let row = house[module], depth <= house.count else { return [] }
      return row.modules.union(row.modules.flatMap { below($0, depth: depth + 1) })
    }
    for module in house.keys { #expect(!below(module).contains(module)) }
  }
}
