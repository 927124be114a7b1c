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
    default:
      throw HoldfastError(
        .invalidArgument,
        "tasks \(context[Arguments.taskWords].first ?? ""): ls, show, add, retry, cancel or "
          + "release is needed", hint: "holdfast help tasks")
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
      return try rows.map { TaskDocument($0, after: try TaskRows.predecessors($0.key, db)) }
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
          task, after: try TaskRows.predecessors(task.key, db),
          results: try ResultRow.all(of: task, db))
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
    return try await tell([TaskDocument(view.task, after: view.after)], context)
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
    let tasks = views.map { TaskDocument($0.task, after: $0.after) }
    for (task, view) in zip(tasks, views) {
      await context.output.remark(
        "\(task.kind) \(task.id.prefix(8)) \(view.isChanged ? done : not)")
    }
    return try await tell(tasks, context)
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
