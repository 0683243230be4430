import CaptureHAL
import MediaCodecs
import MediaTypes
import XCTest

@testable import CaptureCore
@testable import LinuxDevices
@testable import MediaAssets

/// The capture API on the kernel's own test drivers, as an app sees it. `CI/hardware-lab` runs them.
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

    private static let frameDuration = CMTime(value: 1, timescale: 15)

    private func cameras() throws -> [AVCaptureDevice] {
        let cameras = system.run {
            AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .unspecified)
                .devices
        }
        XCTAssertEqual(cameras.count, 2, "\(cameras)")
        return cameras
    }

    /// 320x180 at 15 frames a second, which leaves an emulated machine time to compress it.
    private func makeSmall(_ camera: AVCaptureDevice) throws {
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

    private func session(_ devices: [AVCaptureDevice], _ output: AVCaptureOutput) throws -> AVCaptureSession {
        let session = system.run { AVCaptureSession() }
        session.beginConfiguration()
        for device in devices { session.addInput(try AVCaptureDeviceInput(device: device)) }
        session.addOutput(output)
        session.commitConfiguration()
        for device in devices where device.hasMediaType(.video) { try makeSmall(device) }
        return session
    }

    private func loopMicrophone() throws -> AVCaptureDevice {
        let microphones = system.run {
            AVCaptureDevice.DiscoverySession(deviceTypes: [.microphone], mediaType: .audio, position: .unspecified)
                .devices
        }
        return try XCTUnwrap(microphones.first { $0.uniqueID == "alsa:hw:CARD=Loopback,DEV=1" }, "\(microphones)")
    }

    /// Every picture shows the bars, and its number tells its time.
    private func assertInOrder(_ movie: LabMovie, atLeast count: Int) throws {
        XCTAssertEqual(movie.damage, [])
        XCTAssertGreaterThanOrEqual(movie.pictures.count, count)
        let (begin, first) = try XCTUnwrap(movie.pictures.first)
        let firstNumber = try XCTUnwrap(first.frameNumber, "the first picture's number cannot be read")
        var last = firstNumber - 1
        for (time, picture) in movie.pictures {
            XCTAssertTrue(picture.showsBars, "\(picture.bars) at \(time.seconds) s")
            let number = try XCTUnwrap(picture.frameNumber, "no number at \(time.seconds) s")
            XCTAssertGreaterThan(number, last)
            let place = (time - begin).seconds / Self.frameDuration.seconds
            XCTAssertEqual(Double(number - firstNumber), place, accuracy: 0.5, "number \(number) at \(time.seconds) s")
            last = number
        }
    }

    func testFiveSecondsAreRecordedWithTheToneThatIsPlayedIn() throws {
        let output = system.run { AVCaptureMovieFileOutput() }
        let session = try session([cameras()[0], loopMicrophone()], output)
        output.maxRecordedDuration = CMTime(value: 5, timescale: 1)
        let follower = RecordingDelegateNotifier()
        let url = folder.appendingPathComponent("five.mov")
        session.startRunning()
        XCTAssertTrue(session.isRunning)
        output.startRecording(to: url, recordingDelegate: follower)
        wait(for: [follower.started], timeout: 30)
        let begin = clock.now
        let player = try TonePlayer()
        wait(for: [follower.finished], timeout: 60)
        session.stopRunning()
        player.stop()
        XCTAssertEqual(follower.error?.code, .maximumDurationReached, "\(String(describing: follower.error))")
        XCTAssertTrue(follower.isGood)

        let movie = try LabMovie(path: url.path)
        try assertInOrder(movie, atLeast: 60)
        let end = try XCTUnwrap(movie.pictures.last).time.seconds
        XCTAssertEqual(end, 5 - Self.frameDuration.seconds, accuracy: 0.2)
        XCTAssertEqual(Double(movie.sound.count) / movie.soundRate, 5, accuracy: 0.03)
        let onset = try XCTUnwrap(movie.onset, "the tone is not in the movie")
        let played = try XCTUnwrap(player.startNanoseconds.withLock { $0 })
        // The movie began at most some frames before its delegate heard of it.
        XCTAssertEqual(onset, Double(played - begin.nanoseconds) / 1e9, accuracy: 0.7)
        // An emulated machine may be late with the tone now and then; that must stay rare.
        let shares = stride(from: onset + 0.1, to: 4.8, by: 0.1).map { begin in
            movie.share(of: TonePlayer.hertz, from: begin, to: begin + 0.1)
        }
        let pure = shares.filter { $0 > 0.98 }.count
        XCTAssertGreaterThanOrEqual(Double(pure), 0.9 * Double(shares.count), "\(shares)")
    }

    func testAStillShowsWhatTheCameraSees() throws {
        let output = system.run { AVCapturePhotoOutput() }
        let session = try session([cameras()[0]], output)
        session.startRunning()
        let photographer = Photographer()
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photographer)
        wait(for: [photographer.finished], timeout: 30)
        session.stopRunning()
        let (photo, error) = photographer.outcome
        XCTAssertNil(error)
        let file = try XCTUnwrap(photo?.fileDataRepresentation())
        let picture = VividPicture(try JPEGCodec().decode(file).pixels)
        XCTAssertEqual(picture.width, 320)
        XCTAssertEqual(picture.height, 180)
        XCTAssertTrue(picture.showsBars, "\(picture.bars)")
        XCTAssertNotNil(picture.frameNumber)
    }

    func testBrightnessIsSetReadBackAndSeenWhileRunning() throws {
        let camera = try cameras()[0]
        let output = system.run { AVCaptureVideoDataOutput() }
        let watcher = PictureWatcher()
        output.setSampleBufferDelegate(watcher, queue: watcher.queue)
        let session = try session([camera], output)
        session.startRunning()
        let device = try camera.acquire()
        var lumas: [Int] = []
        for brightness in [0.25, 0.5, 0.75] {
            try device.set(.brightness, to: .number(brightness))
            guard case .number(let read) = try device.value(of: .brightness) else { return XCTFail("no number") }
            XCTAssertEqual(read, brightness, accuracy: 0.01)
            let picture = try XCTUnwrap(watcher.picture(after: clock.now + CMTime(value: 1, timescale: 5), self))
            lumas.append(picture.bars[3])
        }
        try device.set(.brightness, to: .number(0.5))
        camera.release()
        session.stopRunning()
        XCTAssertEqual(lumas, lumas.sorted())
        XCTAssertGreaterThan(lumas[2] - lumas[0], 30, "\(lumas)")
    }

    func testTheSessionSwitchesBetweenTheCamerasWhileRunning() throws {
        let cameras = try cameras()
        // The second camera is told apart by its picture, which is white.
        try Vivid.set("Test Pattern", 6, path: "/dev/video1")
        let output = system.run { AVCaptureVideoDataOutput() }
        let watcher = PictureWatcher()
        output.setSampleBufferDelegate(watcher, queue: watcher.queue)
        let session = try session([cameras[0]], output)
        try makeSmall(cameras[1])
        session.startRunning()
        for (camera, showsBars) in [(cameras[0], true), (cameras[1], false), (cameras[0], true)] {
            session.beginConfiguration()
            for input in session.inputs { session.removeInput(input) }
            session.addInput(try AVCaptureDeviceInput(device: camera))
            session.commitConfiguration()
            try makeSmall(camera)
            let picture = try XCTUnwrap(watcher.picture(after: clock.now, self), camera.uniqueID)
            XCTAssertEqual(picture.showsBars, showsBars, "\(camera.uniqueID): \(picture.bars)")
            XCTAssertTrue(session.isRunning)
        }
        session.stopRunning()
        try Vivid.set("Test Pattern", 0, path: "/dev/video1")
    }

    func testACameraThatDiesWhileRecordingLeavesAGoodMovie() throws {
        let camera = try cameras()[0]
        let follower = try record(from: camera, to: "died.mov") {
            try Vivid.set("Disconnect", 1, path: "/dev/video0")
        }
        XCTAssertEqual(follower.error?.code, .deviceWasDisconnected, "\(String(describing: follower.error))")
        XCTAssertTrue(follower.isGood)
        try assertInOrder(LabMovie(path: folder.appendingPathComponent("died.mov").path), atLeast: 8)
    }

    func testUnpluggingWhileRecordingLeavesAGoodMovieAndTheCameraComesBackAnew() throws {
        let camera = try cameras()[0]
        let gone = expectation(description: "the disconnection is told")
        let back = expectation(description: "the connection of both is told")
        back.expectedFulfillmentCount = 2
        let id = camera.uniqueID
        let center = system.notificationCenter
        let observers = [
            (Notification.Name.AVCaptureDeviceWasDisconnected, gone), (.AVCaptureDeviceWasConnected, back),
        ]
        .map { name, expectation in
            center.addObserver(forName: name, object: nil, queue: nil) { note in
                let isOfCamera = (note.object as? AVCaptureDevice)?.uniqueID == id
                if isOfCamera || name == .AVCaptureDeviceWasConnected { expectation.fulfill() }
            }
        }
        let follower = try record(from: camera, to: "unplugged.mov") { try Vivid.unplug() }
        wait(for: [gone], timeout: 20)
        XCTAssertEqual(follower.error?.code, .deviceWasDisconnected, "\(String(describing: follower.error))")
        XCTAssertTrue(follower.isGood)
        XCTAssertFalse(camera.isConnected)
        XCTAssertThrowsError(try AVCaptureDeviceInput(device: camera)) { error in
            XCTAssertEqual((error as? AVError)?.code, .deviceNotConnected)
        }
        try assertInOrder(LabMovie(path: folder.appendingPathComponent("unplugged.mov").path), atLeast: 8)

        try Vivid.plug()
        wait(for: [back], timeout: 20)
        for observer in observers { center.removeObserver(observer) }
        let again = try XCTUnwrap(cameras().first { $0.uniqueID == id })
        XCTAssertFalse(again === camera)
        let second = try record(from: again, to: "again.mov", until: nil)
        XCTAssertNil(second.error)
        try assertInOrder(LabMovie(path: folder.appendingPathComponent("again.mov").path), atLeast: 8)
    }

    /// Records for a second, then does what ends the recording; stops it where nothing does.
    private func record(
        from camera: AVCaptureDevice, to name: String, until end: (() throws -> Void)?
    ) throws -> RecordingDelegateNotifier {
        let output = system.run { AVCaptureMovieFileOutput() }
        let session = try session([camera], output)
        let follower = RecordingDelegateNotifier()
        session.startRunning()
        output.startRecording(to: folder.appendingPathComponent(name), recordingDelegate: follower)
        wait(for: [follower.started], timeout: 30)
        let pause = expectation(description: "a second of the clock")
        clock.schedule(at: clock.now + CMTime(value: 1, timescale: 1)) { pause.fulfill() }
        wait(for: [pause], timeout: 30)
        if let end { try end() } else { output.stopRecording() }
        wait(for: [follower.finished], timeout: 30)
        session.stopRunning()
        return follower
    }
}

