// swift-tools-version: 6.2
// The house as a diagram of one-way arrows: each target lists what it may import, and nothing else.
// The tidy test compares every `import` with this table.
import PackageDescription

/// Strict settings of every Swift target: no warning, unsafe construct or import goes unnoticed.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Tests keep the language mode and the warnings, and may use unsafe constructs freely.
let tests: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

/// C shims: as strict as the rest.
let shim: [CSetting] = [
  .define("_GNU_SOURCE"), .enableWarning("all"), .enableWarning("extra"),
  .treatAllWarnings(as: .error),
]

#if os(Linux)
  let cryptoTargets: [Target] = [
    // OpenSSL 3 (Debian: libssl-dev). Apple platforms use CryptoKit instead.
    .target(
      name: "CHoldfastCrypto", cSettings: shim,
      linkerSettings: [.linkedLibrary("crypto")])
  ]
  let cryptoDependency: [Target.Dependency] = ["CHoldfastCrypto"]
  let privacy: (excluded: [String], resources: [Resource]) = (["PrivacyInfo.xcprivacy"], [])
#else
  let cryptoTargets: [Target] = []
  let cryptoDependency: [Target.Dependency] = []
  let privacy: (excluded: [String], resources: [Resource]) = (
    [], [.copy("PrivacyInfo.xcprivacy")]
  )
#endif

