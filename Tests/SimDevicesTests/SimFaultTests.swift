import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import StrictYAML
import TestSupport
import XCTest

@testable import SimDevices

final class SimFaultTests: XCTestCase {
    private let camera = "phone.back-wide"

    /// Runs a stream with faults. Returns the arrival time of each event in milliseconds.
    private func run(
        _ faults: [(SimFault, SimFault.Trigger)], milliseconds: Int = 334, seed: UInt64 = 1
    ) throws -> (fixture: SimDeviceFixture, arrivals: [Int64]) {
        let fixture = try SimDeviceFixture(seed: seed)
        for (fault, trigger) in faults { try fixture.host.schedule(fault, uniqueID: camera, at: trigger) }
        let arrivals = Lock<[Int64]>([])
        let clock = fixture.clock
        try fixture.start { _ in arrivals.withLock { $0.append(clock.now.nanoseconds / 1_000_000) } }
        fixture.clock.advance(by: .milliseconds(milliseconds))
        return (fixture, arrivals.withLock { $0 })
    }

    /// Returns the frames of a stream without faults.
    private func clean(seed: UInt64 = 1) throws -> [CVPixelBuffer] {
        try run([], seed: seed).fixture.frames.map { try $0.buffer }
    }

    func testNamesInFilesKeepAcronymsTogether() {
        for (name, expected) in [
            ("lensPosition", "lens-position"), ("videoHDR", "video-hdr"), ("automaticVideoHDR", "automatic-video-hdr"),
            ("invalidOutputURLPathExtension", "invalid-output-url-path-extension"), ("iso", "iso"), ("HDR", "hdr"),
        ] {
            XCTAssertEqual(name.hyphenated, expected)
        }
    }

    func testTunerFrequenciesAreReadInHertz() throws {
        let value = try YAMLValue.parse("101700000", file: "f.yaml")
        XCTAssertEqual(try value.value(of: .tunerFrequency), .number(101_700_000))
        XCTAssertThrowsError(try YAMLValue.parse("-1", file: "f.yaml").value(of: .tunerFrequency))
    }

    func testADelayedFrameDelaysLaterOnesAndNoneIsLost() throws {
        let (fixture, arrivals) = try run(
            [(.delayFrames(count: 1, by: .milliseconds(100)), .frame(2))], milliseconds: 240)
        XCTAssertEqual(fixture.frames.map(\.sequenceNumber), Array(0...7))
        XCTAssertEqual(arrivals, [0, 33, 166, 166, 166, 166, 200, 233])
        for frame in fixture.frames {
            XCTAssertEqual(
                frame.presentationTime.nanoseconds, (Int64(frame.sequenceNumber) * 1_000_000_000 + 15) / 30,
                accuracy: 1)
        }
    }

    func testADuplicateHasTheSameTimeAndNumber() throws {
        let (fixture, _) = try run([(.duplicateFrames(count: 1), .frame(1))], milliseconds: 70)
        XCTAssertEqual(fixture.eventLog, ["frame 0", "frame 1", "frame 1", "frame 2"])
        XCTAssertEqual(fixture.frames[1].presentationTime, fixture.frames[2].presentationTime)
    }

    func testSwappedFramesHaveEachOthersTimestamps() throws {
        let (fixture, _) = try run([(.swapTimes(count: 1), .frame(1))], milliseconds: 110)
        XCTAssertEqual(fixture.eventLog, ["frame 0", "frame 1", "frame 2", "frame 3"])
        XCTAssertEqual(fixture.frames.map { $0.presentationTime.nanoseconds / 1_000_000 }, [0, 66, 33, 100])
    }

