package import HoldfastModel

/// Opens one reel of a store, reads its header and scans it: one call for tail scan, rebuild and
/// verification.
package struct ReelVisit {
  private let files: any FileSystem
  private let hashing: any Hashing
  private let check: PayloadCheck
  private let mends: Bool

  /// A way to visit reels; by `mends` false, chunks whose header has a flipped bit are damage.
  package init(
    files: any FileSystem, hashing: any Hashing, check: PayloadCheck = .all, mends: Bool = true
  ) {
    self.files = files
    self.hashing = hashing
    self.check = check
    self.mends = mends
  }

  /// Scans the reel, and says what is there. It has no error: what cannot be read is a fact of the
  /// reel.
  ///
  /// - Parameters:
  ///   - directory: the store's directory.
  ///   - path: the reel.
  ///   - start: where to begin; nil begins after the reel's header. When the header cannot be read,
  ///     its bytes are searched for chunks too.
  ///   - visit: gets each whole chunk, in the order of the file.
  package func scan(
    directory: String, path: ReelPath, from start: UInt64?, visit: (ChunkRecord) -> Void
  ) -> ScannedReel {
    var reel = ScannedReel(path: path)
    do throws(FileFault) {
      let file = try files.open("\(directory)/\(path)", .read)
      defer { file.close() }
      let frame = readHeader(of: file, into: &reel)
      var scan = try ReelScan(
        file: file, owner: path, from: start ?? frame?.byteCount ?? 0, hashing: hashing,
        check: check, mends: mends)
      reel.size = scan.size
      defer {
        reel.end = scan.end
        reel.tornBytes = scan.tornBytes
      }
      while let item = try scan.next() {
        switch item {
        case .chunk(let record):
          reel.chunks += 1
          visit(record)
        case .damage(let range): reel.damaged.append(range)
        }
      }
    } catch {
      reel.fault = ReelFault(error)
    }
    return reel
  }

  private func readHeader(
    of file: any OpenFile, into reel: inout ScannedReel
  ) -> ReelHeaderFrame? {
    do throws(ReelFault) {
      let frame = try ReelHeader.read(from: file)
      reel.header = frame.header
      reel.headerIsMended = frame.mended != nil
      return frame
    } catch {
      reel.fault = error
      return nil
    }
  }
}
