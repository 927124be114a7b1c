/// Names of registers.
package enum RegisterField {
  /// Text.
  package static let title = "title"
  /// A ``PhaseValue``.
  package static let phase = "state"
  /// Milliseconds since 1970, overriding the time of creation for display.
  package static let recordedAt = "recordedAt"
  /// The pass that the user chose to see: its 32 bytes, or null for none (X1).
  package static let pass = "pass"
  /// The result of a task that the user chose among those of its kind: its 32 bytes, or null for
  /// none (T9).
  package static func result(of task: TaskID, kind: String) -> String {
    "result:\(task):\(kind)"
  }
  /// Prefix of attribute registers.
  package static let attributePrefix = "attr:"
}

extension RecordingState {
  /// The title, or "" when none was given.
  package var title: String { registers[RegisterField.title]?.value.text ?? "" }

  /// The phase with its cause; a recording without one is taken for stopped.
  package var phase: PhaseValue {
    PhaseValue(registers[RegisterField.phase]?.value)
      ?? PhaseValue(.stopped, reason: .stop, atMilliseconds: created?.startedMilliseconds ?? 0)
  }

  /// When it began: what the user said, else what the clock said. Milliseconds since 1970.
  package var startedMilliseconds: Int64 {
    registers[RegisterField.recordedAt]?.value.integer ?? created?.startedMilliseconds ?? 0
  }

  /// The pass that the user chose; nil leaves it to the passes themselves.
  package var chosenPass: PassID? {
    registers[RegisterField.pass]?.value.bytes.flatMap { PassID($0) }
  }

  /// The result of a task that the user chose among those of a kind; nil leaves it to the results.
  package func chosenResult(of task: TaskID, kind: String) -> Digest? {
    registers[RegisterField.result(of: task, kind: kind)]?.value.bytes.flatMap { Digest($0) }
  }

  /// Attributes by name; a removed one (null) is absent.
  package var attributes: [String: CanonicalValue] {
    var found: [String: CanonicalValue] = [:]
    for (field, register) in registers where field.hasPrefix(RegisterField.attributePrefix) {
      guard register.value != .null else { continue }
      found[String(field.dropFirst(RegisterField.attributePrefix.count))] = register.value
    }
    return found
  }

  /// Whether it lies in the trash (or is purged).
  package var isDeleted: Bool { isPurged || !life.isMultiple(of: 2) }
}
