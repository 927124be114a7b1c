import Foundation
import Holdfast

/// Chooses a pass, names a speaker, edits a line.
struct TranscriptChanging {
  private let context: CommandContext
  private let wish: TranscriptWish

  init(_ context: CommandContext, _ wish: TranscriptWish) {
    self.context = context
    self.wish = wish
  }

  func run() async throws(HoldfastError) -> ExitCode {
    let change = try change()
    let text = wish.recording
    let (summary, shown, remark) = try await context.writing { store throws(HoldfastError) in
      let id = try await context.resolve(text, in: store)
      return try await store.host.write { writer throws(HoldfastError) in
        let remark = try change(writer, id)
        return try writer.database.read { db in
          (
            try RecordingRows.summary(of: id.description, db),
            try TranscriptReading.current(of: id, db), remark
          )
        }
      }
    }
    await context.output.remark(remark)
    if context.output.isJSON {
      try await context.output.document(
        TranscriptDocument(
          shown, title: summary.title, startedMilliseconds: summary.startedMilliseconds))
    }
    return .done
  }

  private typealias Change =
    @Sendable (StoreWriter, RecordingID) throws(HoldfastError) -> String

  private func change() throws(HoldfastError) -> Change {
    switch wish.verb {
    case .restore: return choice(wish.operands[0])
    case .name: return naming(wish.operands[0], wish.operands[1])
    default: return try edit()
    }
  }

  private func choice(_ text: String) -> Change {
    { writer, id throws(HoldfastError) in
      guard text != "0" else {
        try writer.choosePass(nil, of: id)
        return "the passes themselves decide again which is shown"
      }
      let passes = try writer.database.read { try TranscriptReading.passes(of: id, $0) }
      let pass = try PassChoice.one(text, among: passes)
      try writer.choosePass(pass, of: id)
      return "pass \(pass.description.prefix(8)) is shown from now on"
    }
  }

  private func naming(_ speaker: String, _ name: String) -> Change {
    let track = context[Options.speakerTrack]
    return { writer, id throws(HoldfastError) in
      try writer.nameSpeaker(speaker, name, of: id, track: track)
      return name.isEmpty ? "\(speaker) has no name any more" : "\(speaker) is \(name)"
    }
  }

  private func edit() throws(HoldfastError) -> Change {
    guard let text = context[Options.lineText] else {
      throw HoldfastError(
        .invalidArgument, "the option --text TEXT is missing",
        hint: "as in: holdfast transcript ID edit --at SECONDS --text TEXT")
    }
    let place: LinePlace
    if let seconds = context[Options.lineAt] {
      place = .at(seconds)
    } else if let number = context[Options.lineNumber] {
      place = .number(UInt64(number))
    } else {
      throw HoldfastError(
        .invalidArgument, "edit needs --at SECONDS or --segment N",
        hint: "holdfast transcript ID --format json shows where each line begins")
    }
    return { writer, id throws(HoldfastError) in
      try writer.editText(place, text, of: id)
      return text.isEmpty ? "the engine's text is shown again" : "the line is changed"
    }
  }
}