    func testTheLowerPartOfATornFrameShowsThePreviousFrame() throws {
        let (fixture, _) = try run([(.tearFrames(count: 1), .frame(3))])
        let clean = try clean()
        let torn = try fixture.frames[3].buffer
        let current = clean[3]
        let previous = clean[2]
        func rows(_ buffer: CVPixelBuffer, _ range: Range<Int>) -> [UInt8] {
            range.flatMap { row in
                (0..<64).map {
                    buffer.planes[0].baseAddress.load(
                        fromByteOffset: row * buffer.planes[0].bytesPerRow + $0 * 10, as: UInt8.self)
                }
            }
        }
        XCTAssertEqual(rows(torn, 60..<110), rows(current, 60..<110))
        XCTAssertEqual(rows(torn, 370..<480), rows(previous, 370..<480))
        XCTAssertNotEqual(rows(torn, 370..<480), rows(current, 370..<480))
        for index in [0, 1, 2, 4, 5] {
            XCTAssertEqual(try fixture.frames[index].buffer.checksum, clean[index].checksum)
        }
    }

    func testGreenFrozenAndResizedFramesDoNotAffectOtherFrames() throws {
        let (fixture, _) = try run([
            (.greenFrames(count: 1), .frame(1)), (.freezeFrames(count: 2), .frame(4)),
            (.resizeFrames(count: 1), .frame(7)),
        ])
        let clean = try clean()
        XCTAssertEqual(fixture.frames.map(\.sequenceNumber), Array(0...10))
        let green = try fixture.frames[1].buffer.mean(0, 0, 1, 1)
        XCTAssertEqual(green.y, 0)
        XCTAssertEqual(green.cb, -128)
        XCTAssertEqual(green.cr, -128)
        XCTAssertEqual(FrameMarker.read(from: try fixture.frames[4].buffer)?.counter, 3)
        XCTAssertEqual(FrameMarker.read(from: try fixture.frames[5].buffer)?.counter, 3)
        XCTAssertEqual(FrameMarker.read(from: try fixture.frames[6].buffer)?.counter, 6)
        let small = try fixture.frames[7].buffer
        XCTAssertEqual(small.width, 320)
        XCTAssertEqual(small.height, 240)
        for index in [0, 2, 3, 6, 8] {
            XCTAssertEqual(try fixture.frames[index].buffer.checksum, clean[index].checksum)
        }
    }

    func testJPEGsAreTornGreenFrozenAndResized() throws {
        let clock = SimClock()
        let host = try SimHost(profile: "webcam", scene: .grey, hasMarker: true, clock: clock)
        let webcam = try XCTUnwrap(host.devices.first)
        let format = try XCTUnwrap(
            webcam.formats.first {
                if case .video(let video) = $0 { video.encoding == .compressed(kCMVideoCodecType_JPEG) } else { false }
            })
        for (fault, index) in [
            (.greenFrames(count: 1), 1), (.tearFrames(count: 1), 3), (.freezeFrames(count: 1), 5),
            (.resizeFrames(count: 1), 7),
        ] as [(SimFault, UInt64)] {
            try host.schedule(fault, uniqueID: "webcam.camera", at: .frame(index))
        }
        let received = Lock<[VideoFrame]>([])
        let stream = try webcam.open().makeStream(
            StreamConfiguration(format: format, frameDuration: CMTime(value: 1, timescale: 30)))
        try stream.start { event in
            if case .video(let frame) = event { received.withLock { $0.append(frame) } }
        }
        // Frame 3, at 100 ms, is black.
        clock.advance(by: .milliseconds(90))
        try host.setSuspended(true, uniqueID: "webcam.camera")
        clock.advance(by: .milliseconds(20))
        try host.setSuspended(false, uniqueID: "webcam.camera")
        clock.advance(by: .milliseconds(190))
        stream.stop()
        let frames = received.withLock { $0 }
        let jpegs = try frames.map { frame in
            guard case .compressed(let data, _) = frame.payload else { throw MissingRequirement("no JPEG") }
            return try data.dataBytes()
        }
        let images = try jpegs.map { try JPEGCodec().decode($0) }
        XCTAssertEqual(images.compactMap(\.warning), [], "all JPEGs are complete")
        let counters = images.map { FrameMarker.read(from: $0.pixels)?.counter }
        XCTAssertEqual(counters.count, 10)
        XCTAssertEqual(counters.prefix(7), [0, nil, 2, 3, 4, 4, 6])
        XCTAssertEqual(counters.suffix(2), [8, 9])
        let green = images[1].pixels.mean(0, 0, 1, 1)
        XCTAssertEqual(green.y, 0, accuracy: 1)
        XCTAssertEqual(green.cb, -128, accuracy: 1)
        XCTAssertEqual(green.cr, -128, accuracy: 1)
        XCTAssertLessThan(images[3].pixels.mean(0.6, 0.1, 0.3, 0.1).y, 40, "black")
        XCTAssertGreaterThan(images[3].pixels.mean(0.6, 0.8, 0.3, 0.1).y, 60, "grey, as the previous frame")
        XCTAssertEqual(jpegs[5], jpegs[4])
        XCTAssertEqual(images[7].pixels.width, images[6].pixels.width / 2)
        XCTAssertEqual(images[7].pixels.height, images[6].pixels.height / 2)
    }

