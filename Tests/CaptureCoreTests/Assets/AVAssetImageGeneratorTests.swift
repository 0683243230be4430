import AssetTypes
import Foundation
import MediaAssets
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore

final class AVAssetImageGeneratorTests: XCTestCase {
    func testWithoutToleranceTheImageIsTheFrameOfTheExactTime() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        let generator = AVAssetImageGenerator(asset: try fixture.asset(milliseconds: 1500))
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let frames = try fixture.decode().frames
        // The order is forward, backward and random. The times are at the start, middle and end of each frame.
        let order = Array(frames.indices) + frames.indices.reversed() + [7, 3, 40, 0, 21, 20]
        for index in order where frames.indices.contains(index) {
            let next = index + 1 < frames.count ? frames[index + 1].time : generator.asset.duration
            for time in [
                frames[index].time, CMTimeMultiplyByRatio(frames[index].time + next, multiplier: 1, divisor: 2),
                next - CMTime(value: 1, timescale: 1_000_000),
            ] {
                var actual = CMTime.invalid
                let image = try generator.copyCGImage(at: time, actualTime: &actual)
                XCTAssertEqual(actual, frames[index].time)
                XCTAssertEqual(
                    FrameMarker.read(from: image.pixelBuffer)?.counter, frames[index].marker?.counter,
                    "frame \(index) at \(time.seconds)")
            }
        }
    }

    func testTheFrameAtATimeIsTheSameForEveryCodecAndRequestOrder() throws {
        let capture = try AssetWriterFixture()
        // Frames before the session's start are hidden by an edit list.
        let times = [-2000, -500, 0, 3003, 6100, 12_001, 30_000, 39_999, 90_000, 90_090, 120_000].map {
            CMTime(value: $0, timescale: 90_000)
        }
        for codec in [AVVideoCodecType.h264, .hevc, .jpeg] {
            for reorders in [false, true] where codec != .jpeg || !reorders {
                let name = "\(codec.rawValue)-\(reorders).mov"
                let properties: [String: Any] =
                    codec == .jpeg ? [:] : [AVVideoAllowFrameReorderingKey: reorders, AVVideoMaxKeyFrameIntervalKey: 5]
                let video = capture.makeVideoInput(codec: codec, properties)
                let writer = try capture.makeWriter(name)
                writer.add(video)
                writer.startWriting()
                writer.startSession(atSourceTime: AssetWriterFixture.start)
                for (index, time) in times.enumerated() {
                    XCTAssertTrue(
                        video.append(
                            try AssetWriterFixture.videoSample(
                                index, at: time, duration: CMTime(value: 1, timescale: 10))))
                }
                capture.finish(writer)
                let asset = capture.system.run { AVURLAsset(url: capture.url(name)) }
                let generator = AVAssetImageGenerator(asset: asset)
                generator.requestedTimeToleranceBefore = .zero
                generator.requestedTimeToleranceAfter = .zero
                for index in [2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 4, 8, 3, 10, 2] {
                    let next = index + 1 < times.count ? times[index + 1] : asset.duration
                    for time in [times[index], next - CMTime(value: 1, timescale: 90_000)] {
                        var actual = CMTime.invalid
                        let image = try generator.copyCGImage(at: time, actualTime: &actual)
                        XCTAssertEqual(actual, times[index], "\(name) at \(time.seconds)")
                        XCTAssertEqual(
                            FrameMarker.read(from: image.pixelBuffer)?.counter, UInt32(index),
                            "\(name) at \(time.seconds)")
                    }
                }
                for outside in [CMTime(value: -1, timescale: 90_000), asset.duration] {
                    XCTAssertThrowsError(try generator.copyCGImage(at: outside, actualTime: nil), name) {
                        XCTAssertEqual(($0 as? AVError)?.code, .noImageAtTime, name)
                    }
                }
            }
        }
    }

    func testWithToleranceAKeyFrameIsUsed() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        let asset = try fixture.asset(milliseconds: 1500)
        let generator = AVAssetImageGenerator(asset: asset)
        var actual = CMTime.invalid
        _ = try generator.copyCGImage(at: CMTime(value: 3, timescale: 10), actualTime: &actual)
        let syncSamples = try XCTUnwrap(asset.tracks.first).map.samples.runs.filter(\.isSync)
        XCTAssertTrue(syncSamples.contains { asset.tracks[0].map.time($0.presentationTime) == actual })
        generator.requestedTimeToleranceBefore = CMTime(value: 1, timescale: 100)
        generator.requestedTimeToleranceAfter = CMTime(value: 1, timescale: 100)
        _ = try generator.copyCGImage(at: CMTime(value: 3, timescale: 10), actualTime: &actual)
        XCTAssertEqual(actual.seconds, 0.3, accuracy: 0.04)
    }

    func testImagesAreUprightAndFitTheMaximumSize() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        fixture.movie.connection(with: .video)?.videoRotationAngle = 90
        let asset = try fixture.asset(milliseconds: 300)
        XCTAssertEqual(asset.tracks.first?.preferredTransform.b, 1)
        let generator = AVAssetImageGenerator(asset: asset)
        let unrotated = try generator.copyCGImage(at: .zero, actualTime: nil)
        XCTAssertEqual([unrotated.width, unrotated.height], [320, 240])
        XCTAssertNotNil(FrameMarker.read(from: unrotated.pixelBuffer))
        generator.appliesPreferredTrackTransform = true
        let upright = try generator.copyCGImage(at: .zero, actualTime: nil)
        XCTAssertEqual([upright.width, upright.height], [240, 320])
        // The left edge of the unrotated image is the upper edge of the upright one.
        for index in 0..<10 {
            let (x, y) = (5, 40 + 17 * index)
            for channel in 0..<3 {
                XCTAssertEqual(
                    try Double(unrotated.byte(x, y, channel)), try Double(upright.byte(239 - y, x, channel)),
                    accuracy: 12)
            }
        }
        generator.maximumSize = CGSize(width: 100, height: 80)
        let small = try generator.copyCGImage(at: .zero, actualTime: nil)
        XCTAssertEqual([small.width, small.height], [60, 80])
        generator.maximumSize = CGSize(width: 0, height: 1000)
        XCTAssertEqual(try generator.copyCGImage(at: .zero, actualTime: nil).height, 320)
    }

    func testManyImagesAreGeneratedInOrder() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        let generator = AVAssetImageGenerator(asset: try fixture.asset(milliseconds: 1000))
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let times = [0, 500, 250, 5000].map { CMTime(value: $0, timescale: 1000) }
        let results = Lock<[(CMTime, AVAssetImageGenerator.Result, Bool)]>([])
        generator.generateCGImagesAsynchronously(forTimes: times.map { NSValue(time: $0) }) {
            time, image, _, result, error in
            results.withLock { $0.append((time, result, image != nil && error == nil)) }
        }
        fixture.capture.clock.settle()
        XCTAssertEqual(results.withLock { $0.map(\.0) }, times)
        XCTAssertEqual(results.withLock { $0.map(\.1) }, [.succeeded, .succeeded, .succeeded, .failed])
        XCTAssertEqual(results.withLock { $0.map(\.2) }, [true, true, true, false])
    }

    func testImagesAreDeliveredAsAnAsyncSequence() async throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        let generator = AVAssetImageGenerator(asset: try fixture.asset(milliseconds: 1000))
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        var counters: [UInt32?] = []
        var failures = 0
        for await result in generator.images(for: [0, 400, 9000].map { CMTime(value: $0, timescale: 1000) }) {
            switch result {
            case .success(_, let image, _): counters.append(FrameMarker.read(from: image.pixelBuffer)?.counter)
            case .failure(let time, let error):
                failures += 1
                XCTAssertEqual(time.seconds, 9)
                XCTAssertEqual((error as? AVError)?.code, .noImageAtTime)
            }
        }
        let frames = try fixture.decode().frames
        XCTAssertEqual(counters, [frames[0].marker?.counter, frames[12].marker?.counter])
        XCTAssertEqual(failures, 1)
        let (image, time) = try await generator.image(at: .zero)
        XCTAssertEqual(time, .zero)
        XCTAssertEqual(image.width, 320)
        XCTAssertEqual(image.dataProvider?.data?.count, image.bytesPerRow * image.height)
        XCTAssertEqual(image.cropping(to: CGRect(x: 10, y: 10, width: 20, height: 30))?.height, 30)
    }

    func testCancelledRequestsReportCancellation() async throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        let generator = AVAssetImageGenerator(asset: try fixture.asset(milliseconds: 500))
        var images = generator.images(for: [.zero, .zero])
        let first = await images.next()
        XCTAssertNoThrow(try first?.image)
        generator.cancelAllCGImageGeneration()
        let second = await images.next()
        XCTAssertThrowsError(try second?.image) {
            XCTAssertEqual(($0 as? AVError)?.code, .operationCancelled)
        }
    }

    func testAudioOnlyAssetsHaveNoImages() throws {
        let fixture = try MovieRecordingFixture(CaptureFixture(), camera: nil)
        let generator = AVAssetImageGenerator(asset: try fixture.asset(milliseconds: 500))
        XCTAssertThrowsError(try generator.copyCGImage(at: .zero, actualTime: nil)) {
            XCTAssertEqual(($0 as? AVError)?.code, .noSourceTrack)
        }
    }

    func testAnNSValueContainsATimeOrTimeRange() {
        for time in [CMTime.zero, .invalid, .positiveInfinity, CMTime(value: -5, timescale: 90000)] {
            XCTAssertEqual(NSValue(time: time).timeValue, time)
        }
        let range = CMTimeRange(start: CMTime(value: 1, timescale: 3), duration: CMTime(value: 7, timescale: 600))
        XCTAssertEqual(NSValue(timeRange: range).timeRangeValue, range)
    }
}

extension CGImage {
    fileprivate func byte(_ x: Int, _ y: Int, _ channel: Int) throws -> UInt8 {
        let data = try XCTUnwrap(dataProvider?.data)
        return data[y * bytesPerRow + 4 * x + channel]
    }
}
