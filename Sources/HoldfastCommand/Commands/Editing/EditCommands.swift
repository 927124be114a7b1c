import Holdfast

/// `holdfast edit`.
struct EditCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let title = context[Options.newTitle]
    let text = context[Arguments.recording]
    return try await context.writing { store throws(HoldfastError) in
      let id = try await context.resolve(text, in: store)
      try await store.host.write { writer throws(HoldfastError) in
        try writer.update(id, RecordingSeed(title: title))
      }
      return .done
    }
  }
}

/// `holdfast stop`.
struct StopCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let text = context[Arguments.recording]
    return try await context.writing { store throws(HoldfastError) in
      let id = try await context.resolve(text, in: store)
      try await store.host.write { writer throws(HoldfastError) in try writer.stopRecording(id) }
      return .done
    }
  }
}

/// `holdfast rm`.
struct RemoveCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let text = context[Arguments.recording]
    return try await context.writing { store throws(HoldfastError) in
      let id = try await context.resolve(text, in: store)
      try await store.trash(Recording.ID(id))
      await context.output.remark("\(id) is in the trash; `holdfast restore \(id)` brings it back")
      return .done
    }
  }
}

/// `holdfast restore`.
struct RestoreCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let text = context[Arguments.recording]
    return try await context.writing { store throws(HoldfastError) in
      let id = try await context.resolve(text, in: store)
      try await store.restore(Recording.ID(id))
      return .done
    }
  }
}

/// `holdfast purge`.
struct PurgeCommand: Command {
  private struct Item: Encodable {
    let id, title: String
    let freedBytes: Int64
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
            id: victim.id.description, title: victim.title, freedBytes: receipt.freedBytes))
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
    return .done
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
          + "\(Units.bytes(victim.payloadBytes)), and its title and attributes")
    }
    return try await context.confirm("Remove this for good, everywhere?")
  }
}
