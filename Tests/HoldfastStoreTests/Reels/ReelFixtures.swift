import HoldfastModel
import HoldfastStore

/// A stand-in for SHA-256: four lanes of FNV-1a with different starts. Each step is a bijection, so
/// a single changed byte always changes all lanes.
struct LaneHashing: Hashing {
  func sha256(_ bytes: Span<UInt8>) -> Digest {
    let state = Lanes()
    state.update(bytes)
    return state.finish()
  }

  func start() -> any HashState { Lanes() }

  private final class Lanes: HashState {
    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 1, 2, 3)

    func update(_ bytes: Span<UInt8>) {
      var (one, two, three, four) = lanes
      let prime: UInt64 = 0x100_0000_01B3
      bytes.withUnsafeBufferPointer {
        for byte in $0 {
          one = (one ^ UInt64(byte)) &* prime
          two = (two ^ UInt64(byte)) &* prime
          three = (three ^ UInt64(byte)) &* prime
          four = (four ^ UInt64(byte)) &* prime
        }
      }
      lanes = (one, two, three, four)
    }

    func finish() -> Digest {
      let words = [lanes.0, lanes.1, lanes.2, lanes.3]
      return Digest(words.flatMap(\.bigEndianBytes)) ?? .zero
    }
  }
}

/// Numbers that follow from a seed (SplitMix64, Steele, Lea and Flood 2014).
struct ReelRandom: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) } }
    return Array(bytes.prefix(count))
  }

  mutating func name<Kind>() -> Identifier<Kind> {
    Identifier(bytes(16)) ?? Identifier(random: NoRandom())
  }

  mutating func text(_ count: Int) -> String {
    String((0..<count).map { _ in ["a", "é", "𝄞", "\0", "/"].randomElement(using: &self) ?? "b" })
  }

  mutating func moment() -> Moment {
    Moment(
      monotonicNanoseconds: Int64.random(in: .min ... .max, using: &self),
      wallMilliseconds: Int64.random(in: 0 ... .max, using: &self),
      boot: BootID(bytes(16)) ?? FixedClock.boot)
  }

  mutating func header() -> ReelHeader {
    ReelHeader(
      store: name(), origin: name(), launch: name(), recording: name(), track: name(),
      trackName: text(Int.random(in: 0...40, using: &self)), take: name(),
      takeIndex: UInt32.random(in: 0 ... .max, using: &self),
      reel: UInt32.random(in: 0 ... .max, using: &self),
      format: AudioFormat(
        encoding: SampleEncoding(rawValue: text(4)),
        sampleRate: Double.random(in: 0.001...4e9, using: &self),
        channels: UInt32.random(in: 1...65_535, using: &self),
        bytesPerFrame: UInt32.random(in: 0 ... .max, using: &self),
        framesPerPacket: UInt32.random(in: 0 ... .max, using: &self),
        configuration: bytes(Int.random(in: 0...300, using: &self))),
      opened: moment(), recordingStarted: moment(),
      startNanoseconds: Int64.random(in: .min ... .max, using: &self),
      firstChunk: next(), firstFrame: next(), local: Bool.random(using: &self))
  }

  mutating func chunkHeader() -> ChunkHeader {
    ChunkHeader(
      take: name(), reel: UInt32.random(in: 0 ... .max, using: &self), sequence: next(),
      firstFrame: next(), frames: UInt32.random(in: 0 ... .max, using: &self),
      length: UInt32.random(in: 0 ... .max, using: &self),
      hostTime: Bool.random(using: &self) ? next() : nil, sha256: Digest(bytes(32)) ?? .zero)
  }

  /// Chunks in sequence, of payloads of 0 up to `size` bytes, some without frames.
  mutating func chunks(_ count: Int, upTo size: Int) -> [ChunkInput] {
    var frame: UInt64 = 0
    return (0..<count).map { index in
      let payload = bytes(Int.random(in: 0...size, using: &self))
      let frames = UInt32(payload.count / 2)
      defer { frame += UInt64(frames) }
      return ChunkInput(
        sequence: UInt64(index), firstFrame: frame, frames: frames, payload: payload,
        hostTime: Bool.random(using: &self) ? next() : nil)
    }
  }
}

/// Zeros, for a name that cannot be made otherwise.
private struct NoRandom: RandomSource {
  func bytes(_ count: Int64) -> [UInt8] { [UInt8](repeating: 0, count: Int(count)) }
}

/// A clock that stands still.
struct FixedClock: DeviceClock {
  static let boot: BootID = {
    guard let boot = BootID([UInt8](repeating: 7, count: 16)) else {
      fatalError("16 bytes make a boot's name")
    }
    return boot
  }()

  func now() -> Moment {
    Moment(monotonicNanoseconds: 5, wallMilliseconds: 1_700_000_000_000, boot: Self.boot)
  }
}

/// A store's directory in memory with one take to be written.
struct ReelWorld {
  let files = MemoryFiles(directory: "s")
  let hashing = LaneHashing()
  var header: ReelHeader
  var limits: ReelLimits

  init(seed: UInt64 = 1, limits: ReelLimits = .standard) {
    var random = ReelRandom(seed)
    header = random.header()
    header.reel = 1
    header.local = true
    self.limits = limits
  }

  func writer() throws -> ReelWriter {
    try ReelWriter(
      directory: "s", files: files, hashing: hashing, clock: FixedClock(), header: header,
      limits: limits)
  }

  func path(_ reel: UInt32) -> String { "s/\(ReelPath(take: header.take, reel: reel))" }

  func bytes(_ reel: UInt32) -> [UInt8] { files.bytes(path(reel)) ?? [] }

  func reader(_ reel: UInt32) -> ReelReader {
    ReelReader(path: path(reel), files: files, hashing: hashing)
  }

  /// Everything that a scan of one reel finds.
  func visit(_ reel: UInt32, check: PayloadCheck = .all) -> (ScannedReel, [ChunkRecord]) {
    var records: [ChunkRecord] = []
    let scanned = ReelVisit(files: files, hashing: hashing, check: check).scan(
      directory: "s", path: ReelPath(take: header.take, reel: reel), from: nil
    ) { records.append($0) }
    return (scanned, records)
  }

  func tail(from start: ReelPosition? = nil, check: PayloadCheck = .all) throws
    -> TakeTail.Salvage
  {
    try TakeTail(directory: "s", files: files, hashing: hashing)
      .scan(take: header.take, from: start, check: check)
  }
}
