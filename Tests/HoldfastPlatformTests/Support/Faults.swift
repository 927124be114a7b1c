import HoldfastModel

/// The fault that a call throws; nil when it throws none or another error.
func fault<R>(_ call: @autoclosure () throws -> R) -> FileFault? {
  do {
    _ = try call()
    return nil
  } catch {
    return error as? FileFault
  }
}

/// The kind of fault that a call throws.
func kind<R>(_ call: @autoclosure () throws -> R) -> FileFault.Kind? { fault(try call())?.kind }
