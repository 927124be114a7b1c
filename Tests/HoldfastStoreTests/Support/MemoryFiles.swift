import HoldfastModel

/// A file system in memory that knows what a power loss would leave.
///
/// What was written, and what was named, is seen at once; it is durable only after a sync of the
/// file, or of the directory. ``crash(keeping:tearing:)`` ends the machine: of what was not synced,
/// the test says what stays. Any call can be made to fail. One thread at a time.
final class MemoryFiles: FileSystem, @unchecked Sendable {
  /// One call at the seam.
  struct Call: Hashable {
    /// "open", "write", "sync", "syncDirectory" …
    var operation: String
    /// The path concerned.
    var path: String
    /// How many calls of this operation there were, with this one.
    var number: Int
  }

  /// How a call fails.
  struct Failure {
    /// What the fault means.
    var kind: FileFault.Kind
    /// Of a failing write, the bytes that are written all the same.
    var prefix = 0
  }

  /// A file or a directory.
  final class Node {
    let isDirectory: Bool
    let number: UInt64
    var bytes: [UInt8] = []
    var durableBytes: [UInt8] = []
    var locks: (shared: Set<ObjectIdentifier>, exclusive: ObjectIdentifier?) = ([], nil)

    init(isDirectory: Bool, number: UInt64) {
      self.isDirectory = isDirectory
      self.number = number
    }
  }

  /// Something that happened and is not durable yet.
  enum Effect {
    case write(Node, UInt64, [UInt8])
    case resize(Node, UInt64)
    case name(String, Node)
    case removal(String)
    case move(String, String, Node)
  }

  /// Decides whether a call fails. nil: none does.
  var script: ((Call) -> Failure?)?
  /// All calls so far, in their order.
  private(set) var calls: [Call] = []
  /// Bytes that reads answered.
  private(set) var bytesRead: UInt64 = 0
  /// Bytes that writes took.
  private(set) var bytesWritten: UInt64 = 0
  /// What a crash may lose, oldest first. A write whose sync failed stays here for good, since the
  /// kernel forgets that the page was dirty; names live in the file system's journal, and a later
  /// sync of their directory saves them.
  private(set) var pending: [(effect: Effect, isForgotten: Bool)] = []

  private var names: [String: Node] = [:]
  private var durableNames: [String: Node] = [:]
  private var counts: [String: Int] = [:]
  private var boot = 0
  private var nodes: UInt64 = 0

  /// An empty file system with one durable directory.
  init(directory: String) {
    let node = newNode(isDirectory: true)
    names[directory] = node
    durableNames[directory] = node
  }

  /// How often an operation was called.
  func count(_ operation: String) -> Int { counts[operation, default: 0] }

  /// The bytes of a file, or nil.
  func bytes(_ path: String) -> [UInt8]? { names[path].map(\.bytes) }

  /// Puts a file there, durably, as if by somebody else.
  func put(_ bytes: [UInt8], at path: String) {
    let node = names[path] ?? newNode(isDirectory: false)
    node.bytes = bytes
    node.durableBytes = bytes
    names[path] = node
    durableNames[path] = node
  }

  /// Puts a directory there, durably.
  func putDirectory(_ path: String) {
    let node = newNode(isDirectory: true)
    names[path] = node
    durableNames[path] = node
  }

  /// The power fails. Every open file is dead.
  ///
  /// - Parameters:
  ///   - keeping: whether the effect at this place in ``pending`` reached the medium after all.
  ///   - tearing: whether of the last write that is kept only the first half did.
  func crash(keeping: (Int) -> Bool = { _ in false }, tearing: Bool = false) {
    var kept = pending.indices.filter(keeping).map { pending[$0].effect }
    if tearing, case .write(let node, let offset, let bytes)? = kept.last {
      kept[kept.count - 1] = .write(node, offset, Array(bytes.prefix(bytes.count / 2)))
    }
    kept.forEach(makeDurable)
    names = durableNames.filter { isReachable($0.key) }
    durableNames = names
    for node in names.values {
      node.bytes = node.durableBytes
      node.locks = ([], nil)
    }
    pending = []
    boot += 1
  }

