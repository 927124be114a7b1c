/// Rows with aligned columns. Cells are made visible and measured as a terminal shows them.
package struct TextTable: Sendable {
  /// One column.
  package struct Column: Sendable {
    /// The heading.
    package let title: String
    /// Whether cells stand at the right, as numbers do.
    package let isRight: Bool
    /// Whether this column gives way when the line is too narrow, as titles do.
    package let isElastic: Bool

    /// A column by its heading.
    package init(_ title: String, right: Bool = false, elastic: Bool = false) {
      self.title = title
      isRight = right
      isElastic = elastic
    }
  }

  /// The columns in order.
  package let columns: [Column]
  private var rows: [[String]] = []
  /// An elastic column is never narrower than this, whatever the terminal.
  private static let leastElasticWidth = 8
  private static let separator = "  "

  /// A table without rows.
  package init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row; cells that are missing are empty.
  package mutating func add(_ cells: [String]) {
    rows.append(columns.indices.map { $0 < cells.count ? visible(cells[$0]) : "" })
  }

  /// Whether there are no rows.
  package var isEmpty: Bool { rows.isEmpty }

  /// The heading and the rows.
  ///
  /// - Parameter width: the columns of the terminal; nil cuts nothing, as a pipe wants.
  package func lines(width: Int?) -> [String] {
    let widths = fit(width)
    let heading = line(columns.map(\.title), widths)
    return [heading] + rows.map { line($0, widths) }
  }

  private func fit(_ width: Int?) -> [Int] {
    var widths = columns.map { DisplayWidth.of($0.title) }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], DisplayWidth.of(cell))
      }
    }
    guard let width else { return widths }
    var excess = widths.reduce(Self.separator.count * (columns.count - 1), +) - width
    for index in columns.indices where columns[index].isElastic && excess > 0 {
      let given = min(excess, max(0, widths[index] - Self.leastElasticWidth))
      widths[index] -= given
      excess -= given
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += Self.separator }
      let cut = DisplayWidth.truncate(cell, to: widths[index])
      let isLast = index == cells.count - 1
      line +=
        columns[index].isRight || !isLast
        ? DisplayWidth.pad(cut, to: widths[index], right: columns[index].isRight) : cut
    }
    return line
  }
}
