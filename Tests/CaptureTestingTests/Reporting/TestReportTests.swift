import CaptureHAL
import Foundation
import RecordedDevices
import XCTest

/// Tests that a failed test keeps the logs, frames and files of its simulated systems in a folder. Runs `ReportFixtures`.
final class TestReportTests: XCTestCase {
    private var reports = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        reports = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-report-tests-\(ProcessInfo.processInfo.processIdentifier)")
    }

    override func tearDown() { try? FileManager.default.removeItem(at: reports) }

    private var environment: [String: String] { ["OBSCURA_REPORTS": reports.path] }

    /// The paths of the files of the reports.
    private var files: [String] {
        let enumerator = FileManager.default.enumerator(atPath: reports.path)
        return (enumerator?.compactMap { $0 as? String } ?? []).filter { path in
            var isFolder = ObjCBool(false)
            _ = FileManager.default.fileExists(
                atPath: reports.appendingPathComponent(path).path, isDirectory: &isFolder)
            return !isFolder.boolValue
        }.sorted()
    }

    func testAFailedTestKeepsItsLogFramesAndFiles() throws {
        let result = try TestFixtures.runXCTest("ReportFixtures/testFails", environment: environment)
        XCTAssertEqual(result.status, 1, result.output)
        let folder = "ReportFixtures.testFails"
        XCTAssertTrue(
            result.output.contains("are in \(reports.appendingPathComponent(folder).path)\n"), result.output)
        XCTAssertEqual(files.filter { $0.hasSuffix(".mov") }, ["\(folder)/files/clip.mov"])
        XCTAssertEqual(files.filter { $0.hasSuffix(".png") || $0.hasSuffix(".jpg") }.count, 3, "\(files)")
        let log = try String(
            contentsOf: reports.appendingPathComponent("\(folder)/events.log"), encoding: .utf8)
        XCTAssertTrue(log.hasPrefix("# profile webcam, scene street, sound scene, seed 5\n"), log)
        XCTAssertTrue(log.contains(" webcam.camera starts 640x480, "), log)
        XCTAssertTrue(log.contains(" notification AVCaptureSessionDidStartRunning"), log)
        XCTAssertTrue(log.contains(" webcam.camera stops after "), log)
        XCTAssertTrue(log.contains(" recording to clip.mov did start\n"), log)
        XCTAssertTrue(log.contains(" recording to clip.mov did finish\n"), log)
        XCTAssertTrue(log.contains(" will begin\n"), log)
        let page = try String(contentsOf: reports.appendingPathComponent("\(folder)/run.html"), encoding: .utf8)
        XCTAssertTrue(page.contains("recording to clip.mov did start</td>"), page)
        XCTAssertTrue(page.contains("\"queue\":\"main thread\""), page)
    }

    func testTheFilesOfAClosedSystemAreKept() throws {
        let result = try TestFixtures.runXCTest("ReportFixtures/testThrowsAfterClosing", environment: environment)
        XCTAssertEqual(result.status, 1, result.output)
        XCTAssertTrue(files.contains("ReportFixtures.testThrowsAfterClosing/system-1/files/clip.mov"), "\(files)")
        XCTAssertTrue(files.contains("ReportFixtures.testThrowsAfterClosing/system-2/events.log"), "\(files)")
    }

    func testAPassedTestKeepsNothing() throws {
        let temporary = reports.appendingPathComponent("tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let environment = environment.merging(["TMPDIR": temporary.path]) { $1 }
        let result = try TestFixtures.runXCTest("ReportFixtures/testPasses", environment: environment)
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertEqual(files, [])
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: temporary.path), [])
    }

    func testATestWithoutASystemHasNoReport() throws {
        let result = try TestFixtures.runXCTest("ReportFixtures/testFailsWithoutASystem", environment: environment)
        XCTAssertEqual(result.status, 1, result.output)
        XCTAssertFalse(result.output.contains("event log"), result.output)
        XCTAssertEqual(files, [])
    }

    func testATraceIsRecordedOnRequest() throws {
        let result = try TestFixtures.runXCTest(
            "ReportFixtures/testFails", environment: environment.merging(["OBSCURA_REPORTS_TRACE": "1"]) { $1 })
        XCTAssertEqual(result.status, 1, result.output)
        let trace = reports.appendingPathComponent("ReportFixtures.testFails/files/trace")
        let host = try TraceHost(path: trace.path, clock: SimClock())
        XCTAssertTrue(host.devices.contains { $0.descriptor.uniqueID == "webcam.camera" })
    }

    func testAFailedTestOfSwiftTestingKeepsItsLogFramesAndFiles() throws {
        for (name, message) in [("fails", "reason"), ("throwsAnError", "Caught error: Failure()")] {
            let result = try TestFixtures.runSwiftTesting(
                "SwiftTestingReportFixtures/\(name)\\(\\)", environment: environment)
            XCTAssertNotEqual(result.status, 0, result.output)
            XCTAssertTrue(result.output.contains(message), result.output)
            let movie = try XCTUnwrap(files.first { $0.hasSuffix("clip.mov") }, result.output)
            let folder = try XCTUnwrap(movie.split(separator: "/").first)
            XCTAssertTrue(folder.contains(name), movie)
            XCTAssertTrue(
                result.output.contains("are in \(reports.appendingPathComponent(String(folder)).path)\n"),
                result.output)
            try FileManager.default.removeItem(at: reports)
        }
    }

    func testAPassedTestOfSwiftTestingKeepsNothing() throws {
        let result = try TestFixtures.runSwiftTesting(
            "SwiftTestingReportFixtures/passes", environment: environment)
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertEqual(files, [])
    }
}