    func testANoiseBurstIsLimitedToItsDuration() throws {
        let (fixture, _) = try run([(.noiseBurst(duration: .milliseconds(60)), .frame(2))])
        let clean = try clean()
        let isNoisy = try fixture.frames.indices.map { try fixture.frames[$0].buffer.checksum != clean[$0].checksum }
        XCTAssertEqual(isNoisy, [false, false, true, true] + Array(repeating: false, count: 7))
    }

    func testTimestampsFollowTheDriftAndJumpsOfTheDeviceClock() throws {
        let (fixture, _) = try run([
            (.driftClock(partsPerMillion: 1000), .frame(3)), (.jumpClock(by: .milliseconds(-500)), .frame(6)),
        ])
        let times = fixture.frames.map { Double($0.presentationTime.nanoseconds) / 1e9 }
        for (index, time) in times.enumerated() {
            let undisturbed = Double(index) / 30
            let drift = max(0, undisturbed - 0.1) * 0.001
            XCTAssertEqual(time, undisturbed + drift - (index >= 6 ? 0.5 : 0), accuracy: 2e-9)
            // The marker contains the undisturbed time.
            XCTAssertEqual(
                try XCTUnwrap(FrameMarker.read(from: fixture.frames[index].buffer)).time.seconds, undisturbed,
                accuracy: 1e-8)
        }
    }

    func testDisconnectionInTheMiddleOfAFrameDamagesIt() throws {
        let (fixture, arrivals) = try run([(.disconnect(inFrame: true), .frame(2))])
        XCTAssertEqual(fixture.eventLog, ["frame 0", "frame 1", "dropped 2 damaged", "failed disconnected"])
        XCTAssertEqual(arrivals, [0, 33, 83, 83])
        XCTAssertEqual(fixture.host.devices.count, 9)
    }

    func testDisconnectionAtATimeNeedsNoStream() throws {
        let clock = SimClock()
        let host = try SimHost(clock: clock)
        try host.schedule(.disconnect(inFrame: false), uniqueID: camera, at: .time(.milliseconds(70)))
        clock.advance(by: .milliseconds(69))
        XCTAssertEqual(host.devices.count, 10)
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(host.devices.count, 9)
        try host.reconnect(uniqueID: camera)
        try host.schedule(.disconnect(inFrame: false), uniqueID: camera, at: .frame(1))
        clock.advance(by: .seconds(1))
        XCTAssertEqual(host.devices.count, 10)
    }

