// swift-format-ignore-file

// Security, and the parts of Core Foundation that it brings along.
public typealias CFTypeRef = AnyObject
public typealias CFIndex = Int
public typealias CFTypeID = UInt
public typealias OSStatus = Int32
public typealias CFStringEncoding = UInt32
public final class CFAllocator: Sendable {}
public final class CFBoolean: Sendable {}
public final class CFString: Sendable {}
public final class CFData: Sendable {}
open class CFDictionary { init() {} }
public final class CFMutableDictionary: CFDictionary {}
public struct CFDictionaryKeyCallBacks: Sendable {}
public struct CFDictionaryValueCallBacks: Sendable {}
public enum CFStringBuiltInEncodings: CFStringEncoding { case UTF8 = 0x0800_0100 }

public let kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
public let kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()
public let kCFBooleanTrue: CFBoolean! = nil
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { 0 }
public func CFDataGetTypeID() -> CFTypeID { 0 }
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { 0 }
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! { nil }
public func CFDataCreate(
  _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! { nil }
public func CFStringCreateWithBytes(
  _ alloc: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ numBytes: CFIndex,
  _ encoding: CFStringEncoding, _ isExternalRepresentation: Bool
) -> CFString! { nil }
public func CFDictionaryCreateMutable(
  _ allocator: CFAllocator!, _ capacity: CFIndex,
  _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
  _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! { nil }
public func CFDictionarySetValue(
  _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {}

public let kSecClass = CFString()
public let kSecClassGenericPassword = CFString()
public let kSecAttrService = CFString()
public let kSecAttrAccount = CFString()
public let kSecAttrAccessible = CFString()
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = CFString()
public let kSecReturnData = CFString()
public let kSecValueData = CFString()
public let errSecSuccess: OSStatus = 0
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
public let errSecInteractionNotAllowed: OSStatus = -25308
public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { 0 }
public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { 0 }
public func SecItemUpdate(
  _ query: CFDictionary, _ attributesToUpdate: CFDictionary
) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
