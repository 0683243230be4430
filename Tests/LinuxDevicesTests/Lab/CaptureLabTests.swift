import CaptureHAL
import MediaCodecs
import MediaTypes
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import LinuxDevices

/// Tests the capture API with the kernel's test drivers. `CI/hardware-lab` runs these tests.
final class CaptureLabTests: XCTestCase {
    private let clock = HostClock()
    private lazy var host = LinuxHost(clock: clock)
    private lazy var system = CaptureSystem(hosts: [host], clock: clock, notificationCenter: NotificationCenter())
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        try XCTSkipUnless(
            ProcessInfo.processInfo.environment["OBSCURA_HARDWARE_LAB"] == "1",
            "needs vivid and the ALSA test cards: run CI/hardware-lab")
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The frame duration, long enough for an emulated machine to compress the frames in real time.
    private static let frameDuration = CMTime(value: 1, timescale: 5)

    private func cameras() throws -> [AVCaptureDevice] {
        let cameras = system.run {
            AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .unspecified)
                .devices
        }
        XCTAssertEqual(cameras.count, 2, "\(cameras)")
        return cameras
    }

    /// Selects 320x180 at five frames per second.
    private func selectSmallFormat(of camera: AVCaptureDevice) throws {
        let format = try XCTUnwrap(
            camera.formats.first { format in
                format.formatDescription.dimensions.width == 320
                    && format.formatDescription.mediaSubType.rawValue == kCVPixelFormatType_422YpCbCr8_yuvs
                    && format.videoSupportedFrameRateRanges.contains { $0.minFrameDuration == Self.frameDuration }
            }, "\(camera.formats)")
        try camera.lockForConfiguration()
        camera.activeFormat = format
        camera.activeVideoMinFrameDuration = Self.frameDuration
        camera.activeVideoMaxFrameDuration = Self.frameDuration
        camera.unlockForConfiguration()
    }

    private func makeSession(_ devices: [AVCaptureDevice], _ output: AVCaptureOutput) throws -> AVCaptureSession {
        let session = system.run { AVCaptureSession() }
        session.beginConfiguration()
        for device in devices { session.addInput(try AVCaptureDeviceInput(device: device)) }
        session.addOutput(output)
        session.commitConfiguration()
        for device in devices where device.hasMediaType(.video) { try selectSmallFormat(of: device) }
        return session
    }

    private func loopbackMicrophone() throws -> AVCaptureDevice {
        let microphones = system.run {
            AVCaptureDevice.DiscoverySession(deviceTypes: [.microphone], mediaType: .audio, position: .unspecified)
                .devices
        }
        return try XCTUnwrap(microphones.first { $0.uniqueID == "alsa:hw:CARD=Loopback,DEV=1" }, "\(microphones)")
    }

    /// Checks that each frame shows the color bars, and that frame numbers match presentation times.
    ///
    /// A missing frame must leave a gap, and must not shift later frames.
    ///
    /// - Parameter count: The minimum number of frames. On a loaded host, an emulated machine can miss more than half
    ///   of its frames.
    private func assertFramesInOrder(_ movie: LabMovie, atLeast count: Int) throws {
        XCTAssertEqual(movie.errors, [])
        XCTAssertGreaterThanOrEqual(movie.frames.count, count)
        let (startTime, first) = try XCTUnwrap(movie.frames.first)
        let firstNumber = try XCTUnwrap(first.frameNumber, "the number of the first frame cannot be read")
        var lastNumber = firstNumber - 1
        var delays: [Double] = []
        for (time, frame) in movie.frames {
            XCTAssertTrue(frame.showsBars, "\(frame.bars) at \(time.seconds) s")
            let number = try XCTUnwrap(frame.frameNumber, "no number at \(time.seconds) s")
            XCTAssertGreaterThan(number, lastNumber)
            let index = (time - startTime).seconds / Self.frameDuration.seconds
            delays.append(index - Double(number - firstNumber))
            lastNumber = number
        }
        // The timestamp is the time at which the driver fills the frame. On a loaded host, any of them can be late, but
        // the frames of the second half are not later than those of the first half.
        let half = delays.count / 2
        let (early, late) = (delays[..<half].sorted(), delays[half...].sorted())
        XCTAssertEqual(early[early.count / 2], late[late.count / 2], accuracy: 0.9, "\(delays)")
    }

    /// Records a short movie, so that the encoders are loaded. An emulated machine needs seconds to load them and
    /// drops frames during this time.
    private func loadEncoders(_ output: AVCaptureMovieFileOutput) {
        let delegate = MovieDelegate()
        output.startRecording(to: folder.appendingPathComponent("first.mov"), recordingDelegate: delegate)
        wait(for: [delegate.started], timeout: labTimeout)
        output.stopRecording()
        wait(for: [delegate.finished], timeout: labTimeout)
    }

    func testMovieContainsFiveSecondsOfVideoAndOfThePlayedTone() throws {
        let output = system.run { AVCaptureMovieFileOutput() }
        let session = try makeSession([cameras()[0], loopbackMicrophone()], output)
        output.maxRecordedDuration = CMTime(value: 5, timescale: 1)
        let delegate = MovieDelegate()
        let url = folder.appendingPathComponent("five.mov")
        session.startRunning()
        XCTAssertTrue(session.isRunning)
        loadEncoders(output)
        let player = try TonePlayer()
        output.startRecording(to: url, recordingDelegate: delegate)
        wait(for: [delegate.started], timeout: labTimeout)
        let playedNanoseconds = player.start()
        wait(for: [delegate.finished], timeout: labTimeout)
        session.stopRunning()
        player.stop()
        XCTAssertEqual(delegate.error?.code, .maximumDurationReached, "\(String(describing: delegate.error))")
        XCTAssertTrue(delegate.isSuccessfullyFinished)

        let movie = try LabMovie(path: url.path)
        try assertFramesInOrder(movie, atLeast: 8)
        let lastTime = try XCTUnwrap(movie.frames.last).time.seconds
        XCTAssertEqual(lastTime, 5 - Self.frameDuration.seconds, accuracy: 1)
        XCTAssertEqual(Double(movie.samples.count) / movie.sampleRate, 5, accuracy: 0.03)
        try assertTone(in: movie, from: Double(playedNanoseconds - delegate.startTime.nanoseconds) / 1e9)
    }

    /// Checks that the movie contains the played tone from the time at which it began.
    ///
    /// A loaded host may stop the emulated machine for longer than the duration of the sound card's buffer. The movie
    /// must then contain silence instead of the lost audio.
    private func assertTone(in movie: LabMovie, from start: Double) throws {
        let onset = try XCTUnwrap(movie.onset, "the tone is not in the movie")
        XCTAssertGreaterThan(onset, start - 0.3)
        let silence = movie.silence(from: max(start, 0), to: 4.8)
        XCTAssertLessThan(onset, start + 0.3 + silence)
        if silence > 0 { print("the emulated machine was too slow for \(silence) s of \(4.8 - start) s of sound") }
        XCTAssertLessThan(silence, 4.8 - start - 0.5)
        let sounding = stride(from: onset + 0.1, to: 4.8, by: 0.1).filter {
            movie.silence(from: $0, to: $0 + 0.1) == 0
        }
        // At a gap that is too short to be measured as silence, the phase of the tone jumps.
        let impure = sounding.filter {
            movie.energyFraction(at: TonePlayer.hertz, from: $0, to: $0 + 0.1) < 0.98
        }
        XCTAssertLessThanOrEqual(impure.count, sounding.count / 10 + 1, "at \(impure) s")
    }

    func testPhotoShowsTheColorBarsAndFrameNumber() throws {
        let output = system.run { AVCapturePhotoOutput() }
        let session = try makeSession([cameras()[0]], output)
        session.startRunning()
        let delegate = PhotoDelegate()
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
        wait(for: [delegate.finished], timeout: labTimeout)
        session.stopRunning()
        let (photo, error) = delegate.result
        XCTAssertNil(error)
        let file = try XCTUnwrap(photo?.fileDataRepresentation())
        let frame = VividFrame(try JPEGCodec().decode(file).pixels)
        XCTAssertEqual(frame.width, 320)
        XCTAssertEqual(frame.height, 180)
        XCTAssertTrue(frame.showsBars, "\(frame.bars)")
        XCTAssertNotNil(frame.frameNumber)
    }

    func testBrightnessChangesTheFramesOfARunningSession() throws {
        let camera = try cameras()[0]
        let output = system.run { AVCaptureVideoDataOutput() }
        let waiter = FrameWaiter()
        output.setSampleBufferDelegate(waiter, queue: waiter.queue)
        let session = try makeSession([camera], output)
        session.startRunning()
        let device = try camera.acquire()
        var lumas: [Int] = []
        for brightness in [0.25, 0.5, 0.75] {
            try device.set(.brightness, to: .number(brightness))
            guard case .number(let read) = try device.value(of: .brightness) else { return XCTFail("no number") }
            XCTAssertEqual(read, brightness, accuracy: 0.01)
            let frame = try XCTUnwrap(waiter.frame(notBefore: clock.now + CMTime(value: 1, timescale: 5), self))
            lumas.append(frame.bars[3])
        }
        try device.set(.brightness, to: .number(0.5))
        camera.release()
        session.stopRunning()
        XCTAssertEqual(lumas, lumas.sorted())
        XCTAssertGreaterThan(lumas[2] - lumas[0], 30, "\(lumas)")
    }

    func testARunningSessionSwitchesBetweenCameras() throws {
        let cameras = try cameras()
        // Pattern 6 is white, which distinguishes the second camera from the first.
        try Vivid.set("Test Pattern", 6, path: "/dev/video1")
        let output = system.run { AVCaptureVideoDataOutput() }
        let waiter = FrameWaiter()
        output.setSampleBufferDelegate(waiter, queue: waiter.queue)
        let session = try makeSession([cameras[0]], output)
        try selectSmallFormat(of: cameras[1])
        session.startRunning()
        for (camera, showsBars) in [(cameras[0], true), (cameras[1], false), (cameras[0], true)] {
            session.beginConfiguration()
            for input in session.inputs { session.removeInput(input) }
            session.addInput(try AVCaptureDeviceInput(device: camera))
            session.commitConfiguration()
            try selectSmallFormat(of: camera)
            let frame = try XCTUnwrap(waiter.frame(notBefore: clock.now, self), camera.uniqueID)
            XCTAssertEqual(frame.showsBars, showsBars, "\(camera.uniqueID): \(frame.bars)")
            XCTAssertTrue(session.isRunning)
        }
        session.stopRunning()
        try Vivid.set("Test Pattern", 0, path: "/dev/video1")
    }

    func testDisconnectionWhileRecordingKeepsTheMoviePlayable() throws {
        let camera = try cameras()[0]
        let delegate = try record(from: camera, to: "disconnected.mov") {
            try Vivid.set("Disconnect", 1, path: "/dev/video0")
        }
        XCTAssertEqual(delegate.error?.code, .deviceWasDisconnected, "\(String(describing: delegate.error))")
        XCTAssertTrue(delegate.isSuccessfullyFinished)
        try assertFramesInOrder(LabMovie(path: folder.appendingPathComponent("disconnected.mov").path), atLeast: 3)
    }

    func testUnpluggingKeepsTheMoviePlayableAndReconnectionCreatesANewDevice() throws {
        let camera = try cameras()[0]
        let disconnected = expectation(description: "the disconnection is posted")
        let connected = expectation(description: "the connections of both cameras are posted")
        connected.expectedFulfillmentCount = 2
        let id = camera.uniqueID
        let center = system.notificationCenter
        let observers = [
            (Notification.Name.AVCaptureDeviceWasDisconnected, disconnected),
            (.AVCaptureDeviceWasConnected, connected),
        ]
        .map { name, expectation in
            center.addObserver(forName: name, object: nil, queue: nil) { notification in
                let isFromCamera = (notification.object as? AVCaptureDevice)?.uniqueID == id
                if isFromCamera || name == .AVCaptureDeviceWasConnected { expectation.fulfill() }
            }
        }
        let delegate = try record(from: camera, to: "unplugged.mov") { try Vivid.unplug() }
        wait(for: [disconnected], timeout: labTimeout)
        XCTAssertEqual(delegate.error?.code, .deviceWasDisconnected, "\(String(describing: delegate.error))")
        XCTAssertTrue(delegate.isSuccessfullyFinished)
        XCTAssertFalse(camera.isConnected)
        XCTAssertThrowsError(try AVCaptureDeviceInput(device: camera)) { error in
            XCTAssertEqual((error as? AVError)?.code, .deviceNotConnected)
        }
        try assertFramesInOrder(LabMovie(path: folder.appendingPathComponent("unplugged.mov").path), atLeast: 3)

        try Vivid.plug()
        wait(for: [connected], timeout: labTimeout)
        for observer in observers { center.removeObserver(observer) }
        let newCamera = try XCTUnwrap(cameras().first { $0.uniqueID == id })
        XCTAssertFalse(newCamera === camera)
        let newDelegate = try record(from: newCamera, to: "reconnected.mov")
        XCTAssertNil(newDelegate.error)
        try assertFramesInOrder(LabMovie(path: folder.appendingPathComponent("reconnected.mov").path), atLeast: 3)
    }

    /// Records for two seconds. Then runs `endRecording`, or stops the recording if it is nil.
    private func record(
        from camera: AVCaptureDevice, to name: String, endRecording: (() throws -> Void)? = nil
    ) throws -> MovieDelegate {
        let output = system.run { AVCaptureMovieFileOutput() }
        let session = try makeSession([camera], output)
        let delegate = MovieDelegate()
        session.startRunning()
        output.startRecording(to: folder.appendingPathComponent(name), recordingDelegate: delegate)
        wait(for: [delegate.started], timeout: labTimeout)
        let pause = expectation(description: "two seconds have elapsed")
        clock.schedule(at: clock.now + CMTime(value: 2, timescale: 1)) { pause.fulfill() }
        wait(for: [pause], timeout: labTimeout)
        if let endRecording { try endRecording() } else { output.stopRecording() }
        wait(for: [delegate.finished], timeout: labTimeout)
        session.stopRunning()
        return delegate
    }
}