    func testStartsCanFailOrBeSlow() throws {
        let fixture = try SimDeviceFixture()
        try fixture.host.schedule(.refuseStart(.outOfResources, count: 2), uniqueID: camera, at: .time(.zero))
        try fixture.host.schedule(.slowStart(by: .milliseconds(700), count: 1), uniqueID: camera, at: .time(.zero))
        for _ in 0..<2 {
            XCTAssertThrowsError(try fixture.start()) { XCTAssertEqual(($0 as? DeviceError)?.code, .outOfResources) }
        }
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(699))
        XCTAssertEqual(fixture.eventLog, [])
        fixture.clock.advance(by: .milliseconds(1))
        XCTAssertEqual(fixture.eventLog, ["frame 0"])
        fixture.stream.stop()
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        XCTAssertEqual(fixture.eventLog, ["frame 0", "frame 0"])
    }

    func testControlsCanFailOrTakeAnotherValue() throws {
        let fixture = try SimDeviceFixture()
        let changes = Lock<[String]>([])
        let observation = fixture.device.observeControls { control, value in
            changes.withLock { $0.append("\(control) \(value)") }
        }
        try fixture.host.schedule(.failControl(.zoomFactor, count: 1), uniqueID: camera, at: .time(.zero))
        XCTAssertThrowsError(try fixture.device.set(.zoomFactor, to: .number(2))) {
            XCTAssertEqual(($0 as? DeviceError)?.code, .inputOutput)
        }
        XCTAssertEqual(try fixture.device.value(of: .zoomFactor), .number(1))
        try fixture.host.schedule(
            .alterControl(.zoomFactor, to: .number(1.5), count: 1), uniqueID: camera, at: .time(.zero))
        try fixture.device.set(.exposureBias, to: .number(1))
        try fixture.device.set(.zoomFactor, to: .number(2))
        XCTAssertEqual(try fixture.device.value(of: .zoomFactor), .number(1.5))
        XCTAssertEqual(changes.withLock { $0.last }, "zoomFactor number(1.5)")
        try fixture.device.set(.zoomFactor, to: .number(2))
        XCTAssertEqual(try fixture.device.value(of: .zoomFactor), .number(2))
        observation.cancel()
    }

    func testObserversAreNotifiedOfAnAlteredControlOfAMicrophone() throws {
        let host = try SimHost(clock: SimClock())
        let microphone = try XCTUnwrap(host.devices.last).open()
        let changes = Lock<[String]>([])
        let observation = microphone.observeControls { control, value in
            changes.withLock { $0.append("\(control) \(value)") }
        }
        try microphone.set(.inputGain, to: .number(0.75))
        XCTAssertEqual(changes.withLock { $0 }, [])
        try host.schedule(
            .alterControl(.inputGain, to: .number(0.25), count: 1), uniqueID: "phone.microphone", at: .time(.zero))
        try microphone.set(.inputGain, to: .number(0.5))
        XCTAssertEqual(try microphone.value(of: .inputGain), .number(0.25))
        XCTAssertEqual(changes.withLock { $0 }, ["inputGain number(0.25)"])
        observation.cancel()
    }

    func testHeatDimsTheTorchReducesTheFrameRateAndShutsDown() throws {
        let fixture = try SimDeviceFixture(frameDuration: CMTime(value: 1, timescale: 30))
        let device = try XCTUnwrap(fixture.host.devices.first)
        let levels = Lock<[SystemPressure.Level]>([])
        let observation = device.observeCondition { condition in levels.withLock { $0.append(condition.pressure.level) }
        }
        try fixture.device.set(.torchLevel, to: .number(1))
        for (level, milliseconds) in [
            (SystemPressure.Level.serious, 100), (.critical, 200), (.shutdown, 400), (.nominal, 600),
        ] {
            try fixture.host.schedule(
                .pressure(level), uniqueID: camera, at: .time(.milliseconds(Int64(milliseconds))))
        }
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(150))
        XCTAssertEqual(try fixture.device.value(of: .torchLevel), .number(0.5))
        XCTAssertThrowsError(try fixture.device.set(.torchLevel, to: .number(0.8)))
        fixture.clock.advance(by: .milliseconds(200))
        XCTAssertEqual(try fixture.device.value(of: .torchLevel), .number(0.1))
        fixture.clock.advance(by: .milliseconds(100))
        XCTAssertEqual(try fixture.device.value(of: .torchLevel), .number(0))
        fixture.clock.advance(by: .milliseconds(350))
        XCTAssertEqual(levels.withLock { $0 }, [.serious, .critical, .shutdown, .nominal])
        XCTAssertNoThrow(try fixture.device.set(.torchLevel, to: .number(1)))
        let times = fixture.frames.map { $0.presentationTime.nanoseconds / 1_000_000 }
        XCTAssertEqual(times.prefix(7), [0, 33, 66, 100, 133, 166, 200])
        XCTAssertEqual(times.filter { (201..<400).contains($0) }, [266, 333])
        XCTAssertEqual(times.filter { (400..<600).contains($0) }, [])
        XCTAssertFalse(times.filter { $0 > 600 }.isEmpty)
        observation.cancel()
    }

    func testARateIsAProbabilityDeterminedByTheSeed() throws {
        func drops(seed: UInt64) throws -> [UInt64] {
            let fixture = try SimDeviceFixture(seed: seed)
            try fixture.host.schedule(.dropFrames(count: 1), uniqueID: camera, at: .rate(0.2))
            let drops = Lock<[UInt64]>([])
            try fixture.start(keeping: false) { event in
                if case .dropped(let drop) = event { drops.withLock { $0.append(drop.sequenceNumber) } }
            }
            fixture.clock.advance(by: .milliseconds(9999))
            return drops.withLock { $0 }
        }
        let first = try drops(seed: 1)
        // 300 trials with probability 0.2: mean 60, standard deviation 7.
        XCTAssertEqual(Double(first.count), 60, accuracy: 28)
        XCTAssertEqual(try drops(seed: 1), first)
        XCTAssertNotEqual(try drops(seed: 2), first)
    }

    func testOpeningIsRefusedWithAProbability() throws {
        func outcomes(seed: UInt64) throws -> [Bool] {
            let host = try SimHost(seed: seed, clock: SimClock())
            try host.schedule(.refuseOpen(count: 1), uniqueID: camera, at: .rate(0.5))
            let device = try XCTUnwrap(host.devices.first)
            return (0..<40).map { _ in
                do {
                    try device.open().close()
                    return true
                } catch { return false }
            }
        }
        let first = try outcomes(seed: 1)
        XCTAssertEqual(first, try outcomes(seed: 1))
        XCTAssertNotEqual(first, try outcomes(seed: 2))
        XCTAssertEqual(first.filter { $0 }.count, 20, accuracy: 12)
    }
}

