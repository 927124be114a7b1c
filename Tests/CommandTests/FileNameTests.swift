import Foundation
import Testing

@Suite("Names of files that are no UTF-8", .serialized)
struct FileNameTests {
  @Test("are taken in, written and looked into as any other")
  func taken() throws {
    let place = try Place()
    _ = try place.wave("in.wav", frames: 8_000)
    let script = #"""
      cp in.wav $'caf\xe9.wav'; mkdir $'dir\xff'
      tail -c 8000 in.wav > half; (head -c 44 in.wav; cat half) > $'dir\xff/\xfe.wav'
      holdfast probe $'caf\xe9.wav' || exit 11
      id=$(holdfast record -q $'caf\xe9.wav') || exit 12
      holdfast import $'caf\xe9.wav' --json || exit 13
      holdfast adopt $'dir\xff' || exit 14
      holdfast export $id -q -o $'out\xfd.wav' || exit 15
      holdfast export $id -q -o $'out\xfd.wav' 2>&1 && exit 16
      cmp in.wav $'out\xfd.wav' || exit 17
      holdfast probe $'not\xe9.wav' 2>&1
      holdfast list --json
      """#
    let result = try place.script(script)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains(#"caf\xE9.wav: wav"#))
    #expect(result.output.contains(#""file":"caf\\xE9.wav""#))
    #expect(result.output.contains(#"dir\xFF/\xFE.wav: imported"#))
    #expect(result.output.contains(#"out\xFD.wav is there already"#))
    #expect(result.output.contains(#"not\xE9.wav is not there"#))
    #expect(result.output.contains("\"title\":\"\u{FFFD}\""))
  }

  @Test("text and directories of stores must be UTF-8; what is not is refused, not repaired")
  func refused() throws {
    let place = try Place()
    _ = try place.wave("in.wav", frames: 800)
    let script = #"""
      holdfast record -q --title $'caf\xe9' in.wav; echo "$?"
      holdfast list --store $'s\xff'; echo "$?"
      HOLDFAST_STORE=$'s\xff' holdfast record -q in.wav; echo "$?"
      ls
      """#
    let result = try place.script(script)
    #expect(result.output == "2\n2\n2\nin.wav\n")
    #expect(result.error.contains(#"--title must be UTF-8, and 'caf\xE9' is not"#))
    #expect(result.error.contains(#"--store must be UTF-8"#))
    #expect(result.error.contains("HOLDFAST_STORE must be UTF-8"))
  }
}
