import CaptureHAL
import MediaTypes
import XCTest

@testable import CaptureCore

final class TimestampCorrectorTests: XCTestCase {
    private let format = AudioStreamFormat(sampleRate: 48_000, channelCount: 1, sample: .int16)

    /// Returns the corrected timestamps, in milliseconds, of audio chunks of 10 ms; nil for dropped chunks.
    ///
    /// - Parameter end: The end of the media of earlier streams.
    private func correctedTimes(_ milliseconds: [Int64], after end: CMTime = .negativeInfinity) -> [Int64?] {
        var corrector = TimestampCorrector(.audio(format), after: end)
        return milliseconds.map { time in
            let chunk = AudioChunk(
                data: CMBlockBuffer(length: 960), format: format, frameCount: 480,
                presentationTime: CMTime(value: time, timescale: 1000), samplePosition: 0)
            guard case .audio(let corrected)? = corrector.correctedEvent(.audio(chunk)) else { return nil }
            return corrected.presentationTime.nanoseconds / 1_000_000
        }
    }

    func testEventsInOrderAreUnchanged() {
        XCTAssertEqual(correctedTimes([0, 10, 20, 70, 80, 9000]), [0, 10, 20, 70, 80, 9000])
    }

    func testLateAndRepeatedEventsAreDropped() {
        XCTAssertEqual(correctedTimes([0, 10, 10, 5, 20, 30]), [0, 10, nil, nil, 20, 30])
    }

    func testTimestampsContinueAfterAClockWasSetBack() {
        XCTAssertEqual(correctedTimes([5000, 5010, 100, 110, 130]), [5000, 5010, 5020, 5030, 5050])
        // The clock can then run for hours and be set back again.
        XCTAssertEqual(correctedTimes([5000, 100, 7100, 10, 20]), [5000, 5010, 12010, 12020, 12030])
    }

    func testTimestampsContinueIfAClockWasSetBackBetweenTwoStreams() {
        let end = CMTime(value: 5010, timescale: 1000)
        XCTAssertEqual(correctedTimes([100, 110, 120], after: end), [5010, 5020, 5030])
        // Small steps are not corrected, and neither are gaps while the session was stopped.
        XCTAssertEqual(correctedTimes([5000, 5010], after: end), [5000, 5010])
        XCTAssertEqual(correctedTimes([600_000_000, 600_000_010], after: end), [600_000_000, 600_000_010])
    }

    func testTimestampsContinueAfterAClockWasSetForwardByYears() {
        let yearMilliseconds: Int64 = 31_536_000_000
        XCTAssertEqual(
            correctedTimes([0, 10, yearMilliseconds, yearMilliseconds + 10, 30, 40]), [0, 10, 20, 30, 40, 50])
        // Invalid timestamps are dropped and do not affect later ones.
        XCTAssertEqual(correctedTimes([0, 10, .max / 1000, 20, .min / 1000, 30]), [0, 10, nil, 20, nil, 30])
    }

    func testTimestampsIncreaseForAnyInput() {
        let edges: [Int64] = [0, 1, 1 << 31, 1 << 61, 1 << 62, (1 << 62) + 1, .max / 2, .max - 1, .max]
        let values = edges + edges.map { -$0 } + [.min]
        let scales: [Int32] = [1, 30, 90_000, 1_000_000_000, .max]
        let nonNumeric: [CMTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]
        var random = SplitMix64(seed: 20)
        func time() -> CMTime {
            if random.next() % 16 == 0 { return nonNumeric[Int(random.next() % UInt64(nonNumeric.count))] }
            let near = Int64(bitPattern: random.next() % 1_000_000_000) - 500_000_000
            let value = values[Int(random.next() % UInt64(values.count))].addingReportingOverflow(near).partialValue
            return CMTime(value: value, timescale: scales[Int(random.next() % UInt64(scales.count))])
        }
        let audioFormats = [
            format, AudioStreamFormat(sampleRate: 0, channelCount: 1, sample: .int16),
            AudioStreamFormat(sampleRate: .nan, channelCount: 1, sample: .int16),
            AudioStreamFormat(sampleRate: 1e-300, channelCount: 1, sample: .int16),
        ]
        for _ in 0..<200 {
            var corrector = TimestampCorrector(.audio(format))
            var last: CMTime?
            for _ in 0..<200 {
                let event: StreamEvent
                switch random.next() % 4 {
                case 0:
                    event = .dropped(
                        DroppedFrame(reason: .discontinuity, presentationTime: time(), sequenceNumber: 0))
                case 1:
                    event = .audio(
                        AudioChunk(
                            data: CMBlockBuffer(length: 960), format: audioFormats[Int(random.next() % 4)],
                            frameCount: 480,
                            presentationTime: time(), samplePosition: 0))
                default:
                    event = .video(
                        VideoFrame(
                            payload: .compressed(CMBlockBuffer(length: 4), codec: kCMVideoCodecType_JPEG),
                            presentationTime: time(), duration: time(), sequenceNumber: 0))
                }
                let corrected: CMTime
                switch corrector.correctedEvent(event) {
                case .audio(let chunk)?: corrected = chunk.presentationTime
                case .video(let frame)?: corrected = frame.presentationTime
                case .dropped, .failed, .ended, nil: continue
                }
                XCTAssertTrue(corrected.isNumeric)
                if let last { XCTAssertGreaterThan(corrected, last) }
                last = corrected
            }
            XCTAssertNotNil(last, "no event was delivered")
        }
    }

    func testAFrameOfAnotherSizeIsReportedAsDropped() throws {
        let format = VideoStreamFormat(
            dimensions: CMVideoDimensions(width: 64, height: 32),
            encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
            frameDurations: [FrameDurationRange(CMTime(value: 1, timescale: 30))])
        var corrector = TimestampCorrector(.video(format))
        for (index, width) in [64, 32, 64].enumerated() {
            let buffer = try XCTUnwrap(
                CVPixelBuffer(
                    width: width, height: 32, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
            let frame = VideoFrame(
                payload: .pixels(buffer), presentationTime: CMTime(value: CMTimeValue(index), timescale: 30),
                duration: CMTime(value: 1, timescale: 30), sequenceNumber: UInt64(index))
            switch try XCTUnwrap(corrector.correctedEvent(.video(frame))) {
            case .video: XCTAssertEqual(width, 64)
            case .dropped(let drop):
                XCTAssertEqual(width, 32)
                XCTAssertEqual(drop.reason, .damaged)
                XCTAssertEqual(drop.sequenceNumber, 1)
            default: XCTFail("neither a frame nor a drop")
            }
        }
    }
}

extension TimestampCorrector {
    /// Returns the event that clients receive; nil if they receive none.
    fileprivate mutating func correctedEvent(_ event: StreamEvent) -> StreamEvent? {
        switch event {
        case .video(var frame):
            let drop = correct(&frame)
            return drop.map { .dropped($0) } ?? .video(frame)
        case .audio(var chunk): return correct(&chunk) ? .audio(chunk) : nil
        case .dropped(var drop):
            correct(&drop)
            return .dropped(drop)
        case .failed, .ended: return event
        }
    }
}