/// Stores the error of a recording. A test can wait for its start and end.
private final class MovieDelegate: AVCaptureFileOutputRecordingDelegate, Sendable {
    let started = XCTestExpectation(description: "the recording starts")
    let finished = XCTestExpectation(description: "the recording finishes")
    private let storedStartTime = Lock(CMTime.invalid)
    private let storedError = Lock<AVError?>(nil)

    /// The time on the session's clock of the movie's first sample.
    var startTime: CMTime { storedStartTime.withLock { $0 } }
    var error: AVError? { storedError.withLock { $0 } }
    /// Whether the movie file is complete and playable.
    var isSuccessfullyFinished: Bool {
        error?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
        from connections: [AVCaptureConnection]
    ) {
        storedStartTime.withLock { $0 = startPTS }
        started.fulfill()
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        storedError.withLock { $0 = error as? AVError }
        finished.fulfill()
    }
}

/// Stores the photo of a capture. A test can wait for it.
private final class PhotoDelegate: AVCapturePhotoCaptureDelegate, Sendable {
    let finished = XCTestExpectation(description: "the capture finishes")
    private let storedResult = Lock<(AVCapturePhoto?, (any Error)?)>((nil, nil))

    var result: (AVCapturePhoto?, (any Error)?) { storedResult.withLock { $0 } }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) { storedResult.withLock { $0 = (photo, error) } }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) { finished.fulfill() }
}

/// Waits for a frame of a video data output.
private final class FrameWaiter: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    private struct Request: Sendable {
        var time: CMTime
        var fulfilled: XCTestExpectation
    }

    let queue = DispatchQueue(label: "lab.frames")
    private let state = Lock<(request: Request?, frame: VividFrame?)>((nil, nil))

    /// Waits for the first frame with a presentation time of at least `time`; returns nil after `labTimeout`.
    func frame(notBefore time: CMTime, _ test: XCTestCase) -> VividFrame? {
        let fulfilled = XCTestExpectation(description: "a frame")
        state.withLock { $0 = (Request(time: time, fulfilled: fulfilled), nil) }
        test.wait(for: [fulfilled], timeout: labTimeout)
        return state.withLock { $0.frame }
    }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        guard let pixelBuffer = sampleBuffer.imageBuffer, let request = state.withLock({ $0.request }),
            sampleBuffer.presentationTimeStamp >= request.time
        else { return }
        let frame = VividFrame(pixelBuffer)
        state.withLock { $0 = (nil, frame) }
        request.fulfilled.fulfill()
    }
}
