import AssetTypes
import CaptureCore
import CaptureScenarios
import Foundation
import MediaTypes
import XCTest

@testable import CaptureTesting

/// Tests the failures of scenarios that drive an app.
final class AppScenarioAssertionsTests: XCTestCase {
    /// A controller with a movie output, which does not restart its session after a failure.
    @MainActor
    private final class FragileController: NSObject, AVCaptureFileOutputRecordingDelegate {
        struct NoMovie: Error {}

        let session = AVCaptureSession()
        let movie = AVCaptureMovieFileOutput()
        private(set) var flips: [String] = []
        var observer: (any NSObjectProtocol)?

        override init() {
            super.init()
            session.beginConfiguration()
            session.sessionPreset = .cif352x288
            for media in [AVMediaType.video, .audio] {
                if let device = AVCaptureDevice.default(for: media),
                    let input = try? AVCaptureDeviceInput(device: device)
                {
                    session.addInput(input)
                }
            }
            session.addOutput(movie)
            session.commitConfiguration()
        }

        func record(to url: URL) throws {
            guard session.isRunning else { throw NoMovie() }
            movie.startRecording(to: url, recordingDelegate: self)
        }

        func flip(_ side: String) { flips.append(side) }

        nonisolated func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
            from connections: [AVCaptureConnection], error: (any Error)?
        ) {}
    }

    private func failures(
        _ timeline: String, expect: String, end: String = "3 s", additionalKeys: String = "",
        app: @MainActor (ScenarioApp) throws -> Void = AppScenarioAssertionsTests.build
    ) throws -> [String] {
        try AppScenarioFixture.failures(
            timeline, expect: expect, end: end, additionalKeys: additionalKeys, app: app)
    }

    @MainActor
    private static func build(_ app: ScenarioApp) {
        let controller = FragileController()
        app.on("start") { controller.session.startRunning() }
        app.on("record") { step in try controller.record(to: step.url()) }
        app.on("stop-recording") { controller.movie.stopRecording() }
        app.on("flip") { step in controller.flip(step["value"] ?? "") }
    }

    func testAControllerThatDoesNotRestartItsSessionFails() throws {
        let failures = try failures(
            """
              - {at: 0 s, do: start}
              - {at: 1 s, do: reset-media-services}
            """, expect: "  - {session: running, at: 2 s}")
        XCTAssertEqual(failures.count, 1)
        let text = failures.joined()
        XCTAssertTrue(text.contains("app.yaml:9\n  expected: the session is running at 2 s\n"), text)
        XCTAssertTrue(text.contains("1.000000 session runtime error mediaServicesWereReset"), text)
    }

    func testAnActionThatTheAppDoesNotHaveIsReportedWithItsLine() throws {
        let failures = try failures(
            "  - {at: 0 s, do: start}\n  - {at: 1 s, do: zoom, factor: 2}", expect: "  - {session: running, at: 2 s}")
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures[0].contains(":6: the app has no action \"zoom\"; add app.on(\"zoom\")"), failures[0])
        XCTAssertTrue(failures[0].hasSuffix("(it has flip, record, start, stop-recording)"), failures[0])
    }

    func testAnErrorOfAnActionMustBeExpected() throws {
        let timeline = "  - {at: 0 s, do: record, to: early.mov}"
        let unexpected = try failures(timeline, expect: "  - {session: stopped, at: 2 s}")
        XCTAssertEqual(unexpected.count, 1)
        XCTAssertTrue(unexpected[0].contains("0.000000 app failed record: NoMovie()"), unexpected[0])
        XCTAssertEqual(try failures(timeline, expect: "  - events: [app failed record]"), [])
    }

    func testTheAppReceivesItsOwnActions() throws {
        let flips = Lock<[String]>([])
        let failures = try failures(
            "  - {at: 0 s, do: app, action: flip, value: front}", expect: "  - {session: stopped, at: 2 s}"
        ) { app in
            app.on("flip") { step in
                flips.withLock { $0.append("\(step.action) \(step["value"] ?? "") \(step.time)") }
            }
        }
        XCTAssertEqual(failures, [])
        XCTAssertEqual(flips.withLock { $0 }, ["flip front 0.0"])
    }

    func testMoviesHaveTheNamesOfTheScenario() throws {
        let failures = try failures(
            """
              - {at: 0 s, do: start}
              - {at: 0.5 s, do: record, to: first.mov}
              - {at: 1 s, do: stop-recording}
            """,
            expect: """
                  - events: [recording did start first.mov, recording did finish first.mov without an error]
                  - {movie: first.mov, duration: [0.4 s, 0.6 s], playable: true}
                """, end: "1.5 s"
        ) { app in
            let controller = FragileController()
            app.on("start") { controller.session.startRunning() }
            // The app chooses another file name.
            app.on("record") { step in
                try controller.record(to: step.url().deletingLastPathComponent().appendingPathComponent("own.mov"))
            }
            app.on("stop-recording") { controller.movie.stopRecording() }
        }
        XCTAssertEqual(failures, [])
    }

    func testAControllerThatStaysStoppedAfterAnInterruptionFails() throws {
        // The app stops its session when another client takes the camera, and does not start it again.
        let failures = try failures(
            """
              - {at: 0 s, do: start}
              - {at: 1 s, do: take-device, device: phone.back-wide}
              - {at: 2 s, do: return-device, device: phone.back-wide}
            """, expect: "  - {session: running, from: 2.5 s, until: 3 s}"
        ) { app in
            let controller = FragileController()
            controller.observer = NotificationCenter.default.addObserver(
                forName: AVCaptureSession.wasInterruptedNotification, object: controller.session, queue: .main
            ) { [weak controller] _ in MainActor.assumeIsolated { controller?.session.stopRunning() } }
            app.on("start") { controller.session.startRunning() }
        }
        XCTAssertEqual(failures.count, 1)
        let text = failures.joined()
        XCTAssertTrue(text.contains("expected: the session is running from 2.5 s until 3 s\n"), text)
        XCTAssertTrue(text.contains("seen:     it was stopped from 2 s until the end\n"), text)
        XCTAssertTrue(text.contains("2.000000 > return-device phone.back-wide"), text)
    }

    func testAScenarioWithoutExpectationsFails() throws {
        let failures = try failures("  - {at: 0 s, do: start}", expect: "")
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures.joined().contains("app.yaml: the scenario expects nothing"), failures.joined())
    }

    func testAGoldenLogOfAnAppFailsWithItsLine() throws {
        let failures = try failures(
            "  - {at: 0 s, do: start}", expect: "  - {session: running, at: 2 s}\n  - {log: golden}")
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures.joined().contains("app.yaml:9: the log of an app is not compared"), failures.joined())
    }

    func testAnExpectedErrorDoesNotPermitOthers() throws {
        let failures = try failures(
            """
              - {at: 0 s, do: record, to: a.mov}
              - {at: 0.5 s, do: record, to: b.mov}
              - {at: 1 s, do: start}
            """, expect: "  - events: [{event: app failed record, at: 0.5 s}]")
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures.joined().contains("0.000000 app failed record: NoMovie()"), failures.joined())
        XCTAssertEqual(
            try self.failures(
                "  - {at: 0 s, do: record, to: a.mov}\n  - {at: 0.5 s, do: record, to: b.mov}",
                expect: "  - {count: app failed, is: 2}"), [])
    }

    func testTheNextRecordingDoesNotGetTheNameOfAFailedOne() throws {
        let failures = try failures(
            """
              - {at: 0 s, do: record, to: early.mov}
              - {at: 0.1 s, do: start}
              - {at: 0.5 s, do: record, to: good.mov}
              - {at: 1 s, do: stop-recording}
            """,
            expect: """
                  - events: [app failed record, recording did start good.mov]
                  - {movie: early.mov, exists: false}
                  - {movie: good.mov, playable: true}
                """, end: "1.5 s")
        XCTAssertEqual(failures, [])
    }

    func testALaterRecordingDoesNotGetTheNameOfAnIgnoredOne() throws {
        let failures = try failures(
            """
              - {at: 0 s, do: start}
              - {at: 0.2 s, do: record, to: ignored.mov}
              - {at: 1.2 s, do: record, to: good.mov}
              - {at: 1.6 s, do: stop-recording}
            """, expect: "  - {movie: ignored.mov, exists: false}\n  - {movie: good.mov, playable: true}", end: "2 s"
        ) { app in
            let controller = FragileController()
            app.on("start") { controller.session.startRunning() }
            app.on("record") { step in
                if step.time > 1 { try controller.record(to: step.url()) }
            }
            app.on("stop-recording") { controller.movie.stopRecording() }
        }
        XCTAssertEqual(failures, [])
    }

    func testAnActionThatDoesNotReturnIsReportedWithItsLine() throws {
        let failures = try failures(
            "  - {at: 0 s, do: start}\n  - {at: 1 s, do: app, action: wait}",
            expect: "  - {session: running, at: 2 s}"
        ) { app in
            let controller = FragileController()
            app.on("start") { controller.session.startRunning() }
            app.on("wait") {
                await withCheckedContinuation { continuation in
                    DispatchQueue.main.asyncAfter(deadline: .now() + 60) { continuation.resume() }
                }
            }
        }
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(
            failures.joined().contains(
                "app.yaml:6: the app's action \"wait\" began at 1 s and has not returned at the end, 3 s"),
            failures.joined())
    }

    func testFailuresOfAMatrixNameTheCombination() throws {
        let failures = try failures(
            "  - {at: ${time}, do: start}", expect: "  - {session: running, at: 1 s}",
            additionalKeys: "matrix: {time: [0.5 s, 2 s]}")
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures.joined().hasPrefix("[time=2 s] FAILED at "), failures.joined())
    }

    func testTheResultsAreWrittenForBrowsersAndForCIServers() throws {
        let reports = FileManager.default.temporaryDirectory.appendingPathComponent("reports-\(UUID().uuidString)")
        let earlier = ProcessInfo.processInfo.environment["OBSCURA_REPORTS"]
        setenv("OBSCURA_REPORTS", reports.path, 1)
        defer {
            if let earlier { setenv("OBSCURA_REPORTS", earlier, 1) } else { unsetenv("OBSCURA_REPORTS") }
            try? FileManager.default.removeItem(at: reports)
        }
        let failures = try failures(
            """
              - {at: 0 s, do: record, to: early.mov}
              - {at: 0.1 s, do: start}
              - {at: 0.5 s, do: record, to: good.mov}
              - {at: 1 s, do: stop-recording}
            """, expect: "  - {movie: good.mov, playable: true}\n  - {session: stopped, at: 1 s}", end: "1.5 s")
        XCTAssertEqual(failures.count, 2)
        func text(_ suffix: String) throws -> String {
            let name = "AppScenarioAssertionsTests.testTheResultsAreWrittenForBrowsersAndForCIServers.app.\(suffix)"
            return try String(contentsOf: reports.appendingPathComponent("scenarios/\(name)"), encoding: .utf8)
        }
        XCTAssertTrue(try text("log").contains("1.000000 > stop-recording"))
        let page = try text("html")
        for part in [
            "Expectations: 1 of 2 met", "the session is stopped at 1 s", "app failed record: NoMovie()",
            "<tr data-time=\"0\" class=\"bad\"><td>0 s</td><td>App</td><td>app failed record: NoMovie()</td></tr>",
            "<video controls", "frame of good.mov",
        ] { XCTAssertTrue(page.contains(part), "the page lacks \(part)") }
        let xml = try text("xml")
        XCTAssertTrue(xml.contains("tests=\"1\" failures=\"1\""), xml)
        XCTAssertTrue(xml.contains("an action of the app ended with an error"), xml)
    }

    func testAScenarioForAnAppCannotBePlayedWithoutOne() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("app.yaml")
        let text = "scenario: 1\nname: x\ntimeline: [{at: 0 s, do: start}]\nend: 1 s\n"
        try Data(text.utf8).write(to: url)
        XCTAssertThrowsError(try ScenarioFile(path: url.path).run()) { error in
            XCTAssertTrue("\(error)".contains("the scenario drives an app"), "\(error)")
        }
    }
}
