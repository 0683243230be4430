import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// The backend on the kernel's own test drivers: vivid, snd-aloop and snd-dummy. `CI/hardware-lab` runs them.
final class LinuxDevicesLabTests: XCTestCase {
    private let clock = HostClock()
    private let kernel = LinuxKernel()
    private lazy var host = LinuxHost(clock: clock)

    override func setUpWithError() throws {
        try XCTSkipUnless(
            ProcessInfo.processInfo.environment["OBSCURA_HARDWARE_LAB"] == "1",
            "needs vivid and the ALSA test cards: run CI/hardware-lab")
    }

    // MARK: Cameras

    private func cameras() throws -> [V4L2Camera] {
        let cameras = host.devices.compactMap { $0 as? V4L2Camera }
        XCTAssertEqual(cameras.count, 2, "\(host.devices.map(\.descriptor.uniqueID))")
        return cameras
    }

    private func configuration(
        _ camera: V4L2Camera, _ encoding: VideoStreamFormat.Encoding = .pixels(kCVPixelFormatType_422YpCbCr8_yuvs),
        bufferCount: Int = 8
    ) throws -> StreamConfiguration {
        for format in camera.formats {
            if case .video(let video) = format, video.encoding == encoding, video.dimensions.width == 640 {
                let fastest = try XCTUnwrap(video.frameDurations.map(\.minimum).min())
                let duration = max(fastest, CMTime(value: 1, timescale: 25))
                let offered = video.supports(frameDuration: duration) ? duration : fastest
                return StreamConfiguration(format: format, frameDuration: offered, bufferCount: bufferCount)
            }
        }
        throw KernelError("no format \(encoding) of 640 columns", EINVAL)
    }

    /// Luma at a place given in shares of width and height; packed 4:2:2 has luma first.
    private func luma(_ picture: CVPixelBuffer, _ x: Double, _ y: Double) -> Int {
        let block = picture.format.planes[0]
        return picture.withPlane(0) { plane in
            let column = Int(Double(plane.width) * x) / block.blockWidth * block.bitsPerBlock / 8
            let offset = Int(Double(plane.height) * y) * plane.bytesPerRow + column
            return Int(plane.baseAddress.load(fromByteOffset: offset, as: UInt8.self))
        }
    }

    /// The colour bars, at three quarters of the height, below vivid's text.
    private func bars(_ picture: CVPixelBuffer) -> [Int] {
        (0..<8).map { luma(picture, (Double($0) + 0.5) / 8, 0.75) }
    }

    func testTheKernelKeepsItsRules() throws {
        try KernelRules(kernel: kernel, path: "/dev/video0", expose: {}).check()
    }

    func testVividShowsItsBarsAtItsRateInOrder() throws {
        let camera = try cameras()[0]
        XCTAssertEqual(camera.descriptor.uniqueID, "v4l2:platform:vivid-000:vivid:0")
        let opened = try camera.open()
        let configuration = try configuration(camera)
        let stream = try opened.makeStream(configuration)
        let receiver = RecordingReceiver()
        let begin = clock.now
        try stream.start(receiver.receive)
        let frames = receiver.wait(for: 8).compactMap(\.frame)
        stream.stop()
        XCTAssertEqual(frames.map(\.sequenceNumber), Array(0..<UInt64(frames.count)))
        XCTAssertGreaterThanOrEqual(frames[0].presentationTime, begin)
        XCTAssertLessThanOrEqual(
            frames[frames.count - 1].presentationTime, clock.now + configuration.frameDuration)
        for (frame, next) in zip(frames, frames.dropFirst()) {
            let step = (next.presentationTime - frame.presentationTime).seconds
            XCTAssertEqual(step, configuration.frameDuration.seconds, accuracy: configuration.frameDuration.seconds / 2)
        }
        let picture = try XCTUnwrap(receiver.events.compactMap(\.picture).first)
        let bars = bars(picture)
        XCTAssertEqual(bars, bars.sorted(by: >), "white, yellow, cyan, green, magenta, red, blue, black")
        XCTAssertGreaterThan(bars[0] - bars[7], 100)
        opened.close()
    }

