#if !canImport(Security)
  package import HoldfastModel

  extension HostIdentity {
    /// Bytes that are the same at each start on this machine and differ on another (S7): a keyed
    /// digest of the machine id, as machine-id(5) asks of applications. Empty when the machine has
    /// no id, as in many containers.
    ///
    /// - Throws: when the id is there and cannot be read now. That is never an absent id: whoever
    ///   takes it for one sees another machine.
    package static func machineID() throws(FileFault) -> [UInt8] {
      try machineID(in: ["/etc/machine-id", "/var/lib/dbus/machine-id"], files: SystemFiles())
    }

    /// The same from the first of the files that holds an id of 32 hexadecimal digits.
    static func machineID(
      in paths: [String], files: some FileSystem
    ) throws(FileFault) -> [UInt8] {
      for path in paths {
        guard try files.status(path) != nil else { continue }
        let file = try files.open(path, .read)
        defer { file.close() }
        let text = String(decoding: try file.read(at: 0, count: 64), as: UTF8.self)
        guard let id = Hex.decode(text.filter { !$0.isWhitespace }), id.count == 16 else {
          continue
        }
        return try digest(of: id, path)
      }
      return []
    }

    private static func digest(of id: [UInt8], _ path: String) throws(FileFault) -> [UInt8] {
      do {
        return try Cryptography.authenticationCode(
          of: Array("Holdfast host identity".utf8), key: id)
      } catch {
        throw FileFault(
          kind: .other, operation: "digest", path: path, errno: 0, reason: error.description)
      }
    }
  }
#endif
