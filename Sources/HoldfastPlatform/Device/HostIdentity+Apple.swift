// Apple platforms only.
#if canImport(Security)
  package import HoldfastModel

  extension HostIdentity {
    /// Bytes that are the same at each start on this device and differ on another, a restored or
    /// migrated one too (S7): a random Keychain item that does not leave the device.
    ///
    /// - Throws: ``FileFault/Kind/denied`` while the device was not unlocked since its start. That
    ///   is never an absent id: whoever takes it for one sees another machine.
    package static func machineID() throws(FileFault) -> [UInt8] {
      try KeychainSecretStore(service: "holdfast").add(
        SystemRandom().bytes(32), named: "host-identity")
    }
  }
#endif
