import HoldfastAudio

/// Writes WAV files in all the ways that are found in the world, right and wrong.
struct WAVBuilder {
  /// A kind of samples: WAVE number, bits, and the name that is expected for it.
  struct Kind: Sendable, CustomStringConvertible {
    var tag: UInt64
    var bits: UInt64
    var encoding: String
    var description: String { encoding }
    var bytes: Int { Int(bits / 8) }

    static let all = [
      Kind(tag: 1, bits: 8, encoding: "u8"), Kind(tag: 1, bits: 16, encoding: "s16le"),
      Kind(tag: 1, bits: 24, encoding: "s24le"), Kind(tag: 1, bits: 32, encoding: "s32le"),
      Kind(tag: 3, bits: 32, encoding: "f32le"), Kind(tag: 3, bits: 64, encoding: "f64le"),
      Kind(tag: 6, bits: 8, encoding: "alaw"), Kind(tag: 7, bits: 8, encoding: "mulaw"),
    ]
  }

  /// One chunk beside the audio.
  struct Chunk {
    var id: String
    var body: [UInt8]
    var isPadded = true
    var bytes: [UInt8] {
      let pad: [UInt8] = body.count % 2 == 1 && isPadded ? [0] : []
      return .text(id) + .little(UInt64(body.count), 4) + body + pad
    }
  }

  var kind = Kind.all[1]
  var channels: UInt64 = 1
  var rate: UInt64 = 16_000
  /// 14, 16, 18 or 40 bytes, or more.
  var formatLength = 16
  var validBits: UInt64?
  var mask: UInt64 = 0
  var blockAlign: UInt64?
  var byteRate: UInt64?
  var bits: UInt64?
  var head = "RIFF"
  /// What stands in front of `fmt `, between it and `data`, and behind.
  var first: [Chunk] = []
  var middle: [Chunk] = []
  var last: [Chunk] = []
  var audio: [UInt8] = []
  /// The data size as declared; nil is the true one.
  var declared: UInt64?
  /// The file size as declared; nil is the true one.
  var riffSize: UInt64?
  /// The 64-bit sizes as declared; nil writes no `ds64`.
  var ds64: (riff: UInt64, data: UInt64)?
  var padsAudio = true

  var frameBytes: Int { kind.bytes * Int(channels) }

  var formatBody: [UInt8] {
    let block = blockAlign ?? UInt64(frameBytes)
    let isExtended = formatLength >= 40
    var body: [UInt8] =
      .little(isExtended ? 0xFFFE : kind.tag, 2) + .little(channels, 2) + .little(rate, 4)
      + .little(byteRate ?? rate * UInt64(frameBytes), 4) + .little(block, 2)
      + .little(bits ?? kind.bits, 2)
    if isExtended {
      let guid: [UInt8] = [
        0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
      ]
      body += .little(22, 2) + .little(validBits ?? kind.bits, 2) + .little(mask, 4)
      body += .little(kind.tag, 2) + guid
    }
    while body.count < formatLength { body.append(0) }
    return Array(body.prefix(formatLength))
  }

  /// Everything up to the first byte of audio.
  var header: [UInt8] { file.head }

  var bytes: [UInt8] { file.head + file.rest }

  private var file: (head: [UInt8], rest: [UInt8]) {
    var body: [UInt8] = .text("WAVE")
    if let ds64 {
      let chunk = Chunk(
        id: "ds64",
        body: .little(ds64.riff, 8) + .little(ds64.data, 8) + .little(0, 8) + .little(0, 4))
      body += chunk.bytes
    }
    for chunk in first { body += chunk.bytes }
    body += Chunk(id: "fmt ", body: formatBody).bytes
    for chunk in middle { body += chunk.bytes }
    body += .text("data") + .little(declared ?? UInt64(audio.count), 4)
    var rest = audio
    if audio.count % 2 == 1 && padsAudio { rest.append(0) }
    for chunk in last { rest += chunk.bytes }
    let size = riffSize ?? UInt64(body.count + rest.count)
    return (.text(head) + .little(size, 4) + body, rest)
  }
}

extension AudioFileInfo {
  /// The codes of the oddities, sorted, each once.
  var codes: [String] { Array(Set(oddities.map(\.code.rawValue))).sorted() }

  /// The bytes that are used.
  func audio(of bytes: [UInt8]) -> [UInt8] {
    Array(bytes[Int(dataOffset)..<Int(dataOffset + dataLength)])
  }
}

/// Probes bytes in memory.
func probe(_ bytes: [UInt8]) throws(AudioError) -> AudioFileInfo {
  try AudioFile.probe(ArrayByteSource(bytes), name: "test")
}

/// The code of the refusal of the bytes; nil when they are accepted.
func refusal(_ bytes: [UInt8]) -> String? {
  do throws(AudioError) {
    _ = try probe(bytes)
    return nil
  } catch {
    return error.code.rawValue
  }
}
