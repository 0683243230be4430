import CaptureHAL
import MediaTypes
import XCTest

@testable import Capture

final class StreamOrderTests: XCTestCase {
    private let sound = AudioStreamFormat(sampleRate: 48_000, channelCount: 1, sample: .int16)

    /// The milliseconds at which runs of 10 ms come through; nil for those that do not.
    private func sound(at milliseconds: [Int64]) -> [Int64?] {
        let order = StreamOrder(.audio(sound))
        return milliseconds.map { at in
            let chunk = AudioChunk(
                data: CMBlockBuffer(length: 960), format: sound, frameCount: 480,
                presentationTime: CMTime(value: at, timescale: 1000), samplePosition: 0)
            guard case .audio(let admitted)? = order.admit(.audio(chunk)) else { return nil }
            return admitted.presentationTime.nanoseconds / 1_000_000
        }
    }

    func testWhatComesInOrderPassesUntouched() {
        XCTAssertEqual(sound(at: [0, 10, 20, 70, 80, 9000]), [0, 10, 20, 70, 80, 9000])
    }

    func testStragglersAndRepetitionsAreLeftOut() {
        XCTAssertEqual(sound(at: [0, 10, 10, 5, 20, 30]), [0, 10, nil, nil, 20, 30])
    }

    func testAClockThatWentBackFarIsFollowedFromWhereTimeWas() {
        XCTAssertEqual(sound(at: [5000, 5010, 100, 110, 130]), [5000, 5010, 5020, 5030, 5050])
        // Once set back it may go on for hours, and be set back again.
        XCTAssertEqual(sound(at: [5000, 100, 7100, 10, 20]), [5000, 5010, 12010, 12020, 12030])
    }

    func testAPictureOfAnotherSizeIsALoss() throws {
        let format = VideoStreamFormat(
            dimensions: CMVideoDimensions(width: 64, height: 32),
            encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
            frameDurations: [FrameDurationRange(CMTime(value: 1, timescale: 30))])
        let order = StreamOrder(.video(format))
        for (index, width) in [64, 32, 64].enumerated() {
            let buffer = try XCTUnwrap(
                CVPixelBuffer(
                    width: width, height: 32, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
            let frame = VideoFrame(
                payload: .pixels(buffer), presentationTime: CMTime(value: CMTimeValue(index), timescale: 30),
                duration: CMTime(value: 1, timescale: 30), sequenceNumber: UInt64(index))
            switch try XCTUnwrap(order.admit(.video(frame))) {
            case .video: XCTAssertEqual(width, 64)
            case .dropped(let drop):
                XCTAssertEqual(width, 32)
                XCTAssertEqual(drop.reason, .damaged)
                XCTAssertEqual(drop.sequenceNumber, 1)
            default: XCTFail("neither picture nor loss")
            }
        }
    }
}

extension StreamOrder {
    /// What clients see of an event.
    fileprivate func admit(_ event: StreamEvent) -> StreamEvent? {
        switch judge(event) {
        case .asItIs: event
        case .changed(let other): other
        case .nothing: nil
        }
    }
}
