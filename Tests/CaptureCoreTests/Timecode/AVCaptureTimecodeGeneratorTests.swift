import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class AVCaptureTimecodeGeneratorTests: XCTestCase {
    private final class RecordingTimecodeDelegate: AVCaptureTimecodeGeneratorDelegate, Sendable {
        let statuses = Lock<[AVCaptureTimecodeGenerator.SynchronizationStatus]>([], order: .client)

        func timecodeGenerator(
            _ generator: AVCaptureTimecodeGenerator, didReceiveUpdate timecode: AVCaptureTimecode,
            from source: AVCaptureTimecode.Source
        ) {}
        func timecodeGenerator(
            _ generator: AVCaptureTimecodeGenerator,
            transitionedTo synchronizationStatus: AVCaptureTimecodeGenerator.SynchronizationStatus,
            for source: AVCaptureTimecode.Source
        ) { statuses.withLock { $0.append(synchronizationStatus) } }
        func timecodeGenerator(
            _ generator: AVCaptureTimecodeGenerator,
            didUpdateAvailableSources availableSources: [AVCaptureTimecode.Source]
        ) {}
    }

    private func timecode(_ parts: [UInt8], _ duration: CMTime) -> AVCaptureTimecode {
        AVCaptureTimecode(
            hours: parts[0], minutes: parts[1], seconds: parts[2], frames: parts[3], userBits: 7,
            frameDuration: duration, sourceType: .frameCount)
    }

    private func parts(_ timecode: AVCaptureTimecode) -> [UInt8] {
        [timecode.hours, timecode.minutes, timecode.seconds, timecode.frames]
    }

    func testATimecodeAdvancesByFrames() {
        let film = CMTime(value: 1, timescale: 24)
        let last = timecode([23, 59, 59, 23], film)
        XCTAssertEqual(parts(.advanced(last, by: 1)), [0, 0, 0, 0])
        XCTAssertEqual(parts(.advanced(timecode([0, 0, 0, 0], film), by: -1)), [23, 59, 59, 23])
        XCTAssertEqual(parts(.advanced(timecode([1, 2, 3, 4], film), by: 24 * 61)), [1, 3, 4, 4])
        // 29.97 frames per second are counted as 30.
        let video = CMTime(value: 1001, timescale: 30000)
        XCTAssertEqual(parts(.advanced(timecode([0, 0, 0, 29], video), by: 1)), [0, 0, 1, 0])
        XCTAssertEqual(parts(.advanced(timecode([1, 2, 3, 4], .invalid), by: 1)), [1, 2, 3, 4])
        XCTAssertEqual(AVCaptureTimecode.advanced(last, by: 1).userBits, 7)
    }

    func testASampleContainsTheFrameNumber() throws {
        let code = timecode([0, 1, 0, 2], CMTime(value: 1, timescale: 25))
        let time = CMTime(value: 3, timescale: 1)
        let sample = try XCTUnwrap(
            AVCaptureTimecode.createMetadataSampleBuffer(from: code, associatedWithPresentationTimeStamp: time)
        ).takeRetainedValue()
        XCTAssertEqual(sample.presentationTimeStamp, time)
        XCTAssertEqual(sample.formatDescription?.mediaType, .timeCode)
        XCTAssertEqual(try sample.dataBuffer?.dataBytes(), Data([0, 0, 5, 222]))
        let unknown = timecode([0, 1, 0, 2], .invalid)
        XCTAssertNil(AVCaptureTimecode.createMetadataSampleBuffer(from: unknown, forDuration: time))
    }

    func testADelegateIsAnObjectThatTheClientMustBeAbleToRelease() throws {
        let fixture = try CaptureFixture()
        let lifetimes = fixture.system.reference.lifetimes
        lifetimes.startRecording()
        let generator = fixture.inSystem { AVCaptureTimecodeGenerator() }
        do {
            let delegate = RecordingTimecodeDelegate()
            generator.setDelegate(delegate, queue: DispatchQueue(label: "timecode"))
            XCTAssertEqual(lifetimes.existing(from: 0), ["the delegate RecordingTimecodeDelegate"])
            withExtendedLifetime(delegate) {}
        }
        XCTAssertEqual(lifetimes.existing(from: 0), [])
    }

    func testAGeneratorCountsFramesOrReadsTheClock() throws {
        let fixture = try CaptureFixture()
        let generator = fixture.inSystem { AVCaptureTimecodeGenerator() }
        let delegate = RecordingTimecodeDelegate()
        let queue = DispatchQueue(label: "timecode")
        XCTAssertEqual(generator.availableSources.map(\.type), [.frameCount, .realTimeClock])
        XCTAssertEqual(generator.currentSource.type, .frameCount)
        fixture.assertMisuse(.invalidArgument) { generator.setDelegate(delegate, queue: nil) }
        generator.setDelegate(delegate, queue: queue)
        generator.timecodeFrameDuration = CMTime(value: 1, timescale: 25)
        fixture.clock.advance(by: .milliseconds(3_661_280))
        XCTAssertEqual(parts(generator.generateInitialTimecode()), [0, 0, 0, 0])

        generator.startSynchronization(source: AVCaptureTimecodeGenerator.realTimeClockSource)
        generator.timecodeAlignmentOffset = 60
        let seconds = fixture.clock.date(at: fixture.clock.now).timeIntervalSince1970 + 60
        let frames = Int64((seconds * 25).rounded(.down)) % (86400 * 25)
        let expected = AVCaptureTimecode.advanced(
            timecode([0, 0, 0, 0], CMTime(value: 1, timescale: 25)), by: frames)
        XCTAssertEqual(parts(generator.generateInitialTimecode()), parts(expected))
        XCTAssertEqual(generator.generateInitialTimecode().sourceType, .realTimeClock)
        generator.startSynchronization(source: AVCaptureTimecodeGenerator.frameCountSource)
        fixture.clock.settle()
        XCTAssertEqual(
            delegate.statuses.withLock { $0 },
            [.sourceSelected, .synchronizing, .synchronized, .sourceSelected, .notRequired])
        fixture.assertNoMisuse()
    }
}
