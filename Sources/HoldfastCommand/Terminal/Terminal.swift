import CHoldfastTerminal
import Foundation

/// What the standard streams are, and how wide and colourful what we say there may be.
package struct Terminal: Sendable {
  /// Whether a person may be asked on standard input.
  package let inputIsTerminal: Bool
  /// Whether standard output is a terminal.
  package let outputIsTerminal: Bool
  /// Whether standard error is a terminal.
  package let errorIsTerminal: Bool
  /// `COLUMNS`, when it is set to a number over 0; it outranks what the terminal says.
  private let wishedColumns: Int?
  /// Whether the terminal understands no escapes at all (`TERM=dumb`, or none is set).
  private let isDumb: Bool
  private let colourIsUnwanted: Bool
  private let measure: @Sendable () -> Int?

  /// - Parameters:
  ///   - environment: `COLUMNS`, `NO_COLOR` (https://no-color.org: any text but the empty one) and
  ///     `TERM` are read from it.
  ///   - measure: the columns of the terminal now; nil when it does not know.
  package init(
    inputIsTerminal: Bool, outputIsTerminal: Bool, errorIsTerminal: Bool,
    environment: [String: String], measure: @escaping @Sendable () -> Int?
  ) {
    self.inputIsTerminal = inputIsTerminal
    self.outputIsTerminal = outputIsTerminal
    self.errorIsTerminal = errorIsTerminal
    self.measure = measure
    wishedColumns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    isDumb = ["", "dumb"].contains(environment["TERM"] ?? "")
    colourIsUnwanted = !(environment["NO_COLOR"] ?? "").isEmpty
  }

  /// The standard streams of this process.
  package static func ofProcess(environment: [String: String]) -> Terminal {
    let isTerminal = (0...2).map { isatty(Int32($0)) == 1 }
    return Terminal(
      inputIsTerminal: isTerminal[0], outputIsTerminal: isTerminal[1],
      errorIsTerminal: isTerminal[2], environment: environment
    ) {
      [1, 2].lazy.map { Int(holdfast_terminal_columns($0)) }.first { $0 > 0 }
    }
  }

  /// The columns of the terminal; 80 when nobody knows. Asked anew at each call: windows change.
  package var columns: Int { wishedColumns ?? measure() ?? 80 }
  /// The columns of a table on standard output; nil when it goes to a file or a pipe, which get
  /// everything.
  package var tableColumns: Int? { outputIsTerminal ? columns : nil }
  /// The columns of running text: not wider than is pleasant to read.
  package var textColumns: Int { min(max(columns, 40), 100) }
  /// Whether a line on standard error can be drawn again and again.
  package var canRedraw: Bool { errorIsTerminal && !isDumb }

  /// Emphasis on standard output, by SGR (ECMA-48); the text itself where that is not wanted.
  package func styled(_ text: String, _ style: Style) -> String {
    guard outputIsTerminal, !isDumb, !colourIsUnwanted, style != .plain else { return text }
    return "\u{1B}[\(style.code)m\(text)\u{1B}[0m"
  }

  /// A kind of emphasis.
  package struct Style: Hashable, Sendable {
    fileprivate let code: Int32
    /// None.
    package static let plain = Style(code: 0)
    /// Headings.
    package static let bold = Style(code: 1)
    /// What matters less.
    package static let dim = Style(code: 2)
    /// Loss and damage.
    package static let red = Style(code: 31)
    /// What is well.
    package static let green = Style(code: 32)
    /// What wants attention.
    package static let yellow = Style(code: 33)
  }
}
