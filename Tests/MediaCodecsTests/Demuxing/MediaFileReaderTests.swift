import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
import XCTest

final class MediaFileReaderTests: XCTestCase {
    private func packets(_ reader: MediaFileReader) throws -> [MediaPacket] {
        var packets: [MediaPacket] = []
        while true {
            switch try reader.next() {
            case .packet(let packet): packets.append(packet)
            case .damaged(let message): XCTFail(message)
            case .end: return packets
            }
        }
    }

    func testATransportStreamOfOneFrameIsRead() throws {
        for codec in ["libx264", "mpeg2video"] {
            let url = try MediaFixture.folder(self).appendingPathComponent("a.ts")
            let result = try MediaTools.run(
                "ffmpeg",
                ["-v", "error", "-f", "lavfi", "-i", "color=s=16x16:r=25", "-frames:v", "1", "-c:v", codec, url.path])
            XCTAssertEqual(result.status, 0, result.errors)
            XCTAssertLessThan(try Data(contentsOf: url).count, 2000)
            let reader = try MediaFileReader(path: url.path)
            XCTAssertEqual(reader.tracks.count, 1)
            guard case .packet(let packet) = try reader.next() else { return XCTFail("no packet of \(codec)") }
            XCTAssertTrue(packet.isKeyFrame)
        }
        // A text whose lines have the length of a packet and begin with the same letter.
        let text = try MediaFixture.folder(self).appendingPathComponent("a.txt")
        let line = "G" + String(repeating: "a", count: 186) + "\n"
        try Data(String(repeating: line, count: 5).utf8).write(to: text)
        XCTAssertThrowsError(try MediaFileReader(path: text.path))
    }

    func testTracksAndPacketsAreRead() throws {
        let reader = try MediaFileReader(path: MediaFixture.path("handheld-3s.mp4"))
        XCTAssertEqual(reader.tracks.map(\.isVideo).filter { $0 }.count, 1)
        XCTAssertEqual(reader.tracks.count, 2)
        let all = try packets(reader)
        let video = try XCTUnwrap(reader.tracks.first { $0.isVideo }).index
        XCTAssertEqual(all.filter { $0.trackIndex == video }.count, 90)
        XCTAssertEqual(all.filter { $0.trackIndex != video }.count, 113)
        let first = try XCTUnwrap(all.first { $0.trackIndex == video })
        XCTAssertEqual(first.presentationTime, .zero)
        XCTAssertEqual(first.duration, CMTime(value: 34000, timescale: 1_000_000))
        XCTAssertTrue(first.isKeyFrame)
        XCTAssertEqual(first.byteCount, 47183)
        guard case .audio(let audio) = try XCTUnwrap(reader.tracks.first { !$0.isVideo }).content else {
            return XCTFail("no audio")
        }
        XCTAssertEqual([audio.sampleRate, audio.channelCount], [44100, 1])
    }

    func testOnlySelectedTracksAreReadBeforeAndAfterRewinding() throws {
        let reader = try MediaFileReader(path: MediaFixture.path("handheld-3s.mp4"))
        let audio = try XCTUnwrap(reader.tracks.first { !$0.isVideo })
        reader.select([audio.index])
        let first = try packets(reader)
        XCTAssertTrue(first.allSatisfy { $0.trackIndex == audio.index })
        try reader.rewind()
        let second = try packets(reader)
        XCTAssertEqual(first.map(\.time), second.map(\.time))
        XCTAssertEqual(second.count, 113)
    }

    private func assertFails(_ path: String, _ code: MediaFileError.Code, line: UInt = #line) {
        XCTAssertThrowsError(try MediaFileReader(path: path), line: line) { error in
            XCTAssertEqual((error as? MediaFileError)?.code, code, line: line)
            XCTAssertTrue("\(error)".contains(path), "\(error)", line: line)
        }
    }

    func testFilesOfOtherFormatsAreRejectedWithTheirPath() throws {
        let folder = try MediaFixture.folder(self)
        assertFails(folder.appendingPathComponent("absent.mov").path, .notFound)
        assertFails(folder.path, .notAFile)
        assertFails("/dev/null", .notAFile)
        let prose = String(repeating: "This is a text file. It only calls itself a movie.\n", count: 200)
        for name in ["text.mov", "text.txt", "text.yuv", "text.mp3", "list.m3u8", "list.ffconcat", "empty.mp4"] {
            let url = folder.appendingPathComponent(name)
            let text =
                switch name {
                case "list.m3u8": "#EXTM3U\n#EXTINF:3,\n\(MediaFixture.path("street-3s.avi"))\n#EXT-X-ENDLIST\n"
                case "list.ffconcat": "ffconcat version 1.0\nfile '\(MediaFixture.path("street-3s.avi"))'\n"
                case "empty.mp4": ""
                default: prose
                }
            try Data(text.utf8).write(to: url)
            assertFails(url.path, .notRecognized)
        }
        var generator = SplitMix64(seed: 5)
        for index in 0..<20 {
            let url = folder.appendingPathComponent("noise\(index).mov")
            try Data((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }).write(to: url)
            XCTAssertThrowsError(try MediaFileReader(path: url.path))
        }
    }

    func testTheFormatDoesNotDependOnTheFileName() throws {
        let folder = try MediaFixture.folder(self)
        let url = folder.appendingPathComponent("100%d ünusual.txt")
        try FileManager.default.copyItem(atPath: MediaFixture.path("street-3s.avi"), toPath: url.path)
        XCTAssertEqual(try MediaFileReader(path: url.path).formatName, "avi")
    }
}
