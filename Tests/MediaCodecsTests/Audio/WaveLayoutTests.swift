import XCTest

@testable import MediaCodecs

final class WaveLayoutTests: XCTestCase {
    private func extent(_ byteCount: Int64) -> AudioExtent {
        AudioExtent(
            byteCount: byteCount, packetSizes: [], primingFrameCount: 0, validFrameCount: byteCount / 2,
            remainderFrameCount: 0)
    }

    private func file(_ layout: WaveLayout, _ patches: [AudioFilePatch]) -> [UInt8] {
        var bytes = layout.header
        for patch in patches where patch.offset < Int64(bytes.count) {
            bytes.replaceSubrange(Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
        }
        return bytes
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    func testSizesOverFourGigabytesAreWrittenAsRF64() {
        let format = AudioSampleFormat(codec: .pcm(.int16), sampleRate: 48000, channelCount: 1)
        var layout = WaveLayout(format, .int16)
        let small = file(layout, layout.completion(extent(1000)))
        XCTAssertEqual(Array(small[0..<4]), Array("RIFF".utf8))
        XCTAssertEqual(number(small[4..<8]), Int64(small.count) + 992)
        XCTAssertEqual(Array(small[12..<16]), Array("JUNK".utf8))
        XCTAssertEqual(number(small[(small.count - 4)...]), 1000)

        let byteCount: Int64 = 5 << 30
        let large = file(layout, layout.completion(extent(byteCount)))
        XCTAssertEqual(Array(large[0..<4]), Array("RF64".utf8))
        XCTAssertEqual(number(large[4..<8]), 0xffff_ffff)
        XCTAssertEqual(Array(large[12..<16]), Array("ds64".utf8))
        XCTAssertEqual(number(large[20..<28]), byteCount + Int64(large.count) - 8)
        XCTAssertEqual(number(large[28..<36]), byteCount)
        XCTAssertEqual(number(large[36..<44]), byteCount / 2)
        XCTAssertEqual(number(large[(large.count - 4)...]), 0xffff_ffff)
    }

    func testAnOddNumberOfBytesIsPadded() {
        let format = AudioSampleFormat(codec: .pcm(.int24), sampleRate: 8000, channelCount: 1)
        var layout = WaveLayout(format, .int24)
        let patches = layout.completion(extent(9))
        XCTAssertEqual(patches.first?.offset, layout.audioOffset + 9)
        XCTAssertEqual(patches.first?.bytes, [0])
        XCTAssertEqual(number(file(layout, patches)[4..<8]), Int64(layout.header.count) + 2)
    }
}
