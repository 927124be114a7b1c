/// The chunks of a CAF file, as far as they matter.
///
/// The audio may be the last chunk with a size of −1 ("to the end of the file"): so it is while a
/// recorder runs, and so it stays when the recorder is killed.
struct CAFChunks {
  /// Bytes of a chunk's id and size.
  private static let headerLength: UInt64 = 12
  /// Chunks that the specification names.
  private static let known: Set<FourCharacters> = [
    "desc", "data", "pakt", "kuki", "chan", "free", "info", "strg", "mark", "regn", "inst", "midi",
    "ovvw", "peak", "umid", "uuid", "edct",
  ]

  /// The 32 bytes of the description.
  private(set) var description: [UInt8]?
  /// The codec's configuration.
  private(set) var configuration: [UInt8] = []
  /// The packet table.
  private(set) var table: CAFPacketTableChunk?
  /// The audio: its first byte behind the edit count, and its bytes.
  private(set) var audioOffset: UInt64?, audioLength: UInt64 = 0
  /// Further chunks of audio.
  private(set) var further: [(offset: UInt64, length: UInt64)] = []
  /// What is not as it should be.
  private(set) var oddities: [AudioOddity] = []

  private var position: UInt64 = 8
  private var seen = 0

  /// Walks the whole file.
  init(_ window: inout SourceWindow) throws(AudioError) {
    while position < window.byteCount, seen < AudioLimits.maximumChunks {
      seen += 1
      let head = try window.bytes(at: position, count: Self.headerLength)
      let rest = window.byteCount - position
      guard head.count == Int(Self.headerLength), FourCharacters(head).isPrintable else {
        oddities.append(
          AudioOddity(.trailingBytes, "Bytes at the end that belong to no chunk: \(rest)."))
        return
      }
      let body = position + Self.headerLength
      let there = window.byteCount - body
      let declared = head.big(4, 8)
      if FourCharacters(head) == "data", audioOffset == nil {
        let length = try audio(&window, declared: declared, at: body, there: there)
        position = body + length
        continue
      }
      try take(&window, FourCharacters(head), at: body, size: min(declared, there))
      if declared > there {
        oddities.append(
          AudioOddity(
            .cutChunk,
            "The chunk '\(FourCharacters(head).text)' says \(declared) bytes; \(there) are there."))
      }
      position = body + min(declared, there)
    }
  }

  private mutating func take(
    _ window: inout SourceWindow, _ id: FourCharacters, at body: UInt64, size: UInt64
  ) throws(AudioError) {
    switch id {
    case "desc" where description == nil:
      description = try window.bytes(at: body, count: min(size, CAFDescription.length))
    case "kuki" where configuration.isEmpty:
      guard size <= AudioLimits.maximumConfiguration else {
        throw AudioError(
          .damagedHeader, "The CAF file has a codec configuration of \(size) bytes. It is damaged.")
      }
      configuration = try window.bytes(at: body, count: size)
    case "pakt" where table == nil && size >= 24:
      let head = try window.bytes(at: body, count: 24)
      table = CAFPacketTableChunk(
        offset: body + 24, length: size - 24, count: head.big(0, 8) & UInt64(Int64.max),
        priming: Self.edge(head.big(16, 4)), remainder: Self.edge(head.big(20, 4)))
    case "desc":
      oddities.append(.repeatedFormat)
    case "data":
      further.append((body + min(4, size), size - min(4, size)))
    default:
      break
    }
  }

  /// Frames at an edge; negative numbers are damage and say nothing.
  private static func edge(_ value: UInt64) -> UInt32 {
    value > UInt64(Int32.max) ? 0 : UInt32(value)
  }

  /// Takes the audio chunk; the answer is the bytes of its body as they are used.
  private mutating func audio(
    _ window: inout SourceWindow, declared: UInt64, at body: UInt64, there: UInt64
  ) throws(AudioError) -> UInt64 {
    // The body begins with an edit count of four bytes.
    let edits = min(4, there)
    audioOffset = body + edits
    var length = there
    if declared == UInt64.max {
      oddities.append(.streamedHeader(there - edits))
    } else if declared > there {
      oddities.append(.short(declared: declared - edits, there: there - edits))
    } else if declared >= edits, try isTail(&window, from: body + declared) {
      length = declared
    } else {
      oddities.append(
        .lengthFromBytes(
          declared: declared < edits ? 0 : declared - edits, there: there - edits))
    }
    audioLength = length - edits
    return length
  }

  /// Whether chunks stand behind the declared audio (or nothing), and not more audio.
  private func isTail(
    _ window: inout SourceWindow, from start: UInt64
  ) throws(AudioError) -> Bool {
    // CAF has no padding, but libsndfile pads to an even size.
    if start % 2 == 1, window.byteCount - start == 1 {
      return try window.bytes(at: start, count: 1) == [0]
    }
    var position = start
    for _ in 0..<AudioLimits.maximumChunks where position < window.byteCount {
      let head = try window.bytes(at: position, count: Self.headerLength)
      guard head.count == Int(Self.headerLength) else { return false }
      if position == start, Self.known.contains(FourCharacters(head)) { return true }
      let room = window.byteCount - position - Self.headerLength
      guard FourCharacters(head).isPrintable, head.big(4, 8) <= room else { return false }
      position += Self.headerLength + head.big(4, 8)
    }
    return true
  }
}
