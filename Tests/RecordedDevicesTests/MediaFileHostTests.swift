import CaptureHAL
import Dispatch
import Foundation
import MediaCodecs
import MediaTypes
import RecordedDevices
import XCTest

final class MediaFileHostTests: XCTestCase {
    private func run(
        _ host: MediaFileHost, _ media: DeviceMedia, _ clock: any CaptureClock, bufferCount: Int = 16,
        keepsBuffers: Bool = false, formatIndex: Int = 0, duration: CMTime? = nil
    ) throws -> FileRun {
        let device = try XCTUnwrap(host.devices.first { $0.descriptor.media == [media] })
        let opened = try device.open()
        let format = device.formats[formatIndex]
        var frameDuration = CMTime(value: 1024, timescale: 44100)
        if case .video(let video) = format { frameDuration = video.frameDurations[0].minimum }
        let stream = try opened.makeStream(
            StreamConfiguration(format: format, frameDuration: duration ?? frameDuration, bufferCount: bufferCount))
        openDevices.withLock { $0.append(opened) }
        return FileRun(stream, clock, keepsBuffers: keepsBuffers)
    }

    /// Keeps devices open until the test ends.
    private let openDevices = Lock<[any OpenDevice]>([])

    override func tearDown() {
        for device in openDevices.withLock({ $0 }) { device.close() }
    }

    // MARK: Devices of a file

    func testAMovieIsACameraAndAMicrophone() throws {
        let host = try MediaFileHost(path: TestMedia.path("handheld-3s.mp4"), clock: SimClock())
        XCTAssertEqual(host.name, "file:handheld-3s.mp4")
        XCTAssertEqual(
            host.devices.map(\.descriptor.uniqueID),
            ["file:handheld-3s.mp4:camera", "file:handheld-3s.mp4:microphone"])
        XCTAssertEqual(host.devices.map(\.descriptor.kind), [.external, .microphone])
        guard case .video(let video) = host.devices[0].formats[0], case .audio(let audio) = host.devices[1].formats[0]
        else { return XCTFail("wrong media") }
        XCTAssertEqual(video.size, PixelSize(width: 640, height: 480))
        XCTAssertEqual(video.encoding, .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        XCTAssertEqual(video.frameDurations[0].minimum.seconds, 0.033, accuracy: 1e-9)
        XCTAssertEqual(video.frameDurations[0].maximum.seconds, 0.034, accuracy: 1e-9)
        XCTAssertEqual(audio, AudioStreamFormat(sampleRate: 44100, channelCount: 1, sample: .int16))
    }

    func testAFileWithoutAudioIsOnlyACamera() throws {
        let host = try MediaFileHost(path: TestMedia.path("street-3s.avi"), clock: SimClock())
        XCTAssertEqual(host.devices.map(\.descriptor.media), [[.video]])
        guard case .video(let video) = host.devices[0].formats[0] else { return XCTFail("wrong media") }
        XCTAssertEqual(video.frameDurations, [FrameDurationRange(CMTime(value: 1, timescale: 10))])
    }

    func testOpeningAFileThatIsNotMediaThrowsInvalidSourceWithItsPath() throws {
        let folder = try folder()
        let text = folder.appendingPathComponent("letter.mov")
        try Data("Dear reader, this is no movie.".utf8).write(to: text)
        for path in [folder.appendingPathComponent("absent.mov").path, folder.path, text.path] {
            XCTAssertThrowsError(try MediaFileHost(path: path, clock: SimClock())) { error in
                XCTAssertEqual((error as? DeviceError)?.code, .invalidSource)
                XCTAssertTrue((error as? DeviceError)?.message.contains(path) == true, "\(error)")
            }
        }
    }

    private func folder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        addTeardownBlock { try FileManager.default.removeItem(at: url) }
        return url
    }

    // MARK: Frames

