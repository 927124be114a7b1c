// Apple platforms only.
#if canImport(Security)
  package import HoldfastModel
  import Security

  /// Secrets as generic passwords of the Keychain that neither leave the device nor migrate to
  /// another (S7), readable once the device was unlocked after its start.
  package struct KeychainSecretStore: SecretStore {
    private let service: String

    /// The secrets of a service, by convention a reversed domain name.
    package init(service: String) { self.service = service }

    package func secret(named name: String) throws(FileFault) -> [UInt8]? {
      try SecretNames.check(name)
      var found: CFTypeRef?
      let query = item(name).adding(kSecReturnData, kCFBooleanTrue)
      let status = unsafe SecItemCopyMatching(query.dictionary, &found)
      if status == errSecItemNotFound { return nil }
      try check(status, "read secret", name)
      guard let found, CFGetTypeID(found) == CFDataGetTypeID() else { return [] }
      let data = unsafe unsafeDowncast(found, to: CFData.self)
      return unsafe Array(
        UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data)))
    }

    package func add(_ bytes: [UInt8], named name: String) throws(FileFault) -> [UInt8] {
      if let earlier = try secret(named: name) { return earlier }
      let new = item(name).adding(kSecValueData, data(bytes))
        .adding(kSecAttrAccessible, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
      let status = SecItemAdd(new.dictionary, nil)
      if status == errSecDuplicateItem, let earlier = try secret(named: name) { return earlier }
      try check(status, "add secret", name)
      return bytes
    }

    package func replace(_ bytes: [UInt8], named name: String) throws(FileFault) {
      try SecretNames.check(name)
      let change = Attributes().adding(kSecValueData, data(bytes))
      let status = SecItemUpdate(item(name).dictionary, change.dictionary)
      guard status == errSecItemNotFound else {
        return try check(status, "replace secret", name)
      }
      let held = try add(bytes, named: name)
      if held != bytes {
        try check(
          SecItemUpdate(item(name).dictionary, change.dictionary), "replace secret", name)
      }
    }

    package func remove(named name: String) throws(FileFault) {
      try SecretNames.check(name)
      let status = SecItemDelete(item(name).dictionary)
      if status != errSecItemNotFound { try check(status, "remove secret", name) }
    }

    private func item(_ name: String) -> Attributes {
      Attributes().adding(kSecClass, kSecClassGenericPassword)
        .adding(kSecAttrService, text(service)).adding(kSecAttrAccount, text(name))
    }

    /// A locked device says errSecInteractionNotAllowed: not now, which is not "none".
    private func check(
      _ status: OSStatus, _ operation: String, _ name: String
    ) throws(FileFault) {
      guard status != errSecSuccess else { return }
      throw FileFault(
        kind: status == errSecInteractionNotAllowed ? .denied : .other, operation: operation,
        path: name, errno: 0, reason: "Keychain status \(status)")
    }
  }

  /// A Core Foundation dictionary, built without Foundation's bridges.
  private struct Attributes {
    let dictionary: CFMutableDictionary

    init() {
      var keys = kCFTypeDictionaryKeyCallBacks
      var values = kCFTypeDictionaryValueCallBacks
      dictionary = unsafe CFDictionaryCreateMutable(nil, 0, &keys, &values)
    }

    /// The same dictionary with one more entry.
    func adding(_ key: CFString, _ value: CFTypeRef?) -> Attributes {
      guard let value else { return self }
      unsafe CFDictionarySetValue(
        dictionary, Unmanaged.passUnretained(key).toOpaque(),
        Unmanaged.passUnretained(value).toOpaque())
      return self
    }
  }

  private func text(_ string: String) -> CFString? {
    let bytes = Array(string.utf8)
    return unsafe CFStringCreateWithBytes(
      nil, bytes, bytes.count, CFStringBuiltInEncodings.UTF8.rawValue, false)
  }

  private func data(_ bytes: [UInt8]) -> CFData? { unsafe CFDataCreate(nil, bytes, bytes.count) }
#endif
