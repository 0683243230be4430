import CLinuxDevices
import CaptureHAL
import CaptureTesting
import MediaTypes
import XCTest

@testable import LinuxDevices

/// The conformance suite on the kernel's own test drivers.
final class ConformanceLabTests: LabTestCase {
    /// Root may open everything; vivid and the cards never end, and lose no frames at a word; what vivid can set shows
    /// in its pictures, not in the settings that V4L2 tells with a frame.
    private let skipped: Set<HostCheck> = [
        .deniedPermissionIsReported, .lostFramesAreReported, .endIsReported, .settingsAppearInFrames,
    ]

    func testVividAndTheTestCardsKeepTheContract() {
        HostConformance("linux on vivid, snd-aloop and snd-dummy") { _ in .lab() }.check(skipping: skipped)
    }
}

extension ConformanceSubject {
    static func lab() -> ConformanceSubject {
        let clock = HostClock()
        var traits = HostTraits.hardware
        // The machine is emulated, and all in it takes its time.
        traits.formatLimit = 2
        traits.timeout = .seconds(30)
        return ConformanceSubject(
            host: LinuxHost(clock: clock), time: .real(clock), actions: LabActions(clock: clock).actions, traits: traits
        )
    }
}

/// What can be done to vivid and the test cards from outside.
private final class LabActions: Sendable {
    private let clock: HostClock
    /// What another client holds.
    private let taken = Lock<[any AnyObject & Sendable]>([])

    init(clock: HostClock) { self.clock = clock }

    private static func vivid(_ id: String, _ deed: String) throws -> String {
        guard id.hasPrefix("v4l2:"),
            let camera = LinuxHost(clock: HostClock()).devices.first(where: { $0.descriptor.uniqueID == id }),
            let path = (camera as? V4L2Camera)?.path
        else { throw ConformanceSkip("the lab's sound cards cannot be made to \(deed)") }
        return path
    }

    var actions: HostActions {
        var actions = HostActions()
        // Both cameras hang on one plug.
        actions.disconnect = { id in
            _ = try Self.vivid(id, "vanish")
            try Vivid.unplug()
        }
        actions.reconnect = { _ in try Vivid.plug() }
        actions.beginUseByAnotherApplication = { [self] id in
            let other = LinuxHost(clock: clock).devices.first { $0.descriptor.uniqueID == id }
            let device = try XCTUnwrap(other)
            let opened = try device.open()
            taken.withLock { $0.append(opened) }
            // A camera is taken by who has its buffers.
            guard case .video(let video)? = device.formats.first else { return }
            let configuration = StreamConfiguration(
                format: .video(video), frameDuration: video.frameDurations[0].minimum)
            let stream = try opened.makeStream(configuration)
            taken.withLock { $0.append(stream) }
        }
        actions.endUseByAnotherApplication = { [self] _ in
            let old = taken.withLock { taken in
                defer { taken = [] }
                return taken
            }
            for case let opened as any OpenDevice in old { opened.close() }
        }
        actions.damageFrame = { id in
            try Vivid.set("Inject V4L2_BUF_FLAG_ERROR", 1, path: Self.vivid(id, "damage a frame"))
        }
        actions.failStream = { id in
            try Vivid.set("Inject Fatal Streaming Error", 1, path: Self.vivid(id, "fail"))
            return .inputOutput
        }
        actions.changeControl = { id, opened in
            let path = try Self.vivid(id, "change a control by themselves")
            let isDark = try opened.value(of: .contrast) == .number(0)
            try Vivid.set("Contrast", isDark ? 128 : 0, path: path)
            return .contrast
        }
        return actions
    }
}