    func testEachFrameOfAMovieIsDeliveredAtItsTime() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("street-3s.avi"), clock: clock)
        let run = try run(host, .video, clock)
        try run.start()
        clock.advance(by: .seconds(4))
        let received = run.received
        XCTAssertEqual(received.frames, try TestMedia.frames("street-3s.video.framecrc"))
        XCTAssertEqual(received.arrivals, (0..<30).map { $0 * 100_000_000 })
        XCTAssertEqual(received.durations, Array(repeating: 100_000_000, count: 30))
        XCTAssertEqual(received.sequenceNumbers, Array(0..<30))
        XCTAssertEqual(received.ends, [CMTime(value: 3, timescale: 1)])
        XCTAssertTrue(received.drops.isEmpty && received.failures.isEmpty)
    }

    func testVariableFrameDurationsAreKeptAndAFrameIsNotReportedAsDroppedIfItIsDelivered() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("handheld-3s.mp4"), clock: clock)
        let run = try run(host, .video, clock)
        try run.start()
        clock.advance(by: .seconds(4))
        let received = run.received
        var frames = try TestMedia.frames("handheld-3s.video.framecrc")
        // The last two frames have no usable timestamp in the file; they follow at the previous frame duration.
        frames[88].time = 2_971_000 + 33_000
        frames[89].time = frames[88].time + 33_000
        XCTAssertEqual(received.frames, frames)
        XCTAssertEqual(received.arrivals, frames.map { $0.time * 1000 })
        let steps = zip(frames.dropFirst(), frames).map { ($0.time - $1.time) * 1000 }
        XCTAssertEqual(Array(received.durations.dropLast()), steps)
        // The decoder logs "A non-intra slice in an IDR NAL unit." for the first frame, but decodes it.
        XCTAssertTrue(received.drops.isEmpty)
        XCTAssertEqual(received.eventTimes, received.eventTimes.sorted())
        XCTAssertEqual(received.sequenceNumbers, Array(0..<UInt64(frames.count)))
    }

    func testAStreamUsesALimitedNumberOfBuffers() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("street-3s.avi"), clock: clock)
        let run = try run(host, .video, clock, bufferCount: 4, keepsBuffers: true)
        try run.start()
        clock.advance(by: .seconds(4))
        let received = run.received
        // Four buffers for the consumer and three for the look-ahead; later frames are reported as dropped.
        XCTAssertEqual(received.frames.count, 7)
        XCTAssertEqual(received.drops.map(\.reason), Array(repeating: .outOfBuffers, count: 23))
        XCTAssertEqual(received.drops.first?.presentationTime.seconds, 0.7)
        XCTAssertEqual(received.drops.map(\.sequenceNumber), Array(7..<30))
    }

    func testALoopRestartsAfterTheDurationOfTheFile() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("street-3s.avi"), clock: clock, atEnd: .loop)
        let run = try run(host, .video, clock)
        try run.start()
        clock.advance(by: .milliseconds(7_450))
        run.stream.stop()
        let once = try TestMedia.frames("street-3s.video.framecrc")
        let thrice = (0..<3).flatMap { round in
            once.map { FileRun.Frame(time: $0.time + round * 3_000_000, checksum: $0.checksum) }
        }
        XCTAssertEqual(run.received.frames, Array(thrice.prefix(75)))
        XCTAssertTrue(run.received.ends.isEmpty)
    }

    func testCameraAndMicrophoneLoopTogether() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("handheld-3s.mp4"), clock: clock, atEnd: .loop)
        let video = try run(host, .video, clock)
        let audio = try run(host, .audio, clock)
        try video.start()
        try audio.start()
        clock.advance(by: .seconds(7))
        video.stream.stop()
        audio.stream.stop()
        let frames = video.received.frames
        // The audio track starts at sample 2955. It is the longer track and ends with a packet of 1152 samples.
        let duration = Double(131_943 + 1152) / 44100
        let second = try XCTUnwrap(frames.dropFirst(2).first { $0.checksum == frames[1].checksum })
        XCTAssertEqual(Double(second.time) / 1e6, duration + 0.101, accuracy: 2e-6)
        let restart = try XCTUnwrap(audio.received.chunks.first { $0.followsDiscontinuity })
        XCTAssertEqual(restart.presentationTime.seconds, duration + 2955.0 / 44100, accuracy: 1.0 / 44100)
        XCTAssertEqual(video.received.eventTimes, video.received.eventTimes.sorted())
        XCTAssertEqual(audio.received.eventTimes, audio.received.eventTimes.sorted())
        XCTAssertTrue(video.received.drops.isEmpty)
    }

    func testAStillImageIsDeliveredRepeatedly() throws {
        let pixels = try XCTUnwrap(CVPixelBuffer(width: 40, height: 30, pixelFormat: kCVPixelFormatType_32BGRA))
        let folder = try folder()
        for (name, data) in [
            ("still.png", try PNGCodec().encode(pixels)), ("still.jpg", try JPEGCodec().encode(pixels)),
        ] {
            let url = folder.appendingPathComponent(name)
            try data.write(to: url)
            let clock = SimClock()
            let host = try MediaFileHost(path: url.path, clock: clock)
            let run = try run(host, .video, clock, duration: CMTime(value: 1, timescale: 25))
            try run.start()
            clock.advance(by: .milliseconds(999))
            run.stream.stop()
            XCTAssertEqual(run.received.frames.map(\.time), (0..<25).map { $0 * 40_000 })
            XCTAssertEqual(Set(run.received.frames.map(\.checksum)).count, 1)
            XCTAssertEqual(Set(run.received.durations), [40_000_000])
        }
    }

    func testAStillImageKeepsItsFrameRateOverALongTime() throws {
        let pixels = try XCTUnwrap(CVPixelBuffer(width: 40, height: 30, pixelFormat: kCVPixelFormatType_32BGRA))
        let url = try folder().appendingPathComponent("still.png")
        try PNGCodec().encode(pixels).write(to: url)
        let clock = SimClock()
        let host = try MediaFileHost(path: url.path, clock: clock)
        XCTAssertFalse(host.ends)
        let run = try run(host, .video, clock, duration: CMTime(value: 1, timescale: 30))
        try run.start()
        clock.advance(by: .milliseconds(9_999))
        run.stream.stop()
        // Rounding errors do not accumulate: every 30th frame is due at a full second.
        XCTAssertEqual(run.received.frames.count, 300)
        XCTAssertEqual(run.received.frames.map(\.time), (0..<300).map { ($0 * 1_000_000 + 15) / 30 })
    }

    func testStreamsOfDamagedFilesDeliverEventsInOrder() throws {
        let folder = try folder()
        let original = try Data(contentsOf: URL(fileURLWithPath: TestMedia.path("handheld-3s.mp4")))
        for seed in 0..<16 {
            var generator = SplitMix64(seed: UInt64(seed))
            var bytes = [UInt8](original)
            for _ in 0..<(4 << Int.random(in: 0...8, using: &generator)) {
                // The index of this MP4 file is at its end, after the samples.
                let firstOffset = Bool.random(using: &generator) ? 0 : bytes.count - 6000
                bytes[Int.random(in: firstOffset..<bytes.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            let url = folder.appendingPathComponent("\(seed).mp4")
            try Data(bytes).write(to: url)
            let clock = SimClock()
            let host: MediaFileHost
            do {
                host = try MediaFileHost(path: url.path, clock: clock)
            } catch {
                XCTAssertEqual(error.code, .invalidSource)
                continue
            }
            for device in host.devices {
                guard let media = device.descriptor.media.first else { return XCTFail("no media") }
                let run = try run(host, media, clock)
                try run.start()
                clock.advance(by: .seconds(6))
                run.stream.stop()
                let received = run.received
                XCTAssertEqual(received.eventTimes, received.eventTimes.sorted(), "seed \(seed), \(media)")
                XCTAssertLessThanOrEqual(received.ends.count + received.failures.count, 1)
            }
        }
    }

    // MARK: Audio

    func testAudioTimesFollowTheSampleCount() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("handheld-3s.mp4"), clock: clock)
        let run = try run(host, .audio, clock)
        try run.start()
        clock.advance(by: .seconds(4))
        let chunks = run.received.chunks
        XCTAssertEqual(chunks.reduce(0) { $0 + $1.frameCount }, 113 * 1152)
        XCTAssertTrue(chunks.dropLast().allSatisfy { $0.frameCount == 1024 })
        XCTAssertTrue(chunks.allSatisfy { $0.data.dataLength == $0.frameCount * 2 && !$0.followsDiscontinuity })
        for (index, chunk) in chunks.enumerated() {
            XCTAssertEqual(chunk.samplePosition, Int64(index) * 1024)
            // The audio track starts at sample 2955.
            let seconds = Double(2955 + chunk.samplePosition) / 44100
            XCTAssertEqual(chunk.presentationTime.seconds, seconds, accuracy: 2e-9)
            let end = chunk.presentationTime.seconds + Double(chunk.frameCount) / 44100
            XCTAssertEqual(Double(run.received.arrivals[index]) / 1e9, end, accuracy: 1e-8)
        }
        XCTAssertEqual(run.received.ends.first?.seconds ?? 0, Double(2955 + 113 * 1152) / 44100, accuracy: 1e-8)
    }

    func testAChunkHasTheRequestedDuration() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("handheld-3s.mp4"), clock: clock)
        let run = try run(host, .audio, clock, formatIndex: 1, duration: CMTime(value: 1, timescale: 100))
        try run.start()
        clock.advance(by: .seconds(1))
        XCTAssertEqual(Set(run.received.chunks.map(\.frameCount)), [441])
        XCTAssertEqual(Set(run.received.chunks.map(\.data.dataLength)), [441 * 4])
    }

    func testAnAudioFileIsAMicrophoneThatEnds() throws {
        let clock = SimClock()
        let url = try folder().appendingPathComponent("ramp.wav")
        var data = Data("RIFF".utf8)
        let samples = (0..<3000).map { Int16(truncatingIfNeeded: $0 * 11) }
        func add<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        add(UInt32(36 + 6000))
        data += Data("WAVEfmt ".utf8)
        add(UInt32(16))
        for field in [UInt16(1), 1] { add(field) }
        for field in [UInt32(8000), 16000] { add(field) }
        for field in [UInt16(2), 16] { add(field) }
        data += Data("data".utf8)
        add(UInt32(6000))
        for sample in samples { add(sample) }
        try data.write(to: url)
        let host = try MediaFileHost(path: url.path, clock: clock)
        XCTAssertEqual(host.devices.map(\.descriptor.kind), [.microphone])
        let run = try run(host, .audio, clock, duration: CMTime(value: 1, timescale: 8))
        try run.start()
        clock.advance(by: .seconds(1))
        let received = run.received
        XCTAssertEqual(received.chunks.map(\.frameCount), [1000, 1000, 1000])
        XCTAssertEqual(received.arrivals, [125_000_000, 250_000_000, 375_000_000])
        XCTAssertEqual(received.ends, [CMTime(value: 375, timescale: 1000)])
        let bytes = try received.chunks.reduce(Data()) { $0 + (try $1.data.dataBytes()) }
        XCTAssertEqual(bytes, data.dropFirst(44))
    }

    // MARK: Synchronization

    func testCameraAndMicrophoneOfOneFileAreSynchronized() throws {
        let clock = SimClock(start: CMTime(value: 5, timescale: 1))
        let host = try MediaFileHost(path: TestMedia.path("handheld-3s.mp4"), clock: clock)
        let video = try run(host, .video, clock)
        let audio = try run(host, .audio, clock)
        try video.start()
        clock.advance(by: .milliseconds(500))
        try audio.start()
        clock.advance(by: .seconds(4))
        XCTAssertEqual(video.received.frames.first?.time, 5_000_000)
        // The microphone joins half a second later, at the file's current position.
        let first = try XCTUnwrap(audio.received.chunks.first)
        let position = (first.presentationTime.seconds - 5) * 44100 - 2955
        XCTAssertEqual(position.remainder(dividingBy: 1024), 0, accuracy: 0.01)
        XCTAssertGreaterThanOrEqual(first.presentationTime.seconds, 5.5)
        XCTAssertLessThan(first.presentationTime.seconds, 5.53)
        // After both have stopped, the next start plays from the beginning.
        video.stream.stop()
        audio.stream.stop()
        let restarted = try run(try XCTUnwrap(host), .video, clock, closing: video)
        try restarted.start()
        XCTAssertEqual(restarted.stream.configuration.bufferCount, 16)
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(restarted.received.frames.first?.time, 9_500_000)
    }

    private func run(
        _ host: MediaFileHost, _ media: DeviceMedia, _ clock: any CaptureClock, closing old: FileRun
    ) throws -> FileRun {
        old.stream.stop()
        for device in openDevices.withLock({ $0 }) { device.close() }
        return try run(host, media, clock)
    }

    // MARK: Starting and stopping

    func testStoppingAStreamInsideItsReceiverEndsDelivery() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("street-3s.avi"), clock: clock)
        let run = try run(host, .video, clock)
        let stream = run.stream
        try run.start { _ in stream.stop() }
        clock.advance(by: .seconds(1))
        XCTAssertEqual(run.received.frames.count, 1)
        try run.start()
        clock.advance(by: .milliseconds(250))
        XCTAssertEqual(run.received.sequenceNumbers, [0, 0, 1, 2])
        XCTAssertThrowsError(try run.start()) { XCTAssertEqual(($0 as? DeviceError)?.code, .invalidState) }
        stream.stop()
        clock.advance(by: .seconds(1))
        XCTAssertEqual(run.received.frames.count, 4)
    }

    func testAStreamThatIsStartedAgainAtItsEndPlaysTheFileAgain() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("street-3s.avi"), clock: clock)
        let run = try run(host, .video, clock)
        let failures = Lock<[any Error]>([])
        try run.start { event in
            guard case .ended = event, run.received.ends.count == 1 else { return }
            do { try run.start() } catch { failures.withLock { $0.append(error) } }
        }
        clock.advance(by: .seconds(7))
        XCTAssertEqual(failures.withLock { $0.count }, 0)
        XCTAssertEqual(run.received.ends.count, 2)
        let checksums = run.received.frames.map(\.checksum)
        XCTAssertGreaterThan(checksums.count, 2)
        XCTAssertEqual(Array(checksums.prefix(checksums.count / 2)), Array(checksums.suffix(checksums.count / 2)))
    }

    func testAStreamThatManyThreadsStartAndStopPlaysTheFileFromItsBeginning() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("street-3s.avi"), clock: clock)
        let run = try run(host, .video, clock)
        for round in 0..<5 {
            DispatchQueue.concurrentPerform(iterations: 6) { thread in
                for call in 0..<40 {
                    // Starting fails while another thread's run is in progress.
                    if (thread + call) % 2 == 0 { try? run.stream.start { _ in } } else { run.stream.stop() }
                }
            }
            run.stream.stop()
            clock.advance(by: .seconds(4))
            let count = run.received.frames.count
            try run.start()
            clock.advance(by: .milliseconds(50))
            run.stream.stop()
            XCTAssertEqual(run.received.frames.count, count + 1, "round \(round)")
        }
    }

    func testADeviceHasOneClientAndOneRunningStream() throws {
        let clock = SimClock()
        let host = try MediaFileHost(path: TestMedia.path("street-3s.avi"), clock: clock)
        let device = host.devices[0]
        let opened = try device.open()
        XCTAssertThrowsError(try device.open()) { XCTAssertEqual(($0 as? DeviceError)?.code, .busy) }
        let configuration = StreamConfiguration(
            format: device.formats[0], frameDuration: CMTime(value: 1, timescale: 10))
        let idle = try opened.makeStream(configuration)
        let stream = try opened.makeStream(configuration)
        XCTAssertThrowsError(try idle.start { _ in }) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .invalidState, "another stream has replaced it")
        }
        try stream.start { _ in }
        XCTAssertThrowsError(try opened.makeStream(configuration)) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .busy)
        }
        stream.stop()
        XCTAssertThrowsError(try stream.setFrameDuration(CMTime(value: 1, timescale: 30))) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .unsupportedFormat)
        }
        opened.close()
        XCTAssertThrowsError(try opened.makeStream(configuration)) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .invalidState)
        }
        try device.open().close()
    }

    func testARealClockDeliversTheSameFramesAndTimes() throws {
        let clock = HostClock.shared
        let host = try MediaFileHost(path: TestMedia.path("street-3s.avi"), clock: clock)
        let run = try run(host, .video, clock)
        let enough = expectation(description: "five frames")
        enough.assertForOverFulfill = false
        try run.start { [run] _ in if run.received.frames.count == 5 { enough.fulfill() } }
        wait(for: [enough], timeout: 30)
        run.stream.stop()
        let count = run.received.frames.count
        let times = run.received.frames.map(\.time)
        let firstTime = try XCTUnwrap(times.first)
        XCTAssertEqual(
            run.received.frames.map(\.checksum),
            try TestMedia.frames("street-3s.video.framecrc").prefix(count).map(\.checksum))
        for (index, time) in times.enumerated() {
            XCTAssertEqual(time - firstTime, Int64(index) * 100_000, accuracy: 1)
        }
        XCTAssertTrue(zip(run.received.arrivals, run.received.eventTimes).allSatisfy { $0 >= $1.nanoseconds })
    }
}
