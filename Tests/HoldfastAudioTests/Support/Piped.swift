import HoldfastAudio
import HoldfastModel
import Testing

/// What comes out of a pipe that brings the bytes in pieces.
struct Piped {
  var parser = WAVStreamParser()
  var audio: [UInt8] = []

  init(_ bytes: [UInt8], piece: Int) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      audio += try parser.push(Array(rest.prefix(piece)))
      rest = rest.dropFirst(piece)
    }
    audio += try parser.finish()
  }

  var format: AudioFormat { get throws { try #require(parser.format) } }
}
