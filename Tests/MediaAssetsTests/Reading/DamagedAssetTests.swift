import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets

/// Assets whose files are cut off, damaged or made up: what does not come has an error that says why.
final class DamagedAssetTests: XCTestCase {
    /// Does everything with a file that a client can.
    private func exercise(_ bench: WriterBench, _ data: Data, _ what: String) throws {
        let url = bench.url("broken.mov")
        try data.write(to: url)
        let asset = bench.system.run { AVURLAsset(url: url) }
        for track in asset.tracks {
            _ = (track.segments, track.nominalFrameRate, track.minFrameDuration, track.estimatedDataRate)
            _ = (track.naturalSize, track.preferredTransform, track.formatDescriptions, track.metadata)
        }
        _ = (asset.metadata, asset.commonMetadata, asset.creationDate, asset.availableChapterLocales)
        guard !asset.tracks.isEmpty else {
            XCTAssertThrowsError(try AVAssetReader(asset: asset), what) {
                XCTAssertTrue(($0 as? AVError)?.localizedDescription.contains("broken.mov") ?? false, "\(what): \($0)")
            }
            return
        }
        for track in asset.tracks {
            for settings in [nil, Self.settings(track)] {
                let reader = try AVAssetReader(asset: asset)
                let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
                reader.add(output)
                guard reader.startReading() else {
                    XCTAssertEqual(reader.status, .failed, what)
                    XCTAssertNotNil(reader.error, what)
                    continue
                }
                var count = 0
                while output.copyNextSampleBuffer() != nil, count < 400 { count += 1 }
                if count < 400 {
                    XCTAssertTrue([.completed, .failed].contains(reader.status), what)
                    XCTAssertEqual(reader.error != nil, reader.status == .failed, what)
                }
            }
        }
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.maximumSize = CGSize(width: 64, height: 64)
        for time in [CMTime.zero, CMTime(value: 1, timescale: 4), CMTime(value: 1 << 60, timescale: 7)] {
            do {
                let image = try generator.copyCGImage(at: time, actualTime: nil)
                XCTAssertLessThanOrEqual(max(image.width, image.height), 64, what)
            } catch {
                XCTAssertTrue(error is AVError, "\(what): \(error)")
            }
        }
        bench.assertNoMisuse()
    }

    private static func settings(_ track: AVAssetTrack) -> [String: Any]? {
        switch track.mediaType {
        case .video: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        case .audio: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16000, AVNumberOfChannelsKey: 2]
        default: nil
        }
    }

    private func movie(_ bench: WriterBench) throws -> Data {
        let writer = try bench.makeWriter("whole.mov")
        let audio = bench.makeAudio()
        let video = bench.makeVideo(width: 64, height: 64, [AVVideoAllowFrameReorderingKey: true])
        for input in [video, audio] { writer.add(input) }
        writer.shouldOptimizeForNetworkUse = true
        writer.startWriting()
        writer.startSession(atSourceTime: WriterBench.start)
        for frame in 0..<12 {
            video.append(
                try WriterBench.frame(frame, at: CMTime(value: Int64(frame), timescale: 30), width: 64, height: 64))
        }
        for chunk in 1..<20 { audio.append(try WriterBench.sound(chunk * 960..<(chunk + 1) * 960)) }
        bench.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        return try Data(contentsOf: bench.url("whole.mov"))
    }

    func testAFileCutAnywhereIsReadAsFarAsItGoes() throws {
        let bench = try WriterBench()
        let data = try movie(bench)
        for count in stride(from: 0, through: data.count, by: 61) {
            try exercise(bench, data.prefix(count), "cut after \(count) bytes")
        }
    }

    func testFlippedBytesEndInAnErrorOrInMedia() throws {
        let bench = try WriterBench()
        let data = try movie(bench)
        var state: UInt64 = 12
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        // The index is in front of the media.
        let index = try XCTUnwrap(data.range(of: Data("mdat".utf8), options: .backwards)).lowerBound
        for round in 0..<400 {
            var broken = data
            for _ in 0..<1 + random(3) { broken[random(round % 4 == 0 ? data.count : index)] = UInt8(random(256)) }
            try exercise(bench, broken, "round \(round)")
        }
    }
}
