import Foundation
import HoldfastAudio
import HoldfastModel
import Testing

/// The files that real recorders and editors leave, with what is right for each.
@Suite struct CaseFileTests {
  @Test("The case folder is found and has its 21 files")
  func folderIsThere() {
    #expect(CaseFiles.names.count >= 21, "nothing in \(CaseFiles.folder.path)")
  }

  @Test("A case file gives what the manifest says", arguments: CaseFiles.names)
  func caseFile(_ name: String) throws {
    let expected = try #require(CaseFiles.manifest[name])
    let bytes = try CaseFiles.bytes(name)
    let info: AudioFileInfo
    do {
      info = try AudioFile.probe(ArrayByteSource(bytes), name: name)
    } catch {
      #expect(!expected.accept, "\(error)")
      #expect(error.message.hasPrefix(name + ": "))
      return
    }
    #expect(expected.accept, "\(info)")
    #expect(info.frames == expected.frames)
    #expect(info.format.channels == expected.channels)
    #expect(info.format.sampleRate == expected.sampleRate)
    #expect(info.format.encoding.rawValue == expected.encoding)
    #expect(!info.oddities.isEmpty == expected.oddity, "\(info.oddities)")
    let audio = Array(bytes[Int(info.dataOffset)..<Int(info.dataOffset + info.dataLength)])
    #expect(SHA256.hex(audio) == expected.dataSHA256)
  }

  @Test("A case file gives the same through a pipe, however it is cut", arguments: CaseFiles.names)
  func casePipe(_ name: String) throws {
    let expected = try #require(CaseFiles.manifest[name])
    let bytes = try CaseFiles.bytes(name)
    for piece in [1, 7, 4_096, 100_000] where piece > 1 || bytes.count < 5_000 {
      do {
        let piped = try Piped(bytes, piece: piece)
        #expect(expected.accept, "\(name)")
        #expect(SHA256.hex(piped.audio) == expected.dataSHA256)
        #expect(piped.parser.format?.channels == expected.channels)
        #expect(!piped.parser.oddities.isEmpty == expected.oddity)
      } catch let error as AudioError {
        #expect(!expected.accept, "\(error)")
      }
    }
  }
}
