package import HoldfastModel

/// Lists everything below `audio/` by the headers of its files: for rebuild, adoption and
/// verification.
///
/// Invariant: nothing is left out. A file that is no reel of ours is listed with the reason, and is
/// never an error.
package struct TakeDirectoryScan {
  /// A file that stands where a reel belongs.
  package struct Reel: Hashable, Sendable {
    /// Its take and number, by its name.
    package var path: ReelPath
    /// Bytes of the file.
    package var size: UInt64
    /// What it says about itself. It may name another take or number, when the file was moved.
    package var header: ReelHeader?
    /// The header's frame as it was written, when one bit of it is flipped in the file.
    package var mendedHeader: [UInt8]?
    /// Why there is no header; nil when there is one.
    package var fault: ReelFault?
  }

  /// Something else.
  package struct Unreadable: Hashable, Sendable {
    /// Its path relative to the store's directory.
    package var path: String
    /// What is wrong with it.
    package var fault: ReelFault
  }

  /// What was found.
  package struct Found: Hashable, Sendable {
    /// The reels, by take and number.
    package var reels: [Reel] = []
    /// The rest, by path.
    package var unreadable: [Unreadable] = []
  }

  private let directory: String
  private let files: any FileSystem

  /// A scan of the store in a directory.
  package init(directory: String, files: any FileSystem) {
    self.directory = directory
    self.files = files
  }

  /// Lists all takes' reels.
  ///
  /// - Throws: when `audio/` itself cannot be listed. Where it is missing, nothing is found.
  package func run() throws(FileFault) -> Found {
    var found = Found()
    let audio = ReelPath.audioDirectory
    guard try files.status("\(directory)/\(audio)") != nil else { return found }
    for name in try files.list("\(directory)/\(audio)") {
      addTake("\(audio)/\(name)", to: &found)
    }
    return found
  }

  private func addTake(_ parent: String, to found: inout Found) {
    do throws(FileFault) {
      guard try files.status("\(directory)/\(parent)")?.kind == .directory else {
        found.unreadable.append(
          Unreadable(
            path: parent, fault: ReelFault(.foreign, "\(parent) is not a take's directory.")))
        return
      }
      let paths = try files.list("\(directory)/\(parent)").map { "\(parent)/\($0)" }
      found.reels += paths.compactMap { ReelPath($0) }.sorted().map(reel)
      for path in paths where ReelPath(path) == nil {
        let fault = ReelFault(.foreign, "\(path) is not named as a reel is.")
        found.unreadable.append(Unreadable(path: path, fault: fault))
      }
    } catch {
      found.unreadable.append(Unreadable(path: parent, fault: ReelFault(error)))
    }
  }

  private func reel(at path: ReelPath) -> Reel {
    var reel = Reel(path: path, size: 0)
    do throws(ReelFault) {
      let file = try opened(path)
      defer { file.close() }
      reel.size = (try? file.size()) ?? 0
      let frame = try ReelHeader.read(from: file)
      reel.header = frame.header
      reel.mendedHeader = frame.mended
    } catch {
      reel.fault = error
    }
    return reel
  }

  private func opened(_ path: ReelPath) throws(ReelFault) -> any OpenFile {
    do throws(FileFault) {
      return try files.open("\(directory)/\(path)", .read)
    } catch {
      throw ReelFault(error)
    }
  }
}
