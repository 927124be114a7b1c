package import Holdfast

/// Which directory the store is in.
package enum StoreLocation {
  /// `--store`, else `HOLDFAST_STORE`, else `holdfast/store` in the directory for data: that of
  /// `XDG_DATA_HOME`, else `~/.local/share`. An empty variable counts as none, and so does an
  /// `XDG_DATA_HOME` that is not absolute (XDG Base Directory Specification 0.8).
  ///
  /// - Throws: `invalidArgument` when nothing says where, because `HOME` is not set either.
  package static func directory(option: String?, environment: [String: String])
    throws(HoldfastError) -> String
  {
    if let option { return option }
    if let directory = environment["HOLDFAST_STORE"], !directory.isEmpty { return directory }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return joined(data, "holdfast/store")
    }
    if let home = environment["HOME"], !home.isEmpty {
      return joined(home, ".local/share/holdfast/store")
    }
    throw HoldfastError(
      .invalidArgument, "it is not known where the store is: HOME is not set",
      hint: "give --store DIR, or set HOLDFAST_STORE")
  }

  private static func joined(_ directory: String, _ path: String) -> String {
    directory.hasSuffix("/") ? directory + path : directory + "/" + path
  }
}
