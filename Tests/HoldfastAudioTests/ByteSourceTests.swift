import HoldfastAudio
import HoldfastModel
import Testing

/// The seam to files: faults come through, sizes are not trusted, memory is bounded.
@Suite struct ByteSourceTests {
  /// A file in memory that can fail, and that notes the largest read.
  final class TestFile: OpenFile, @unchecked Sendable {
    let path = "/audio/test.wav"
    var bytes: [UInt8]
    var fault: FileFault?
    var largestRead: Int64 = 0
    var hidden = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func size() throws(FileFault) -> UInt64 { UInt64(bytes.count) }
    func read(at offset: UInt64, count: Int64) throws(FileFault) -> [UInt8] {
      if let fault { throw fault }
      largestRead = max(largestRead, count)
      let rest = bytes.dropLast(hidden).dropFirst(Int(offset))
      return Array(rest.prefix(Int(count)))
    }
    func read(at offset: UInt64, into buffer: inout [UInt8]) throws(FileFault) -> Int64 { 0 }
    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(FileFault) {}
    func sync() throws(FileFault) {}
    func truncate(to size: UInt64) throws(FileFault) {}
    func allocate(_ size: UInt64) throws(FileFault) {}
    func tryLock(exclusive: Bool) throws(FileFault) -> Bool { true }
    func unlock() {}
    func close() {}
  }

  /// A source that can only be read forward.
  struct Forward: ByteSource {
    var byteCount: UInt64? { nil }
    func read(at offset: UInt64, count: Int64) throws(AudioError) -> [UInt8] { [] }
  }

  /// A source of zeros that claims to be larger than any file.
  struct Endless: ByteSource {
    var head: [UInt8]
    var byteCount: UInt64? { .max }
    func read(at offset: UInt64, count: Int64) throws(AudioError) -> [UInt8] {
      (0..<count).map { index in
        let place = offset + UInt64(index)
        return place < UInt64(head.count) ? head[Int(place)] : 0
      }
    }
  }

  private func wave() -> [UInt8] {
    WAVBuilder(audio: Array(repeating: 3, count: 300_000)).bytes
  }

  @Test("An open file is probed with small reads")
  func openFile() throws {
    let file = TestFile(wave())
    let info = try AudioFile.probe(FileByteSource(file), name: "test.wav")
    #expect(info.frames == 150_000)
    #expect(file.largestRead <= 65_536)
  }

  @Test("A fault of the file comes through as it is")
  func fault() throws {
    let file = TestFile(wave())
    let source = try FileByteSource(file)
    let fault = FileFault(
      kind: .medium, operation: "read", path: file.path, errno: 5, reason: "Input/output error")
    file.fault = fault
    do throws(AudioError) {
      _ = try AudioFile.probe(source, name: "test.wav")
      Issue.record("no error")
    } catch {
      #expect(error.code == .source)
      #expect(error.fault == fault)
      #expect(error.message == "cannot read /audio/test.wav: Input/output error")
    }
  }

  @Test("A file that becomes shorter while it is read is a fault, not an end")
  func shorter() throws {
    let file = TestFile(wave())
    let source = try FileByteSource(file)
    file.hidden = file.bytes.count - 20
    do throws(AudioError) {
      _ = try AudioFile.probe(source, name: "test.wav")
      Issue.record("no error")
    } catch {
      #expect(error.code == .source)
    }
  }

  @Test("What can only be read forward is refused here")
  func forward() {
    #expect(throws: AudioError.self) { try AudioFile.probe(Forward(), name: "pipe") }
  }

  @Test("Sources of impossible size are handled without overflow")
  func endless() throws {
    let wave = WAVBuilder(declared: 0xFFFF_FFFF).header
    let info = try AudioFile.probe(Endless(head: wave), name: "endless")
    #expect(info.dataLength == (UInt64(Int64.max) - 44) / 2 * 2)
    var caf = CAFBuilder(codec: "ima4", packetLength: 1, packetFrames: 0xFFFF_FFFF)
    caf.declared = -1
    #expect(try AudioFile.probe(Endless(head: caf.bytes), name: "endless").frames == .max)
  }

  @Test("Raw samples are whole frames of the declared format")
  func raw() throws {
    let format = try #require(AudioFormat(pcm: .s24le, sampleRate: 44_100, channels: 2))
    let source = ArrayByteSource(Array(repeating: 1, count: 100))
    let info = try AudioFile.raw(source, format: format, name: "x.raw")
    #expect(info.frames == 16)
    #expect(info.dataLength == 96)
    #expect(info.unusedTail == 4)
    #expect(info.codes == ["partialFrame"])
    let codec = AudioFormat(
      encoding: .aac, sampleRate: 44_100, channels: 2, bytesPerFrame: 0, framesPerPacket: 1_024)
    #expect(throws: AudioError.self) { try AudioFile.raw(source, format: codec, name: "x.raw") }
  }
}