/// Keeps what a recording's delegate is told.
private final class RecordingDelegateNotifier: AVCaptureFileOutputRecordingDelegate, Sendable {
    let started = XCTestExpectation(description: "the recording starts")
    let finished = XCTestExpectation(description: "the recording finishes")
    private let told = Lock<AVError?>(nil)

    var error: AVError? { told.withLock { $0 } }
    var isGood: Bool { error?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil) }

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) { started.fulfill() }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        told.withLock { $0 = error as? AVError }
        finished.fulfill()
    }
}

/// Keeps the still of a capture.
private final class Photographer: AVCapturePhotoCaptureDelegate, Sendable {
    let finished = XCTestExpectation(description: "the capture finishes")
    private let taken = Lock<(AVCapturePhoto?, (any Error)?)>((nil, nil))

    var outcome: (AVCapturePhoto?, (any Error)?) { taken.withLock { $0 } }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) { taken.withLock { $0 = (photo, error) } }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) { finished.fulfill() }
}

/// Waits for pictures of a data output.
private final class PictureWatcher: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    private struct Wish: Sendable {
        var time: CMTime
        var came: XCTestExpectation
    }

    let queue = DispatchQueue(label: "lab.pictures")
    private let state = Lock<(wish: Wish?, picture: VividPicture?)>((nil, nil))

    /// The first picture taken from a time on; nil where none comes.
    func picture(after time: CMTime, _ test: XCTestCase) -> VividPicture? {
        let came = XCTestExpectation(description: "a picture")
        state.withLock { $0 = (Wish(time: time, came: came), nil) }
        test.wait(for: [came], timeout: 30)
        return state.withLock { $0.picture }
    }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        guard let pixels = sampleBuffer.imageBuffer, let wish = state.withLock({ $0.wish }),
            sampleBuffer.presentationTimeStamp >= wish.time
        else { return }
        let picture = VividPicture(pixels)
        state.withLock { $0 = (nil, picture) }
        wish.came.fulfill()
    }
}
