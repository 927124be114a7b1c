import Foundation
import HoldfastCommand
import HoldfastModel
import Testing

@Suite("Values of the command line")
struct ValueReaderTests {
  @Test("seconds are finite decimal numbers of 0 or more")
  func seconds() {
    let read = ValueReader.seconds.read
    #expect(read("0", .gmt) == 0)
    #expect(read("2.5", .gmt) == 2.5)
    #expect(read("1e3", .gmt) == 1000)
    for word in ["", "-1", "nan", "inf", "0x10", "1s", "1e999", "1e300", " 1", "١"] {
      #expect(read(word, .gmt) == nil, "\(word)")
    }
  }

  @Test("a chunk lasts more than nothing and at most an hour")
  func chunkSeconds() {
    let read = ValueReader.chunkSeconds.read
    #expect(read("0.02", .gmt) == 0.02)
    #expect(read("3600", .gmt) == 3600)
    #expect(read("0", .gmt) == nil)
    #expect(read("3600.1", .gmt) == nil)
  }

  @Test("a sample rate is what a codec configuration allows, fractions too")
  func rate() {
    let read = ValueReader.sampleRate.read
    #expect(read("44100", .gmt) == 44100)
    #expect(read("11025.5", .gmt) == 11025.5)
    #expect(read("4294967295", .gmt) == 4_294_967_295)
    #expect(read("0", .gmt) == nil)
    #expect(read("4294967296", .gmt) == nil)
  }

  @Test("whole numbers keep to their range")
  func whole() {
    let read = ValueReader.whole(1...65_535).read
    #expect(read("1", .gmt) == 1)
    #expect(read("65535", .gmt) == 65_535)
    for word in ["0", "65536", "1.0", "-1", "99999999999999999999", ""] {
      #expect(read(word, .gmt) == nil, "\(word)")
    }
  }

  @Test("an id is 4 to 32 hexadecimal digits and handed on in lower case")
  func ids() throws {
    let read = ValueReader.recording.read
    #expect(read("4F2A", .gmt) == "4f2a")
    #expect(read(String(repeating: "a", count: 32), .gmt)?.count == 32)
    for word in ["4f2", String(repeating: "a", count: 33), "4f2g", "", "４ｆ２ａ"] {
      #expect(read(word, .gmt) == nil, "\(word)")
    }
  }

  @Test("a path is not empty and has no NUL")
  func paths() {
    #expect(ValueReader.file.read("a b", .gmt) == "a b")
    #expect(ValueReader.file.read("", .gmt) == nil)
    #expect(ValueReader.directory.read("a\0b", .gmt) == nil)
  }

  @Test("a time is RFC 3339, or a day of the local calendar")
  func dates() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let read = ValueReader.date.read
    #expect(read("2026-11-30T09:15:00Z", berlin) == 1_796_030_100_000)
    #expect(read("2026-11-30", .gmt) == 1_795_996_800_000)
    #expect(read("2026-11-30", berlin) == 1_795_993_200_000)
    for word in ["", "yesterday", "2026-11-31", "2026-11-30T09:15:00", "2026-11-30T09:15Z"] {
      #expect(read(word, .gmt) == nil, "\(word)")
    }
  }

  @Test("a value that is refused names its owner and what it must be")
  func refused() {
    #expect(
      refusal("list", "--since", "yesterday")?.message
        == "--since must be a time as 2026-11-30T09:15:00Z or a day as 2026-11-30, not 'yesterday'")
    #expect(
      refusal("record", "--durability", "pace")?.message
        == "--durability must be one of power, paced, process, not 'pace'; did you mean paced?")
  }
}
