package import Holdfast

/// Which directory the store is in.
package enum StoreLocation {
  /// `--store`, else `HOLDFAST_STORE`, else `holdfast/store` in the directory for data: that of
  /// `XDG_DATA_HOME`, else `~/.local/share`. An empty variable counts as none, and so does an
  /// `XDG_DATA_HOME` that is not absolute (XDG Base Directory Specification 0.8).
  ///
  /// A "~" that the shell left as it is (`--store=~/x`, a quoted one, a line of an environment
  /// file) is refused: taken as a name it would make a directory called "~", and programs of the
  /// same store would not agree where it is.
  ///
  /// - Throws: `invalidArgument` for such a path, for one that is not UTF-8, and when nothing says
  ///   where, because `HOME` is not set either.
  package static func directory(option: String?, environment: [String: String])
    throws(HoldfastError) -> String
  {
    if let option { return try written(option, "--store") }
    if let directory = try named("HOLDFAST_STORE", environment) {
      return try written(directory, "HOLDFAST_STORE")
    }
    if let data = try named("XDG_DATA_HOME", environment), data.hasPrefix("/") {
      return joined(data, "holdfast/store")
    }
    if let home = try named("HOME", environment) {
      return joined(home, ".local/share/holdfast/store")
    }
    throw HoldfastError(
      .invalidArgument, "it is not known where the store is: HOME is not set",
      hint: "give --store DIR, or set HOLDFAST_STORE")
  }

  /// The directory that a variable names; nil when it names none. What reads the environment puts
  /// U+FFFD in the place of bytes that are no UTF-8, and that would be another directory.
  private static func named(
    _ name: String, _ environment: [String: String]
  ) throws(HoldfastError) -> String? {
    guard let value = environment[name], !value.isEmpty else { return nil }
    guard !value.unicodeScalars.contains("\u{FFFD}") else {
      throw HoldfastError(
        .invalidArgument, "\(name) must be UTF-8, and '\(value)' is not",
        hint: "give --store DIR with a name in UTF-8")
    }
    return value
  }

  private static func written(_ path: String, _ owner: String) throws(HoldfastError) -> String {
    guard path == "~" || path.hasPrefix("~/") else { return path }
    throw HoldfastError(
      .invalidArgument, "\(owner) is '\(path)': no shell has put your home directory in its place",
      hint: "write \"$HOME\(path.dropFirst())\", or ./\(path) for a directory of that name")
  }

  /// The path from the root on, so that messages name one place only; symbolic links and ".." stay
  /// what the system makes of them.
  package static func absolute(_ path: String, in directory: String) -> String {
    var path = path[...]
    guard !path.hasPrefix("/") else { return String(path) }
    while path.hasPrefix("./") { path = path.dropFirst(2).drop { $0 == "/" } }
    return path.isEmpty || path == "." ? directory : joined(directory, String(path))
  }

  private static func joined(_ directory: String, _ path: String) -> String {
    directory.hasSuffix("/") ? directory + path : directory + "/" + path
  }
}
