// The consumer's side of the ring: one thread at a time.

extension AudioRing {
  /// What the next record is, without taking it; nil when there is none.
  package func peekRecord() -> Record? {
    let start = consumed.load()
    guard written.load() != start else { return nil }
    let sizes = read(at: start)
    return Record(
      frames: UInt32(sizes >> 32), byteCount: UInt32(truncatingIfNeeded: sizes),
      droppedBefore: read(at: start + 8) - reported.load(), hostTime: read(at: start + 16))
  }

  /// Takes the next record: appends its payload to `buffer`. nil when there is none.
  package func pop(into buffer: inout [UInt8]) -> Record? {
    guard let record = peekRecord() else { return nil }
    let start = consumed.load()
    let payload = offset(start + UInt64(Self.headerBytes))
    let first = min(Int(record.byteCount), Int(capacityBytes) - payload)
    unsafe buffer.append(
      contentsOf: UnsafeRawBufferPointer(start: storage + payload, count: first))
    unsafe buffer.append(
      contentsOf: UnsafeRawBufferPointer(start: storage, count: Int(record.byteCount) - first))
    reported.advance(by: record.droppedBefore)
    consumed.store(start + Self.recordBytes(payload: UInt64(record.byteCount)))
    return record
  }

  /// Whether nothing waits to be popped.
  package var isEmpty: Bool { written.load() == consumed.load() }

  /// Takes the next record without its payload, for the end of a take that cannot be written: the
  /// answer counts its frames and those dropped before it. nil when there is none.
  package func drop() -> UInt64? {
    guard let record = peekRecord() else { return nil }
    reported.advance(by: record.droppedBefore)
    consumed.store(consumed.load() + Self.recordBytes(payload: UInt64(record.byteCount)))
    return UInt64(record.frames) + record.droppedBefore
  }

  /// Takes no further push: it is dropped and counted. Records that are there may still be popped,
  /// and one push that had begun may still come.
  package func close() { closed.store(1) }

  /// Frames dropped after the last record, for the end of a take. While the ring holds records the
  /// answer is 0: their `droppedBefore` comes first. No drop is reported twice, here and there.
  package func takeTrailingDrops() -> UInt64 {
    // In this order: a ring found empty after the count was read holds nothing older than it.
    let total = dropped.load()
    guard written.load() == consumed.load() else { return 0 }
    let trailing = total - reported.load()
    reported.store(total)
    return trailing
  }

  private func read(at position: UInt64) -> UInt64 {
    unsafe storage.load(fromByteOffset: offset(position), as: UInt64.self)
  }
}
