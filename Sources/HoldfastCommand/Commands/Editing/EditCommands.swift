import Holdfast

/// `holdfast edit`.
struct EditCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let title = context[Options.newTitle]
    return try await context.changing { store, id throws(HoldfastError) in
      try await store.host.write { writer throws(HoldfastError) in
        try writer.update(id, RecordingSeed(title: title))
      }
      return "\(id) is called \"\(title)\" now"
    }
  }
}

/// `holdfast stop`.
struct StopCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    try await context.changing { store, id throws(HoldfastError) in
      let isNew = try await store.host.write { writer throws(HoldfastError) in
        try writer.stopRecording(id)
      }
      return isNew ? "\(id) is stopped" : "\(id) had ended already; nothing was changed"
    }
  }
}

/// `holdfast rm`.
struct RemoveCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    try await context.changing { store, id throws(HoldfastError) in
      try await store.trash(Recording.ID(id))
      return "\(id) is in the trash; `holdfast restore \(id)` brings it back"
    }
  }
}

/// `holdfast restore`.
struct RestoreCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    try await context.changing { store, id throws(HoldfastError) in
      try await store.restore(Recording.ID(id))
      return "\(id) is back"
    }
  }
}

extension CommandContext {
  /// Changes the recording that was named, and tells what became of it: a remark, or with `--json`
  /// the recording as it is then.
  fileprivate func changing(
    _ body: @Sendable (RecordingStore, RecordingID) async throws(HoldfastError) -> String
  ) async throws(HoldfastError) -> ExitCode {
    let text = self[Arguments.recording]
    let document = try await writing { store throws(HoldfastError) in
      let id = try await resolve(text, in: store)
      await output.remark(try await body(store, id))
      return try await store.host.read { writer throws(HoldfastError) in
        try writer.database.read { try RecordingRows.one(id, $0) }.map { RecordingDocument($0) }
      }
    }
    if output.isJSON, let document { try await output.document(document) }
    return .done
  }
}

/// `holdfast purge`.
struct PurgeCommand: Command {
  private struct Item: Encodable {
    let id, title: String
    let freedBytes: Int64
    /// Audio that could not be removed yet, and why; the next opening tries again.
    let leftBytes: Int64
    let leftCause: String?
  }
  private struct Document: Encodable { let purged: [Item] }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let text = context[Arguments.anyRecording]
    let items = try await context.writing { store throws(HoldfastError) in
      let victims = try await victims(text, store, context)
      guard !victims.isEmpty else {
        await context.output.remark("the trash is empty")
        return [Item]()
      }
      guard try await mayPurge(victims, context) else { return [] }
      var items: [Item] = []
      for victim in victims {
        let receipt = try await store.purge(Recording.ID(victim.id))
        items.append(
          Item(
            id: victim.id.description, title: victim.title, freedBytes: receipt.freedBytes,
            leftBytes: receipt.leftBytes, leftCause: receipt.leftCause))
      }
      return items
    }
    if context.output.isJSON {
      try await context.output.document(Document(purged: items))
    } else {
      for item in items {
        try await context.output.line(
          "\(item.id) is gone, \(Units.bytes(UInt64(item.freedBytes))) freed")
      }
    }
    for item in items {
      guard let cause = item.leftCause else { continue }
      await context.output.remark(
        "\(Units.bytes(UInt64(item.leftBytes))) of audio of \(item.id) could not be removed: "
          + "\(cause); each opening of the store tries again")
    }
    return items.contains { $0.leftCause != nil } ? .blocked : .done
  }

  private func victims(
    _ text: String?, _ store: RecordingStore, _ context: CommandContext
  ) async throws(HoldfastError) -> [RecordingSummary] {
    if let text {
      let id = try await context.resolve(text, in: store)
      return try await store.host.read { writer throws(HoldfastError) in
        try writer.database.read { try RecordingRows.one(id, $0) }.map { [$0] } ?? []
      }
    }
    var request = RecordingRequest()
    request.state = "deleted"
    let trash = request
    return try await store.host.read { writer throws(HoldfastError) in
      try writer.database.read { try RecordingRows.list(trash, $0) }
    }
  }

  /// Names what is lost, then asks.
  private func mayPurge(
    _ victims: [RecordingSummary], _ context: CommandContext
  ) async throws(HoldfastError) -> Bool {
    if context[Options.yes] { return true }
    for victim in victims {
      await context.output.remark(
        "\(victim.id) \"\(victim.title)\": "
          + "\(Units.duration(victim.timeline.capturedSeconds)) of audio, "
          + "\(Units.bytes(victim.payloadBytes)), its title and attributes, its transcripts and "
          + "all results")
    }
    return try await context.confirm("Remove this for good, everywhere?")
  }
}
