import AssetTypes
import CaptureCore
import CaptureSimulation
import Foundation
import Testing
import XCTest

@testable import CaptureTesting

/// Tests scenarios that drive an app in tests of Swift Testing, which run in a separate process.
final class AppScenarioSwiftTestingTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("app-cases-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, time) in [("good", "0.5 s"), ("wrong", "0.1 s")] {
            let text = """
                scenario: 1
                name: \(name)
                devices: {scene: grey}
                timeline:
                  - {at: 0.2 s, do: start}
                end: 1 s
                expect:
                  - {session: running, at: \(time)}
                """
            try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).yaml"))
        }
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    func testEachCaseCreatesItsOwnApp() throws {
        let result = try TestFixtures.runSwiftTesting(
            "AppScenarioCaseFixtures/plays", environment: ["OBSCURA_APP_CASES": folder.path])
        XCTAssertNotEqual(result.status, 0, result.output)
        XCTAssertTrue(result.output.contains("seen:     it was stopped from 0 s until 0.2 s"), result.output)
        XCTAssertTrue(result.output.contains("recorded an issue with 1 argument scenario → wrong"), result.output)
        XCTAssertFalse(result.output.contains("issue with 1 argument scenario → good"), result.output)
        XCTAssertTrue(result.output.contains("with 2 test cases"), result.output)
    }

    func testATestOnTheMainActorFailsWithTheReason() throws {
        let result = try TestFixtures.runSwiftTesting(
            "AppScenarioCaseFixtures/onTheMainActor", environment: ["OBSCURA_APP_CASES": folder.path])
        XCTAssertNotEqual(result.status, 0, result.output)
        XCTAssertTrue(result.output.contains("remove @MainActor from the test"), result.output)
    }
}

/// Tests that are run by `AppScenarioSwiftTestingTests` in a separate process.
@Suite(.enabled(if: TestFixtures.areEnabled), .simulated()) struct AppScenarioCaseFixtures {
    private static let folder = ProcessInfo.processInfo.environment["OBSCURA_APP_CASES"]

    @Test(arguments: try folder.map(scenarios(in:)) ?? [])
    func plays(_ scenario: ScenarioCase) { expectScenario(scenario.path, app: Self.build) }

    @MainActor @Test func onTheMainActor() throws {
        let folder = try #require(Self.folder)
        expectScenario("\(folder)/good.yaml", app: Self.build)
    }

    /// Builds an app with an action that waits, and continues on the main actor.
    @MainActor private static func build(_ app: ScenarioApp) throws {
        let session = AVCaptureSession()
        let camera = try #require(AVCaptureDevice.default(for: .video))
        session.addInput(try AVCaptureDeviceInput(device: camera))
        app.on("start") {
            guard await AVCaptureDevice.requestAccess(for: .video) else { return }
            session.startRunning()
        }
    }
}
