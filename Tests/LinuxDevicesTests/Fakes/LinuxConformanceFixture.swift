import CLinuxDevices
import CaptureHAL
import CaptureTesting
import Foundation
import MediaTypes

@testable import LinuxDevices

/// The Linux host on a fake kernel and paced sound cards, as a subject of the conformance suite.
final class LinuxConformanceFixture: Sendable {
    let clock = SimClock(start: CMTime(value: 100, timescale: 1))
    let kernel: PacedKernel
    let sound: PacedAudioSystem
    /// The nodes that another program has opened, by device file.
    private let otherProgramNodes = Lock<[String: V4L2Node]>([:])
    private static let soundNode = "/dev/snd/pcmC0D0c"

    /// Returns the camera of a device file: one with packed pixels and many controls, one with multi-planar buffers, or
    /// one with JPEG.
    private static func camera(at path: String) -> FakeV4L2Device {
        switch path {
        case "/dev/video0":
            let camera = FakeV4L2Device(card: "Packed Cam", bus: "usb-1")
            camera.controls = [
                .integer(V4L2_CID_BRIGHTNESS, -64...64, 0), .integer(V4L2_CID_CONTRAST, 0...95, 32),
                .flag(V4L2_CID_AUTO_WHITE_BALANCE, true), .button(V4L2_CID_DO_WHITE_BALANCE),
                .menu(V4L2_CID_POWER_LINE_FREQUENCY, [0, 1, 2], 1),
                .integer(V4L2_CID_WHITE_BALANCE_TEMPERATURE, 2800...6500, 4600),
                .menu(V4L2_CID_EXPOSURE_AUTO, [nil, 1, nil, 3], 3), .integer(V4L2_CID_EXPOSURE_ABSOLUTE, 1...5000, 157),
                .flag(V4L2_CID_EXPOSURE_AUTO_PRIORITY, false), .integer(V4L2_CID_FOCUS_ABSOLUTE, 0...250, 0),
                .flag(V4L2_CID_FOCUS_AUTO, true), .integer(V4L2_CID_ZOOM_ABSOLUTE, 100...500, 100),
                .menu(V4L2_CID_ISO_SENSITIVITY, [100_000, 200_000, 400_000], 0, ofNumbers: true),
            ]
            return camera
        case "/dev/video1":
            let camera = FakeV4L2Device(card: "Planar Cam", bus: "usb-2", modes: [.nv12m()])
            camera.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) | UInt32(V4L2_CAP_STREAMING)
            return camera
        default:
            return FakeV4L2Device(card: "JPEG Cam", bus: "usb-3", modes: [.mjpeg()])
        }
    }

    /// The device files of the cameras, by bus.
    private static let paths = ["usb-1": "/dev/video0", "usb-2": "/dev/video1", "usb-3": "/dev/video2"]

    /// - Parameter soundFile: The path of a file of raw 16-bit samples, which alsa-lib's file plugin reads.
    init(soundFile: String) {
        kernel = PacedKernel(clock: clock)
        sound = PacedAudioSystem(kernel.fake, clock: clock)
        for path in Self.paths.values.sorted() { kernel.plug(Self.camera(at: path), at: path) }
        sound.add("Mic", .ramp, hasMixer: true)
        sound.add("File", .filePlugin(path: soundFile), hasMixer: false)
    }

    func subject() -> ConformanceSubject {
        let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
        let time = ConformanceTime(clock: clock) { [self] limit, condition in advance(by: limit, until: condition) }
        let kernel = kernel
        return ConformanceSubject(
            host: host, time: time, actions: actions,
            resources: {
                let leaks = kernel.fake.leaks
                return [
                    "file descriptors": ConformanceSubject.fileDescriptorCount,
                    "descriptors of the fake kernel": leaks.descriptors, "mappings of the fake kernel": leaks.mappings,
                ]
            })
    }

    // MARK: Time

    /// Advances the clock until the condition is true, or by `limit`.
    ///
    /// - Returns: Whether the condition is true; true without a condition.
    private func advance(by limit: Duration, until condition: (() -> Bool)?) -> Bool {
        let (seconds, attoseconds) = limit.components
        let end = clock.now.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        while true {
            if let condition, condition() { return true }
            let now = clock.now.nanoseconds
            if now >= end { break }
            // Audio arrives in periods of about 10 ms, so the clock advances by at most 5 ms at a time.
            let next = min(end, max(now, kernel.nextExposure ?? .max), now + 5_000_000)
            clock.advance(to: CMTime(value: next, timescale: 1_000_000_000))
            kernel.exposeDue()
            settle()
        }
        return condition.map { waitForThreads($0) } ?? true
    }

    private func settle() {
        // This wakes the threads of the sound cards, which then check the clock.
        kernel.fake.locked {}
        _ = kernel.fake.waitUntil { self.kernel.isIdleLocked && self.sound.isIdleLocked }
        clock.settle()
    }

    /// Waits up to 2 s of real time for the condition, which may depend on threads that watch devices or that are
    /// ending.
    private func waitForThreads(_ condition: () -> Bool) -> Bool {
        let tick = DispatchSemaphore(value: 0)
        for _ in 0..<2000 {
            clock.settle()
            if condition() { return true }
            _ = tick.wait(timeout: .now() + .milliseconds(1))
        }
        return false
    }

    // MARK: Actions

    /// Returns the device file of the camera with a unique ID; nil for sound cards.
    private func path(_ id: String) -> String? {
        Self.paths.first { id.contains(":\($0.key):") }?.value
    }

    private func camera(_ id: String) throws -> (path: String, fake: FakeV4L2Device) {
        guard let path = path(id), let fake = kernel.camera(at: path) else {
            throw ConformanceSkip("only cameras of the fake kernel can do this")
        }
        return (path, fake)
    }

    /// Reports a new or removed card, as udev and inotify do.
    private func announceSoundCards() {
        kernel.fake.plug(FakeV4L2Device(), at: Self.soundNode)
        kernel.fake.unplug(Self.soundNode)
    }

    private var actions: HostActions {
        var actions = HostActions()
        actions.disconnect = { [self] id in
            guard let path = path(id) else {
                sound.unplug(id)
                return announceSoundCards()
            }
            kernel.unplug(path)
        }
        actions.reconnect = { [self] id in
            guard let path = path(id) else {
                sound.plug(id)
                return announceSoundCards()
            }
            kernel.plug(Self.camera(at: path), at: path)
        }
        actions.beginUseByAnotherApplication = { [self] id in
            guard let path = path(id) else { return sound.setOpenError(EBUSY, id) }
            let node = try V4L2Node(path, kernel: kernel.fake)
            var request = v4l2_requestbuffers()
            request.count = 2
            let isMultiPlanar = kernel.camera(at: path)?.isMultiPlanar ?? false
            request.type = (isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
            request.memory = V4L2_MEMORY_MMAP.rawValue
            try node.request(clinuxdevices_VIDIOC_REQBUFS, "VIDIOC_REQBUFS", &request)
            otherProgramNodes.withLock { $0[path] = node }
        }
        actions.endUseByAnotherApplication = { [self] id in
            guard let path = path(id) else { return sound.setOpenError(nil, id) }
            otherProgramNodes.withLock { $0[path] = nil }
        }
        actions.denyPermission = { [self] id in
            guard let path = path(id) else { return sound.setOpenError(EACCES, id) }
            kernel.fake.changePermissions(of: path, EACCES)
        }
        actions.grantPermission = { [self] id in
            guard let path = path(id) else { return sound.setOpenError(nil, id) }
            kernel.fake.changePermissions(of: path, nil)
        }
        actions.loseFrames = { [self] id, count in
            if sound.contains(id) {
                // One lost frame is 20 ms of audio here.
                sound.overrun(id, nanoseconds: Int64(count) * 20_000_000)
            } else {
                try camera(id).fake.skipFrames(UInt32(count))
            }
        }
        actions.damageFrame = { [self] id in try kernel.damageNextFrame(of: camera(id).path) }
        actions.failStream = { [self] id in
            if sound.contains(id) { sound.fail(id, EIO) } else { kernel.fake.fail("VIDIOC_DQBUF", with: EIO) }
            return .inputOutput
        }
        actions.changeControl = { [self] id, _ in
            if let mixer = sound.mixer(of: id) {
                mixer.changeExternally(level: 0.25)
                return .inputGain
            }
            let fake = try camera(id).fake
            guard !fake.controls.isEmpty else { throw ConformanceSkip("the camera has no controls") }
            fake.adjust(V4L2_CID_BRIGHTNESS, to: 17)
            return .brightness
        }
        return actions
    }
}