extension SimFaultTests {
    func testTheFaultsOfAProfileAreScheduled() throws {
        let text = String(decoding: PackageResources.webcam_yaml, as: UTF8.self).replacingOccurrences(
            of: "      zoom: {maximum: 4}\n",
            with: """
                      zoom: {maximum: 4}
                      faults:
                        - {frame: 1, do: drop-frames}
                        - {at: 90 ms, do: freeze-frames}
                        - {at: 0 s, do: refuse-open}

                """)
        let profile = try DeviceProfile(yaml: text, file: "p.yaml")
        // Times are relative to the creation of the host.
        let clock = SimClock(start: CMTime(value: 5, timescale: 1))
        let host = try SimHost(profiles: [profile], scene: .grey, hasMarker: true, clock: clock)
        let camera = try XCTUnwrap(host.devices.first)
        XCTAssertThrowsError(try camera.open()) { XCTAssertEqual(($0 as? DeviceError)?.code, .busy) }
        let stream = try camera.open().makeStream(
            StreamConfiguration(format: camera.formats[4], frameDuration: CMTime(value: 1, timescale: 30)))
        let counters = Lock<[UInt32?]>([])
        try stream.start { event in
            guard case .video(let frame) = event, case .pixels(let buffer) = frame.payload else { return }
            counters.withLock { $0.append(FrameMarker.read(from: buffer)?.counter) }
        }
        clock.advance(by: .milliseconds(150))
        XCTAssertEqual(counters.withLock { $0 }, [0, 2, 2, 4])
        let begin = try XCTUnwrap(text.components(separatedBy: "\n").firstIndex { $0.contains("faults:") }) + 1
        for (old, new, line, words) in [
            ("do: drop-frames", "do: drop-frame", 1, "did you mean \"drop-frames\"?"),
            ("at: 90 ms, do", "at: 90, do", 2, "has no unit"),
            ("at: 0 s, do: refuse-open", "frame: 0, do: refuse-open", 3, "cannot be triggered by a frame"),
            ("do: freeze-frames", "do: silence, for: 1 s", 2, "use it for a microphone"),
            ("frame: 1, do", "do", 1, "exactly one trigger"),
        ] {
            XCTAssertTrue(text.contains(old), old)
            XCTAssertThrowsError(
                try DeviceProfile(yaml: text.replacingOccurrences(of: old, with: new), file: "p.yaml"), new
            ) { error in
                XCTAssertEqual((error as? ProfileError)?.line, begin + line, "\(error)")
                XCTAssertTrue("\(error)".contains(words), "\(error)")
            }
        }
    }

