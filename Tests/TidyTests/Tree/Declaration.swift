/// A declaration of Swift code, as far as the rules need it.
struct Declaration {
  /// What introduces it: `func`, `var`, `struct` …
  var keyword: String
  /// Its name; empty for `init`, `subscript` and the like.
  var name: String
  /// `public`, `open` or `package` as written; for members of a protocol and cases of an enum, that
  /// of the type. Nil for what stays in its module.
  var access: String?
  /// The tokens after the keyword, up to the body or the initial value.
  var signature: [Token]
  /// The first two tokens of the initial value.
  var value: [Token] = []
  /// The first line, that of the keyword.
  var firstLine: Int
  /// The last line of the body; of the signature when there is none.
  var lastLine: Int

  var isFunction: Bool {
    ["func", "init", "deinit", "subscript", "var"].contains(keyword)
  }

  static let types: Set = ["struct", "class", "enum", "protocol", "extension", "actor"]
  static let members: Set = [
    "func", "init", "deinit", "subscript", "var", "let", "case", "typealias", "associatedtype",
  ]
  static let access: Set = ["public", "open", "package", "internal", "private", "fileprivate"]
  static let modifiers = access.union([
    "static", "final", "override", "mutating", "nonmutating", "borrowing", "consuming", "lazy",
    "weak", "unowned", "indirect", "required", "convenience", "nonisolated", "isolated",
    "prefix", "postfix", "infix", "dynamic", "optional", "distributed", "sending",
  ])
}

extension SourceFile {
  /// Every declaration outside function bodies, and the functions inside them.
  func declarations() -> [Declaration] {
    var scanner = DeclarationScanner(tokens: tokens.code)
    return isSwift ? scanner.scan() : []
  }
}

/// One pass over the code. It follows braces, so that it knows whether it stands in a type (where
/// `var` and `case` declare members) or in a body (where they do not).
private struct DeclarationScanner {
  let tokens: [Token]
  /// What the open braces belong to; nil for a body.
  private var open: [Declaration?] = []
  /// Types by the index of the brace that opens them.
  private var bodies: [Int: Declaration] = [:]
  private var found: [Declaration] = []

  init(tokens: [Token]) { self.tokens = tokens }

  mutating func scan() -> [Declaration] {
    for index in tokens.indices {
      switch (tokens[index].kind, tokens[index].text) {
      case (.symbol, "{"): open.append(bodies[index])
      case (.symbol, "}"): _ = open.popLast()
      case (.word, _) where introduces(index): add(at: index)
      default: break
      }
    }
    return found
  }

  private func text(_ index: Int) -> String {
    tokens.indices.contains(index) && tokens[index].kind != .string ? tokens[index].text : ""
  }

  /// Whether the word at `index` introduces a declaration here.
  private func introduces(_ index: Int) -> Bool {
    let (word, next) = (text(index), text(index + 1))
    if [".", ":", "#"].contains(text(index - 1)) { return false }
    let inBody = open.last.map { $0 == nil } ?? false
    switch word {
    case "func": return true
    case "init": return !inBody && ["(", "?", "!", "<"].contains(next)
    case "class": return !Declaration.members.union(["override"]).contains(next)
    case "actor": return tokens.indices.contains(index + 1) && tokens[index + 1].kind == .word
    case "case": return open.last??.keyword == "enum"
    case "var", "let":
      return !inBody
        && !["if", "guard", "while", "for", "case", "(", ","].contains(text(index - 1))
    case _ where Declaration.types.contains(word): return true
    default: return !inBody && Declaration.members.contains(word)
    }
  }

  private mutating func add(at index: Int) {
    let isType = Declaration.types.contains(text(index))
    let end = signatureEnd(after: index)
    var declaration = Declaration(
      keyword: text(index), name: name(after: index), access: access(before: index),
      signature: Array(tokens[(index + 1)..<end]), firstLine: tokens[index].line,
      lastLine: tokens[max(index, end - 1)].line)
    if text(end) == "=" { declaration.value = Array(tokens[(end + 1)...].prefix(2)) }
    if text(end) == "{" {
      declaration.lastLine = tokens[closingBrace(of: end)].line
      if isType { bodies[end] = declaration }
    }
    found.append(declaration)
  }

  /// The name, which for an operator function is its symbols.
  private func name(after index: Int) -> String {
    guard tokens.indices.contains(index + 1),
      !["init", "deinit", "subscript"].contains(text(index))
    else { return "" }
    if tokens[index + 1].kind == .word { return text(index + 1) }
    return tokens[(index + 1)...].prefix { $0.text != "(" }.map(\.text).joined()
  }

  private func access(before index: Int) -> String? {
    var place = index - 1
    while place >= 0 {
      if text(place) == ")", text(place - 2) == "(" {  // private(set), nonisolated(unsafe)
        place -= 4
        continue
      }
      guard Declaration.modifiers.contains(text(place)) || text(place) == "class" else { break }
      if Declaration.access.contains(text(place)) {
        return ["public", "open", "package"].contains(text(place)) ? text(place) : nil
      }
      place -= 1
    }
    let type = open.last ?? nil
    return type?.keyword == "protocol" || text(index) == "case" ? type?.access : nil
  }

  /// The index of the token that ends the signature: a brace, an initial value, or what begins the
  /// next declaration.
  private func signatureEnd(after index: Int) -> Int {
    var (place, depth) = (index + 1, 0)
    if text(index) == "func" {  // An operator's name may hold any symbol.
      while place < tokens.count, text(place) != "(" { place += 1 }
    }
    while place < tokens.count {
      switch text(place) {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "{", "}", ";", "=": if depth <= 0 { return place }
      default: if depth <= 0, place > index + 1, beginsDeclaration(place) { return place }
      }
      place += 1
    }
    return place
  }

  /// Whether the first token of a line begins a declaration.
  private func beginsDeclaration(_ index: Int) -> Bool {
    guard tokens[index].line > tokens[index - 1].line else { return false }
    let word = text(index)
    return word == "@" || word == "#" || Declaration.modifiers.contains(word)
      || Declaration.members.contains(word) || Declaration.types.contains(word)
  }

  private func closingBrace(of index: Int) -> Int {
    var depth = 0
    for place in index..<tokens.count where tokens[place].kind == .symbol {
      depth += text(place) == "{" ? 1 : text(place) == "}" ? -1 : 0
      if depth == 0 { return place }
    }
    return tokens.count - 1
  }
}
