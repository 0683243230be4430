import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import CaptureCore

final class AVCaptureDataOutputSynchronizerTests: XCTestCase {
    private final class Listener: AVCaptureDataOutputSynchronizerDelegate, Sendable {
        struct Group {
            /// The time of each output's data; nil without data.
            var times: [CMTime?]
            /// The `droppedReason` of each sample buffer; `.none` for a buffer that was not dropped.
            var droppedReasons: [AVCaptureOutput.DataDroppedReason]
            /// The number of outputs with data.
            var count: Int
            /// The texts of the detected codes; nil without metadata.
            var texts: [String?]?
        }

        let queue = DispatchQueue(label: "test.synchronized")
        let groups = Lock<[Group]>([])
        private let onGroup: @Sendable () -> Void

        init(_ onGroup: @escaping @Sendable () -> Void = {}) { self.onGroup = onGroup }

        func dataOutputSynchronizer(
            _ synchronizer: AVCaptureDataOutputSynchronizer,
            didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
        ) {
            dispatchPrecondition(condition: .onQueue(queue))
            let data = synchronizer.dataOutputs.map { synchronizedDataCollection.synchronizedData(for: $0) }
            for item in synchronizedDataCollection {
                guard let sample = item as? AVCaptureSynchronizedSampleBufferData else { continue }
                XCTAssertEqual(sample.timestamp, sample.sampleBuffer.presentationTimeStamp)
                let isVideo = sample.sampleBuffer.formatDescription?.mediaType == .video
                XCTAssertEqual(sample.sampleBufferWasDropped, isVideo && sample.sampleBuffer.imageBuffer == nil)
            }
            let droppedReasons = data.compactMap { ($0 as? AVCaptureSynchronizedSampleBufferData)?.droppedReason }
            let objects = data.lazy.compactMap { $0 as? AVCaptureSynchronizedMetadataObjectData }.first?.metadataObjects
            let group = Group(
                times: data.map { $0?.timestamp }, droppedReasons: droppedReasons,
                count: synchronizedDataCollection.count,
                texts: objects?.map { ($0 as? AVMetadataMachineReadableCodeObject)?.stringValue })
            groups.withLock { $0.append(group) }
            onGroup()
        }
    }

    private func makeOutputs(_ fixture: CaptureFixture) -> [AVCaptureOutput] {
        fixture.inSystem { [AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()] }
    }