    func testTheMultiPlanarDeviceShowsTheSameInSplitPlanes() throws {
        let camera = try cameras()[1]
        let encodings = Set(
            camera.formats.compactMap { if case .video(let video) = $0 { video.encoding } else { nil } })
        for code in [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8Planar] {
            XCTAssertTrue(encodings.contains(.pixels(code)), "\(encodings)")
        }
        let opened = try camera.open()
        for encoding in encodings.sorted(by: { "\($0)" < "\($1)" }) {
            guard case .pixels(let code) = encoding, code != kCVPixelFormatType_24RGB, code != kCVPixelFormatType_24BGR,
                ![kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA].contains(code),
                code != kCVPixelFormatType_422YpCbCr8
            else { continue }
            let stream = try opened.makeStream(configuration(camera, encoding, bufferCount: 4))
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            let picture = try XCTUnwrap(receiver.wait(for: 1).last?.picture, "\(encoding): \(receiver.events)")
            stream.stop()
            let bars = bars(picture)
            XCTAssertEqual(bars, bars.sorted(by: >), "\(encoding)")
            XCTAssertGreaterThan(bars[0] - bars[7], 100, "\(encoding)")
        }
        opened.close()
    }

    /// vivid has better encodings of each size, so these are not on its list.
    func testEncodingsThatMustBeUnpackedShowTheBars() throws {
        let size = CMVideoDimensions(width: 320, height: 180)
        let formats = V4L2PixelFormat.all.filter { $0.unpacking != nil && !$0.isSplit }
        XCTAssertEqual(formats.count, 6)
        for pixels in formats {
            let duration = CMTime(value: 1, timescale: 25)
            let video = VideoStreamFormat(
                dimensions: size, encoding: pixels.encoding(isFullRange: false),
                frameDurations: [FrameDurationRange(duration)])
            let stream = try V4L2Stream(
                V4L2Node("/dev/video0", kernel: kernel), type: V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue,
                entry: V4L2FormatList.Entry(stream: video, pixels: pixels),
                configuration: StreamConfiguration(format: .video(video), frameDuration: duration), device: "vivid",
                clock: clock, settings: { FrameSettings() })
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            let picture = try XCTUnwrap(receiver.wait(for: 1).last?.picture, "\(pixels): \(receiver.events)")
            stream.close()
            let seen = VividPicture(picture)
            XCTAssertTrue(seen.showsBars, "\(pixels): \(seen.bars)")
            // The mosaic leaves too little of the thin letters.
            if pixels.layout != .packed(bytesPerPixel: 1) { XCTAssertNotNil(seen.frameNumber, "\(pixels)") }
        }
    }

    /// vivid's fourth input is HDMI, its second a television tuner; the first is a webcam, which is never without signal.
    func testTheInputIsOneThatDeliversAndFollowsItsSignal() throws {
        let path = "/dev/video0"
        func select(_ input: Int32) throws {
            var index = input
            try V4L2Node(path, kernel: kernel).request(clinuxdevices_VIDIOC_S_INPUT, "S_INPUT", &index)
        }
        func selected() throws -> Int32 {
            var index: Int32 = -1
            try V4L2Node(path, kernel: kernel).request(clinuxdevices_VIDIOC_G_INPUT, "G_INPUT", &index)
            return index
        }
        // What follows must find the webcam, also after a failure.
        defer { XCTAssertNoThrow(try select(0)) }
        for input in [Int32(3), 1] {
            try select(input)
            let camera = try XCTUnwrap(V4L2Camera(path: path, kernel: kernel, clock: clock))
            XCTAssertEqual(try selected(), input)
            let opened = try camera.open()
            let stream = try opened.makeStream(configuration(camera))
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            let picture = try XCTUnwrap(receiver.wait(for: 1).last?.picture, "input \(input): \(receiver.events)")
            stream.stop()
            opened.close()
            let seen = VividPicture(picture)
            XCTAssertTrue(seen.showsBars, "input \(input): \(seen.bars)")
        }
        try select(3)
        try Vivid.set("DV Timings Signal Mode", 1, path: path)
        defer { XCTAssertNoThrow(try Vivid.set("DV Timings Signal Mode", 0, path: path)) }
        XCTAssertNotNil(V4L2Camera(path: path, kernel: kernel, clock: clock))
        XCTAssertEqual(try selected(), 0, "HDMI without a signal gives way to the webcam")
    }

