import CaptureHAL
import MediaTypes
import XCTest

@testable import CaptureCore

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

    func testAClockThatLeapsByYearsIsFollowedFromWhereTimeWas() {
        let year: Int64 = 31_536_000_000
        XCTAssertEqual(sound(at: [0, 10, year, year + 10, 30, 40]), [0, 10, 20, 30, 40, 50])
        // What no clock tells is left out, and what comes behind it is as if it had not been.
        XCTAssertEqual(sound(at: [0, 10, .max / 1000, 20, .min / 1000, 30]), [0, 10, nil, 20, nil, 30])
    }

    func testTimeNeverStandsStillWhateverTimesADeviceTells() {
        let edges: [Int64] = [0, 1, 1 << 31, 1 << 61, 1 << 62, (1 << 62) + 1, .max / 2, .max - 1, .max]
        let values = edges + edges.map { -$0 } + [.min]
        let scales: [Int32] = [1, 30, 90_000, 1_000_000_000, .max]
        let others: [CMTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]
        var dice = SeededDice(seed: 20)
        func time() -> CMTime {
            if dice.next() % 16 == 0 { return others[Int(dice.next() % UInt64(others.count))] }
            let near = Int64(bitPattern: dice.next() % 1_000_000_000) - 500_000_000
            let value = values[Int(dice.next() % UInt64(values.count))].addingReportingOverflow(near).partialValue
            return CMTime(value: value, timescale: scales[Int(dice.next() % UInt64(scales.count))])
        }
        let strange = [
            sound, AudioStreamFormat(sampleRate: 0, channelCount: 1, sample: .int16),
            AudioStreamFormat(sampleRate: .nan, channelCount: 1, sample: .int16),
            AudioStreamFormat(sampleRate: 1e-300, channelCount: 1, sample: .int16),
        ]
        for _ in 0..<200 {
            let order = StreamOrder(.audio(sound))
            var last: CMTime?
            for _ in 0..<200 {
                let event: StreamEvent
                switch dice.next() % 4 {
                case 0:
                    event = .dropped(
                        DroppedFrame(reason: .discontinuity, presentationTime: time(), sequenceNumber: 0))
                case 1:
                    event = .audio(
                        AudioChunk(
                            data: CMBlockBuffer(length: 960), format: strange[Int(dice.next() % 4)], frameCount: 480,
                            presentationTime: time(), samplePosition: 0))
                default:
                    event = .video(
                        VideoFrame(
                            payload: .compressed(CMBlockBuffer(length: 4), codec: kCMVideoCodecType_JPEG),
                            presentationTime: time(), duration: time(), sequenceNumber: 0))
                }
                let told: CMTime
                switch order.admit(event) {
                case .audio(let chunk)?: told = chunk.presentationTime
                case .video(let frame)?: told = frame.presentationTime
                case .dropped, .failed, .ended, nil: continue
                }
                XCTAssertTrue(told.isNumeric)
                if let last { XCTAssertGreaterThan(told, last) }
                last = told
            }
            XCTAssertNotNil(last, "nothing at all came through")
        }
    }

    /// The short way lets through what the long one does, or leaves it alone.
    func testPicturesPassAsTheyAreJudged() {
        var dice = SeededDice(seed: 21)
        var passed = 0
        for _ in 0..<100 {
            let (judging, passing) = (StreamOrder(.audio(sound)), StreamOrder(.audio(sound)))
            var time: Int64 = 0
            for number in 0..<100 as Range<UInt64> {
                // Most are plain.
                let steps: [Int64] = [0, -1, -600_000_000, 86_400_000_000_001, 1 << 62]
                let choice = Int(dice.next() % 64)
                time = time.addingReportingOverflow(choice < steps.count ? steps[choice] : 40_000_000).partialValue
                let frame = VideoFrame(
                    payload: .compressed(CMBlockBuffer(length: 4), codec: kCMVideoCodecType_JPEG),
                    presentationTime: CMTime(value: time, timescale: dice.next() % 16 == 0 ? 90_000 : 1_000_000_000),
                    duration: CMTime(value: Int64(dice.next() % 3), timescale: 25), sequenceNumber: number)
                let judged = told(judging.judge(frame))
                if passing.passes(frame.timing) {
                    passed += 1
                    XCTAssertEqual(judged, frame.presentationTime)
                } else {
                    XCTAssertEqual(judged, told(passing.judge(frame)))
                }
                func told(_ verdict: StreamOrder.Verdict) -> CMTime? {
                    switch verdict {
                    case .asItIs: frame.presentationTime
                    case .changed(.video(let other)): other.presentationTime
                    case .changed, .nothing: nil
                    }
                }
            }
        }
        XCTAssertGreaterThan(passed, 100)
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

/// The same numbers each time (SplitMix64; G. Steele et al., OOPSLA 2014).
private struct SeededDice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
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
