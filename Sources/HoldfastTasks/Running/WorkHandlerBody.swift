package import HoldfastModel
package import HoldfastStore

/// A handler as the engine runs it: what it declares, and what it does with a unit.
package struct WorkHandlerBody: Sendable {
  package var traits: HandlerTraits
  /// Whether what it gives is a transcript: then silence is an answer too.
  package var makesPass: Bool
  /// A stream is called once for the whole recording and saves parts as it goes; it runs beside
  /// other work.
  package var isStream: Bool
  /// Does one unit. Cancelled when its time is over; what it answers later is a late result.
  package var run: @Sendable (WorkCall) async -> WorkAnswer

  package init(
    _ traits: HandlerTraits, makesPass: Bool = false, isStream: Bool = false,
    run: @escaping @Sendable (WorkCall) async -> WorkAnswer
  ) {
    self.traits = traits
    self.makesPass = makesPass
    self.isStream = isStream
    self.run = run
  }

  var stamp: HandlerStamp { HandlerStamp(version: traits.version, quality: traits.quality) }
}

/// What a handler is given for one unit.
package struct WorkCall: Sendable {
  package var order: WorkOrder
  package var unit: PlannedUnit
  /// By the monotonic clock, nanoseconds; nil without one.
  package var deadlineNanoseconds: Int64?
  /// Takes a fraction of the unit that is done, 0…1. From any thread, as often as one likes.
  package var report: @Sendable (Double) -> Void
  /// Commits a part of the unit with its checkpoint; answers when it is durable.
  ///
  /// - Throws: `interrupted` when the unit is over for the engine: nothing was taken.
  package var save: @Sendable (WorkPart) async throws(HoldfastError) -> Void
}

/// A part of a unit that need not be done again.
package struct WorkPart: Sendable {
  package var segments: [SpokenSegment]
  package var checkpoint: [UInt8]?
  /// Recording time through which everything is in it, seconds; nil: the end of its last segment.
  package var throughSeconds: Double?

  package init(
    segments: [SpokenSegment], checkpoint: [UInt8]? = nil, throughSeconds: Double? = nil
  ) {
    self.segments = segments
    self.checkpoint = checkpoint
    self.throughSeconds = throughSeconds
  }
}

/// What a handler answers.
package enum WorkAnswer: Sendable {
  /// The unit is done.
  case output(segments: [SpokenSegment], checkpoint: [UInt8]?, artefacts: [Artefact])
  /// It is not; nothing of it is kept but the parts that were saved.
  case failed(FailureClass, cause: String, afterMilliseconds: Int64?)
}
