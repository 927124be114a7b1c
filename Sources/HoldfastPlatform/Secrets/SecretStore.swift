package import HoldfastModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Small secrets of this device (account keys, tokens) by name.
///
/// Invariant: once a call has returned, its effect survives a power cut; whatever interrupts it, a
/// name holds the earlier bytes or the new ones, whole.
///
/// A name is 1 to 64 ASCII letters, digits, "-" and "_"; any other is refused with EINVAL.
package protocol SecretStore: Sendable {
  /// The bytes of a name; nil when it has none. A locked device throws
  /// ``FileFault/Kind/denied``: that is never an absent secret.
  func secret(named name: String) throws(FileFault) -> [UInt8]?
  /// Gives bytes to a name that has none, and answers what the name holds afterwards: these bytes,
  /// or those that another process gave it first. So two processes that make a key agree on one.
  func add(_ bytes: [UInt8], named name: String) throws(FileFault) -> [UInt8]
  /// Gives bytes to a name, whatever it had.
  func replace(_ bytes: [UInt8], named name: String) throws(FileFault)
  /// Takes the bytes from a name. One that has none is left so.
  func remove(named name: String) throws(FileFault)
}

/// Which names secrets may have: such that a name is a file name, everywhere.
enum SecretNames {
  /// Refuses a name that is not of the permitted form.
  static func check(_ name: String) throws(FileFault) {
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(permits) else {
      throw FileFault(
        kind: .other, operation: "use secret", path: name, errno: EINVAL,
        reason: "A secret's name is 1 to 64 ASCII letters, digits, \"-\" and \"_\"")
    }
  }

  private static func permits(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