    func testBrightnessIsSetReadBackAndSeen() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera))
        var lumas: [Int] = []
        for brightness in [0.25, 0.5, 0.75] {
            try opened.set(.brightness, to: .number(brightness))
            guard case .number(let read) = try opened.value(of: .brightness) else { return XCTFail("no number") }
            XCTAssertEqual(read, brightness, accuracy: 0.01)
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            let picture = try XCTUnwrap(receiver.wait(for: 2).last?.picture)
            lumas.append(luma(picture, 0.55, 0.75))
            stream.stop()
        }
        try opened.set(.brightness, to: .number(0.5))
        XCTAssertEqual(lumas, lumas.sorted())
        XCTAssertGreaterThan(lumas[2] - lumas[0], 30, "\(lumas)")
        opened.close()
    }

    func testAChangeByAnotherProgramIsTold() throws {
        let opened = try cameras()[0].open()
        let came = expectation(description: "a change came")
        came.assertForOverFulfill = false
        let observation = opened.observeControls { control, _ in if control == .contrast { came.fulfill() } }
        try Vivid.set("Contrast", 90, path: "/dev/video0")
        wait(for: [came], timeout: 20)
        observation.cancel()
        try opened.set(.contrast, to: .number(0.5))
        opened.close()
    }

    func testACameraThatAnotherProgramStreamsIsBusy() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera))
        let other = try XCTUnwrap(LinuxHost(clock: clock).devices.first)
        XCTAssertTrue(other.isInUseByAnotherApplication)
        XCTAssertFalse(camera.isInUseByAnotherApplication)
        assertCode(try other.open(), .busy)
        withExtendedLifetime(stream) { opened.close() }
        XCTAssertFalse(other.isInUseByAnotherApplication)
        try other.open().close()
    }

    func testHeldBuffersMakeVividLoseFramesForWantOfBuffers() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera, bufferCount: 3))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        XCTAssertEqual(receiver.wait(for: 3).compactMap(\.picture).count, 3)
        // vivid runs on meanwhile; its next frame tells by its number what was lost.
        let pause = expectation(description: "half a second of the clock")
        clock.schedule(at: clock.now + CMTime(value: 1, timescale: 2)) { pause.fulfill() }
        wait(for: [pause], timeout: 20)
        XCTAssertEqual(receiver.events.count, 3)
        receiver.forget()
        let drops = receiver.wait(for: 3).compactMap(\.drop)
        stream.stop()
        XCTAssertFalse(drops.isEmpty)
        XCTAssertEqual(Set(drops.map(\.reason)), [.outOfBuffers])
        opened.close()
    }

    func testInjectedErrorsAreTold() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        try Vivid.set("Inject VIDIOC_REQBUFS Error", 1, path: camera.path)
        XCTAssertThrowsError(try opened.makeStream(configuration(camera)))
        let stream = try opened.makeStream(configuration(camera))
        try Vivid.set("Inject VIDIOC_STREAMON Error", 1, path: camera.path)
        XCTAssertThrowsError(try stream.start { _ in })

        let receiver = RecordingReceiver(keepsPictures: false)
        try stream.start(receiver.receive)
        XCTAssertGreaterThanOrEqual(receiver.wait(for: 2).count, 2)
        receiver.forget()
        try Vivid.set("Inject V4L2_BUF_FLAG_ERROR", 1, path: camera.path)
        var drop: DroppedFrame?
        for count in 1...20 where drop == nil { drop = receiver.wait(for: count).compactMap(\.drop).first }
        XCTAssertEqual(drop?.reason, .damaged)

        try Vivid.set("Percentage of Dropped Buffers", 50, path: camera.path)
        receiver.forget()
        var gaps: [DroppedFrame] = []
        for count in 1...40 where gaps.isEmpty {
            gaps = receiver.wait(for: count).compactMap(\.drop).filter { $0.reason == .discontinuity }
        }
        XCTAssertFalse(gaps.isEmpty)
        try Vivid.set("Percentage of Dropped Buffers", 0, path: camera.path)

        receiver.forget()
        try Vivid.set("Inject Fatal Streaming Error", 1, path: camera.path)
        XCTAssertEqual(failure(in: receiver)?.code, .inputOutput)
        receiver.forget()
        try stream.start(receiver.receive)
        XCTAssertNotNil(receiver.wait(for: 1).first?.frame)
        stream.stop()
        opened.close()
    }

    func testADisconnectedCameraEndsItsStream() throws {
        let camera = try cameras()[1]
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera, .pixels(kCVPixelFormatType_OneComponent8)))
        let receiver = RecordingReceiver(keepsPictures: false)
        try stream.start(receiver.receive)
        XCTAssertNotNil(receiver.wait(for: 1).first?.frame)
        // vivid comes back by itself when the last handle is closed.
        try Vivid.set("Disconnect", 1, path: camera.path)
        XCTAssertEqual(failure(in: receiver)?.code, .disconnected)
        stream.stop()
        opened.close()
    }

    func testUnplugWhileStreamingAndReplug() throws {
        let messages = RecordingMessages()
        let udev = try UdevWatcher(kernel, .kernel) { messages.note("\($0)") }
        let camera = try cameras()[1]
        XCTAssertEqual(host.hotplugSource, "inotify")
        let gone = expectation(description: "the host tells of the unplugging")
        let back = expectation(description: "the host tells of the replugging")
        let id = camera.descriptor.uniqueID
        let observation = host.observeDevices { change in
            guard change.device.descriptor.uniqueID == id else { return }
            if case .connected = change { back.fulfill() } else { gone.fulfill() }
        }
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera, .pixels(kCVPixelFormatType_OneComponent8)))
        let receiver = RecordingReceiver(keepsPictures: false)
        try stream.start(receiver.receive)
        XCTAssertNotNil(receiver.wait(for: 1).first?.frame)
        try Vivid.unplug()
        XCTAssertEqual(failure(in: receiver)?.code, .disconnected)
        wait(for: [gone], timeout: 20)
        XCTAssertFalse(camera.isConnected)
        assertCode(try camera.open(), .disconnected)
        stream.stop()
        opened.close()

        try Vivid.plug()
        wait(for: [back], timeout: 20)
        let again = try XCTUnwrap(host.devices.first { $0.descriptor.uniqueID == id })
        XCTAssertTrue(again.isConnected)
        XCTAssertFalse(again === camera)
        try again.open().close()
        observation.cancel()
        udev.stop()
        for word in ["vanished", "appeared"] {
            XCTAssertTrue(messages.all.contains { $0.hasPrefix("\(word)(\"/dev/video") }, "\(messages.all)")
        }
    }

    /// The failure that ends a stream, within some frames.
    private func failure(in receiver: RecordingReceiver) -> DeviceError? {
        for count in 1...60 {
            if let failure = receiver.wait(for: count).compactMap(\.failure).first { return failure }
        }
        return nil
    }

    // MARK: Sound

    private func microphone(_ key: String) throws -> any HardwareDevice {
        try XCTUnwrap(
            host.devices.first { $0.descriptor.uniqueID == "alsa:\(key)" }, "\(host.devices.map(\.descriptor.uniqueID))"
        )
    }

    private func soundConfiguration(_ microphone: any HardwareDevice) throws -> StreamConfiguration {
        let wish = StreamFormat.audio(AudioStreamFormat(sampleRate: 48_000, channelCount: 2, sample: .int16))
        XCTAssertTrue(microphone.formats.contains(wish))
        return StreamConfiguration(format: wish, frameDuration: CMTime(value: 1, timescale: 50))
    }

    func testWhatIsPlayedIntoTheLoopComesBackSampleForSample() throws {
        let player = try LoopPlayer(frameCount: 48_000)
        let microphone = try microphone("hw:CARD=Loopback,DEV=1")
        let opened = try microphone.open()
        assertCode(try LinuxHost(clock: clock).open(microphone.descriptor.uniqueID), .busy)
        let stream = try opened.makeStream(soundConfiguration(microphone))
        let receiver = RecordingReceiver()
        let begin = clock.now
        try stream.start(receiver.receive)
        XCTAssertGreaterThan(receiver.wait(for: 2).count, 1)
        try player.play()
        let chunks = receiver.wait(for: 60).compactMap(\.chunk)
        stream.stop()
        opened.close()
        player.finish()
        XCTAssertGreaterThanOrEqual(chunks.count, 60, "\(receiver.events.compactMap(\.failure))")
        var place: Int64 = 0
        for chunk in chunks where !chunk.followsDiscontinuity {
            XCTAssertEqual(chunk.samplePosition, place)
            place += Int64(chunk.frameCount)
        }
        for (chunk, next) in zip(chunks, chunks.dropFirst()) {
            let step = (next.presentationTime - chunk.presentationTime).seconds
            XCTAssertEqual(step, Double(chunk.frameCount) / 48_000, accuracy: 0.005)
        }
        XCTAssertEqual(chunks[0].presentationTime.seconds, begin.seconds, accuracy: 0.5)
        let left = chunks.flatMap { chunk in
            chunk.data.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: 4).map { bytes.load(fromByteOffset: $0, as: Int16.self) }
            }
        }
        let sounding = left.drop { $0 == 0 }.prefix(20_000)
        XCTAssertEqual(sounding.count, 20_000, "the tone came through")
        XCTAssertEqual(Array(sounding), LoopPlayer.ramp(sounding.count), "unchanged and without a gap")
    }

    func testTheDummyCardDeliversAtItsRate() throws {
        let microphone = try microphone("hw:CARD=Dummy,DEV=0")
        let opened = try microphone.open()
        XCTAssertNotNil(opened.controls[.inputGain], "\(opened.controls)")
        try opened.set(.inputGain, to: .number(0.5))
        guard case .number(let gain) = try opened.value(of: .inputGain) else { return XCTFail("no gain") }
        XCTAssertEqual(gain, 0.5, accuracy: 0.05)
        let stream = try opened.makeStream(soundConfiguration(microphone))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        let chunks = receiver.wait(for: 50).compactMap(\.chunk)
        stream.stop()
        XCTAssertGreaterThanOrEqual(chunks.count, 50)
        let span = (chunks[49].presentationTime - chunks[0].presentationTime).seconds
        XCTAssertEqual(span, Double(chunks[49].samplePosition) / 48_000, accuracy: 0.02)
        opened.close()
    }

    /// Not reading for longer than the buffer lasts is an overrun; what was lost is counted by the clock.
    func testAnOverrunOfTheDummyCardIsCounted() throws {
        let microphone = try microphone("hw:CARD=Dummy,DEV=0")
        let opened = try microphone.open()
        let stream = try opened.makeStream(soundConfiguration(microphone))
        let pause = DispatchSemaphore(value: 0)
        let isFirst = Lock(true)
        let receiver = RecordingReceiver { [clock] _ in
            let mustPause = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            guard mustPause else { return }
            clock.schedule(at: clock.now + CMTime(value: 2, timescale: 1)) { pause.signal() }
            pause.wait()
        }
        try stream.start(receiver.receive)
        var chunks: [AudioChunk] = []
        for count in 2...100 where !chunks.contains(where: \.followsDiscontinuity) {
            chunks = receiver.wait(for: count).compactMap(\.chunk)
        }
        stream.stop()
        opened.close()
        let index = try XCTUnwrap(chunks.firstIndex(where: \.followsDiscontinuity))
        let (last, after) = (chunks[index - 1], chunks[index])
        let lost = after.samplePosition - last.samplePosition - Int64(last.frameCount)
        XCTAssertGreaterThan(lost, 48_000)
        let span = (after.presentationTime - last.presentationTime).seconds * 48_000
        XCTAssertEqual(Double(after.samplePosition - last.samplePosition), span, accuracy: 480)
    }
}

