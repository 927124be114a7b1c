// swift-format-ignore-file

// Darwin's C library is close enough to Glibc for the names that we use; the rest is declared here.
@_exported public import Glibc

public func timingsafe_bcmp(
  _ b1: UnsafeRawPointer!, _ b2: UnsafeRawPointer!, _ len: Int
) -> Int32 { 0 }
