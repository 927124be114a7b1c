// The continued tasks of iOS 26. Apple platforms only; here they are type-checked against
// stand-ins. Last built with an Apple SDK: never.
#if canImport(BackgroundTasks) && !os(macOS) && !os(watchOS) && !os(tvOS) && !os(visionOS)
  public import BackgroundTasks
  public import Holdfast

  @available(iOS 26.0, *)
  extension BGContinuedProcessingTask: ContinuedTask {}

  extension WorkRunner {
    /// The closure for `BGTaskScheduler.register`: it takes a continued task over. It is made here,
    /// where no actor is, for the reason that ``TakeWriter/tapBlock`` gives. A task of another kind
    /// is given back as not done.
    public var launchHandler: @Sendable (BGTask) -> Void {
      { [self] task in
        guard #available(iOS 26.0, *), let continued = task as? BGContinuedProcessingTask else {
          return task.setTaskCompleted(success: false)
        }
        // The system gives the task to this closure alone.
        nonisolated(unsafe) let ours = continued
        unsafe adopt(ours)
      }
    }
  }
#endif
