import Foundation
import Holdfast

/// `holdfast record`.
struct RecordCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    // The signals first: what comes while the store is opened stops the recording, not the process.
    let signals = try ProcessSignals.stream([.interrupt, .terminate, .hangUp, .user1, .user2])
    let input = try RecordInput.open(context[Arguments.source], raw: try Self.rawFormat(context))
    let store = try context.store(
      creates: true, durability: Self.durability(context[Options.durability]),
      chunk: .seconds(context[Options.chunkSeconds]))
    store.note(.foreground)
    let report = try await store.host.engineReport()
    await context.tell(report)
    do throws(HoldfastError) {
      let session = try await Self.session(store, context)
      let run = RecordRun(context, session, input, signals)
      let code = try await run.run()
      await store.close()
      return code
    } catch {
      await store.close()
      throw error
    }
  }

  private static func session(
    _ store: RecordingStore, _ context: CommandContext
  ) async throws(HoldfastError) -> CaptureSession {
    guard let resumed = context[Options.resume] else {
      return try await store.startRecording(.init(title: context[Options.title]))
    }
    let id = Recording.ID(try await context.resolve(resumed, in: store))
    let session = try await store.resumeRecording(id)
    if let title = context[Options.title] {
      try await store.host.write { writer throws(HoldfastError) in
        try writer.update(id.model, RecordingSeed(title: title))
      }
    }
    return session
  }

  private static func durability(
    _ name: String
  ) -> RecordingStore.Configuration.Durability {
    switch name {
    case "paced": .paced
    case "process": .process
    default: .power
    }
  }

  /// What raw samples are, when the input has no header.
  static func rawFormat(_ context: CommandContext) throws(HoldfastError) -> AudioFormat? {
    guard let encoding = context[Options.encoding] else { return nil }
    guard let rate = context[Options.rate], let channels = context[Options.channels],
      let format = AudioFormat(
        pcm: SampleEncoding(rawValue: encoding), sampleRate: rate, channels: channels)
    else {
      throw HoldfastError(
        .invalidArgument, "Raw PCM needs --encoding, --rate and --channels together.")
    }
    return format
  }
}
