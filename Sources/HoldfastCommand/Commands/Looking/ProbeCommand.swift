import Foundation
import Holdfast

/// `holdfast probe`.
struct ProbeCommand: Command {
  private struct Oddity: Encodable { let code, message: String }

  private struct Document: Encodable {
    let accept: Bool
    var format: String?
    var encoding: String?
    var sampleRate: Double?
    var channels: UInt32?
    var frames: UInt64?
    var durationSeconds: Double?
    var oddities: [Oddity] = []
    var refusal: Oddity?
  }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let name = context[Arguments.file]
    let file = try AudioInput.open(name)
    defer { file.close() }
    let info: AudioFileInfo
    do throws(AudioError) {
      info = try AudioFile.probe(try FileByteSource(file), name: name)
    } catch {
      if error.code == .source { throw AudioInput.error(error) }
      guard context.output.isJSON else { throw AudioInput.error(error) }
      let refusal = Oddity(code: error.code.rawValue, message: error.message)
      try await context.output.document(
        Document(accept: false, oddities: [refusal], refusal: refusal))
      return .refused
    }
    try await accepted(info, name, context)
    return .done
  }

  private func accepted(
    _ info: AudioFileInfo, _ name: String, _ context: CommandContext
  ) async throws(HoldfastError) {
    let oddities = info.oddities.map { Oddity(code: $0.code.rawValue, message: $0.message) }
    let runs = info.runs
    let isKnown = runs.allSatisfy { $0.frames != nil }
    let frames = isKnown ? runs.reduce(UInt64(0)) { $0 + ($1.frames ?? 0) } : nil
    let seconds =
      isKnown ? runs.reduce(0) { $0 + Double($1.frames ?? 0) / $1.format.sampleRate } : nil
    guard !context.output.isJSON else {
      try await context.output.document(
        Document(
          accept: true, format: info.container.rawValue,
          encoding: info.format.encoding.rawValue, sampleRate: info.format.sampleRate,
          channels: info.format.channels, frames: frames, durationSeconds: seconds,
          oddities: oddities))
      return
    }
    let length = seconds.map { Units.duration($0) } ?? "of unknown length"
    try await context.output.line(
      "\(name): \(info.container.rawValue), \(info.format.encoding.rawValue), "
        + "\(info.format.sampleRate) Hz, \(CountedNoun.text(info.format.channels, "channel")), "
        + "\(frames.map { "\($0) frames" } ?? "frames unknown"), \(length)")
    for oddity in oddities {
      try await context.output.line("  \(oddity.code): \(oddity.message)", .yellow)
    }
  }
}
