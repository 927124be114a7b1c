import HoldfastModel

/// A reel that lies anywhere: what it says, and the whole chunks in it.
struct LooseReel {
  /// Where it lies.
  let path: String
  /// What it says about itself; nil when that cannot be read.
  let header: ReelHeader?
  /// Headers of it, its own and its chunks', in which one bit is flipped.
  let mended: [MendedHeader]
  /// The take and number that its frames were written for.
  let owner: ReelPath
  /// Whole chunks, in the order of the file.
  let records: [ChunkRecord]
  /// Parts of it that hold no whole chunk.
  let damaged: UInt64

  /// Reads a file as a reel.
  ///
  /// - Throws: what keeps it from being one: `foreign`, `newerVersion`, `damaged` when neither its
  ///   header nor any chunk can be read, and faults of the file.
  init(_ path: String, _ environment: StoreEnvironment) throws(ReelFault) {
    let file: any OpenFile
    do throws(FileFault) { file = try environment.files.open(path, .read) } catch {
      throw ReelFault(error)
    }
    defer { file.close() }
    var found: ReelHeaderFrame?
    var fault: ReelFault?
    do throws(ReelFault) { found = try ReelHeader.read(from: file) } catch {
      if error.code == .newerVersion { throw error }
      fault = error
    }
    var records: [ChunkRecord] = []
    var corrected: [MendedHeader] = []
    var damaged: UInt64 = fault == nil ? 0 : 1
    do throws(FileFault) {
      var scan = try ReelScan(
        file: file, owner: found?.header.path, from: found?.byteCount ?? 0,
        hashing: environment.hashing)
      while let item = try scan.next() {
        if case .chunk(let record) = item { records.append(record) } else { damaged += 1 }
      }
      corrected = scan.mended
    } catch { throw ReelFault(error) }
    let frames = records.first.map { ReelPath(take: $0.take, reel: $0.reel) }
    guard let owner = found?.header.path ?? frames else {
      throw fault ?? ReelFault(.damaged, "No chunk in \(path) can be read.")
    }
    self.path = path
    header = found?.header
    let own = (found?.mended).map { MendedHeader(offset: 0, bytes: $0) }
    mended = [own].compactMap(\.self) + corrected
    self.owner = owner
    self.records = records
    self.damaged = damaged
  }
}
