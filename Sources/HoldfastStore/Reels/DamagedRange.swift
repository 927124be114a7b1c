/// A part of a reel that holds no whole chunk.
package struct DamagedRange: Hashable, Sendable {
  /// What is wrong with it. Open: more may be added.
  package struct Reason: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// No valid frame of this take and reel begins there: a header is damaged, or bytes are stale.
    package static let header = Reason(rawValue: "header")
    /// The frame's header is right, and the payload fails its hash.
    package static let payload = Reason(rawValue: "payload")
    /// The frame's header is right, and the file ends inside the payload.
    package static let cut = Reason(rawValue: "cut")
    /// The medium could not read there.
    package static let unreadable = Reason(rawValue: "unreadable")
  }

  /// Where it begins in the reel, in bytes.
  package var offset: UInt64
  /// Bytes that the file has of it.
  package var length: UInt64
  /// What is wrong.
  package var reason: Reason
  /// The chunk that stood there, when its header could be read.
  package var chunk: ChunkRecord?
  /// Whether its last bytes are zero or not there: a write that perhaps did not come to its end.
  package var isTorn = false
  /// The number of ``chunk``.
  package var sequence: UInt64? { chunk?.sequence }

  /// A damaged part.
  package init(
    offset: UInt64, length: UInt64, reason: Reason, chunk: ChunkRecord? = nil, isTorn: Bool = false
  ) {
    self.offset = offset
    self.length = length
    self.reason = reason
    self.chunk = chunk
    self.isTorn = isTorn
  }
}

/// Which payloads a scan compares with their hashes.
package enum PayloadCheck: Hashable, Sendable {
  /// All of them: what a reel must pass after a power loss, or when it came from elsewhere.
  case all
  /// Only a payload that no further frame follows. Enough after the death of a process while the
  /// machine ran on: writes go in order, so only the last can be torn.
  case last
  /// None: headers only.
  case none
}
