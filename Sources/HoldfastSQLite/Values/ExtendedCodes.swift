// The extended codes that say which of several causes it was: the primary code, and from bit 8 on
// the number that SQLite's header gives it (its macros are beyond what Swift imports).
extension ResultCode {
  private init(_ primary: ResultCode, _ number: Int32) {
    self.init(rawValue: primary.rawValue | number << 8)
  }

  /// The rollback of the transaction ended this statement.
  package static let abortRollback = ResultCode(.abort, 2)
  /// Another connection is recovering the WAL.
  package static let busyRecovery = ResultCode(.busy, 1)
  /// A reader wants to write, and its snapshot is no longer the newest.
  package static let busySnapshot = ResultCode(.busy, 2)
  /// A blocking lock of the file ran out of time.
  package static let busyTimeout = ResultCode(.busy, 3)

  /// A directory stands where the file is wanted.
  package static let cannotOpenDirectory = ResultCode(.cannotOpen, 2)
  /// The full path cannot be made out.
  package static let cannotOpenFullPath = ResultCode(.cannotOpen, 3)
  /// The path goes over a symbolic link and must not.
  package static let cannotOpenLink = ResultCode(.cannotOpen, 6)

  /// A read failed.
  package static let ioErrorRead = ResultCode(.ioError, 1)
  /// The file is shorter than it must be.
  package static let ioErrorShortRead = ResultCode(.ioError, 2)
  /// A write failed.
  package static let ioErrorWrite = ResultCode(.ioError, 3)
  /// A sync of a file failed.
  package static let ioErrorFsync = ResultCode(.ioError, 4)
  /// A sync of a directory failed.
  package static let ioErrorDirectoryFsync = ResultCode(.ioError, 5)
  /// A truncation failed.
  package static let ioErrorTruncate = ResultCode(.ioError, 6)
  /// The size or state of a file cannot be read.
  package static let ioErrorStatus = ResultCode(.ioError, 7)
  /// A file could not be removed.
  package static let ioErrorDelete = ResultCode(.ioError, 10)
  /// A lock failed for another reason than being held.
  package static let ioErrorLock = ResultCode(.ioError, 15)
  /// The shared-memory file cannot be opened.
  package static let ioErrorShmOpen = ResultCode(.ioError, 18)
  /// The shared-memory file cannot be enlarged: the disk is full.
  package static let ioErrorShmSize = ResultCode(.ioError, 19)
  /// The shared memory cannot be mapped.
  package static let ioErrorShmMap = ResultCode(.ioError, 21)
  /// A page of the database is there and has a wrong checksum, or the medium says so.
  package static let ioErrorData = ResultCode(.ioError, 32)
  /// The file system itself is damaged.
  package static let ioErrorFileSystem = ResultCode(.ioError, 33)

  /// An index does not agree with its table.
  package static let corruptIndex = ResultCode(.corrupt, 3)
  /// A virtual table (full-text search) found its own tables damaged.
  package static let corruptVirtualTable = ResultCode(.corrupt, 1)

  /// A WAL must be recovered, and the files can only be read.
  package static let readOnlyRecovery = ResultCode(.readOnly, 1)
  /// The shared-memory file can only be read, and no writer is there.
  package static let readOnlyCannotLock = ResultCode(.readOnly, 2)
  /// The shared memory cannot be initialised without a right to write.
  package static let readOnlyCannotInitialise = ResultCode(.readOnly, 5)
  /// A hot journal must be rolled back, and the files can only be read.
  package static let readOnlyRollback = ResultCode(.readOnly, 3)
  /// The database file was moved or replaced while open.
  package static let readOnlyMoved = ResultCode(.readOnly, 4)
  /// The directory can only be read, so no journal can be made.
  package static let readOnlyDirectory = ResultCode(.readOnly, 6)

  /// A CHECK failed.
  package static let constraintCheck = ResultCode(.constraint, 1)
  /// A STRICT table refused the type of a value.
  package static let constraintDatatype = ResultCode(.constraint, 12)
  /// A foreign key has no parent.
  package static let constraintForeignKey = ResultCode(.constraint, 3)
  /// NULL where it is not allowed.
  package static let constraintNotNull = ResultCode(.constraint, 5)
  /// The primary key is taken.
  package static let constraintPrimaryKey = ResultCode(.constraint, 6)
  /// The rowid is taken.
  package static let constraintRowID = ResultCode(.constraint, 10)
  /// A trigger raised it.
  package static let constraintTrigger = ResultCode(.constraint, 7)
  /// A unique value is there already.
  package static let constraintUnique = ResultCode(.constraint, 8)
}
