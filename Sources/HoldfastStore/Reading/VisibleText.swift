/// Text of users as it may be shown: nothing in it can move the cursor, change colours, turn the
/// direction of writing or look like nothing.
package enum VisibleText {
  /// The text with such characters spelled as `\u{…}`, and a backslash doubled.
  package static func escaped(_ text: String) -> String {
    var visible = ""
    for scalar in text.unicodeScalars { append(scalar, to: &visible, quoting: false) }
    return visible
  }

  /// The text between quotes, the same whatever was in it: two texts that differ look different.
  package static func quoted(_ text: String) -> String {
    var visible = "\""
    for scalar in text.unicodeScalars { append(scalar, to: &visible, quoting: true) }
    return visible + "\""
  }

  private static func append(
    _ scalar: Unicode.Scalar, to visible: inout String, quoting: Bool
  ) {
    switch scalar {
    case "\\": visible += "\\\\"
    case "\"" where quoting: visible += "\\\""
    case _ where isHidden(scalar): visible += "\\u{\(String(scalar.value, radix: 16))}"
    default: visible.unicodeScalars.append(scalar)
    }
  }

  /// Control, format, line and paragraph characters, and what stands for none.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }
}
