import HoldfastModel
import HoldfastSQLite

/// Checks the log of one origin against itself and against the vector (S1, S7).
///
/// Invariant: sequences have no holes, each change's chain hash follows from the one before and its
/// bytes, its columns are what its bytes say, and the vector names the last one. A stub left by a
/// purge keeps the hash it had: the next change's hash vouches for it.
struct ChainAudit {
  /// Computes digests.
  let hashing: any Hashing

  /// A row of the log.
  struct Entry: Hashable, Sendable {
    /// The row's local number.
    var ordinal: Int64
    /// Its number within the origin.
    var sequence: UInt64
    /// What the column says that it is.
    var kind: String
    /// The recording that the column names; nil for none.
    var recording: [UInt8]?
    /// The chain hash as stored.
    var chain: [UInt8]
    /// Nil of a stub.
    var bytes: [UInt8]?

    /// What is wrong with the columns; nil when they are those of the bytes.
    func fault(of origin: OriginID) -> String? {
      guard let bytes else { return nil }
      let change: Change
      do throws(MalformedBytes) { change = try Change(bytes: bytes) } catch {
        return "its bytes cannot be read: \(error.description)"
      }
      let isOwn =
        change.name == ChangeName(origin: origin, sequence: sequence)
        && change.kind.rawValue == kind && change.recording?.bytes == recording
      return isOwn ? nil : "its columns are not those of its bytes"
    }
  }

  /// Changes read at a time.
  private static let page: Int64 = 256

  /// Rows of an origin after a sequence, in their order.
  static func page(
    of origin: OriginID, after sequence: UInt64, _ db: borrowing Connection
  ) throws -> [Entry] {
    try db.all(
      """
      SELECT ordinal, sequence, kind, recording, chain, bytes FROM change
      WHERE origin = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3
      """,
      [.blob(origin.bytes), .integer(Int64(clamping: sequence)), .integer(page)]
    ) { row in
      Entry(
        ordinal: row.int64(0), sequence: row.uint64(1), kind: row.text(2),
        recording: row.optionalBlob(3), chain: row.blob(4), bytes: row.optionalBlob(5))
    }
  }

  /// The chain hash that an entry must have.
  func expected(_ entry: Entry, after previous: Digest) -> Digest? {
    guard let bytes = entry.bytes else { return Digest(entry.chain) }
    let state = hashing.start()
    state.update(previous.bytes.span)
    state.update(bytes.span)
    return state.finish()
  }

  /// Checks an origin up to what the vector says, and that nothing goes beyond it.
  ///
  /// - Parameters:
  ///   - row: the origin's row, read before.
  ///   - read: reads in one snapshot.
  func problems(
    of row: OriginRow,
    _ read: ((borrowing Connection) throws -> [Entry]) throws(HoldfastError)
      -> [Entry]
  ) throws(HoldfastError) -> [DatabaseProblem] {
    var problems: [DatabaseProblem] = []
    var previous = Digest.zero
    var sequence: UInt64 = 0
    while sequence < row.sequence {
      let after = sequence
      let page = try read { try Self.page(of: row.id, after: after, $0) }
      for entry in page where entry.sequence <= row.sequence {
        problems += check(entry, row.id, after: sequence, previous)
        sequence = entry.sequence
        // One wrong hash is told once: the check goes on from what stands there.
        previous = Digest(entry.chain) ?? .zero
      }
      guard let last = page.last, last.sequence < row.sequence else { break }
    }
    if sequence < row.sequence {
      problems.append(
        .init(
          .chain, "Origin \(row.id) lacks its changes \(sequence + 1) to \(row.sequence)."))
    } else if previous != row.chain {
      problems.append(
        .init(.vector, "The vector has another hash of origin \(row.id) than its last change."))
    }
    return problems
  }

  private func check(
    _ entry: Entry, _ origin: OriginID, after sequence: UInt64, _ previous: Digest
  ) -> [DatabaseProblem] {
    let name = ChangeName(origin: origin, sequence: entry.sequence)
    if entry.sequence != sequence + 1 {
      return [
        .init(
          .chain,
          "Origin \(origin) lacks its changes \(sequence + 1) to \(entry.sequence - 1).")
      ]
    }
    var problems: [DatabaseProblem] = []
    if expected(entry, after: previous)?.bytes != entry.chain {
      problems.append(.init(.chain, "The chain hash of change \(name) is wrong."))
    }
    if let fault = entry.fault(of: origin) {
      problems.append(.init(.change, "Change \(name): \(fault)."))
    }
    return problems
  }
}
