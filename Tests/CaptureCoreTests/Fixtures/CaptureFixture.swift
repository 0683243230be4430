import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore

/// A capture system with simulated devices, a virtual clock, storage that can fail, and a temporary folder.
final class CaptureFixture: Sendable {
    /// The profile of a machine with a webcam: a camera, which captures 320x240 at 30 fps with the preset `low`, and a
    /// stereo microphone.
    static let webcam = "webcam"
    /// The unique ID of the webcam's camera.
    static let camera = "webcam.camera"
    /// The unique ID of the webcam's microphone.
    static let microphone = "webcam.microphone"

    let clock = SimClock()
    let hosts: [any HardwareHost]
    let storage: SimStorage
    let center = NotificationCenter()
    let system: CaptureSystem
    let folder: URL
    private let reported: Lock<[Misuse]>

    /// - Parameters:
    ///   - name: The name of the system; nil for the default name.
    ///   - orientation: The initial orientation; frames of a phone's back camera are level in landscape left.
    ///   - change: Changes the profile before the devices are created.
    convenience init(
        name: String? = nil, profile: String = webcam, scene: SimScene = .grey,
        orientation: DeviceOrientation = .landscapeLeft,
        storage: SimStorage = SimStorage(),
        states: [ProtectedResource: AuthorizationState] = [:], answers: [ProtectedResource: PromptAnswer] = [:],
        _ change: (inout DeviceProfile) -> Void = { _ in }
    ) throws {
        var changedProfile = try DeviceProfile.builtIn(profile)
        change(&changedProfile)
        let profile = changedProfile
        try self.init(name: name, storage: storage, states: states, answers: answers) { clock in
            [
                try SimHost(
                    profiles: [profile], scene: scene, hasMarker: true, orientation: orientation, clock: clock)
            ]
        }
    }

    init(
        name: String? = nil, storage: SimStorage = SimStorage(), states: [ProtectedResource: AuthorizationState] = [:],
        answers: [ProtectedResource: PromptAnswer] = [:], hosts: (SimClock) throws -> [any HardwareHost]
    ) throws {
        let reported = Lock<[Misuse]>([])
        self.reported = reported
        self.storage = storage
        self.hosts = try hosts(clock)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        system = CaptureSystem(
            name: name, hosts: self.hosts, clock: clock,
            authorization: Authorization(clock: clock, states: states, answers: answers), storage: storage,
            notificationCenter: center, misuse: MisuseHandler { misuse in reported.withLock { $0.append(misuse) } },
            photoLibraryURL: folder.appendingPathComponent("library"), seed: 1)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var host: SimHost {
        get throws { try XCTUnwrap(hosts.first as? SimHost) }
    }

    /// Runs `body`, which can create objects, with the capture system of this fixture as the current one.
    func inSystem<Result>(_ body: () throws -> Result) rethrows -> Result { try system.run(body) }

    /// Returns and removes the reported misuses.
    func dequeueMisuses() -> [Misuse] {
        reported.withLock { misuses in
            defer { misuses = [] }
            return misuses
        }
    }

    /// Asserts that `body` reports exactly one misuse, and returns its message.
    @discardableResult
    func assertMisuse(
        _ exception: Misuse.Exception, file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
    ) rethrows -> String {
        _ = dequeueMisuses()
        try inSystem(body)
        let misuses = dequeueMisuses()
        XCTAssertEqual(misuses.map(\.exception), [exception], "\(misuses)", file: file, line: line)
        return misuses.first?.message ?? ""
    }

    func assertNoMisuse(file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(dequeueMisuses().map(\.description), [], file: file, line: line)
    }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func fileExists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url(name).path) }

    /// Returns the device with a unique ID.
    func device(_ id: String) throws -> AVCaptureDevice {
        try inSystem {
            try XCTUnwrap(
                AVCaptureDevice.DiscoverySession(
                    deviceTypes: [
                        .builtInWideAngleCamera, .builtInUltraWideCamera, .builtInTelephotoCamera,
                        .builtInDualCamera, .builtInDualWideCamera, .builtInTripleCamera, .builtInTrueDepthCamera,
                        .builtInLiDARDepthCamera, .external, .microphone,
                    ], mediaType: nil, position: .unspecified
                ).devices.first { $0.uniqueID == id })
        }
    }

    /// Creates an input of the device with a unique ID.
    func input(_ id: String) throws -> AVCaptureDeviceInput {
        let device = try device(id)
        return try inSystem { try AVCaptureDeviceInput(device: device) }
    }

    /// Advances the clock.
    func advance(milliseconds: Int) { clock.advance(by: .milliseconds(milliseconds)) }

    /// Creates a session with outputs, and with inputs of the devices with these unique IDs; nil omits a device.
    func makeSession(
        camera: String? = camera, microphone: String? = microphone,
        preset: AVCaptureSession.Preset = .low, _ outputs: [AVCaptureOutput]
    ) throws -> AVCaptureSession {
        let session = inSystem { AVCaptureSession() }
        let inputs = try [camera, microphone].compactMap { $0 }.map(input)
        inSystem {
            session.beginConfiguration()
            for input in inputs { session.addInput(input) }
            session.sessionPreset = preset
            for output in outputs { session.addOutput(output) }
            session.commitConfiguration()
        }
        assertNoMisuse()
        return session
    }
}
