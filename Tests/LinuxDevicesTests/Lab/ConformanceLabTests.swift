import CLinuxDevices
import CaptureHAL
import CaptureTesting
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Runs the conformance suite with the kernel's test drivers.
final class ConformanceLabTests: LabTestCase {
    /// The checks that the lab cannot set up: root can open each device, streams of vivid and of the sound cards have
    /// no end and drop no frames on request, and vivid's controls do not appear in the settings that V4L2 reports.
    private let skipped: Set<HostCheck> = [
        .deniedPermissionIsReported, .lostFramesAreReported, .endIsReported, .settingsAppearInFrames,
    ]

    func testVividAndTheTestCardsPassTheConformanceSuite() {
        HostConformance("linux on vivid, snd-aloop and snd-dummy") { _ in .lab() }.check(skipping: skipped)
    }
}

extension ConformanceSubject {
    static func lab() -> ConformanceSubject {
        let clock = HostClock()
        var traits = HostTraits.hardware
        // The lab runs in an emulated machine, which is slow.
        traits.formatLimit = 2
        traits.timeout = .seconds(30)
        return ConformanceSubject(
            host: LinuxHost(clock: clock), time: .real(clock), actions: LabActions(clock: clock).actions, traits: traits
        )
    }
}

/// The external events that the lab can cause on vivid and the test cards.
private final class LabActions: Sendable {
    private let clock: HostClock
    /// The opened devices and streams of the other application.
    private let otherApplication = Lock<[any AnyObject & Sendable]>([])

    init(clock: HostClock) { self.clock = clock }

    /// Returns the path of a vivid camera. Skips the check if the device is a sound card.
    private static func vividPath(_ id: String, _ action: String) throws -> String {
        guard id.hasPrefix("v4l2:"),
            let camera = LinuxHost(clock: HostClock()).devices.first(where: { $0.descriptor.uniqueID == id }),
            let path = (camera as? V4L2Camera)?.path
        else { throw ConformanceSkip("the lab cannot \(action) of a sound card") }
        return path
    }

    var actions: HostActions {
        var actions = HostActions()
        // This disconnects both cameras.
        actions.disconnect = { id in
            _ = try Self.vividPath(id, "simulate the disconnection")
            try Vivid.unplug()
        }
        actions.reconnect = { _ in try Vivid.plug() }
        actions.beginUseByAnotherApplication = { [self] id in
            let other = LinuxHost(clock: clock).devices.first { $0.descriptor.uniqueID == id }
            let device = try XCTUnwrap(other)
            let opened = try device.open()
            otherApplication.withLock { $0.append(opened) }
            // A V4L2 camera is in use once its buffers are allocated.
            guard case .video(let video)? = device.formats.first else { return }
            let configuration = StreamConfiguration(
                format: .video(video), frameDuration: video.frameDurations[0].minimum)
            let stream = try opened.makeStream(configuration)
            otherApplication.withLock { $0.append(stream) }
        }
        actions.endUseByAnotherApplication = { [self] _ in
            let objects = otherApplication.withLock { objects in
                defer { objects = [] }
                return objects
            }
            for case let opened as any OpenDevice in objects { opened.close() }
        }
        actions.damageFrame = { id in
            try Vivid.set("Inject V4L2_BUF_FLAG_ERROR", 1, path: Self.vividPath(id, "damage a frame"))
        }
        actions.failStream = { id in
            try Vivid.set("Inject Fatal Streaming Error", 1, path: Self.vividPath(id, "fail a stream"))
            return .inputOutput
        }
        actions.changeControl = { id, opened in
            let path = try Self.vividPath(id, "change a control")
            let isMinimum = try opened.value(of: .contrast) == .number(0)
            try Vivid.set("Contrast", isMinimum ? 128 : 0, path: path)
            return .contrast
        }
        return actions
    }
}
