import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

final class SampleEntryTests: XCTestCase {
    func testKeysOfTimedMetadataKeepTheirLocalIDs() throws {
        var source = BoxBuilder()
        source.box("mebx") { mebx in
            mebx.zeros(6)
            mebx.unsigned16(1)
            mebx.box("keys") { list in
                for (id, name) in [("\0\0\0\u{2}", "com.example.label"), ("PHDR", "com.example.note")] {
                    list.box(id) { key in
                        key.box("keyd") { box in
                            box.code("mdta")
                            box.data(name.utf8)
                        }
                        key.box("dtyp") { box in
                            box.unsigned32(0)
                            box.unsigned32(1)
                        }
                    }
                }
            }
        }
        let entry = SampleEntry(code: "mebx", content: .other(Data(source.bytes.dropFirst(16))), atoms: [:])
        guard case .metadata(let format) = try entry.makeSampleFormat(handler: "meta", timescale: 600) else {
            return XCTFail("no timed metadata")
        }
        var written = BoxBuilder()
        format.appendSampleEntry(to: &written)
        XCTAssertEqual(written.bytes, source.bytes)
        XCTAssertEqual(format.sample([(key: 1, value: Data([7]))]), Data([0, 0, 0, 9] + Array("PHDR".utf8) + [7]))

        let description = try XCTUnwrap(entry.makeDescription(handler: "meta", timescale: 600))
        let identifiers = [1, 2, 0x5048_4452].map { id in
            CMMetadataFormatDescriptionGetKeyWithLocalID(description, localKeyID: id)?[
                kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier] as? String
        }
        XCTAssertEqual(identifiers, [nil, "mdta/com.example.label", "mdta/com.example.note"])
    }

    func testUnusedKeysOfTimedMetadataAreIgnored() throws {
        var body = BoxBuilder()
        body.box("keys") { list in
            for id in ["\0\0\0\0", "\0\0\0\u{1}"] {
                list.box(id) { key in
                    key.box("keyd") { box in
                        box.code("mdta")
                        box.data("com.example.key\(id.unicodeScalars.last?.value ?? 0)".utf8)
                    }
                    key.box("dtyp") { $0.zeros(8) }
                }
            }
        }
        XCTAssertEqual(SampleEntry.timedMetadata(Data(body.bytes))?.keys.map(\.name), ["com.example.key1"])
    }

    /// Returns an `esds` box without decoder-specific information.
    ///
    /// - Parameters:
    ///   - streamID: The `ES_ID`.
    ///   - options: The flags of the optional fields, and these fields.
    private func elementaryStream(_ objectType: UInt8, streamID: UInt16, options: [UInt8]) -> Data {
        let decoder = [objectType, 0x15] + [UInt8](repeating: 0, count: 11)
        let stream =
            [UInt8(streamID >> 8), UInt8(truncatingIfNeeded: streamID)] + options
            + [4, UInt8(decoder.count)] + decoder + [6, 1, 2]
        return Data([0, 0, 0, 0, 3, UInt8(stream.count)] + stream)
    }

    func testTheObjectTypeOfTheElementaryStreamDeterminesTheCodec() throws {
        // No options, the ID of another stream, and a URL of two bytes.
        let options: [[UInt8]] = [[0], [0x80, 0, 4], [0x40, 2, 4, 4]]
        for (objectType, codec) in [
            (UInt8(0x40), kAudioFormatMPEG4AAC), (0x69, kAudioFormatMPEGLayer3), (0x6b, kAudioFormatMPEGLayer3),
        ] {
            for (streamID, options) in [UInt16(0), 1, 4, 0x0400].flatMap({ id in options.map { (id, $0) } }) {
                let entry = SampleEntry(
                    code: "mp4a",
                    content: .audio(
                        .init(
                            channelCount: 2, bitsPerChannel: 16, sampleRate: 44100, linearFlags: nil,
                            framesPerPacket: 0)),
                    atoms: ["esds": elementaryStream(objectType, streamID: streamID, options: options)])
                let stream = entry.makeDescription(handler: "soun", timescale: 44100)?.audioStreamBasicDescription
                XCTAssertEqual(stream?.mFormatID, codec, "\(objectType) with \(streamID) and \(options)")
            }
        }
    }
}
