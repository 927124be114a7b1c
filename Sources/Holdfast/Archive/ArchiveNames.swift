import Foundation
import HoldfastAudio
import HoldfastModel
import HoldfastStore

/// Names of folders and files that every file system takes, each once.
struct ArchiveNames {
  /// The folder of recordings that lie in the trash.
  static let trash = "trash"
  /// Bytes of a name that comes from a person; with date and number it stays below the 255 that
  /// file systems take.
  private static let longest = 120
  /// What some file system gives a meaning of its own (Windows: all of these).
  private static let reserved: Set<Character> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]

  /// Names given, in lower case: some file systems do not tell cases apart.
  private var given: Set<String> = [
    "index.json", "recording.json", "transcript.json", "transcript.txt", ArchiveNames.trash,
  ]

  /// The folder of a recording: date and time in UTC, and the title.
  mutating func folder(of summary: RecordingSummary) -> String {
    let time = RFC3339.text(summary.startedMilliseconds)
    let date = time.prefix(19).map { $0 == "T" ? " " : $0 == ":" ? "." : $0 }
    let title = Self.clean(summary.title)
    let name = String(date) + (title.isEmpty ? "" : " \(title)")
    return unique((summary.isDeleted ? Self.trash + "/" : "") + name, "")
  }

  /// The file of a part of a track.
  mutating func file(_ track: String, _ part: ExportPart, of count: Int) -> String {
    let clean = Self.clean(track)
    let base = clean.isEmpty ? "track" : clean
    let name = count > 1 ? "\(base)-\(part.number)" : base
    return unique(name, ".\(part.container.fileExtension)")
  }

  private mutating func unique(_ name: String, _ fileExtension: String) -> String {
    var candidate = name + fileExtension
    var number = 2
    while !given.insert(candidate.lowercased()).inserted {
      candidate = "\(name) (\(number))\(fileExtension)"
      number += 1
    }
    return candidate
  }

  /// Text as a part of a name: without control and reserved characters, not too long, and neither
  /// beginning nor ending with what file systems or shells treat in a special way.
  static func clean(_ text: String) -> String {
    var name = ""
    for character in text {
      let isPlain =
        !reserved.contains(character)
        && !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      let next = isPlain ? String(character) : "-"
      guard name.utf8.count + next.utf8.count <= longest else { break }
      name += next
    }
    let edges = CharacterSet(charactersIn: ". ").union(.whitespacesAndNewlines)
    return name.trimmingCharacters(in: edges)
  }
}

extension AudioContainer {
  /// What the names of such files end with.
  package var fileExtension: String {
    switch self {
    case .wav, .rf64, .bw64: "wav"
    case .adts: "aac"
    case .caf: "caf"
    default: "pcm"
    }
  }
}
