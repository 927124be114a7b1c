/// One `import` of a file.
struct Import: Equatable {
  var module: String
  var line: Int
  var isExported = false
}

extension SourceFile {
  var imports: [Import] {
    let kinds: Set = [
      "struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "actor",
    ]
    return code.indices.dropLast().filter { index in
      code[index].text == "import" && code[index].kind == .word && isSwift
        && (index == 0 || code[index - 1].text != ".")
    }.map { index in
      let place = kinds.contains(code[index + 1].text) ? index + 2 : index + 1
      let line = code[index].line
      return Import(
        module: place < code.count ? code[place].text : "", line: line,
        isExported: code.contains { $0.line == line && $0.text == "_exported" })
    }
  }
}

/// A module imports only what its row of the table names; a test target only what the manifest
/// gives it.
func strayImports(_ file: SourceFile, house: [String: ModuleRow], manifest: Manifest)
  -> [Violation]
{
  guard let module = file.module, file.isSwift else { return [] }
  let allowed: Set<String>
  if file.path.hasPrefix("Tests/") {
    guard let target = manifest.targets.first(where: { $0.name == module }) else { return [] }
    allowed = target.dependencies.union(importsOfTests)
  } else if let row = house[module] {
    allowed = row.modules.union(row.platform)
  } else {
    return file.isSwift
      ? [file.violation(1, "imports", "give \(module) a row in the table of modules")] : []
  }
  return file.imports.filter { !allowed.contains($0.module) }.map {
    file.violation(
      $0.line, "imports", "\(module) may not import \($0.module); reach it through a lower layer")
  }
}

/// Only the face re-exports modules, and in one file. A stand-in of a platform's module re-exports
/// as that one does.
func strayExports(_ files: [SourceFile]) -> [Violation] {
  let exporting = files.filter { file in
    !file.path.contains("/Standins/") && file.imports.contains { $0.isExported }
  }
  let home = exporting.first { $0.module == reexporter && $0.isShipped }
  return exporting.filter { $0.path != home?.path }.map { file in
    file.violation(
      file.imports.first { $0.isExported }?.line ?? 1, "exports",
      "re-export in one file of \(reexporter) only")
  }
}

/// The manifest gives each target only what its row names, and every target has a row.
func strayDependencies(_ manifest: Manifest, house: [String: ModuleRow]) -> [Violation] {
  func violation(_ line: Int, _ remedy: String) -> Violation {
    Violation(file: "Package.swift", line: line, rule: "dependencies", remedy: remedy)
  }
  let shipped = manifest.targets.filter { !$0.isTest }
  let found = shipped.flatMap { target -> [Violation] in
    let isC = target.name.hasPrefix("CHoldfast")
    guard let row = house[target.name] ?? (isC ? ModuleRow(modules: []) : nil) else {
      return [violation(target.line, "give \(target.name) a row in the table of modules")]
    }
    return target.dependencies.subtracting(row.modules).sorted().map {
      violation(target.line, "\(target.name) may not depend on \($0)")
    }
  }
  let absent = Set(house.keys).subtracting(shipped.map(\.name)).sorted()
  return found + absent.map { violation(1, "\($0) has a row in the table, and no target") }
}