    func testFramesOfOneCameraAreGroupedWithTheirAudio() throws {
        let fixture = try CaptureFixture()
        let outputs = makeOutputs(fixture)
        let ownDelegate = RecordingFrames()
        (outputs[0] as? AVCaptureVideoDataOutput)?.setSampleBufferDelegate(ownDelegate, queue: ownDelegate.queue)
        let session = try fixture.makeSession(outputs)
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: outputs)
        XCTAssertEqual(synchronizer.dataOutputs, outputs)
        let listener = Listener()
        synchronizer.setDelegate(listener, queue: listener.queue)
        XCTAssertTrue(synchronizer.delegate === listener)
        XCTAssertTrue(synchronizer.delegateCallbackQueue === listener.queue)
        session.startRunning()
        fixture.advance(milliseconds: 990)
        session.stopRunning()
        fixture.advance(milliseconds: 0)
        let groups = listener.groups.withLock { $0 }
        // The first output is the leader. The group of each of its frames contains the nearest audio chunk within half
        // of the frame's duration. The other chunks are delivered in groups without frames.
        let leaderGroups = groups.filter { $0.times[0] != nil }
        XCTAssertEqual(leaderGroups.count, 30)
        XCTAssertTrue(leaderGroups.allSatisfy { $0.times[0] == $0.times[1] })
        for group in leaderGroups {
            guard let video = group.times[0], let audio = group.times[2] else { continue }
            XCTAssertLessThanOrEqual(abs((audio - video).seconds), 1.0 / 60 + 1e-6)
        }
        XCTAssertGreaterThan(leaderGroups.filter { $0.times[2] != nil }.count, 25)
        let audioTimes = groups.compactMap { $0.times[2] }
        XCTAssertEqual(audioTimes, audioTimes.sorted())
        XCTAssertTrue(groups.allSatisfy { $0.count == $0.times.compactMap { $0 }.count && $0.count > 0 })
        XCTAssertEqual(ownDelegate.counters, [], "the output's delegate is not called while the synchronizer has one")
        synchronizer.setDelegate(nil, queue: nil)
        session.startRunning()
        fixture.advance(milliseconds: 100)
        XCTAssertGreaterThan(ownDelegate.counters.count, 2)
        XCTAssertEqual(listener.groups.withLock { $0.count }, groups.count)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testABusyDelegateReceivesFramesAsDropped() throws {
        let fixture = try CaptureFixture()
        let clock = fixture.clock
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(microphone: nil, [output])
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [output])
        let listener = Listener { clock.spend(.milliseconds(50)) }
        synchronizer.setDelegate(listener, queue: listener.queue)
        session.startRunning()
        fixture.advance(milliseconds: 320)
        session.stopRunning()
        fixture.advance(milliseconds: 2000)
        let reasons = listener.groups.withLock { $0.flatMap(\.droppedReasons) }
        XCTAssertEqual(reasons.count, 10)
        XCTAssertEqual(reasons.first, AVCaptureOutput.DataDroppedReason.none)
        XCTAssertTrue(reasons.contains(.lateData))
    }

    func testDisabledOutputsDoNotDelayGroups() throws {
        let fixture = try CaptureFixture()
        let outputs = fixture.inSystem { [AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput()] }
        let session = try fixture.makeSession(microphone: nil, outputs)
        outputs[1].connection(with: .video)?.isEnabled = false
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: outputs)
        let listener = Listener()
        synchronizer.setDelegate(listener, queue: listener.queue)
        session.startRunning()
        fixture.advance(milliseconds: 90)
        XCTAssertEqual(listener.groups.withLock { $0.count }, 3)
        XCTAssertEqual(listener.groups.withLock { $0.map(\.count) }, [1, 1, 1])
        session.stopRunning()
    }

    func testDisablingAnOutputReleasesWaitingGroups() throws {
        let fixture = try CaptureFixture()
        let outputs = fixture.inSystem { [AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()] }
        let session = try fixture.makeSession(outputs)
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: outputs)
        let listener = Listener()
        synchronizer.setDelegate(listener, queue: listener.queue)
        session.startRunning()
        /// Returns the number of groups with a frame of the first output.
        func leaderGroupCount() -> Int { listener.groups.withLock { $0.count { $0.times[0] != nil } } }
        // At 35 ms, the group of the frame at 0 ms is complete. The group of the frame at 33 ms waits for audio, which
        // arrives after 40 ms.
        fixture.advance(milliseconds: 35)
        XCTAssertEqual(leaderGroupCount(), 1)
        outputs[1].connection(with: .audio)?.isEnabled = false
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(leaderGroupCount(), 2)
        session.stopRunning()
    }

    @available(*, deprecated)
    func testSkippedFramesOfAnOutputDoNotDelayGroups() throws {
        let fixture = try CaptureFixture()
        let outputs = fixture.inSystem { [AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput()] }
        outputs[1].minFrameDuration = CMTime(value: 1, timescale: 10)
        let session = try fixture.makeSession(microphone: nil, outputs)
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: outputs)
        let listener = Listener()
        synchronizer.setDelegate(listener, queue: listener.queue)
        session.startRunning()
        fixture.advance(milliseconds: 110)
        XCTAssertEqual(listener.groups.withLock { $0.map(\.count) }, [2, 1, 1, 2])
        session.stopRunning()
    }

    func testCodesAreGroupedWithTheFramesInWhichTheyWereDetected() throws {
        let fixture = try CaptureFixture(profile: "phone", scene: .shelf)
        let (video, metadata) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureMetadataOutput()) }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .hd1280x720, [video, metadata])
        let ownDelegate = FailingMetadataListener()
        metadata.setMetadataObjectsDelegate(ownDelegate, queue: ownDelegate.queue)
        metadata.metadataObjectTypes = [.qr]
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [video, metadata])
        fixture.assertNoMisuse()
        XCTAssertEqual(synchronizer.dataOutputs, [video, metadata])
        let listener = Listener()
        synchronizer.setDelegate(listener, queue: listener.queue)
        func dequeueGroups() -> [Listener.Group] {
            listener.groups.withLock { groups in
                defer { groups = [] }
                return groups
            }
        }
        session.startRunning()
        fixture.advance(milliseconds: 40)
        let groups = dequeueGroups()
        XCTAssertEqual(groups.map(\.texts), [["https://example.org/obscura"], ["https://example.org/obscura"]])
        XCTAssertTrue(groups.allSatisfy { $0.times[0] == $0.times[1] })
        metadata.metadataObjectTypes = [.ean8]
        fixture.advance(milliseconds: 33)
        XCTAssertEqual(dequeueGroups().map(\.texts), [[]], "frames without codes are reported, too")
        metadata.metadataObjectTypes = []
        fixture.advance(milliseconds: 67)
        XCTAssertEqual(dequeueGroups().map(\.texts), [nil, nil], "without requested types there is no wait")
        metadata.metadataObjectTypes = [.qr]
        metadata.connection(with: .metadataObject)?.isEnabled = false
        fixture.advance(milliseconds: 33)
        XCTAssertEqual(dequeueGroups().map(\.count), [1])
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    /// A delegate that must not be called.
    private final class FailingMetadataListener: AVCaptureMetadataOutputObjectsDelegate, Sendable {
        let queue = DispatchQueue(label: "test.metadata")

        func metadataOutput(
            _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
            from connection: AVCaptureConnection
        ) { XCTFail("the synchronizer replaces the output's own delegate") }
    }

    func testInvalidOutputsAndADelegateWithoutAQueueAreMisuse() throws {
        let fixture = try CaptureFixture()
        let (video, photo) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCapturePhotoOutput()) }
        for outputs: [AVCaptureOutput] in [[], [photo], [video, video], [video, photo]] {
            fixture.assertMisuse(.invalidArgument) { _ = AVCaptureDataOutputSynchronizer(dataOutputs: outputs) }
        }
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [video])
        fixture.assertMisuse(.invalidArgument) { synchronizer.setDelegate(Listener(), queue: nil) }
        XCTAssertNil(synchronizer.delegate)
    }
}
