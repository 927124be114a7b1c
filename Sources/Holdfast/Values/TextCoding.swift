/// Names that are coded as a single text value.
extension Decoder {
  /// Reads a name.
  ///
  /// - Parameters:
  ///   - rule: what the text must be, for the error.
  ///   - read: gives nil for a text that is no such name.
  func name<Name>(_ rule: String, _ read: (String) -> Name?) throws -> Name {
    let container = try singleValueContainer()
    guard let name = read(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: rule)
    }
    return name
  }
}

extension Encoder {
  /// Writes a name.
  func encode(name: String) throws {
    var container = singleValueContainer()
    try container.encode(name)
  }
}
