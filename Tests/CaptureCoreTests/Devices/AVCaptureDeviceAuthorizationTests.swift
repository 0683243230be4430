import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore
@testable import MediaAssets

final class AVCaptureDeviceAuthorizationTests: XCTestCase {
    func testTheStatusIsReportedForEachMediaType() throws {
        let bench = try CaptureFixture(states: [.video: .restricted, .audio: .notDetermined])
        bench.run {
            XCTAssertEqual(AVCaptureDevice.authorizationStatus(for: .video), .restricted)
            XCTAssertEqual(AVCaptureDevice.authorizationStatus(for: .audio), .notDetermined)
        }
        bench.assertMisuse(.invalidArgument) { _ = AVCaptureDevice.authorizationStatus(for: .text) }
    }

    func testTheUserIsPromptedOnceForAllRequests() throws {
        let bench = try CaptureFixture(
            states: [.video: .notDetermined], answers: [.video: PromptAnswer(.authorized, after: .seconds(2))])
        let answers = Lock<[Bool]>([])
        bench.run {
            for _ in 0..<2 {
                AVCaptureDevice.requestAccess(for: .video) { answer in answers.withLock { $0.append(answer) } }
            }
        }
        bench.advance(milliseconds: 1999)
        XCTAssertEqual(answers.withLock { $0 }, [])
        bench.advance(milliseconds: 1)
        XCTAssertEqual(answers.withLock { $0 }, [true, true])
        bench.run { AVCaptureDevice.requestAccess(for: .video) { answer in answers.withLock { $0.append(answer) } } }
        XCTAssertEqual(answers.withLock { $0 }, [true, true], "the handler ran inside the call")
        bench.clock.settle()
        XCTAssertEqual(answers.withLock { $0 }, [true, true, true])
    }

    func testAKnownDecisionIsReturnedWithoutAdvancingTheClock() async throws {
        let bench = try CaptureFixture(states: [.video: .denied])
        let answers = await bench.system.run {
            [await AVCaptureDevice.requestAccess(for: .video), await AVCaptureDevice.requestAccess(for: .audio)]
        }
        XCTAssertEqual(answers, [false, true])
    }

    func testAnInputFailsAfterTheUserHasDeniedAccess() throws {
        for state in [AuthorizationState.denied, .restricted] {
            let bench = try CaptureFixture(states: [.video: state])
            XCTAssertThrowsError(try bench.input(CaptureFixture.camera)) {
                XCTAssertEqual(($0 as? AVError)?.code, .applicationIsNotAuthorizedToUseDevice)
            }
            XCTAssertNoThrow(try bench.input(CaptureFixture.microphone))
        }
    }

    func testAnInputOfADisconnectedDeviceFails() throws {
        let bench = try CaptureFixture()
        let device = try bench.device(CaptureFixture.camera)
        try bench.host.disconnect(uniqueID: CaptureFixture.camera)
        bench.clock.settle()
        XCTAssertThrowsError(try AVCaptureDeviceInput(device: device)) {
            XCTAssertEqual(($0 as? AVError)?.code, .deviceNotConnected)
        }
    }

    func testCreatingAnInputPromptsTheUserOnce() throws {
        let bench = try CaptureFixture(
            states: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied, after: .seconds(1))])
        XCTAssertNoThrow(try bench.input(CaptureFixture.camera))
        bench.advance(milliseconds: 1000)
        bench.run { XCTAssertEqual(AVCaptureDevice.authorizationStatus(for: .video), .denied) }
        XCTAssertThrowsError(try bench.input(CaptureFixture.camera))
    }

    func testUntilTheUserHasAnsweredFramesAreBlackAndAudioIsSilent() throws {
        let bench = try CaptureFixture(
            states: [.video: .notDetermined, .audio: .notDetermined],
            answers: [.video: PromptAnswer(.authorized, after: .seconds(1)), .audio: PromptAnswer(.denied)])
        let lumas = Lock<[UInt8]>([])
        let frames = RecordingFrames { sample in
            guard let pixels = sample.imageBuffer else { return }
            let luma = pixels.withPlane(0) { plane in
                plane.baseAddress.load(fromByteOffset: 120 * plane.bytesPerRow + 160, as: UInt8.self)
            }
            lumas.withLock { $0.append(luma) }
        }
        let (video, audio) = bench.run { (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()) }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let sound = RecordingAudio()
        audio.setSampleBufferDelegate(sound, queue: sound.queue)
        let session = try bench.makeSession([video, audio])
        session.startRunning()
        bench.advance(milliseconds: 990)
        XCTAssertEqual(Set(lumas.withLock { $0 }), [16])
        XCTAssertEqual(frames.counters, Array(repeating: nil, count: 30))
        XCTAssertEqual(audio.connection(with: .audio)?.audioChannels.map(\.averagePowerLevel), [-160, -160])
        XCTAssertGreaterThan(sound.chunks.count, 40)
        frames.clear()
        lumas.withLock { $0 = [] }
        bench.advance(milliseconds: 500)
        XCTAssertGreaterThan(lumas.withLock { $0.min() } ?? 0, 60)
        XCTAssertEqual(frames.counters.first, 30)
        // Access to the microphone was denied.
        XCTAssertEqual(audio.connection(with: .audio)?.audioChannels.map(\.averagePowerLevel), [-160, -160])
        session.stopRunning()
    }
}
