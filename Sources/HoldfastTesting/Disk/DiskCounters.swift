/// Exact counts of what was done to some files.
package struct DiskCounters: Hashable, Sendable {
  /// Writes that succeeded, of any size.
  package var writes: UInt64 = 0
  /// Bytes that these wrote.
  package var bytesWritten: UInt64 = 0
  /// Syncs of files.
  package var syncs: UInt64 = 0
  /// Syncs of directories.
  package var directorySyncs: UInt64 = 0
  /// Truncations and allocations.
  package var resizes: UInt64 = 0
  /// Names that came, went or moved.
  package var nameChanges: UInt64 = 0

  /// No counts.
  package init() {}

  /// Counts one operation.
  mutating func add(_ operation: DiskOperation) {
    switch operation {
    case .write(_, _, let bytes):
      writes += 1
      bytesWritten += UInt64(bytes.count)
    case .sync: syncs += 1
    case .syncDirectory: directorySyncs += 1
    case .truncate, .allocate: resizes += 1
    case .create, .rename, .link, .unlink, .makeDirectory, .removeDirectory: nameChanges += 1
    case .open, .read: break
    }
  }

  /// The counts of both.
  package static func + (left: DiskCounters, right: DiskCounters) -> DiskCounters {
    var sum = left
    sum.writes += right.writes
    sum.bytesWritten += right.bytesWritten
    sum.syncs += right.syncs
    sum.directorySyncs += right.directorySyncs
    sum.resizes += right.resizes
    sum.nameChanges += right.nameChanges
    return sum
  }

  /// What was counted since an earlier reading of the same files.
  package static func - (left: DiskCounters, right: DiskCounters) -> DiskCounters {
    var difference = left
    difference.writes -= right.writes
    difference.bytesWritten -= right.bytesWritten
    difference.syncs -= right.syncs
    difference.directorySyncs -= right.directorySyncs
    difference.resizes -= right.resizes
    difference.nameChanges -= right.nameChanges
    return difference
  }
}
