package import HoldfastModel
package import HoldfastSQLite

/// What keeps a whole kind of work from running on this device.
package struct KindObstacle: Hashable, Sendable {
  /// Why, and what ends it, as people read them.
  package var cause, wake: String

  package init(cause: String, wake: String) {
    self.cause = cause
    self.wake = wake
  }
}

/// Kinds of work that do not run on this device now, as a runner said last (S8).
///
/// They are kept once for a kind, not with each task: what is written does not grow with the queue,
/// and a task needs no note to be looked at again. The last runner's word counts: what it does not
/// handle is parked.
package struct KindObstacles: Hashable, Sendable {
  /// By kind; a kind without one may run.
  package var all: [TaskKind: KindObstacle]

  package init(_ all: [TaskKind: KindObstacle] = [:]) { self.all = all }

  private static let setting = "kindObstacles"

  /// What was said last; what cannot be read is nothing.
  package static func read(_ db: borrowing Connection) throws -> KindObstacles {
    guard let bytes = try Settings.blob(setting, db),
      let rows = try? CanonicalDecoder.decode(bytes).array
    else { return KindObstacles() }
    var found = KindObstacles()
    for row in rows {
      guard let parts = row.array, parts.count == 3, let kind = parts[0].text,
        let cause = parts[1].text, let wake = parts[2].text
      else { continue }
      found.all[TaskKind(rawValue: kind)] = KindObstacle(cause: cause, wake: wake)
    }
    return found
  }

  func store(_ db: borrowing Connection) throws {
    guard !all.isEmpty else { return try Settings.remove(Self.setting, db) }
    let rows = all.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      CanonicalValue.array([.text($0.key.rawValue), .text($0.value.cause), .text($0.value.wake)])
    }
    try Settings.set(Self.setting, .blob(CanonicalEncoder.encode(.array(rows))), db)
  }
}

extension WorkSearch {
  /// The runner's word on its kinds where it is another one than is written down.
  func news(_ db: borrowing Connection) throws -> KindObstacles? {
    guard let obstacles else { return nil }
    return try KindObstacles.read(db) == obstacles ? nil : obstacles
  }
}