    private func recordAudio(
        _ faults: [(SimFault, SimFault.Trigger)], milliseconds: Int = 95
    ) throws -> (chunks: [AudioChunk], samples: [Float]) {
        let fixture = try SimDeviceFixture(device: "phone.microphone", frameDuration: CMTime(value: 1, timescale: 100))
        for (fault, trigger) in faults {
            try fixture.host.schedule(fault, uniqueID: "phone.microphone", at: trigger)
        }
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(milliseconds))
        let samples = fixture.chunks.flatMap { chunk in
            chunk.data.withUnsafeBytes { bytes in
                (0..<chunk.frameCount).map { Float(bytes.load(fromByteOffset: $0 * 2, as: Int16.self)) / 32768 }
            }
        }
        return (fixture.chunks, samples)
    }

    func testSilenceIsSampleExactAndNotReported() throws {
        let (chunks, samples) = try recordAudio([(.silence(duration: .milliseconds(25)), .frame(3))])
        XCTAssertFalse(chunks.contains(where: \.followsDiscontinuity))
        let clean = try recordAudio([]).samples
        XCTAssertEqual(samples.count, clean.count)
        XCTAssertTrue(Array(samples[..<1440]) == Array(clean[..<1440]))
        XCTAssertEqual(Set(samples[1440..<2640]), [0])
        XCTAssertTrue(Array(samples[2640...]) == Array(clean[2640...]))
    }

    func testAnOverrunIsSampleExactAndReported() throws {
        let (chunks, samples) = try recordAudio([(.overrun(duration: .milliseconds(25)), .frame(3))])
        XCTAssertEqual(chunks.map(\.samplePosition), [0, 480, 960, 2640, 2880, 3360, 3840, 4320])
        XCTAssertEqual(
            chunks.map(\.followsDiscontinuity), [false, false, false, true] + Array(repeating: false, count: 4))
        XCTAssertEqual(chunks[3].frameCount, 240)
        XCTAssertEqual(chunks[3].presentationTime, CMTime(nanoseconds: 55_000_000))
        let clean = try recordAudio([]).samples
        XCTAssertTrue(samples == Array(clean[..<1440]) + Array(clean[2640...]))
    }

    func testAnAudioNoiseBurstIsSampleExact() throws {
        let (_, samples) = try recordAudio([(.noiseBurst(duration: .milliseconds(15)), .frame(2))])
        let clean = try recordAudio([]).samples
        XCTAssertTrue(Array(samples[..<960]) == Array(clean[..<960]))
        XCTAssertTrue(Array(samples[1680...]) == Array(clean[1680...]))
        let power = samples[960..<1680].reduce(0.0) { $0 + Double($1 * $1) } / 720
        XCTAssertEqual(10 * log10(power), -12, accuracy: 1)
    }
}

extension CMTime {
    fileprivate static func milliseconds(_ count: Int64) -> CMTime { CMTime(value: count, timescale: 1000) }
}
