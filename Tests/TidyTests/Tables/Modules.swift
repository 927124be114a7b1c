/// What a module may import: the packages's own modules, and those of the platform.
struct ModuleRow {
  var modules: Set<String>
  var platform: Set<String> = []
}

/// The house, as in the table of section 3 of the design: arrows point down only.
let house: [String: ModuleRow] = [
  // Layer 0.
  "HoldfastModel": ModuleRow(modules: []),
  // Layer 1.
  "HoldfastAudio": ModuleRow(modules: ["HoldfastModel"]),
  "HoldfastPlatform": ModuleRow(
    modules: ["HoldfastModel", "CHoldfastPlatform", "CHoldfastCrypto"],
    platform: ["Glibc", "Darwin", "CryptoKit", "Security"]),
  "HoldfastSQLite": ModuleRow(modules: ["CHoldfastSQLite"]),
  "HoldfastSchema": ModuleRow(modules: []),
  // Layer 2.
  "HoldfastStore": ModuleRow(modules: [
    "HoldfastModel", "HoldfastSQLite", "HoldfastSchema", "HoldfastPlatform", "HoldfastAudio",
  ]),
  "HoldfastTasks": ModuleRow(modules: ["HoldfastModel", "HoldfastStore", "HoldfastPlatform"]),
  // Layer 3.
  "HoldfastInspect": ModuleRow(modules: ["HoldfastModel", "HoldfastStore"]),
  // Layer 4.
  "Holdfast": ModuleRow(
    modules: [
      "HoldfastModel", "HoldfastAudio", "HoldfastPlatform", "HoldfastSQLite", "HoldfastSchema",
      "HoldfastStore", "HoldfastTasks", "HoldfastInspect",
    ], platform: ["Foundation"]),
  "HoldfastTesting": ModuleRow(modules: [
    "HoldfastModel", "HoldfastAudio", "HoldfastPlatform", "HoldfastSQLite", "HoldfastSchema",
    "HoldfastStore", "HoldfastInspect", "CHoldfastTesting",
  ]),
  "HoldfastApple": ModuleRow(
    modules: ["Holdfast"],
    platform: [
      "Foundation", "AVFAudio", "BackgroundTasks", "CoreAudioTypes", "UIKit", "WatchKit",
    ]),
  // Layer 5.
  "HoldfastCommand": ModuleRow(
    modules: ["Holdfast", "HoldfastInspect", "CHoldfastTerminal"], platform: ["Foundation"]),
  // Beside the house: measurements, never shipped.
  "HoldfastBench": ModuleRow(
    modules: [
      "Holdfast", "HoldfastTesting", "HoldfastSQLite", "HoldfastPlatform", "CHoldfastBench",
    ], platform: ["Foundation"]),
]

/// What every test target may import besides the modules that the manifest gives it.
let importsOfTests: Set = ["Testing", "Foundation", "Glibc", "Darwin"]

/// The one module that re-exports others, in one file.
let reexporter = "Holdfast"

/// The modules that may use Foundation; the rest are engines, without ambient clock, files or
/// processes.
let modulesWithFoundation: Set = [
  "Holdfast", "HoldfastApple", "HoldfastCommand", "HoldfastBench",
]

/// Where unsafe constructs may stand: the leaves that wrap C, and single files, each with its
/// reason.
let placesOfUnsafe = [
  "Sources/HoldfastPlatform/",
  "Sources/HoldfastSQLite/",
  // The VFS hands SQLite's pointers through.
  "Sources/HoldfastTesting/Disk/",
  // The caller's audio buffer is copied into the ring without an allocation.
  "Sources/HoldfastStore/Capture/TakeWriter.swift",
  "Sources/Holdfast/Capture/TakeWriter.swift",
  // Audio buffers and tasks of the system are handed through.
  "Sources/HoldfastApple/",
  // The floors are C.
  "Sources/HoldfastBench/",
  // Starting programs takes C strings.
  "Sources/HoldfastCommand/Handlers/ChildCalls.swift",
  // An actor names its own thread by an unowned reference.
  "Sources/Holdfast/Store/StoreHost.swift",
]

/// Files that may end the process, each with its reason.
let placesOfFatalError: [String] = []

/// What stands directly under the root; names that begin with a dot are free.
let topLevel: Set = ["Package.swift", "README.md", "Sources", "Tests", "schema", "tools"]
