import Foundation
import Testing

@Suite("The private copy of a reading command", .serialized)
struct PrivateCopyTests {
  @Test("has no name, so that nothing is left when the command is killed (J12)")
  func killed() throws {
    let place = try Place()
    _ = try place.audio("in.raw", frames: 200_000)
    // The launch dies, so that a reader shows what recovery would say on a copy.
    let script = """
      export TMPDIR=$PWD/tmp; mkdir tmp; mkfifo pipe acks; exec 3<>pipe 4<>acks
      holdfast record --acks --title Sekret --encoding s16le --rate 8000 --channels 1 \\
        <(cat in.raw; cat <&3) >&4 &
      for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do read -r line <&4; done
      kill -9 $!; wait $! 2>/dev/null
      id=$(holdfast list --ids | head -c 32)
      holdfast export $id --format raw -o - >&3 &
      reader=$!
      head -c 1 <&3 >/dev/null
      ls -A tmp; ls -l /proc/$reader/fd | grep -c deleted
      kill -9 $reader; wait $reader 2>/dev/null; ls -A tmp
      holdfast recover --dry-run >/dev/null; echo "recover $?"; ls -A tmp
      """
    let result = try place.script(script)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2 && lines.last == "recover 3", "\(result.output) \(result.error)")
  }
}