let package = Package(
  name: "holdfast",
  platforms: [.iOS(.v17), .watchOS(.v10), .macOS(.v14)],
  products: [
    .library(name: "Holdfast", targets: ["Holdfast", "HoldfastApple"]),
    .executable(name: "holdfast", targets: ["HoldfastCommand"]),
  ],
  targets: cryptoTargets + [
    // Layer 0: the domain's words, pure.
    .target(name: "HoldfastModel", swiftSettings: strict),

    // Layer 1: leaves.
    .target(
      name: "HoldfastAudio", dependencies: ["HoldfastModel"], swiftSettings: strict,
      // Rounding and square roots of the standard library are calls of libm on Linux.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(
      name: "CHoldfastSQLite", cSettings: shim,
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "HoldfastSQLite", dependencies: ["CHoldfastSQLite"], swiftSettings: strict),
    .target(name: "CHoldfastPlatform", cSettings: shim),
    .target(
      name: "HoldfastPlatform",
      dependencies: ["HoldfastModel", "CHoldfastPlatform"] + cryptoDependency,
      swiftSettings: strict),
    .target(
      name: "HoldfastSchema", path: "schema",
      exclude: [
        "README.md", "m001_store.sql", "m002_transcripts.sql", "m003_tasks.sql", "m004_claims.sql",
      ],
      swiftSettings: strict),

    // Layer 2: the journal.
    .target(
      name: "HoldfastStore",
      dependencies: [
        "HoldfastModel", "HoldfastSQLite", "HoldfastSchema", "HoldfastPlatform", "HoldfastAudio",
      ],
      swiftSettings: strict),

    // Layer 2: deferred work.
    .target(
      name: "HoldfastTasks", dependencies: ["HoldfastModel", "HoldfastStore", "HoldfastPlatform"],
      swiftSettings: strict),

    // Layer 3: views.
    .target(
      name: "HoldfastInspect", dependencies: ["HoldfastModel", "HoldfastStore"],
      swiftSettings: strict),

    // Layer 4: the public face, and the test kit.
    .target(
      name: "Holdfast",
      dependencies: [
        "HoldfastModel", "HoldfastAudio", "HoldfastPlatform", "HoldfastSQLite", "HoldfastSchema",
        "HoldfastStore", "HoldfastTasks", "HoldfastInspect",
      ],
      exclude: privacy.excluded, resources: privacy.resources, swiftSettings: strict),
    // What touches Apple's frameworks, by the face alone; empty elsewhere.
    .target(name: "HoldfastApple", dependencies: ["Holdfast"], swiftSettings: strict),
    .target(
      name: "HoldfastTesting",
      dependencies: [
        "HoldfastModel", "HoldfastAudio", "HoldfastPlatform", "HoldfastSQLite", "HoldfastSchema",
        "HoldfastStore", "CHoldfastTesting",
      ],
      swiftSettings: strict),
    .target(
      name: "CHoldfastTesting", cSettings: shim,
      linkerSettings: [.linkedLibrary("sqlite3")]),

    // Layer 5: the command.
    .target(name: "CHoldfastTerminal", cSettings: shim),
    .executableTarget(
      name: "HoldfastCommand", dependencies: ["Holdfast", "HoldfastInspect", "CHoldfastTerminal"],
      swiftSettings: strict),

    // Measurements, run by tools/bench; neither shipped nor tested.
    .target(
      name: "CHoldfastBench", cSettings: shim, linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "HoldfastBench",
      dependencies: [
        "Holdfast", "HoldfastTesting", "HoldfastSQLite", "HoldfastPlatform", "CHoldfastBench",
      ],
      swiftSettings: strict),

    // Tests, a target a module.
    .testTarget(
      name: "HoldfastModelTests", dependencies: ["HoldfastModel", "HoldfastPlatform"],
      swiftSettings: tests),
    .testTarget(
      name: "HoldfastAudioTests",
      dependencies: ["HoldfastAudio", "HoldfastModel", "HoldfastPlatform"], swiftSettings: tests),
    .testTarget(
      name: "HoldfastSQLiteTests",
      dependencies: ["HoldfastSQLite", "CHoldfastSQLite"], swiftSettings: tests),
    .testTarget(
      name: "HoldfastPlatformTests", dependencies: ["HoldfastPlatform", "HoldfastModel"],
      exclude: ["Standins"], swiftSettings: tests),
    .testTarget(
      name: "HoldfastStoreTests",
      dependencies: [
        "HoldfastStore", "HoldfastTesting", "HoldfastModel", "HoldfastSQLite", "HoldfastPlatform",
        "HoldfastAudio",
      ], swiftSettings: tests),
    .testTarget(
      name: "HoldfastTasksTests",
      dependencies: ["HoldfastTasks", "HoldfastModel", "HoldfastPlatform"], swiftSettings: tests),
    .testTarget(
      name: "HoldfastInspectTests",
      dependencies: [
        "HoldfastInspect", "HoldfastStore", "HoldfastModel", "HoldfastTesting", "HoldfastPlatform",
      ], swiftSettings: tests),
    .testTarget(
      name: "HoldfastTestingTests",
      dependencies: [
        "HoldfastTesting", "HoldfastStore", "HoldfastTasks", "HoldfastModel", "HoldfastPlatform",
        "HoldfastSQLite",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "HoldfastTests", dependencies: ["Holdfast", "HoldfastTesting"], swiftSettings: tests),
    .testTarget(
      name: "CommandTests", dependencies: ["Holdfast", "HoldfastCommand", "HoldfastModel"],
      swiftSettings: tests),
    // Real processes of the command, really killed.
    .testTarget(
      name: "TortureTests", dependencies: ["Holdfast", "HoldfastCommand"], swiftSettings: tests),
    .testTarget(name: "TidyTests", swiftSettings: tests),
  ]
)

// SwiftPM builds a target anew when a module that it names changes. What a target sees through an
// `@_exported` import, or as a part of another module's struct, must count too: else a build that
// is not clean keeps the old layout of a struct, and the program crashes. So each target names all
// that it reaches; what it may import stays as it is written above, by the tidy test.
let named = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0.dependencies) })
for target in package.targets {
  var names: Set<String> = []
  var open = target.dependencies
  while let next = open.popLast() {
    guard case .byNameItem(let name, _) = next, names.insert(name).inserted else { continue }
    open += named[name] ?? []
  }
  target.dependencies = names.sorted().map { .byNameItem(name: $0, condition: nil) }
}
