import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs

final class SampleEntryTests: XCTestCase {
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
