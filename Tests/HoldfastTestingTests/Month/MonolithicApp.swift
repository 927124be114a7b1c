import HoldfastTesting

/// The design that lost recordings: after the stop one piece of work transcribes all of it, then
/// summarizes; it is saved at its end, and nothing goes on with it in another process. The grace
/// time is not asked for; progress is told while it transcribes, as the recognizer tells it.
actor MonolithicApp: PhoneApp {
  static let usesWindows = false

  private struct Job {
    var number: UInt32
    var transcribe: Double
    var summarize = MonthWork.summary
  }

  private let phone: SimulatedPhone
  private let log: MonthLog
  private var jobs: [Job] = []
  private var count: UInt32 = 0
  private var began: Double?

  init(_ phone: SimulatedPhone, _ log: MonthLog) {
    self.phone = phone
    self.log = log
  }

  func launch() {}
  func resume() {}
  func suspend() {}
  func heard() {}
  func hasWork() -> Bool { !jobs.isEmpty }

  func beginRecording() {
    count += 1
    began = phone.now
  }

  func endRecording() {
    guard let began else { return }
    jobs.append(Job(number: count, transcribe: (phone.now - began) / MonthWork.transcribed))
    log.stopped(count, at: phone.now)
    self.began = nil
  }

  func died() {
    if began != nil { log.stopped(count, at: phone.now) }
    began = nil
    jobs = []
  }

  func work() {
    if !jobs.isEmpty { _ = phone.submitTask() }
    while var job = jobs.first {
      while job.transcribe > 0 {
        let piece = min(job.transcribe, 1)
        let left = phone.spend(piece, on: .neuralEngine)
        job.transcribe -= piece - left
        jobs[0] = job
        if left > 0 { return }
        phone.progressed()
      }
      job.summarize = phone.spend(job.summarize, on: .processor)
      jobs[0] = job
      if job.summarize > 0 { return }
      log.transcript(job.number, at: phone.now)
      log.summary(job.number, at: phone.now)
      jobs.removeFirst()
    }
    phone.finishTask()
  }
}
