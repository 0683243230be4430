import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import CaptureCore

final class CapturedSamplesTests: XCTestCase {
    /// Reads a sequence to its end and returns the presentation times of its samples, in seconds.
    private func presentationSeconds(of samples: CapturedSamples) async -> [Double] {
        var times: [Double] = []
        for await sample in samples { times.append(sample.presentationTimeStamp.seconds) }
        return times
    }

    func testFramesAreAlsoDeliveredToASequenceUntilTheSessionStops() async throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession(microphone: nil, [output])
        let samples = output.sampleBuffers(limit: 100)
        session.startRunning()
        fixture.clock.advance(by: .milliseconds(390))
        session.stopRunning()
        let found = await presentationSeconds(of: samples)
        XCTAssertEqual(found, frames.frames.map(\.time.seconds))
        // At 30 frames a second, frames 0 to 11 begin before 390 ms.
        XCTAssertEqual(found.count, 12)
        XCTAssertEqual(samples.droppedCount, 0)
    }

    func testThePolicySelectsTheFramesToDropFromAFullQueue() async throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(microphone: nil, [output])
        let droppingOldest = output.sampleBuffers(limit: 3, dropping: .oldest)
        let droppingNewest = output.sampleBuffers(limit: 3, dropping: .newest)
        session.startRunning()
        fixture.clock.advance(by: .milliseconds(320))
        session.stopRunning()
        // At 30 frames a second, frames 0 to 9 begin before 320 ms.
        let newest = await presentationSeconds(of: droppingOldest)
        let oldest = await presentationSeconds(of: droppingNewest)
        XCTAssertEqual(newest.map { ($0 * 30).rounded() }, [7, 8, 9])
        XCTAssertEqual(oldest.map { ($0 * 30).rounded() }, [0, 1, 2])
        XCTAssertEqual(droppingOldest.droppedCount, 7)
        XCTAssertEqual(droppingNewest.droppedCount, 7)
    }

    func testAnInterruptionSuspendsTheSequenceAndRemovingTheOutputEndsIt() async throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureAudioDataOutput() }
        let session = try fixture.makeSession(camera: nil, [output])
        let samples = output.sampleBuffers()
        session.startRunning()
        fixture.clock.advance(by: .milliseconds(100))
        fixture.system.interruptions.begin(.audioInUseByAnotherClient)
        fixture.clock.advance(by: .milliseconds(100))
        fixture.system.interruptions.end(.audioInUseByAnotherClient)
        fixture.clock.advance(by: .milliseconds(100))
        session.removeOutput(output)
        let found = await presentationSeconds(of: samples)
        XCTAssertTrue(found.contains { $0 < 0.1 })
        XCTAssertFalse(found.contains { (0.11..<0.19).contains($0) })
        XCTAssertTrue(found.contains { $0 > 0.19 })
    }

    func testAReleasedOutputEndsItsSequences() async throws {
        let fixture = try CaptureFixture()
        var output: AVCaptureVideoDataOutput? = fixture.inSystem { AVCaptureVideoDataOutput() }
        let samples = try XCTUnwrap(output?.sampleBuffers())
        weak let released = output
        output = nil
        guard released == nil else { return XCTFail("the output is still retained; its sequence would not end") }
        let found = await presentationSeconds(of: samples)
        XCTAssertEqual(found, [])
    }
}
