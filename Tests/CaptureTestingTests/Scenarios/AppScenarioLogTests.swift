import AssetTypes
import CaptureCore
import CaptureSimulation
import Foundation
import MediaTypes
import XCTest

@testable import CaptureTesting

/// Tests the entries of sessions, photos and misuse in the log of a scenario that drives an app.
final class AppScenarioLogTests: XCTestCase {
    /// A session with a camera and an output.
    private static func session(
        _ position: AVCaptureDevice.Position = .back, _ output: AVCaptureOutput? = nil
    ) throws -> AVCaptureSession {
        let session = AVCaptureSession()
        let camera = try XCTUnwrap(
            AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position))
        session.addInput(try AVCaptureDeviceInput(device: camera))
        if let output { session.addOutput(output) }
        return session
    }

    // MARK: Photos of a still image output

    private func failures(ofStillImages expect: String, codec: AVVideoCodecType = .jpeg) throws -> [String] {
        try AppScenarioFixture.failures(
            """
              - {at: 0 s, do: start}
              - {at: 0.5 s, do: photo, to: first.jpg}
              - {at: 1 s, do: photo, to: second.jpg}
              - {at: 1.001 s, do: stop}
            """, expect: expect, end: "1.5 s"
        ) { app in
            let output = AVCaptureStillImageOutput()
            let session = try Self.session(.back, output)
            app.on("start") { session.startRunning() }
            app.on("photo") {
                let connection = try XCTUnwrap(output.connection(with: .video))
                output.captureStillImageAsynchronously(from: connection) { _, _ in }
            }
            app.on("stop") { session.stopRunning() }
        }
    }

    func testPhotosOfAStillImageOutputAreInTheLogAndHaveTheNamesOfTheScenario() throws {
        XCTAssertEqual(
            try failures(
                ofStillImages: """
                      - events: [photo first.jpg, photo failed]
                      - {photo: first.jpg, brightness: [0.3, 0.6], iso: [1, 10000]}
                      - {photo: second.jpg, exists: false}
                    """), [])
        let unmet = try failures(ofStillImages: "  - {photo: first.jpg, brightness: [0.9, 1]}")
        XCTAssertEqual(unmet.count, 1)
        XCTAssertTrue(unmet.joined().contains("seen:     brightness 0."), unmet.joined())
    }

    // MARK: Misuse

    /// Removes the failures of this test that misuse has caused, and returns their number; -1 outside of a test.
    private func claimMisuse() -> Int { RunningTests.shared.current?.dequeueFailures().count ?? -1 }

    private func failures(ofMisuse expect: String) throws -> [String] {
        try AppScenarioFixture.failures(
            "  - {at: 1 s, do: start}", expect: expect, end: "1.5 s"
        ) { app in
            let session = try Self.session()
            app.on("start") {
                session.beginConfiguration()
                session.startRunning()
                session.commitConfiguration()
            }
        }
    }

    func testMisuseOfAnAppIsInTheLog() throws {
        let failures = try failures(ofMisuse: "  - never: misuse")
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(
            failures.joined().contains("1.000000 misuse NSGenericException"), failures.joined())
        // Without this claim, the misuse would fail this test.
        XCTAssertEqual(claimMisuse(), 1)
    }

    func testExpectedMisuseDoesNotFailTheTest() throws {
        XCTAssertEqual(try failures(ofMisuse: "  - events: [misuse NSGenericException]"), [])
        XCTAssertEqual(claimMisuse(), 0)
        XCTAssertEqual(try failures(ofMisuse: "  - {count: misuse, is: 1}"), [])
        XCTAssertEqual(claimMisuse(), 0)
    }

    // MARK: Several sessions

    private func failures(ofTwoSessions expect: String, name: String? = nil) throws -> [String] {
        try AppScenarioFixture.failures(
            """
              - {at: 0 s, do: start}
              - {at: 0.5 s, do: app, action: start-second}
              - {at: 1 s, do: app, action: stop-second}
              - {at: 1.5 s, do: stop}
            """, expect: expect, end: "2 s"
        ) { app in
            let first = try Self.session()
            let second = AVCaptureSession()
            let microphone = try XCTUnwrap(AVCaptureDevice.default(for: .audio))
            second.addInput(try AVCaptureDeviceInput(device: microphone))
            if let name { app.setName(name, of: second) }
            app.on("start") { first.startRunning() }
            app.on("start-second") { second.startRunning() }
            app.on("stop-second") { second.stopRunning() }
            app.on("stop") { first.stopRunning() }
        }
    }

    func testASessionRunsWhileOneOfTwoSessionsRuns() throws {
        XCTAssertEqual(
            try failures(
                ofTwoSessions: """
                      - {session: running, from: 0.1 s, until: 1.4 s}
                      - {session: stopped, from: 1.6 s, until: 2 s}
                    """), [])
    }

    func testTheEventsOfASecondSessionHaveItsNumber() throws {
        XCTAssertEqual(
            try failures(
                ofTwoSessions: """
                      - {count: session did start running, is: 2}
                      - {count: session did start running of session 2, is: 1}
                      - events:
                        - {event: session did start running, at: 0 s}
                        - {event: session did stop running of session 2, at: 1 s}
                        - {event: session did stop running, at: 1.5 s}
                    """), [])
    }

    func testAnExpectationSelectsASessionByItsNumberOrItsName() throws {
        for (name, selected) in [(nil, "2"), ("sound", "sound")] as [(String?, String)] {
            XCTAssertEqual(
                try failures(
                    ofTwoSessions: """
                          - {session: stopped, of: \(selected), from: 0 s, until: 0.4 s}
                          - {session: running, of: \(selected), from: 0.6 s, until: 0.9 s}
                          - {session: running, of: 1, from: 0.1 s, until: 1.4 s}
                          - {session: running, of: \(selected), lasts: [0.4 s, 0.6 s]}
                          - {count: session did start running of session \(selected), is: 1}
                        """, name: name), [])
        }
        let unmet = try failures(ofTwoSessions: "  - {session: running, of: 2, from: 0.1 s, until: 0.9 s}")
        XCTAssertTrue(unmet.joined().contains("the session 2 is running"), unmet.joined())
        XCTAssertTrue(unmet.joined().contains("it was stopped from 0 s until 0.5 s"), unmet.joined())
        // A session that does not exist does not count as stopped.
        let unknown = try failures(ofTwoSessions: "  - {session: stopped, of: sond, at: 0.1 s}", name: "sound")
        XCTAssertTrue(
            unknown.joined().contains("the log has no such session; did you mean \"sound\"?"), unknown.joined())
    }

    // MARK: Several cameras

    private func failures(ofTwoCameras expect: String, hasOneCamera: Bool = false) throws -> [String] {
        try AppScenarioFixture.failures("  - {at: 0 s, do: start}", expect: expect, end: "0.5 s") { app in
            let session = AVCaptureMultiCamSession()
            let receiver = FrameReceiver()
            for position in hasOneCamera ? [.back] : [AVCaptureDevice.Position.back, .front] {
                let camera = try XCTUnwrap(
                    AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position))
                let input = try AVCaptureDeviceInput(device: camera)
                session.addInputWithNoConnections(input)
                let output = AVCaptureVideoDataOutput()
                output.setSampleBufferDelegate(receiver, queue: .main)
                session.addOutputWithNoConnections(output)
                let ports = input.ports(
                    for: .video, sourceDeviceType: camera.deviceType, sourceDevicePosition: position)
                session.addConnection(AVCaptureConnection(inputPorts: ports, output: output))
            }
            app.on("start") {
                _ = receiver
                session.startRunning()
            }
        }
    }

    private final class FrameReceiver: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {}

    func testFramesOfSeveralCamerasHaveTheNameOfTheirCamera() throws {
        XCTAssertEqual(
            try failures(
                ofTwoCameras: """
                      - {count: frame phone.back-wide, is: [13, 16]}
                      - {count: frame phone.front, is: [13, 16]}
                    """), [])
        XCTAssertEqual(
            try failures(
                ofTwoCameras: """
                      - {count: frame, is: [13, 16]}
                      - never: frame phone.back-wide
                    """, hasOneCamera: true), [])
        let unknown = try failures(ofTwoCameras: "  - never: frame phone.frnt")
        XCTAssertTrue(
            unknown.joined().contains("there is no such device; did you mean \"phone.front\"?"), unknown.joined())
    }
}
