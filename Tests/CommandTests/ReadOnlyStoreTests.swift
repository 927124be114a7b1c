import Foundation
import Testing

/// Stores on media and in directories that may only be read: an archive disk, a rescue system, the
/// store of another user.
@Suite("A store that may only be read", .serialized)
struct ReadOnlyStoreTests {
  /// What lies beside the database.
  enum Log: String, CaseIterable {
    /// The last process ended cleanly.
    case settled
    /// The last process was killed; log and index are there.
    case whole
    /// … and the index is not, as after a copy of the files.
    case withoutIndex
    /// … nor is the log: what is in the database alone.
    case withoutLog
  }

  /// Commands that only read: those whose whole answer is compared, and the rest.
  private static let compared = """
    list --json
    show $id --json
    export $id -o -
    dump
    """
  private static let others = """
    launches --json
    verify
    inspect --json
    bundle -o -
    space
    recover --dry-run
    archive -o $out/archive
    backup -o $out/backup
    rebuild -o $out/rebuilt
    """

  /// Root may write everything, so the commands run as somebody else then.
  private static let nobody =
    geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
  private static let isSomebodyElse = geteuid() != 0 || Binary.has("setpriv")
  private static let mayMount: Bool = {
    let result = try? Binary.run(
      script: "unshare -m sh -c 'mount -t tmpfs none /mnt && mount -o remount,ro /mnt'")
    return result?.status == 0
  }()

  private func make(_ log: Log, in place: Place) throws -> String {
    let id = try place.recorded()
    guard log != .settled else { return id }
    let killed = try place.script(
      """
      exec 3< <(holdfast record --realtime --acks --chunk-seconds 0.1 --title Two \\
        --encoding s16le --rate 8000 --channels 1 in.raw)
      pid=$!
      for _ in 1 2 3; do read -r line <&3; done
      kill -9 $pid; wait $pid
      """)
    #expect(killed.error.isEmpty)
    let names: [String] =
      switch log {
      case .withoutIndex: ["-shm"]
      case .withoutLog: ["-shm", "-wal"]
      default: []
      }
    for name in names {
      try FileManager.default.removeItem(atPath: place.store + "/store.sqlite" + name)
    }
    return id
  }

  /// A script that runs commands on a store: what those to be compared say, of the others the code.
  private func look(_ commands: String, _ id: String, _ user: String, store: String) -> String {
    """
    export HOLDFAST_STORE='\(store)' id=\(id)
    out=$(mktemp -d); [ -z '\(user)' ] || chown 65534 $out
    while read -r line; do
      eval "set -- $line"
      \(user) ./holdfast "$@" >$out/said 2>&1 </dev/null
      echo "$1 $?"
      case $1 in list|show|export|dump) sed "s|$HOLDFAST_STORE|STORE|" $out/said ;; esac
    done <<'END'
    \(commands)
    END
    rm -rf $out
    """
  }

  /// The program where anybody may run it.
  private func shareProgram(_ place: Place) throws {
    // By a process of its own: a descriptor that this one writes by could be inherited meanwhile.
    _ = try place.script("cp '\(Binary.url.path)' holdfast")
    chmod(place.path("holdfast"), 0o755)
    chmod(place.root.path, 0o755)
  }

  @Test(
    "is read by its rights alone, and says the same as one that may be written (J12)",
    .enabled(if: isSomebodyElse), arguments: Log.allCases)
  func rights(log: Log) throws {
    let place = try Place()
    let id = try make(log, in: place)
    try shareProgram(place)
    #expect(try place.script("cp -a store other; chmod -R a+rX,a-w store").status == 0)
    let expected = try place.script(look(Self.compared, id, "", store: place.path("other")))
    let found = try place.script(look(Self.compared, id, Self.nobody, store: place.store))
    #expect(found.output == expected.output)
    #expect(found.output.contains("list 0") && found.output.contains("export 0"))
    let rest = try place.script(look(Self.others, id, Self.nobody, store: place.store)).output
    let codes = rest.split(separator: "\n")
    #expect(codes.count == 9)
    // Where the last launch was killed, `recover` tells a loss; without the log, `verify` does too.
    let isLoss = ["verify 3", "recover 3", "rebuild 3"]
    for code in codes { #expect(code.hasSuffix(" 0") || isLoss.contains(String(code))) }
    #expect(codes.contains("recover 0") == (log == .settled))
  }

  @Test(
    "is read on a file system that is mounted read-only, and is not written there",
    .enabled(if: mayMount), arguments: [Log.whole, .withoutIndex])
  func mount(log: Log) throws {
    let place = try Place()
    let id = try make(log, in: place)
    try shareProgram(place)
    #expect(try place.script("cp -a store other; mkdir mounted").status == 0)
    let expected = try place.script(look(Self.compared, id, "", store: place.path("other")))
    try look(Self.compared, id, "", store: place.path("mounted"))
      .write(toFile: place.path("look"), atomically: true, encoding: .utf8)
    let mounting = "mount --bind store mounted && mount -o remount,ro,bind mounted && "
    let found = try place.script("unshare -m bash -c '\(mounting) bash look'")
    #expect(found.output == expected.output)
    let write = try place.script(
      "unshare -m bash -c '\(mounting) ./holdfast record --store mounted --encoding s16le "
        + "--rate 8000 --channels 1 in.raw'")
    #expect(write.status == 4)
    #expect(write.error.contains("mounted/writer.lock: Read-only file system"))
    #expect(write.error.contains("mounted read-only") && !write.error.contains("Unlock"))
  }

  @Test("a writer is told which right is missing where", .enabled(if: isSomebodyElse))
  func writing() throws {
    let place = try Place()
    _ = try place.recorded()
    try shareProgram(place)
    func refused(_ mode: String) throws -> String {
      let result = try place.script(
        """
        chmod -R \(mode) store
        \(Self.nobody) ./holdfast record --encoding s16le --rate 8000 --channels 1 in.raw
        """)
      #expect(result.status == 4, "\(mode)")
      #expect(!result.error.contains("Unlock"))
      return result.error
    }
    #expect(try refused("a+rX,a-w").contains("Cannot write \(place.store)/writer.lock: Permission"))
    #expect(try refused("a-x+X,go-rwx").contains("right to enter it"))
  }
}
