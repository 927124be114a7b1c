import Foundation
import Testing

/// The files marked "Apple platforms only" are never compiled here. They are type-checked, with
/// this module's strict settings, against the declarations in `Standins`.
@Suite struct AppleVariantsTests {
  let directory: TemporaryDirectory
  /// The root of the package.
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  var standins: String { root + "/Tests/HoldfastPlatformTests/Standins" }

  init() throws { directory = try TemporaryDirectory() }

  static let strict = """
    -swift-version 6 -package-name holdfast -strict-memory-safety -warnings-as-errors \
    -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature ExistentialAny
    """

  @Test func theSwiftFilesTypeCheckWhereDarwinCryptoKitAndSecurityCanBeImported() throws {
    for name in ["Darwin", "CryptoKit", "Security"] {
      try run(
        """
        swiftc -emit-module -parse-as-library -module-name \(name) -suppress-warnings \
        -enable-upcoming-feature InternalImportsByDefault \
        '\(standins)/\(name).swift' -o '\(directory[name + ".swiftmodule"])'
        """)
    }
    try run(
      """
      swiftc -emit-module -module-name HoldfastModel \(Self.strict) \
      $(find '\(root)/Sources/HoldfastModel' -name '*.swift') \
      -o '\(directory["HoldfastModel.swiftmodule"])'
      """)
    let header = "\(root)/Sources/CHoldfastPlatform/include/CHoldfastPlatform.h"
    try "module CHoldfastPlatform { header \"\(header)\" export * }".write(
      toFile: directory["module.modulemap"], atomically: true, encoding: .utf8)
    try run(
      """
      swiftc -typecheck -module-name HoldfastPlatform \(Self.strict) -I '\(directory.path)' \
      $(find '\(root)/Sources/HoldfastPlatform' -name '*.swift')
      """)
  }

  @Test(arguments: ["apple", "atomics", "files", "signals", "threads"])
  func theCFilesTypeCheckForApple(name: String) throws {
    try run(
      """
      clang -fsyntax-only -Wall -Wextra -Werror -U__linux__ -D__APPLE__ \
      -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L -include '\(standins)/include/apple.h' \
      -I '\(standins)/include' -I '\(root)/Sources/CHoldfastPlatform/include' \
      '\(root)/Sources/CHoldfastPlatform/\(name).c'
      """)
  }

  private func run(_ line: String) throws {
    let (code, output) = try Command.run(line)
    #expect(code == 0, "\(output)")
  }
}
