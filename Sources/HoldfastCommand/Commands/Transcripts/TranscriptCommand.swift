import Foundation
import Holdfast

/// `holdfast transcript`.
struct TranscriptCommand: Command {
  /// What may be done with a transcript, by its word.
  enum Verb: String, CaseIterable {
    case passes, restore, name, edit

    /// The words that follow, as help shows them.
    var operands: [String] {
      switch self {
      case .passes, .edit: []
      case .restore: ["N"]
      case .name: ["SPEAKER", "NAME"]
      }
    }
  }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let wish = try TranscriptWish(
      [context[Arguments.transcribed]] + context[Arguments.transcriptWords])
    try refuseStray(wish.verb, context)
    switch wish.verb {
    case nil: return try await TranscriptShowing(context, wish.recording).run()
    case .passes: return try await TranscriptShowing(context, wish.recording).passes()
    case .restore, .name, .edit: return try await TranscriptChanging(context, wish).run()
    }
  }

  /// Options that the verb does not take are a mistake, and the wish behind them is told from none.
  private func refuseStray(_ verb: Verb?, _ context: CommandContext) throws(HoldfastError) {
    let isEdit =
      context[Options.lineAt] != nil || context[Options.lineNumber] != nil
      || context[Options.lineText] != nil
    guard !isEdit || verb == .edit else {
      throw HoldfastError(
        .invalidArgument, "--at, --segment and --text belong to edit",
        hint: "as in: holdfast transcript ID edit --at SECONDS --text TEXT")
    }
    guard context[Options.speakerTrack] == nil || verb == .name else {
      throw HoldfastError(.invalidArgument, "--track belongs to name")
    }
    guard context[Options.pass] == nil || verb == nil else {
      throw HoldfastError(
        .invalidArgument, "--pass shows a pass; what is changed is always the current transcript",
        hint: "as in: holdfast transcript ID restore N")
    }
  }
}

/// The words of `holdfast transcript`, put in order: the verb may stand before or after the ID.
struct TranscriptWish: Equatable {
  let recording: String
  let verb: TranscriptCommand.Verb?
  /// What follows the verb.
  let operands: [String]

  /// - Throws: `invalidArgument` for an unknown verb, and for words that lack or are too many.
  init(_ words: [String]) throws(HoldfastError) {
    var words = words
    if words.count > 1, TranscriptCommand.Verb(rawValue: words[0]) != nil { words.swapAt(0, 1) }
    recording = words.first ?? ""
    guard words.count > 1 else {
      guard TranscriptCommand.Verb(rawValue: recording) == nil else {
        throw HoldfastError(
          .invalidArgument, "the ID of a recording is missing",
          hint: "as in: holdfast transcript ID \(recording)")
      }
      (verb, operands) = (nil, [])
      return
    }
    let known = TranscriptCommand.Verb.allCases.map(\.rawValue)
    guard let verb = TranscriptCommand.Verb(rawValue: words[1]) else {
      throw HoldfastError(
        .invalidArgument,
        "'\(words[1])' is none of \(known.joined(separator: ", "))"
          + Suggestion.question(for: words[1], among: known))
    }
    self.verb = verb
    operands = Array(words.dropFirst(2))
    guard operands.count == verb.operands.count else {
      let expected = ([verb.rawValue] + verb.operands).joined(separator: " ")
      throw HoldfastError(
        .invalidArgument,
        operands.count < verb.operands.count
          ? "\(verb.rawValue) needs \(verb.operands.joined(separator: " "))"
          : "the argument '\(operands[verb.operands.count])' is one too many",
        hint: "as in: holdfast transcript ID \(expected)")
    }
  }
}
