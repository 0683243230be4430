import AssetTypes
import CaptureHAL
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureMultiCamSessionTests: XCTestCase {
    private let ids = ["phone.back-wide", "phone.front"]

    /// A session with two cameras at 640x480, each with its own output.
    private func makeSession(_ frames: [RecordingFrames]) throws -> (CaptureFixture, AVCaptureMultiCamSession) {
        let fixture = try CaptureFixture(profile: "phone")
        let session = fixture.inSystem { AVCaptureMultiCamSession() }
        for (id, frames) in zip(ids, frames) {
            let input = try fixture.input(id)
            try setFormat(of: input.device, width: 640)
            let output = fixture.inSystem { AVCaptureVideoDataOutput() }
            output.setSampleBufferDelegate(frames, queue: frames.queue)
            session.addInputWithNoConnections(input)
            session.addOutputWithNoConnections(output)
            session.addConnection(AVCaptureConnection(inputPorts: [input.ports[0]], output: output))
        }
        fixture.assertNoMisuse()
        return (fixture, session)
    }

    private func setFormat(of device: AVCaptureDevice, width: Int32, _ rate: Double = 30) throws {
        try device.lockForConfiguration()
        device.activeFormat = try XCTUnwrap(
            device.formats.first {
                $0.formatDescription.dimensions.width == width
                    && $0.videoSupportedFrameRateRanges.first?.maxFrameRate == rate
            })
        device.unlockForConfiguration()
    }

    func testTwoCamerasRunTogetherAndOneCanBeDisabled() throws {
        let frames = [RecordingFrames(), RecordingFrames()]
        let (fixture, session) = try makeSession(frames)
        session.startRunning()
        XCTAssertTrue(session.isRunning)
        fixture.advance(milliseconds: 90)
        XCTAssertEqual(frames.map(\.counters), [[0, 1, 2], [0, 1, 2]])
        session.connections[1].isEnabled = false
        // Other clients can open the disabled camera, and the other camera loses no frames.
        let front = try XCTUnwrap(fixture.host.devices.first { $0.descriptor.uniqueID == ids[1] })
        XCTAssertNoThrow(try front.open().close())
        fixture.advance(milliseconds: 100)
        session.connections[1].isEnabled = true
        fixture.advance(milliseconds: 50)
        XCTAssertEqual(frames[0].counters, [0, 1, 2, 3, 4, 5, 6, 7])
        XCTAssertEqual(frames[1].counters, [0, 1, 2, 0, 1])
        session.inputs[0].ports[0].isEnabled = false
        fixture.advance(milliseconds: 50)
        XCTAssertEqual(frames[0].counters.count, 8)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    /// A session with outputs that are connected to the video ports of a virtual camera's constituents.
    private struct DualCameraSession {
        let fixture: CaptureFixture
        let session: AVCaptureMultiCamSession
        let input: AVCaptureDeviceInput
        let ports: [AVCaptureInput.Port]
    }

    private func makeDualCameraSession(_ frames: [RecordingFrames]) throws -> DualCameraSession {
        let fixture = try CaptureFixture(profile: "phone")
        let session = fixture.inSystem { AVCaptureMultiCamSession() }
        let input = try fixture.input("phone.back-dual")
        try setFormat(of: input.device, width: 640)
        session.addInputWithNoConnections(input)
        var ports: [AVCaptureInput.Port] = []
        for (type, frames) in zip([AVCaptureDevice.DeviceType.builtInWideAngleCamera, .builtInTelephotoCamera], frames)
        {
            let found = input.ports(for: .video, sourceDeviceType: type, sourceDevicePosition: .back)
            XCTAssertEqual(found.map(\.sourceDeviceType), [type])
            let output = fixture.inSystem { AVCaptureVideoDataOutput() }
            output.setSampleBufferDelegate(frames, queue: frames.queue)
            session.addOutputWithNoConnections(output)
            session.addConnection(AVCaptureConnection(inputPorts: [found[0]], output: output))
            ports.append(found[0])
        }
        fixture.assertNoMisuse()
        return DualCameraSession(fixture: fixture, session: session, input: input, ports: ports)
    }

    func testTheConstituentsOfAVirtualCameraStreamTogether() throws {
        let frames = [RecordingFrames(keepsSamples: true), RecordingFrames(keepsSamples: true)]
        let dual = try makeDualCameraSession(frames)
        XCTAssertTrue(dual.input.ports.allSatisfy { $0.sourceDeviceType == .builtInDualCamera })
        XCTAssertTrue(Set(dual.input.ports).isDisjoint(with: dual.ports))
        XCTAssertEqual(dual.ports.map(\.formatDescription?.dimensions.width), [640, 640])
        XCTAssertTrue(dual.session.connections.allSatisfy(\.isActive))
        dual.session.startRunning()
        dual.fixture.advance(milliseconds: 90)
        XCTAssertEqual(frames.map(\.counters), [[0, 1, 2], [0, 1, 2]])
        XCTAssertEqual(
            frames[0].samples.map(\.presentationTimeStamp), frames[1].samples.map(\.presentationTimeStamp))
        // The session uses the constituents, but not the virtual camera.
        let usedDevices = try dual.fixture.host.devices.filter { device in
            guard let opened = try? device.open() else { return true }
            opened.close()
            return false
        }
        XCTAssertEqual(usedDevices.map(\.descriptor.uniqueID), ["phone.back-wide", "phone.back-telephoto"])
        dual.ports[1].isEnabled = false
        dual.fixture.advance(milliseconds: 100)
        XCTAssertEqual(frames.map(\.frames.count), [6, 3])
        let telephoto = try XCTUnwrap(
            dual.fixture.host.devices.first { $0.descriptor.uniqueID == "phone.back-telephoto" })
        XCTAssertNoThrow(try telephoto.open().close())
        dual.ports[1].isEnabled = true
        try dual.input.device.lockForConfiguration()
        dual.input.device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 10)
        dual.input.device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 10)
        dual.input.device.unlockForConfiguration()
        dual.fixture.advance(milliseconds: 100)
        for frames in frames { frames.clear() }
        dual.fixture.advance(milliseconds: 1000)
        XCTAssertEqual(frames.map(\.frames.count), [10, 10], "the frame rate is that of the virtual camera")
        dual.session.stopRunning()
        dual.session.removeInput(dual.input)
        XCTAssertEqual(dual.session.connections, [])
        dual.fixture.assertNoMisuse()
    }

    func testAConstituentInUseByAnotherClientInterruptsTheSession() throws {
        let frames = [RecordingFrames(), RecordingFrames()]
        let dual = try makeDualCameraSession(frames)
        let notifications = RecordingNotifications(dual.fixture)
        dual.session.startRunning()
        dual.fixture.advance(milliseconds: 50)
        try dual.fixture.host.setInUse(true, uniqueID: "phone.back-telephoto")
        dual.fixture.clock.settle()
        XCTAssertEqual(notifications.events, ["start", "interrupted 3", "stop"])
        try dual.fixture.host.setInUse(false, uniqueID: "phone.back-telephoto")
        dual.fixture.clock.settle()
        XCTAssertEqual(notifications.events, ["start", "interrupted 3", "stop", "interruption ended", "start"])
        dual.session.stopRunning()
    }

    func testAMicrophoneHasPortsForBothDirections() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = fixture.inSystem { AVCaptureMultiCamSession() }
        let input = try fixture.input("phone.microphone")
        session.addInputWithNoConnections(input)
        let listeners = (0..<3).map { _ in RecordingAudio() }
        for (position, listener) in zip([AVCaptureDevice.Position.unspecified, .front, .back], listeners) {
            let ports = input.ports(for: .audio, sourceDeviceType: .microphone, sourceDevicePosition: position)
            XCTAssertEqual(ports.map(\.sourceDevicePosition), [position])
            let output = fixture.inSystem { AVCaptureAudioDataOutput() }
            output.setSampleBufferDelegate(listener, queue: listener.queue)
            session.addOutputWithNoConnections(output)
            session.addConnection(AVCaptureConnection(inputPorts: ports, output: output))
        }
        XCTAssertEqual(input.ports.map(\.sourceDevicePosition), [.unspecified])
        session.startRunning()
        fixture.advance(milliseconds: 200)
        session.stopRunning()
        XCTAssertGreaterThan(listeners[0].chunks.count, 5)
        for listener in listeners { XCTAssertEqual(listener.chunks.map(\.time), listeners[0].chunks.map(\.time)) }
        fixture.assertNoMisuse()
    }

    func testPortsOfConstituentsAndDirectionsRequireAMultiCamSession() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (singleCam, multiCam) = fixture.inSystem { (AVCaptureSession(), AVCaptureMultiCamSession()) }
        let (dual, microphone) = (try fixture.input("phone.back-dual"), try fixture.input("phone.microphone"))
        let (video, audio) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()) }
        for input in [dual, microphone] { singleCam.addInputWithNoConnections(input) }
        singleCam.addOutputWithNoConnections(video)
        singleCam.addOutputWithNoConnections(audio)
        let wide = dual.ports(
            for: .video, sourceDeviceType: .builtInWideAngleCamera, sourceDevicePosition: .unspecified)
        let front = microphone.ports(for: .audio, sourceDeviceType: .microphone, sourceDevicePosition: .front)
        XCTAssertEqual([wide.count, front.count], [1, 1])
        for connection in [
            AVCaptureConnection(inputPorts: wide, output: video), AVCaptureConnection(inputPorts: front, output: audio),
        ] {
            XCTAssertFalse(singleCam.canAddConnection(connection))
            fixture.assertMisuse(.invalidArgument) { singleCam.addConnection(connection) }
        }
        singleCam.removeInput(dual)
        let photo = fixture.inSystem { AVCapturePhotoOutput() }
        multiCam.addInputWithNoConnections(dual)
        multiCam.addOutputWithNoConnections(photo)
        XCTAssertFalse(multiCam.canAddConnection(AVCaptureConnection(inputPorts: wide, output: photo)))
        XCTAssertTrue(multiCam.canAddConnection(AVCaptureConnection(inputPorts: [dual.ports[0]], output: photo)))
    }

    func testThePresetIsAlwaysInputPriority() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = fixture.inSystem { AVCaptureMultiCamSession() }
        XCTAssertTrue(fixture.inSystem { AVCaptureMultiCamSession.isMultiCamSupported })
        let webcam = try CaptureFixture()
        XCTAssertFalse(webcam.inSystem { AVCaptureMultiCamSession.isMultiCamSupported }, "there is one camera")
        XCTAssertEqual(session.sessionPreset, .inputPriority)
        XCTAssertFalse(session.canSetSessionPreset(.high))
        XCTAssertTrue(session.canSetSessionPreset(.inputPriority))
        fixture.assertMisuse(.invalidArgument) { session.sessionPreset = .high }
        XCTAssertEqual(session.sessionPreset, .inputPriority)
    }

    func testUnsupportedFormatsAreRejectedForTheSecondCamera() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = fixture.inSystem { AVCaptureMultiCamSession() }
        let (back, front) = (try fixture.input(ids[0]), try fixture.input(ids[1]))
        try setFormat(of: back.device, width: 3840)
        XCTAssertFalse(back.device.activeFormat.isMultiCamSupported)
        XCTAssertTrue(session.canAddInput(back))
        session.addInput(back)
        XCTAssertFalse(session.canAddInput(front))
        fixture.assertMisuse(.invalidArgument) { session.addInput(front) }
        try back.device.lockForConfiguration()
        let (large, small) = (
            back.device.activeFormat, try XCTUnwrap(back.device.formats.first(where: \.isMultiCamSupported))
        )
        back.device.activeFormat = small
        let message = fixture.assertMisuse(.invalidArgument) { back.device.activeFormat = large }
        XCTAssertTrue(message.contains("isMultiCamSupported"), message)
        XCTAssertTrue(back.device.activeFormat === small)
        back.device.unlockForConfiguration()
        try setFormat(of: back.device, width: 1920)
        XCTAssertTrue(session.canAddInput(front))
        fixture.assertMisuse(.invalidArgument) { session.addInput(back) }
        XCTAssertFalse(session.canAddInput(try fixture.input(ids[0])))
    }

    func testTheHardwareCostGrowsWithTheFormatsAndMustNotExceedOne() throws {
        let (fixture, session) = try makeSession([RecordingFrames(), RecordingFrames()])
        let notifications = RecordingNotifications(fixture)
        XCTAssertEqual(fixture.inSystem { AVCaptureMultiCamSession() }.hardwareCost, 0)
        let vga = Float(2.0 * 640 * 480 * 30 / (2 * 1920 * 1080 * 60))
        XCTAssertEqual(session.hardwareCost, vga, accuracy: 1e-6)
        let inputs = session.inputs.compactMap { $0 as? AVCaptureDeviceInput }
        for input in inputs { try setFormat(of: input.device, width: 1920, 60) }
        XCTAssertEqual(session.hardwareCost, 1, accuracy: 1e-6)
        XCTAssertEqual(session.systemPressureCost, 0.5, accuracy: 1e-6)
        try setFormat(of: inputs[0].device, width: 1920, 240)
        XCTAssertGreaterThan(session.hardwareCost, 1)
        session.startRunning()
        XCTAssertFalse(session.isRunning)
        XCTAssertEqual(notifications.events, ["error sessionHardwareCostOverage"])
        inputs[0].videoMinFrameDurationOverride = CMTime(value: 1, timescale: 30)
        XCTAssertLessThan(session.hardwareCost, 1)
        session.startRunning()
        XCTAssertTrue(session.isRunning)
        session.stopRunning()
        fixture.assertMisuse(.invalidArgument) {
            inputs[0].videoMinFrameDurationOverride = CMTime(value: 1, timescale: 500)
        }
    }

    func testAFrameDurationOverrideLowersTheSystemPressureCost() throws {
        let (fixture, session) = try makeSession([RecordingFrames(), RecordingFrames()])
        let input = try XCTUnwrap(session.inputs.first as? AVCaptureDeviceInput)
        try setFormat(of: input.device, width: 1920, 60)
        try input.device.lockForConfiguration()
        input.device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
        input.device.unlockForConfiguration()
        let cost = session.systemPressureCost
        // One camera with 1920x1080 at 60 frames per second has a cost of 0.5.
        input.videoMinFrameDurationOverride = CMTime(value: 1, timescale: 30)
        XCTAssertEqual(session.systemPressureCost, cost - 0.25, accuracy: 1e-6)
        input.videoMinFrameDurationOverride = .invalid
        XCTAssertEqual(session.systemPressureCost, cost, accuracy: 1e-6)
        fixture.assertNoMisuse()
    }

    func testEachChangeOfACostIsReported() throws {
        let (fixture, session) = try makeSession([RecordingFrames(), RecordingFrames()])
        let (hardware, pressure) = (Lock<[Float]>([]), Lock<[Float]>([]))
        let observations = [
            session.observe(\.hardwareCost, options: .new) { _, change in
                hardware.withLock { $0.append(change.newValue ?? -1) }
            },
            session.observe(\.systemPressureCost, options: .new) { _, change in
                pressure.withLock { $0.append(change.newValue ?? -1) }
            },
        ]
        let input = try XCTUnwrap(session.inputs.first as? AVCaptureDeviceInput)
        try setFormat(of: input.device, width: 1920, 60)
        XCTAssertEqual(hardware.withLock { $0 }, [session.hardwareCost])
        XCTAssertEqual(pressure.withLock { $0 }, [session.systemPressureCost])
        try input.device.lockForConfiguration()
        input.device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
        input.device.unlockForConfiguration()
        XCTAssertEqual(pressure.withLock { $0.count }, 2)
        XCTAssertEqual(pressure.withLock { $0.last }, session.systemPressureCost)
        input.videoMinFrameDurationOverride = CMTime(value: 1, timescale: 30)
        XCTAssertEqual(hardware.withLock { $0.count }, 2)
        session.beginConfiguration()
        session.removeInput(input)
        XCTAssertEqual(hardware.withLock { $0.count }, 3, "the cost of the draft can be read before the commit")
        session.commitConfiguration()
        XCTAssertEqual(hardware.withLock { $0.count }, 3)
        XCTAssertEqual(hardware.withLock { $0.last }, session.hardwareCost)
        XCTAssertEqual(pressure.withLock { $0.last }, session.systemPressureCost)
        for observation in observations { observation.invalidate() }
        fixture.assertNoMisuse()
    }

    func testOneCameraHasAHardwareCostOnlyWithSeveralOutputs() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let outputs = fixture.inSystem { [AVCaptureVideoDataOutput(), AVCaptureMovieFileOutput()] }
        let session = try fixture.makeSession(camera: ids[0], microphone: nil, preset: .hd1920x1080, [outputs[0]])
        XCTAssertEqual(session.hardwareCost, 0)
        session.addOutput(outputs[1])
        XCTAssertEqual(session.hardwareCost, 0.25, accuracy: 1e-6)
    }

    func testTheDiscoverySessionReturnsTheSupportedSetsOfCameras() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let sets = fixture.inSystem {
            AVCaptureDevice.DiscoverySession(
                deviceTypes: [.builtInWideAngleCamera, .builtInUltraWideCamera, .microphone], mediaType: nil,
                position: .unspecified
            ).supportedMultiCamDeviceSets
        }
        let names = Set(sets.map { Set($0.map(\.uniqueID)) })
        XCTAssertEqual(sets.count, 4)
        XCTAssertTrue(names.contains(["phone.back-wide", "phone.front"]))
        XCTAssertTrue(names.contains(["phone.back-wide", "phone.front", "phone.back-ultra-wide"]))
    }

    func testTheMachineLimitsTheCamerasThatRunTogether() throws {
        let fixture = try CaptureFixture(profile: "phone-pro-3x")
        let session = fixture.inSystem { AVCaptureMultiCamSession() }
        for id in ["back-wide", "front"] {
            let input = try fixture.input("phone-pro-3x.\(id)")
            try setFormat(of: input.device, width: 640)
            XCTAssertTrue(session.canAddInput(input), id)
            session.addInputWithNoConnections(input)
        }
        // The LiDAR camera has the sensor of the wide camera.
        let lidar = try fixture.input("phone-pro-3x.back-lidar")
        try setFormat(of: lidar.device, width: 640, 60)
        XCTAssertFalse(session.canAddInput(lidar))
        let sets = fixture.inSystem {
            AVCaptureDevice.DiscoverySession(
                deviceTypes: [.builtInWideAngleCamera, .builtInLiDARDepthCamera], mediaType: .video,
                position: .unspecified
            ).supportedMultiCamDeviceSets
        }
        XCTAssertEqual(
            Set(sets.map { Set($0.map(\.uniqueID)) }),
            [
                ["phone-pro-3x.back-wide", "phone-pro-3x.front"], ["phone-pro-3x.back-lidar", "phone-pro-3x.front"],
            ])
        fixture.assertNoMisuse()
    }

    func testTheCostsAreSharesOfTheCapacityOfTheMachine() throws {
        // Two cameras with 640x480 at 30 frames per second.
        let load = 2.0 * 640 * 480 * 30 / (1920 * 1080 * 60)
        for (profile, peak, sustained) in [("phone-small", 1.5, 1.0), ("phone-pro-5x", 4, 3)] {
            let fixture = try CaptureFixture(profile: profile)
            let session = fixture.inSystem { AVCaptureMultiCamSession() }
            for id in ["back-wide", "front"] {
                let input = try fixture.input("\(profile).\(id)")
                try setFormat(of: input.device, width: 640)
                session.addInputWithNoConnections(input)
            }
            XCTAssertEqual(session.hardwareCost, Float(load / peak), accuracy: 1e-5, profile)
            XCTAssertEqual(session.systemPressureCost, Float(load / sustained), accuracy: 1e-5, profile)
        }
    }
}
