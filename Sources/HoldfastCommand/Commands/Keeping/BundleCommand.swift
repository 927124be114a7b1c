import Foundation
import Holdfast
import HoldfastInspect

/// `holdfast bundle`.
struct BundleCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let path = context[Options.outputFile]
    let reader = try context.reader()
    let target = FileTarget(path, .system(), outside: reader.layout)
    let replacing = context[Options.force]
    if path != "-" { try target.check(replacing: replacing) }
    let tree = try SupportBundle(reader).tree()
    let text = try JSONText.line(ValueDocument(tree))
    if path == "-" {
      try await context.output.page(text)
      return .done
    }
    try target.write(replacing: replacing) { sink throws(HoldfastError) in
      try sink.write(Array(text.utf8))
    }
    await context.output.remark(
      "\(path) holds numbers, times and verdicts; no titles, text or audio")
    return .done
  }
}

/// A tree of simple values as JSON.
struct ValueDocument: Encodable, Sendable {
  private let value: InspectValue

  init(_ value: InspectValue) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .double(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let items): try container.encode(items.map(ValueDocument.init))
    case .object(let fields): try container.encode(fields.mapValues(ValueDocument.init))
    }
  }
}
