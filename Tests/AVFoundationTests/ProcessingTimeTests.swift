import AVFoundation
import CaptureTesting
import SimDevices
import TestSupport
import XCTest

/// The virtual time that the work of asset writers and exports takes.
final class ProcessingTimeTests: XCTestCase {
    private func makeWriter(_ simulated: SimulatedSystem) throws -> (AVAssetWriter, AVAssetWriterInput) {
        let url = simulated.folder.appendingPathComponent("a.mov")
        let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
        let input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 320, AVVideoHeightKey: 240])
        writer.add(input)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        return (writer, input)
    }

    private func frame(_ number: Int) throws -> CMSampleBuffer {
        try AssetWriterFixture.videoSample(number, at: CMTime(value: Int64(number), timescale: 30))
    }

    func testAWriterIsNotCompleteWhenFinishWritingReturns() throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        for number in 0..<10 { XCTAssertTrue(input.append(try frame(number))) }
        let end = Lock<CMTime?>(nil, order: .client)
        writer.finishWriting {
            let now = simulated.clock.now
            end.withLock { $0 = now }
        }
        XCTAssertEqual(writer.status, .writing)
        XCTAssertFalse(AVURLAsset(url: writer.outputURL).isPlayable)
        XCTAssertMisuse(.internalInconsistency, containing: "status is 1") { writer.finishWriting {} }
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(writer.status, .completed)
        // 10 frames in 2 ms each, and 20 ms for the end of the file.
        XCTAssertEqual(end.withLock { $0 }, CMTime(value: 40, timescale: 1000))
        XCTAssertEqual(AVURLAsset(url: writer.outputURL).duration.seconds, 1.0 / 3, accuracy: 0.001)
    }

    func testAnInputIsNotReadyWhileItsEncoderIsBehind() throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        var count = 0
        while count < 300, input.isReadyForMoreMediaData {
            XCTAssertTrue(input.append(try frame(count)))
            count += 1
        }
        XCTAssertEqual(count, 32)
        let late = try frame(count)
        XCTAssertMisuse(.internalInconsistency, containing: "readyForMoreMediaData is NO") {
            XCTAssertFalse(input.append(late))
        }
        let changes = Lock(0, order: .client)
        let observation = input.observe(\.isReadyForMoreMediaData) { _, _ in changes.withLock { $0 += 1 } }
        simulated.advance(by: .milliseconds(1))
        XCTAssertFalse(input.isReadyForMoreMediaData)
        simulated.advance(by: .milliseconds(1))
        XCTAssertTrue(input.isReadyForMoreMediaData)
        XCTAssertEqual(changes.withLock { $0 }, 1)
        writer.cancelWriting()
        withExtendedLifetime(observation) {}
    }

    func testMediaIsRequestedAgainWhenTheEncoderHasCaughtUp() throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        let state = Lock((count: 0, calls: 0), order: .client)
        let frames = try (0..<300).map(frame)
        let queue = DispatchQueue(label: "writer")
        input.requestMediaDataWhenReady(on: queue) {
            state.withLock { $0.calls += 1 }
            while input.isReadyForMoreMediaData {
                let number = state.withLock { $0.count }
                guard number < frames.count else {
                    input.markAsFinished()
                    return writer.finishWriting {}
                }
                input.append(frames[number])
                state.withLock { $0.count += 1 }
            }
        }
        simulated.advance(by: .milliseconds(100))
        // 100 ms / 2 ms are encoded, and 32 wait.
        XCTAssertEqual(state.withLock { $0.count }, 82)
        XCTAssertGreaterThan(state.withLock { $0.calls }, 10)
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(writer.status, .completed)
        XCTAssertEqual(AVURLAsset(url: writer.outputURL).duration.seconds, 10, accuracy: 0.001)
    }

    func testCancellingAWriterThatFinishes() throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        XCTAssertTrue(input.append(try frame(0)))
        let statuses = Lock<[AVAssetWriter.Status]>([], order: .client)
        writer.finishWriting {
            let status = writer.status
            statuses.withLock { $0.append(status) }
        }
        writer.cancelWriting()
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(statuses.withLock { $0 }, [.cancelled])
        XCTAssertFalse(FileManager.default.fileExists(atPath: writer.outputURL.path))
        writer.finishWriting { statuses.withLock { $0.append(.unknown) } }
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(statuses.withLock { $0 }.count, 2, "the handler is called after a cancellation, without misuse")
    }

    /// App code that logs the callbacks of its session and photos with the virtual time in milliseconds.
    private final class Camera: NSObject, AVCapturePhotoCaptureDelegate, AVCaptureVideoDataOutputSampleBufferDelegate,
        @unchecked Sendable
    {
        // SAFETY: the log is in a lock; the other properties are immutable.
        let session = AVCaptureSession()
        let queue = DispatchQueue(label: "session")
        let photoOutput = AVCapturePhotoOutput()
        private let simulated: SimulatedSystem
        private let events = Lock<[String]>([], order: .client)

        var log: [String] { events.withLock { $0 } }

        func note(_ event: String) {
            let time = Int((simulated.clock.now.seconds * 1000).rounded())
            events.withLock { $0.append("\(time) \(event)") }
        }

        init(_ simulated: SimulatedSystem) throws {
            self.simulated = simulated
            super.init()
            session.sessionPreset = .vga640x480
            session.addInput(try AVCaptureDeviceInput(device: try XCTUnwrap(AVCaptureDevice.default(for: .video))))
            session.addOutput(photoOutput)
            let frames = AVCaptureVideoDataOutput()
            session.addOutput(frames)
            frames.setSampleBufferDelegate(self, queue: DispatchQueue(label: "frames"))
        }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) { note("frame") }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
        ) { note("did capture") }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) { note("did process") }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
            error: (any Error)?
        ) { note("did finish") }
    }

    func testAPhotoIsProcessedAfterItWasCaptured() throws {
        let simulated = try SimulatedSystem(profile: try slowProfile("photo: 50 ms"))
        let camera = try Camera(simulated)
        camera.session.startRunning()
        camera.photoOutput.capturePhoto(with: AVCapturePhotoSettings(), delegate: camera)
        simulated.advance(by: .milliseconds(200))
        let log = camera.log.filter { !$0.hasSuffix("frame") }
        XCTAssertEqual(log.map { $0.drop { $0 != " " } }, [" did capture", " did process", " did finish"])
        let times = log.compactMap { Int($0.prefix { $0 != " " }) }
        XCTAssertEqual(times.map { $0 - times[0] }, [0, 50, 50])
        let all = camera.log
        let (captured, processed) = try (
            XCTUnwrap(all.firstIndex { $0.hasSuffix("capture") }), XCTUnwrap(all.firstIndex { $0.hasSuffix("process") })
        )
        XCTAssertTrue(all[captured..<processed].contains { $0.hasSuffix("frame") }, "\(all)")
    }

    func testAPhotoThatWasCapturedIsDeliveredAfterTheSessionStops() throws {
        let simulated = try SimulatedSystem(profile: try slowProfile("photo: 50 ms"))
        let camera = try Camera(simulated)
        camera.session.startRunning()
        camera.photoOutput.capturePhoto(with: AVCapturePhotoSettings(), delegate: camera)
        simulated.advance(until: { camera.log.contains { $0.hasSuffix("did capture") } })
        camera.session.stopRunning()
        XCTAssertFalse(camera.session.isRunning)
        simulated.advance(by: .milliseconds(100))
        XCTAssertEqual(camera.log.filter { $0.hasSuffix("did process") }.count, 1)
    }

    /// Records the processing time of a photo and the readiness of its output.
    private final class PhotoTimes: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        private let times = Lock<(captured: CMTime?, processed: CMTime?, range: CMTimeRange?)>(
            (nil, nil, nil), order: .client)
        private let simulated: SimulatedSystem

        init(_ simulated: SimulatedSystem) { self.simulated = simulated }

        var range: CMTimeRange? { times.withLock { $0.range } }
        var processing: CMTime? {
            times.withLock { times in times.processed.flatMap { end in times.captured.map { end - $0 } } }
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
        ) {
            let now = simulated.clock.now
            times.withLock { ($0.captured, $0.range) = (now, resolvedSettings.photoProcessingTimeRange) }
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) {
            let now = simulated.clock.now
            times.withLock { $0.processed = now }
        }
    }

    func testTheProcessingTimeIsThatOfTheResolvedSettings() throws {
        var seen: [String] = []
        for quality in [AVCapturePhotoOutput.QualityPrioritization.speed, .balanced, .quality] {
            let simulated = try SimulatedSystem(scene: .grey, light: SceneLight(lux: 5, kelvin: 4000))
            let camera = try Camera(simulated)
            camera.photoOutput.maxPhotoQualityPrioritization = .quality
            camera.session.startRunning()
            simulated.advance(by: .milliseconds(1500))
            let readiness = Lock<[AVCapturePhotoOutput.CaptureReadiness]>([], order: .client)
            let observation = camera.photoOutput.observe(\.captureReadiness, options: .new) { _, change in
                if let value = change.newValue { readiness.withLock { $0.append(value) } }
            }
            let settings = AVCapturePhotoSettings()
            settings.photoQualityPrioritization = quality
            let times = PhotoTimes(simulated)
            camera.photoOutput.capturePhoto(with: settings, delegate: times)
            simulated.advance(by: .milliseconds(500))
            let (range, processing) = (try XCTUnwrap(times.range), try XCTUnwrap(times.processing))
            XCTAssertGreaterThanOrEqual(processing, range.start)
            XCTAssertLessThanOrEqual(processing, range.end)
            seen.append("\(Int((processing.seconds * 1000).rounded()))")
            let expected: [AVCapturePhotoOutput.CaptureReadiness] =
                quality == .quality
                ? [.notReadyWaitingForCapture, .notReadyWaitingForProcessing, .ready] : [.notReadyMomentarily, .ready]
            XCTAssertEqual(readiness.withLock { $0 }, expected)
            observation.invalidate()
        }
        XCTAssertEqual(seen, ["20", "40", "80"])
    }

    func testTheQueueThatStartsASessionIsBlockedAndOtherQueuesContinue() throws {
        let simulated = try SimulatedSystem(profile: try slowProfile("starting: 50 ms, stopping: 30 ms"))
        let camera = try Camera(simulated)
        camera.queue.async {
            camera.session.startRunning()
            camera.note("started")
        }
        camera.queue.async { camera.note("after the start") }
        DispatchQueue.main.async { camera.note("main, running: \(camera.session.isRunning)") }
        simulated.advance(by: .milliseconds(60))
        XCTAssertEqual(camera.log.prefix(3), ["0 main, running: false", "50 started", "50 after the start"])
        camera.queue.async {
            camera.session.stopRunning()
            camera.note("stopped")
            // A session that does not run takes no time to stop.
            camera.session.stopRunning()
            camera.note("still stopped")
        }
        simulated.advance(by: .milliseconds(100))
        let log = camera.log.filter { !$0.hasSuffix("frame") }
        XCTAssertEqual(log.suffix(2), ["90 stopped", "90 still stopped"])
        XCTAssertTrue(camera.log.contains { $0.hasSuffix("frame") }, "frames arrive until the session has stopped")
    }

    func testAStopDuringAStartTakesEffectAfterIt() throws {
        let simulated = try SimulatedSystem(profile: try slowProfile("starting: 50 ms, stopping: 30 ms"))
        let camera = try Camera(simulated)
        camera.queue.async { camera.session.startRunning() }
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(10)) {
            camera.session.stopRunning()
            camera.note("stopped, running: \(camera.session.isRunning)")
        }
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.log.filter { !$0.hasSuffix("frame") }, ["80 stopped, running: false"])
    }

    func testATestThatStartsASessionItselfWaitsInVirtualTime() throws {
        let simulated = try SimulatedSystem(profile: try slowProfile("starting: 20 ms, stopping: 20 ms"))
        let camera = try Camera(simulated)
        camera.session.startRunning()
        XCTAssertTrue(camera.session.isRunning)
        XCTAssertEqual(simulated.clock.now, CMTime(value: 20, timescale: 1000))
        camera.session.stopRunning()
        XCTAssertEqual(simulated.clock.now, CMTime(value: 40, timescale: 1000))
    }

    func testAnObserverThatStopsTheSessionDuringAnActionOfTheClockDoesNotBlock() throws {
        let simulated = try SimulatedSystem(profile: try slowProfile("starting: 20 ms, stopping: 20 ms"))
        let camera = try Camera(simulated)
        camera.session.startRunning()
        let device = try XCTUnwrap(camera.session.inputs.first as? AVCaptureDeviceInput).device
        let observation = device.observe(\.isAdjustingExposure) { _, _ in camera.session.stopRunning() }
        simulated.clock.schedule(at: simulated.clock.now + CMTime(value: 1, timescale: 10)) {
            camera.session.stopRunning()
        }
        simulated.advance(by: .seconds(1))
        XCTAssertFalse(camera.session.isRunning)
        observation.invalidate()
    }

    /// Writes the profile of a webcam with times of work.
    private func slowProfile(_ processing: String) throws -> String {
        let yaml = try DeviceProfile.builtInYAML("webcam") + "processing: {\(processing)}\n"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("slow.yaml")
        try Data(yaml.utf8).write(to: file)
        return file.path
    }

    func testTheProfileSetsTheTimes() throws {
        let simulated = try SimulatedSystem(profile: try slowProfile("videoFrame: 50 ms, finishing: 1 s"))
        let (writer, input) = try makeWriter(simulated)
        for number in 0..<2 { XCTAssertTrue(input.append(try frame(number))) }
        writer.finishWriting {}
        simulated.advance(by: .milliseconds(1099))
        XCTAssertEqual(writer.status, .writing)
        simulated.advance(by: .milliseconds(1))
        XCTAssertEqual(writer.status, .completed)
    }

    func testATaskCanWaitForAWriterAndForAnExport() async throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        for number in 0..<30 { XCTAssertTrue(input.append(try frame(number))) }
        await writer.finishWriting()
        XCTAssertEqual(writer.status, .completed)
        XCTAssertEqual(simulated.clock.now, CMTime(value: 80, timescale: 1000))
        for (preset, time) in [(AVAssetExportPresetPassthrough, 20), (AVAssetExportPresetHighestQuality, 80)] {
            let start = simulated.clock.now
            let export = try XCTUnwrap(
                AVAssetExportSession(asset: AVURLAsset(url: writer.outputURL), presetName: preset))
            try await export.export(to: simulated.folder.appendingPathComponent("\(preset).mov"), as: .mov)
            XCTAssertEqual(export.status, .completed)
            XCTAssertEqual(simulated.clock.now - start, CMTime(value: Int64(time), timescale: 1000), preset)
        }
    }

    func testARunningExportCanBeCancelled() throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        for number in 0..<30 { XCTAssertTrue(input.append(try frame(number))) }
        writer.finishWriting {}
        simulated.advance(by: .seconds(1))
        for preset in [AVAssetExportPresetPassthrough, AVAssetExportPresetHighestQuality] {
            let export = try XCTUnwrap(
                AVAssetExportSession(asset: AVURLAsset(url: writer.outputURL), presetName: preset))
            let url = simulated.folder.appendingPathComponent("\(preset).mov")
            export.outputURL = url
            export.outputFileType = .mov
            let isDone = Lock(false, order: .client)
            export.exportAsynchronously { isDone.withLock { $0 = true } }
            simulated.advance(by: .milliseconds(5))
            XCTAssertEqual(export.status, .exporting)
            export.cancelExport()
            simulated.advance(by: .seconds(1))
            XCTAssertTrue(isDone.withLock { $0 })
            XCTAssertEqual(export.status, .cancelled)
            XCTAssertFalse(FileManager.default.fileExists(atPath: url.path), preset)
        }
    }
}
