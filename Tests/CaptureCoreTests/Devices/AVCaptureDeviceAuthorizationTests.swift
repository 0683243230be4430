import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVCaptureDeviceAuthorizationTests: XCTestCase {
    func testTheStatusIsReportedForEachMediaType() throws {
        let fixture = try CaptureFixture(states: [.video: .restricted, .audio: .notDetermined])
        fixture.inSystem {
            XCTAssertEqual(AVCaptureDevice.authorizationStatus(for: .video), .restricted)
            XCTAssertEqual(AVCaptureDevice.authorizationStatus(for: .audio), .notDetermined)
        }
        fixture.assertMisuse(.invalidArgument) { _ = AVCaptureDevice.authorizationStatus(for: .text) }
    }

    func testTheUserIsPromptedOnceForAllRequests() throws {
        let fixture = try CaptureFixture(
            states: [.video: .notDetermined], answers: [.video: PromptAnswer(.authorized, after: .seconds(2))])
        let answers = Lock<[Bool]>([])
        fixture.inSystem {
            for _ in 0..<2 {
                AVCaptureDevice.requestAccess(for: .video) { answer in answers.withLock { $0.append(answer) } }
            }
        }
        fixture.advance(milliseconds: 1999)
        XCTAssertEqual(answers.withLock { $0 }, [])
        fixture.advance(milliseconds: 1)
        XCTAssertEqual(answers.withLock { $0 }, [true, true])
        fixture.inSystem {
            AVCaptureDevice.requestAccess(for: .video) { answer in answers.withLock { $0.append(answer) } }
        }
        XCTAssertEqual(answers.withLock { $0 }, [true, true], "the handler ran inside the call")
        fixture.clock.settle()
        XCTAssertEqual(answers.withLock { $0 }, [true, true, true])
    }

    func testAnEarlierDecisionIsReturnedWithoutAdvancingTheClock() async throws {
        let fixture = try CaptureFixture(states: [.video: .denied])
        let answers = await fixture.system.run {
            [await AVCaptureDevice.requestAccess(for: .video), await AVCaptureDevice.requestAccess(for: .audio)]
        }
        XCTAssertEqual(answers, [false, true])
    }

    func testAnInputFailsAfterTheUserHasDeniedAccess() throws {
        for state in [AuthorizationState.denied, .restricted] {
            let fixture = try CaptureFixture(states: [.video: state])
            XCTAssertThrowsError(try fixture.input(CaptureFixture.camera)) {
                XCTAssertEqual(($0 as? AVError)?.code, .applicationIsNotAuthorizedToUseDevice)
            }
            XCTAssertNoThrow(try fixture.input(CaptureFixture.microphone))
        }
    }

    func testAnInputOfADisconnectedDeviceFails() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertThrowsError(try AVCaptureDeviceInput(device: device)) {
            XCTAssertEqual(($0 as? AVError)?.code, .deviceNotConnected)
        }
    }

    func testCreatingAnInputPromptsTheUserOnce() throws {
        let fixture = try CaptureFixture(
            states: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied, after: .seconds(1))])
        XCTAssertNoThrow(try fixture.input(CaptureFixture.camera))
        fixture.advance(milliseconds: 1000)
        fixture.inSystem { XCTAssertEqual(AVCaptureDevice.authorizationStatus(for: .video), .denied) }
        XCTAssertThrowsError(try fixture.input(CaptureFixture.camera))
    }

    func testUntilTheUserHasAnsweredFramesAreBlackAndAudioIsSilent() throws {
        let fixture = try CaptureFixture(
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
        let (video, audio) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()) }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let sound = RecordingAudio()
        audio.setSampleBufferDelegate(sound, queue: sound.queue)
        let session = try fixture.makeSession([video, audio])
        session.startRunning()
        fixture.advance(milliseconds: 990)
        XCTAssertEqual(Set(lumas.withLock { $0 }), [16])
        XCTAssertEqual(frames.counters, Array(repeating: nil, count: 30))
        XCTAssertEqual(audio.connection(with: .audio)?.audioChannels.map(\.averagePowerLevel), [-160, -160])
        XCTAssertGreaterThan(sound.chunks.count, 40)
        frames.clear()
        lumas.withLock { $0 = [] }
        fixture.advance(milliseconds: 500)
        XCTAssertGreaterThan(lumas.withLock { $0.min() } ?? 0, 60)
        XCTAssertEqual(frames.counters.first, 30)
        // Access to the microphone was denied.
        XCTAssertEqual(audio.connection(with: .audio)?.audioChannels.map(\.averagePowerLevel), [-160, -160])
        session.stopRunning()
    }
}