extension LinuxHost {
    /// Opens the device of an identity.
    fileprivate func open(_ id: String) throws -> any OpenDevice {
        try XCTUnwrap(devices.first { $0.descriptor.uniqueID == id }).open()
    }
}

/// Keeps lines that come from other threads.
private final class RecordingMessages: Sendable {
    private let lines = Lock<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

/// Plays a ramp into the loop.
private final class LoopPlayer: @unchecked Sendable {
    // SAFETY: used by one test's thread; the library plays what was written before.
    private let handle: OpaquePointer
    private let frameCount: Int

    /// Rises by 7 a frame and wraps, so that a lost or doubled frame shows at once; begins above 0.
    static func ramp(_ count: Int) -> [Int16] { (0..<count).map { Int16(truncatingIfNeeded: $0 * 7 + 1) } }

    init(frameCount: Int) throws {
        var handle: OpaquePointer?
        let result = snd_pcm_open(&handle, "hw:CARD=Loopback,DEV=0", SND_PCM_STREAM_PLAYBACK, 0)
        self.handle = try XCTUnwrap(handle, "playback opens with \(result)")
        self.frameCount = frameCount
        XCTAssertEqual(
            snd_pcm_set_params(
                self.handle, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, 48_000, 0, 500_000), 0)
    }

    /// Returns when all but the last buffer has been played.
    func play() throws {
        let samples = Self.ramp(frameCount).flatMap { [$0, $0] }
        let written = samples.withUnsafeBytes { snd_pcm_writei(handle, $0.baseAddress, snd_pcm_uframes_t(frameCount)) }
        XCTAssertEqual(written, frameCount)
        snd_pcm_drain(handle)
    }

    func finish() { snd_pcm_close(handle) }
}