  /// A process dies: what it wrote stays, its locks and open files go.
  func killProcess() {
    for node in names.values { node.locks = ([], nil) }
    boot += 1
  }

  // MARK: Names

  func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile {
    try note("open", path)
    if let node = names[path] {
      guard !mode.contains(.exclusive) else { throw fault(.exists, "open", path) }
      guard !node.isDirectory else { throw fault(.wrongType, "open", path) }
      return MemoryFile(self, path: path, node: node, boot: boot)
    }
    guard mode.contains(.create), names[parent(of: path)]?.isDirectory == true else {
      throw fault(.missing, "open", path)
    }
    let node = newNode(isDirectory: false)
    names[path] = node
    remember(.name(path, node))
    return MemoryFile(self, path: path, node: node, boot: boot)
  }

  func status(_ path: String) throws(FileFault) -> FileStatus? {
    try note("status", path)
    return names[path].map {
      FileStatus(
        kind: $0.isDirectory ? .directory : .file, size: UInt64($0.bytes.count), device: 1,
        inode: $0.number, mode: $0.isDirectory ? 0o700 : 0o600, modifiedMilliseconds: 0)
    }
  }

  func list(_ directory: String) throws(FileFault) -> [String] {
    try note("list", directory)
    guard let node = names[directory] else { throw fault(.missing, "list", directory) }
    guard node.isDirectory else { throw fault(.wrongType, "list", directory) }
    return names.keys.filter { parent(of: $0) == directory }
      .map { String($0.dropFirst(directory.count + 1)) }.sorted()
  }

  func makeDirectory(_ path: String) throws(FileFault) {
    try note("makeDirectory", path)
    guard names[path] == nil else { throw fault(.exists, "makeDirectory", path) }
    guard names[parent(of: path)] != nil else { throw fault(.missing, "makeDirectory", path) }
    let node = newNode(isDirectory: true)
    names[path] = node
    remember(.name(path, node))
  }

  func rename(_ from: String, to: String) throws(FileFault) {
    try note("rename", from)
    guard let node = names.removeValue(forKey: from) else {
      throw fault(.missing, "rename", from)
    }
    names[to] = node
    remember(.move(from, to, node))
  }

  func link(_ from: String, to: String) throws(FileFault) {
    try note("link", to)
    guard let node = names[from] else { throw fault(.missing, "link", from) }
    guard names[to] == nil else { throw fault(.exists, "link", to) }
    names[to] = node
    remember(.name(to, node))
  }

  func unlink(_ path: String) throws(FileFault) {
    try note("unlink", path)
    guard let node = names[path] else { throw fault(.missing, "unlink", path) }
    guard !node.isDirectory else { throw fault(.wrongType, "unlink", path) }
    names[path] = nil
    remember(.removal(path))
  }

  func removeDirectory(_ path: String) throws(FileFault) {
    try note("removeDirectory", path)
    guard names[path]?.isDirectory == true else { throw fault(.missing, "removeDirectory", path) }
    guard !names.keys.contains(where: { parent(of: $0) == path }) else {
      throw fault(.exists, "removeDirectory", path)
    }
    names[path] = nil
    remember(.removal(path))
  }

  func syncDirectory(_ path: String) throws(FileFault) {
    try note("syncDirectory", path)
    guard names[path] != nil else { throw fault(.missing, "syncDirectory", path) }
    settle { effect in
      switch effect {
      case .name(let name, _), .removal(let name): parent(of: name) == path
      case .move(let from, let to, _): parent(of: from) == path || parent(of: to) == path
      default: false
      }
    }
  }

  func freeBytes(_ path: String) throws(FileFault) -> UInt64 {
    try note("freeBytes", path)
    return 1 << 40
  }

  // MARK: Files

  func read(_ node: Node, _ path: String, at offset: UInt64, count: Int)
    throws(FileFault) -> ArraySlice<UInt8>
  {
    try note("read", path)
    let start = Int(min(offset, UInt64(node.bytes.count)))
    let found = node.bytes[start...].prefix(count)
    bytesRead += UInt64(found.count)
    return found
  }

