import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import QuartzCore
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerItemVideoOutputTests: XCTestCase {
    private func time(_ frame: Int64) -> CMTime { PlaybackFixture.time(frame) }

    func testEachFrameIsShownAtItsTimeAtEachRate() throws {
        let fixture = try PlaybackFixture()
        let player = try fixture.makePlayer()
        let output = AVPlayerItemVideoOutput()
        player.currentItem?.add(output)
        for rate in [0.25, 1, 2, -1, -8] as [Double] {
            player.pause()
            player.seek(to: rate < 0 ? time(48) : .zero, toleranceBefore: .zero, toleranceAfter: .zero)
            fixture.clock.settle()
            player.rate = Float(rate)
            fixture.advance(frames: 0.5, rate: rate)
            var displayedNumbers: [Int?] = []
            for _ in 0..<48 {
                let now = output.itemTime(forHostTime: fixture.clock.now.seconds)
                XCTAssertTrue(output.hasNewPixelBuffer(forItemTime: now))
                var start = CMTime.invalid
                let buffer = output.copyPixelBuffer(forItemTime: now, itemTimeForDisplay: &start)
                displayedNumbers.append(PlaybackFixture.number(buffer))
                XCTAssertEqual(start, time(Int64(displayedNumbers.last.flatMap { $0 } ?? -1)))
                XCTAssertFalse(output.hasNewPixelBuffer(forItemTime: now))
                fixture.advance(frames: 1, rate: rate)
            }
            XCTAssertEqual(displayedNumbers, rate < 0 ? (0..<48).reversed().map { $0 } : (0..<48).map { $0 }, "\(rate)")
        }
    }

    func testFramesHaveTheRequestedFormat() throws {
        let fixture = try PlaybackFixture(frameCount: 3)
        let player = try fixture.makePlayer()
        let output = AVPlayerItemVideoOutput(
            pixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
        XCTAssertNil(output.copyPixelBuffer(forItemTime: .zero, itemTimeForDisplay: nil))
        player.currentItem?.add(output)
        let buffer = try XCTUnwrap(output.copyPixelBuffer(forItemTime: time(9), itemTimeForDisplay: nil))
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(buffer), kCVPixelFormatType_32BGRA)
        XCTAssertEqual(PlaybackFixture.number(buffer), 2, "the last frame stays after the end")
        XCTAssertFalse(AVPlayerItemVideoOutput().hasNewPixelBuffer(forItemTime: .zero))
    }

    func testTruncatedMediaFailsTheItem() throws {
        let fixture = try PlaybackFixture()
        let player = try fixture.makePlayer()
        let output = AVPlayerItemVideoOutput()
        player.currentItem?.add(output)
        let errors = Lock<[AVError.Code?]>([], order: .client)
        let token = fixture.system.notificationCenter.addObserver(
            forName: .AVPlayerItemFailedToPlayToEndTime, object: player.currentItem, queue: nil
        ) { notification in
            let error = notification.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? AVError
            errors.withLock { $0.append(error?.code) }
        }
        defer { fixture.system.notificationCenter.removeObserver(token) }
        player.play()
        let file = try FileHandle(forWritingTo: fixture.url)
        try file.truncate(atOffset: 600)
        XCTAssertNil(output.copyPixelBuffer(forItemTime: time(20), itemTimeForDisplay: nil))
        fixture.clock.settle()
        XCTAssertEqual(errors.withLock { $0.count }, 1)
        XCTAssertNotNil(errors.withLock { $0.first ?? nil })
        XCTAssertEqual(player.currentItem?.status, .failed)
        XCTAssertEqual(player.rate, 0)
    }
}
