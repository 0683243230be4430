import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import CaptureCore

final class CapturedSamplesTests: XCTestCase {
    /// All samples until the sequence ends.
    private func times(_ samples: CapturedSamples) async -> [Double] {
        var times: [Double] = []
        for await sample in samples { times.append(sample.presentationTimeStamp.seconds) }
        return times
    }

    func testFramesAreAlsoDeliveredToASequenceUntilTheSessionStops() async throws {
        let bench = try CaptureFixture()
        let frames = RecordingFrames()
        let output = bench.run { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try bench.makeSession(microphone: nil, [output])
        let samples = output.sampleBuffers(limit: 100)
        session.startRunning()
        bench.clock.advance(by: .milliseconds(390))
        session.stopRunning()
        let found = await times(samples)
        XCTAssertEqual(found, frames.frames.map(\.time.seconds))
        XCTAssertEqual(found.count, 12)
        XCTAssertEqual(samples.droppedCount, 0)
    }

    func testThePolicyLimitsTheQueue() async throws {
        let bench = try CaptureFixture()
        let output = bench.run { AVCaptureVideoDataOutput() }
        let session = try bench.makeSession(microphone: nil, [output])
        let present = output.sampleBuffers(limit: 3, dropping: .oldest)
        let past = output.sampleBuffers(limit: 3, dropping: .newest)
        session.startRunning()
        bench.clock.advance(by: .milliseconds(320))
        session.stopRunning()
        let (last, first) = (await times(present), await times(past))
        XCTAssertEqual(first.map { ($0 * 30).rounded() }, [0, 1, 2])
        XCTAssertEqual(last.map { ($0 * 30).rounded() }, [7, 8, 9])
        XCTAssertEqual(present.droppedCount, 7)
        XCTAssertEqual(past.droppedCount, 7)
    }

    func testAnInterruptionSuspendsTheSequenceAndLeavingTheSessionEndsIt() async throws {
        let bench = try CaptureFixture()
        let output = bench.run { AVCaptureAudioDataOutput() }
        let session = try bench.makeSession(camera: nil, [output])
        let samples = output.sampleBuffers()
        session.startRunning()
        bench.clock.advance(by: .milliseconds(100))
        bench.system.interruptions.begin(.audioInUseByAnotherClient)
        bench.clock.advance(by: .milliseconds(100))
        bench.system.interruptions.end(.audioInUseByAnotherClient)
        bench.clock.advance(by: .milliseconds(100))
        session.removeOutput(output)
        let found = await times(samples)
        XCTAssertTrue(found.contains { $0 < 0.1 })
        XCTAssertFalse(found.contains { (0.11..<0.19).contains($0) })
        XCTAssertTrue(found.contains { $0 > 0.19 })
    }

    func testAReleasedOutputEndsItsSequences() async throws {
        let bench = try CaptureFixture()
        var output: AVCaptureVideoDataOutput? = bench.run { AVCaptureVideoDataOutput() }
        let samples = try XCTUnwrap(output?.sampleBuffers())
        output = nil
        XCTAssertNil(output)
        let found = await times(samples)
        XCTAssertEqual(found, [])
    }
}
