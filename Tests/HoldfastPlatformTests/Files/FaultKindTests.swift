import Foundation
import HoldfastModel
import HoldfastPlatform
import Testing

@Suite struct FaultKindTests {
  @Test(
    "an error number has the kind that the seam documents (J8)",
    arguments: [
      (ENOSPC, FileFault.Kind.full), (EDQUOT, .full), (EFBIG, .full),
      (ENOENT, .missing), (ENOTDIR, .missing), (EEXIST, .exists),
      (EACCES, .denied), (EPERM, .denied), (EROFS, .denied), (EISDIR, .wrongType),
      (EIO, .medium), (ENXIO, .medium), (EBADMSG, .medium), (ESTALE, .medium),
      (EMFILE, .exhausted), (ENFILE, .exhausted), (ENOMEM, .exhausted),
      (EINVAL, .other), (ELOOP, .other), (ENOTEMPTY, .other), (EXDEV, .other),
    ])
  func mapping(code: Int32, kind: FileFault.Kind) {
    #expect(FileFault.Kind(errno: code) == kind)
  }

  @Test func aFaultNamesTheCallThePathAndTheSystemsWords() {
    let fault = FileFault(errno: ENOSPC, operation: "write", path: "/a/b")
    #expect(fault.errno == ENOSPC)
    #expect(fault.description == "cannot write /a/b: No space left on device")
  }
}
