import Foundation
import Holdfast

/// `holdfast tasks`.
struct TasksCommand: Command {
  private struct Document: Encodable { let tasks: [TaskDocument] }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let words = Array(context[Arguments.taskWords].dropFirst())
    switch context[Arguments.taskWords].first ?? "ls" {
    case "ls": return try await list(words, context)
    case "show": return try await show(words, context)
    case "add": return try await add(words, context)
    case "retry":
      return try await change(
        words, context, .retry, "is tried again", "has nothing to be tried again")
    case "cancel":
      return try await change(words, context, .cancel, "is called off", "had ended before")
    case "release":
      return try await change(words, context, .release, "is released", "is not in quarantine")
    case "choose": return try await choose(words, context)
    default:
      throw HoldfastError(
        .invalidArgument,
        "tasks \(context[Arguments.taskWords].first ?? ""): ls, show, add, retry, cancel, "
          + "release or choose is needed", hint: "holdfast help tasks")
    }
  }

  private func list(
    _ words: [String], _ context: CommandContext
  ) async throws(HoldfastError) -> ExitCode {
    guard words.count <= 1 else { throw Self.tooMany("ls takes the id of one recording") }
    let reader = try context.reader()
    let isAll = context[Options.allTasks]
    let tasks = try reader.read { db -> [TaskDocument] in
      let rows =
        if let word = words.first {
          try TaskRows.all(of: try RecordingRows.resolve(word, db), db)
            .filter { isAll || $0.finishedMilliseconds == nil || !$0.isQuiet }
        } else {
          try TaskRows.list(settled: true, db)
            .filter { isAll || $0.finishedMilliseconds == nil || !$0.isQuiet }
        }
      return try rows.map { TaskDocument(try TaskView.of($0, db)) }
    }
    if context.output.isJSON {
      try await context.output.document(Document(tasks: tasks))
    } else if tasks.isEmpty {
      await context.output.remark("no tasks")
    } else {
      try await context.output.table(TaskText.table(tasks))
    }
    return .done
  }

  private func show(
    _ words: [String], _ context: CommandContext
  ) async throws(HoldfastError) -> ExitCode {
    guard !words.isEmpty else { throw Self.missing("the id of a task") }
    let reader = try context.reader()
    let tasks = try reader.read { db in
      return try words.map { word in
        let task = try TaskRows.resolve(word, db)
        return TaskDocument(
          try TaskView.of(task, db), results: try ResultRow.all(of: task, db))
      }
    }
    if context.output.isJSON {
      try await context.output.document(Document(tasks: tasks))
      return .done
    }
    for task in tasks { try await context.output.page(TaskText.page(task)) }
    return .done
  }

  private func add(
    _ words: [String], _ context: CommandContext
  ) async throws(HoldfastError) -> ExitCode {
    guard words.count == 2 else { throw Self.missing("KIND and the id of a recording") }
    let kind = TaskKind(rawValue: words[0])
    let view = try await context.writing { store throws(HoldfastError) in
      let id = try await context.resolve(words[1], in: store)
      return try await store.host.write { writer throws(HoldfastError) in
        try writer.addTask(kind, on: id)
      }
    }
    if !view.isChanged {
      await context.output.remark("there is one already, and it is not settled")
    }
    return try await tell([TaskDocument(view)], context)
  }

  private func change(
    _ words: [String], _ context: CommandContext, _ action: TaskAction, _ done: String,
    _ not: String
  ) async throws(HoldfastError) -> ExitCode {
    guard !words.isEmpty else { throw Self.missing("the id of a task") }
    let views = try await context.writing { store throws(HoldfastError) in
      try await store.host.write { writer throws(HoldfastError) in
        try writer.change(tasks: words, action)
      }
    }
    let tasks = views.map { TaskDocument($0) }
    for (task, view) in zip(tasks, views) {
      await context.output.remark(
        "\(task.kind) \(task.id.prefix(8)) \(view.isChanged ? done : not)")
    }
    return try await tell(tasks, context)
  }

  private func choose(
    _ words: [String], _ context: CommandContext
  ) async throws(HoldfastError) -> ExitCode {
    guard words.count == 2 else { throw Self.missing("the id of a task, and of a result or auto,") }
    let result = words[1] == "auto" ? nil : words[1]
    let view = try await context.writing { store throws(HoldfastError) in
      try await store.host.write { writer throws(HoldfastError) in
        try writer.choose(result: result, of: words[0])
      }
    }
    if !view.isChanged { await context.output.remark("that was so before") }
    return try await tell([TaskDocument(view)], context)
  }

  private func tell(
    _ tasks: [TaskDocument], _ context: CommandContext
  ) async throws(HoldfastError) -> ExitCode {
    if context.output.isJSON {
      try await context.output.document(Document(tasks: tasks))
    } else {
      for task in tasks { try await context.output.line(task.id) }
    }
    return .done
  }

  private static func missing(_ what: String) -> HoldfastError {
    HoldfastError(.invalidArgument, "\(what) is missing", hint: "holdfast help tasks")
  }

  private static func tooMany(_ what: String) -> HoldfastError {
    HoldfastError(.invalidArgument, what, hint: "holdfast help tasks")
  }
}

extension TaskRow {
  /// Whether nobody need look at it any more.
  fileprivate var isQuiet: Bool { phase == .done || phase == .cancelled }
}
