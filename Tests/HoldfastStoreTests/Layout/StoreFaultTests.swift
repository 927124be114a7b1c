import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

/// Codes follow the invariants, and the words say what the system said.
@Suite("Faults in the user's words")
struct StoreFaultTests {
  private func told(_ code: ResultCode, errno: Int32) -> HoldfastError {
    StoreFaults.error(
      SQLiteError(code: code, message: "disk I/O error", systemErrno: errno, operation: "step"),
      path: "/s/store.sqlite")
  }

  @Test("a failed write ends as a full disk does, and names its own reason (J8)")
  func write() {
    let error = told(.ioErrorWrite, errno: 5)
    #expect(error.code == .diskFull && error.message.contains("Input/output error"))
    #expect(!error.message.contains("room"))
    #expect(told(.ioErrorWrite, errno: 28).message == "There is no room left on the disk.")
    #expect(told(.full, errno: 0).message == "There is no room left on the disk.")
    let unknown = told(.ioErrorWrite, errno: 0)
    #expect(unknown.code == .diskFull && unknown.message.hasPrefix("The disk does not take"))
  }

  @Test("a sync or a read that failed is the medium's failure, no locked device (J6)")
  func medium() {
    for (code, errno) in [
      (ResultCode.ioErrorFsync, Int32(5)), (.ioErrorFsync, 0), (.ioErrorDirectoryFsync, 5),
      (.ioErrorRead, 5), (.ioErrorTruncate, 116),
    ] {
      let error = told(code, errno: errno)
      #expect(error.code == .medium && error.hint.contains("Check the device"), "\(code)")
    }
    #expect(told(.ioErrorRead, errno: 1).code == .protectedDataUnavailable)
    #expect(told(.ioErrorShmOpen, errno: 13).code == .protectedDataUnavailable)
  }

  @Test("a quota and a limit of size are told from a full disk (J8)", arguments: [122, 27])
  func limits(errno: Int32) {
    let fault = FileFault(
      kind: .full, operation: "write", path: "/s/audio/a", errno: errno, reason: "over")
    let error = StoreFaults.error(fault)
    #expect(error.code == .diskFull && error.message.hasPrefix("The system grants no more room: "))
  }

  @Test("every fault of a file says what to do", arguments: [2, 5, 13, 17, 20, 21, 22, 24, 28])
  func hints(errno: Int32) {
    for kind in [FileFault.Kind.missing, .exists, .wrongType, .other, .denied, .medium, .full] {
      let fault = FileFault(kind: kind, operation: "open", path: "/a", errno: errno, reason: "no")
      #expect(!StoreFaults.error(fault).hint.isEmpty, "\(kind)")
    }
  }
}
