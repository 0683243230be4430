import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

/// Tests assets of truncated and damaged files: missing media is reported as an error.
final class DamagedAssetTests: XCTestCase {
    /// Reads all properties, samples and images of a file; each failure must be an `AVError`.
    private func readEverything(_ fixture: AssetWriterFixture, _ data: Data, _ message: String) throws {
        let url = fixture.url("broken.mov")
        try data.write(to: url)
        let asset = fixture.system.run { AVURLAsset(url: url) }
        for track in asset.tracks {
            _ = (track.segments, track.nominalFrameRate, track.minFrameDuration, track.estimatedDataRate)
            _ = (track.naturalSize, track.preferredTransform, track.formatDescriptions, track.metadata)
        }
        _ = (asset.metadata, asset.commonMetadata, asset.creationDate, asset.availableChapterLocales)
        guard !asset.tracks.isEmpty else {
            XCTAssertThrowsError(try AVAssetReader(asset: asset), message) {
                XCTAssertTrue(
                    ($0 as? AVError)?.localizedDescription.contains("broken.mov") ?? false, "\(message): \($0)")
            }
            return
        }
        for track in asset.tracks {
            for settings in [nil, Self.settings(track)] {
                let reader = try AVAssetReader(asset: asset)
                let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
                reader.add(output)
                guard reader.startReading() else {
                    XCTAssertEqual(reader.status, .failed, message)
                    XCTAssertNotNil(reader.error, message)
                    continue
                }
                var count = 0
                while output.copyNextSampleBuffer() != nil, count < 400 { count += 1 }
                if count < 400 {
                    XCTAssertTrue([.completed, .failed].contains(reader.status), message)
                    XCTAssertEqual(reader.error != nil, reader.status == .failed, message)
                }
            }
        }
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.maximumSize = CGSize(width: 64, height: 64)
        for time in [CMTime.zero, CMTime(value: 1, timescale: 4), CMTime(value: 1 << 60, timescale: 7)] {
            do {
                let image = try generator.copyCGImage(at: time, actualTime: nil)
                XCTAssertLessThanOrEqual(max(image.width, image.height), 64, message)
            } catch {
                XCTAssertTrue(error is AVError, "\(message): \(error)")
            }
        }
        fixture.assertNoMisuse()
    }

    private static func settings(_ track: AVAssetTrack) -> [String: Any]? {
        switch track.mediaType {
        case .video: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        case .audio: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16000, AVNumberOfChannelsKey: 2]
        default: nil
        }
    }

    private func movie(_ fixture: AssetWriterFixture) throws -> Data {
        let writer = try fixture.makeWriter("whole.mov")
        let audio = fixture.makeAudioInput()
        let video = fixture.makeVideoInput(width: 64, height: 64, [AVVideoAllowFrameReorderingKey: true])
        for input in [video, audio] { writer.add(input) }
        writer.shouldOptimizeForNetworkUse = true
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<12 {
            video.append(
                try AssetWriterFixture.videoSample(
                    frame, at: CMTime(value: Int64(frame), timescale: 30), width: 64, height: 64))
        }
        for chunk in 1..<20 { audio.append(try AssetWriterFixture.audioSample(chunk * 960..<(chunk + 1) * 960)) }
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        return try Data(contentsOf: fixture.url("whole.mov"))
    }

    func testAFileTruncatedAtAnyOffsetIsReadOrReportsAnError() throws {
        let fixture = try AssetWriterFixture()
        let data = try movie(fixture)
        for count in stride(from: 0, through: data.count, by: 61) {
            try readEverything(fixture, data.prefix(count), "cut after \(count) bytes")
        }
    }

    func testChangedBytesResultInAnErrorOrInMedia() throws {
        let fixture = try AssetWriterFixture()
        let data = try movie(fixture)
        var state: UInt64 = 12
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        // The index precedes the media.
        let indexEnd = try XCTUnwrap(data.range(of: Data("mdat".utf8), options: .backwards)).lowerBound
        for round in 0..<400 {
            var broken = data
            for _ in 0..<1 + random(3) { broken[random(round % 4 == 0 ? data.count : indexEnd)] = UInt8(random(256)) }
            try readEverything(fixture, broken, "round \(round)")
        }
    }
}