  func write(_ node: Node, _ path: String, _ bytes: [UInt8], at offset: UInt64)
    throws(FileFault)
  {
    let failure = noted("write", path)
    let written = failure.map { Array(bytes.prefix($0.prefix)) } ?? bytes
    if !written.isEmpty {
      Self.write(written, at: offset, in: &node.bytes)
      remember(.write(node, offset, written))
      bytesWritten += UInt64(written.count)
    }
    if let failure { throw fault(failure.kind, "write", path) }
  }

  func sync(_ node: Node, _ path: String) throws(FileFault) {
    let concerned = { (effect: Effect) in
      switch effect {
      case .write(let other, _, _), .resize(let other, _): other === node
      default: false
      }
    }
    try note("sync", path, onFailure: { self.forget(concerned) })
    settle(concerned)
  }

  func resize(_ operation: String, _ node: Node, _ path: String, to size: UInt64)
    throws(FileFault)
  {
    try note(operation, path)
    Self.resize(&node.bytes, to: size)
    remember(.resize(node, size))
  }

  /// Whether a file opened then is alive.
  func isCurrent(_ then: Int) -> Bool { then == boot }

  /// A fault with the system's words left out.
  func fault(_ kind: FileFault.Kind, _ operation: String, _ path: String) -> FileFault {
    FileFault(kind: kind, operation: operation, path: path, errno: 0, reason: kind.rawValue)
  }

  // MARK: What lasts

  private func remember(_ effect: Effect) { pending.append((effect, false)) }

  private func settle(_ concerned: (Effect) -> Bool) {
    for entry in pending where !entry.isForgotten && concerned(entry.effect) {
      makeDurable(entry.effect)
    }
    pending.removeAll { !$0.isForgotten && concerned($0.effect) }
  }

  private func forget(_ concerned: (Effect) -> Bool) {
    for index in pending.indices where concerned(pending[index].effect) {
      pending[index].isForgotten = true
    }
  }

  private func makeDurable(_ effect: Effect) {
    switch effect {
    case .write(let node, let offset, let bytes):
      Self.write(bytes, at: offset, in: &node.durableBytes)
    case .resize(let node, let size): Self.resize(&node.durableBytes, to: size)
    case .name(let path, let node): durableNames[path] = node
    case .removal(let path): durableNames[path] = nil
    case .move(let from, let to, let node):
      durableNames[from] = nil
      durableNames[to] = node
    }
  }

  private func isReachable(_ path: String) -> Bool {
    let above = parent(of: path)
    return !names.keys.contains(above) || (durableNames[above] != nil && isReachable(above))
  }

  private static func write(_ bytes: [UInt8], at offset: UInt64, in target: inout [UInt8]) {
    let start = Int(offset)
    if target.count < start + bytes.count { resize(&target, to: offset + UInt64(bytes.count)) }
    copy(bytes[...], to: start, in: &target)
  }

  private static func resize(_ target: inout [UInt8], to size: UInt64) {
    let count = Int(size)
    if target.count > count { target.removeLast(target.count - count) }
    if target.count < count { target += [UInt8](repeating: 0, count: count - target.count) }
  }

  /// As `replaceSubrange`, without its cost in a debug build.
  static func copy(_ bytes: ArraySlice<UInt8>, to start: Int, in target: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    target.withUnsafeMutableBytes { all in
      let part = UnsafeMutableRawBufferPointer(rebasing: all[start..<start + bytes.count])
      bytes.withUnsafeBytes(part.copyMemory)
    }
  }

  private func newNode(isDirectory: Bool) -> Node {
    nodes += 1
    return Node(isDirectory: isDirectory, number: nodes)
  }

  private func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private func noted(_ operation: String, _ path: String) -> Failure? {
    counts[operation, default: 0] += 1
    let call = Call(operation: operation, path: path, number: count(operation))
    calls.append(call)
    return script?(call)
  }

  private func note(_ operation: String, _ path: String, onFailure: () -> Void = {})
    throws(FileFault)
  {
    guard let failure = noted(operation, path) else { return }
    onFailure()
    throw fault(failure.kind, operation, path)
  }
}
