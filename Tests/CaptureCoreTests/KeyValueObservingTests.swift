import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore
@testable import KeyValueObserving

final class KeyValueObservingTests: XCTestCase {
    /// A client's subclass with a property that depends on an inherited one.
    private final class SessionSubclass: AVCaptureSession, @unchecked Sendable {
        // SAFETY: no stored properties.
        var title: String { isRunning ? "live" : "off" }
    }

    private func makeVideoSession(_ bench: CaptureFixture) throws -> AVCaptureSession {
        try bench.makeSession(microphone: nil, [bench.run { AVCaptureVideoDataOutput() }])
    }

    func testIsRunningIsReportedWithOldAndNewValue() throws {
        let bench = try CaptureFixture()
        let session = try makeVideoSession(bench)
        let changes = Lock<[[Bool?]]>([], order: .client)
        let observation = session.observe(\.isRunning, options: [.new, .old]) { observed, change in
            XCTAssertTrue(observed === session)
            XCTAssertEqual(change.kind, .setting)
            changes.withLock { $0.append([change.oldValue, change.newValue, observed.isRunning]) }
        }
        session.startRunning()
        session.startRunning()
        session.stopRunning()
        XCTAssertEqual(changes.withLock { $0 }, [[false, true, true], [true, false, false]])
        observation.invalidate()
        session.startRunning()
        XCTAssertEqual(changes.withLock { $0.count }, 2)
        session.stopRunning()
    }

    func testReleasingAnObservationEndsIt() throws {
        let bench = try CaptureFixture()
        let session = try makeVideoSession(bench)
        let count = Lock(0)
        do {
            let observation = session.observe(\.isRunning) { _, _ in count.withLock { $0 += 1 } }
            session.startRunning()
            _ = observation
        }
        session.stopRunning()
        XCTAssertEqual(count.withLock { $0 }, 1)
    }

    func testOptionsSelectTheReportedChanges() throws {
        let bench = try CaptureFixture()
        let session = try makeVideoSession(bench)
        let reported = Lock<[String]>([])
        func observe(_ name: String, _ options: NSKeyValueObservingOptions) -> NSKeyValueObservation {
            session.observe(\.isRunning, options: options) { _, change in
                reported.withLock {
                    $0.append(
                        "\(name) \(change.isPrior) \(change.oldValue.map(String.init) ?? "-") "
                            + "\(change.newValue.map(String.init) ?? "-")")
                }
            }
        }
        let observations = [
            observe("none", []), observe("initial", [.initial, .new]), observe("prior", [.prior, .old, .new]),
        ]
        XCTAssertEqual(reported.withLock { $0 }, ["initial false - false"])
        session.startRunning()
        XCTAssertEqual(
            reported.withLock { $0 },
            [
                "initial false - false", "none false - -", "initial false - true", "prior true false -",
                "prior false false true",
            ])
        for observation in observations { observation.invalidate() }
        session.stopRunning()
    }

    func testInheritedAndOwnPropertiesOfASubclassCanBeObserved() throws {
        let bench = try CaptureFixture()
        let session = bench.run { SessionSubclass() }
        let input = try bench.input(CaptureFixture.camera)
        bench.run {
            session.addInput(input)
            session.addOutput(AVCaptureVideoDataOutput())
        }
        let reported = Lock<[String]>([])
        let observations = [
            session.observe(\.title, options: .new) { _, change in
                reported.withLock { $0.append(change.newValue ?? "?") }
            },
            session.observe(\.isRunning, options: .new) { _, change in
                reported.withLock { $0.append("\(change.newValue.map(String.init) ?? "?")") }
            },
        ]
        session.startRunning()
        session.stopRunning()
        XCTAssertEqual(reported.withLock { $0 }, ["live", "true", "off", "false"])
        for observation in observations { observation.invalidate() }
    }

    func testStartAndEndOfAnInterruptionAreReported() throws {
        let bench = try CaptureFixture()
        let session = try makeVideoSession(bench)
        session.startRunning()
        let reported = Lock<[String]>([])
        let observations = [
            session.observe(\.isInterrupted, options: .new) { _, change in
                reported.withLock { $0.append("interrupted \(change.newValue ?? false)") }
            },
            session.observe(\.isRunning, options: .new) { _, change in
                reported.withLock { $0.append("running \(change.newValue ?? false)") }
            },
        ]
        bench.system.interruptions.begin(.notAvailableInBackground)
        bench.system.interruptions.end(.notAvailableInBackground)
        XCTAssertEqual(
            reported.withLock { $0 }, ["interrupted true", "running false", "interrupted false", "running true"])
        for observation in observations { observation.invalidate() }
        session.stopRunning()
    }

    func testAutomaticAdjustmentsAreReported() throws {
        let bench = try CaptureFixture(profile: "phone")
        let output = bench.run { AVCaptureVideoDataOutput() }
        let session = try bench.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        bench.advance(milliseconds: 2000)
        let device = try bench.device("phone.back-wide")
        let adjusting = Lock<[Bool]>([])
        let isos = Lock<[Float]>([], order: .client)
        let observations = [
            device.observe(\.isAdjustingExposure, options: .new) { _, change in
                adjusting.withLock { $0.append(change.newValue ?? false) }
            },
            device.observe(\.exposureMode, options: .new) { device, _ in isos.withLock { $0.append(device.iso) } },
        ]
        try device.lockForConfiguration()
        device.setExposureTargetBias(2)
        device.exposureMode = .autoExpose
        bench.advance(milliseconds: 3000)
        XCTAssertEqual(adjusting.withLock { $0.first }, true)
        XCTAssertEqual(adjusting.withLock { $0.last }, false)
        // The mode set by the client, and `.locked` at the end of the automatic exposure.
        XCTAssertEqual(isos.withLock { $0.count }, 2)
        for observation in observations { observation.invalidate() }
        session.stopRunning()
    }

    func testConnectionsAndDisconnectionsAreReported() throws {
        let bench = try CaptureFixture()
        let discovery = bench.run {
            AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .unspecified)
        }
        let device = try XCTUnwrap(discovery.devices.first)
        let reported = Lock<[Int]>([])
        let connected = Lock<[Bool]>([])
        let observations = [
            discovery.observe(\.devices, options: .new) { _, change in
                reported.withLock { $0.append(change.newValue?.count ?? -1) }
            },
            device.observe(\.isConnected, options: .new) { _, change in
                connected.withLock { $0.append(change.newValue ?? true) }
            },
        ]
        try bench.host.disconnect(uniqueID: device.uniqueID)
        bench.advance(milliseconds: 10)
        try bench.host.reconnect(uniqueID: device.uniqueID)
        bench.advance(milliseconds: 10)
        XCTAssertEqual(reported.withLock { $0 }, [0, 1])
        XCTAssertEqual(connected.withLock { $0 }, [false])
        for observation in observations { observation.invalidate() }
    }

    func testAnObserverCanChangeTheObservedProperty() throws {
        let bench = try CaptureFixture()
        let session = try makeVideoSession(bench)
        let reported = Lock<[Bool]>([])
        let observation = session.observe(\.isRunning, options: .new) { session, change in
            reported.withLock { $0.append(change.newValue ?? false) }
            if change.newValue == true { session.stopRunning() }
        }
        session.startRunning()
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        XCTAssertFalse(session.isRunning)
        observation.invalidate()
    }
}
