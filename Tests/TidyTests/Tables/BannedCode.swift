/// Code that a reviewer would send back, wherever it stands in what is shipped.
struct BannedCode {
  /// Words and symbols, separated by blanks.
  var pattern: String
  /// What to do instead, and why.
  var remedy: String
  /// Whether the file at a path may use it all the same.
  var isAllowed: @Sendable (SourceFile) -> Bool = { _ in false }

  var parts: [Substring] { pattern.split(separator: " ") }
}

private let newer = "is newer than iOS 17, watchOS 10 and macOS 14; "

let bannedCode = [
  BannedCode(pattern: "Synchronization", remedy: newer + "use the lock of HoldfastPlatform"),
  BannedCode(pattern: "Mutex <", remedy: newer + "use the lock of HoldfastPlatform"),
  BannedCode(pattern: "Atomic <", remedy: newer + "use the atomics of CHoldfastPlatform"),
  BannedCode(pattern: "InlineArray", remedy: newer + "use an array"),
  BannedCode(pattern: "AsyncSequence <", remedy: newer + "give a concrete type"),
  BannedCode(
    pattern: "TaskExecutor", remedy: newer + "only the simulated world may use it",
    isAllowed: { $0.module == "HoldfastTesting" }),
  BannedCode(pattern: "try !", remedy: "throw the error on, or handle it"),
  BannedCode(pattern: "as !", remedy: "cast with `as?` and handle the other case"),
  BannedCode(
    pattern: "fatalError (", remedy: "throw; a true programming error is named in Modules.swift",
    isAllowed: { placesOfFatalError.contains($0.path) }),
  BannedCode(
    pattern: "print (", remedy: "only the command writes to standard output",
    isAllowed: { ["HoldfastCommand", "HoldfastBench"].contains($0.module ?? "") }),
  BannedCode(
    pattern: "Date ( )", remedy: "ask the injected clock",
    isAllowed: { $0.module == "HoldfastBench" }),
  BannedCode(pattern: "Task . sleep", remedy: "wait on the injected clock"),
  BannedCode(
    pattern: "DispatchQueue", remedy: "use an actor, or a thread of HoldfastPlatform",
    isAllowed: { $0.module == "HoldfastCommand" }),
  BannedCode(
    pattern: "ProcessInfo", remedy: "an engine asks its seams, not the process",
    isAllowed: { modulesWithFoundation.contains($0.module ?? "") }),
  BannedCode(
    pattern: "FileManager", remedy: "an engine reaches files through the FileSystem seam",
    isAllowed: { modulesWithFoundation.contains($0.module ?? "") }),
  BannedCode(pattern: "SystemRandomNumberGenerator", remedy: "take a RandomSource"),
  BannedCode(pattern: ". random (", remedy: "take a RandomSource"),
  BannedCode(pattern: ". randomElement (", remedy: "take a RandomSource"),
  BannedCode(
    pattern: "UUID ( )", remedy: "make an Identifier from a RandomSource",
    isAllowed: { $0.module == "HoldfastBench" }),
]
