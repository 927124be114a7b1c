import CHoldfastSQLite
import HoldfastSQLite
import Testing

@Suite("Result codes")
struct ResultCodeTests {
  @Test("an extended code has SQLite's number and knows its class")
  func extended() {
    // Numbers from https://sqlite.org/rescode.html.
    #expect(ResultCode.ioErrorFsync.rawValue == 1_034)
    #expect(ResultCode.ioErrorWrite.rawValue == 778)
    #expect(ResultCode.busySnapshot.rawValue == 517)
    #expect(ResultCode.busyRecovery.rawValue == 261)
    #expect(ResultCode.cannotOpenDirectory.rawValue == 526)
    #expect(ResultCode.readOnlyRecovery.rawValue == 264)
    #expect(ResultCode.readOnlyDirectory.rawValue == 1_544)
    #expect(ResultCode.constraintUnique.rawValue == 2_067)
    #expect(ResultCode.constraintPrimaryKey.rawValue == 1_555)
    #expect(ResultCode.constraintDatatype.rawValue == 3_091)
    #expect(ResultCode.abortRollback.rawValue == 516)
    #expect(ResultCode.ioErrorFileSystem.rawValue == 8_458)
    #expect(ResultCode.ioErrorFsync.primary == .ioError)
    #expect(ResultCode.ioError.primary == .ioError)
    #expect(ResultCode(rawValue: 99 << 8 | SQLITE_BUSY).primary == .busy)
  }

  @Test("a code shows SQLite's words, and one without a name shows its number")
  func words() {
    #expect(ResultCode.full.description == "database or disk is full (13)")
    #expect(ResultCode(rawValue: 12_345).description.contains("12345"))
  }
}
