import Foundation
import StrictYAML
import TestSupport
import XCTest

@testable import CaptureScenarios

/// Tests the variable `phones` of a matrix.
final class PhoneMatrixTests: XCTestCase {
    private let text = """
        scenario: 1
        name: A photo
        matrix:
          phones: without ultra-wide
        devices: {scene: grey}
        session: {preset: 640x480, outputs: [photo]}
        timeline:
          - {at: 0 s, do: start}
          - {at: 0.1 s, do: photo, to: a.jpg}
        end: 0.5 s
        """

    private func load(_ text: String) throws -> [ScenarioFile] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        let file = folder.appendingPathComponent("photo.yaml")
        try Data(text.utf8).write(to: file)
        return try ScenarioFile.load(path: file.path)
    }

    func testEachPhoneIsTheProfileOfAScenario() throws {
        let files = try load(text)
        XCTAssertEqual(files.map(\.name), ["photo[phones=phone-small]", "photo[phones=tablet]"])
        XCTAssertEqual(files.map(\.scenario.devices.profile), ["phone-small", "tablet"])
        XCTAssertEqual(files.map(\.scenario.devices.scene), ["grey", "grey"])
    }

    /// A photo on the phone with a square front sensor and on the foldable one; on all phones if all cases
    /// are tried.
    func testAPhotoIsTakenOnEachPhone() throws {
        let phones = CaseSample.isComplete ? "all" : "[phone-square-front, phone-foldable]"
        let matrix =
            text.replacingOccurrences(of: "without ultra-wide", with: phones) + """

                expect:
                  - events: [photo will begin, photo will capture, photo did finish]
                  - {photo: a.jpg, brightness: [0.2, 0.8], make: Obscura}
                  - {never: photo failed}
                """
        let files = try load(matrix)
        XCTAssertGreaterThanOrEqual(files.count, 2)
        for file in files {
            let result = try file.run()
            XCTAssertTrue(result.isMet, "\(file.name): \(result.verdicts.filter { !$0.isMet })")
        }
    }

    func testTheSelectionsOfAListAreUnited() throws {
        let list = text.replacingOccurrences(
            of: "without ultra-wide", with: "[tablet, nearest focus beyond 15 cm, without depth]")
        XCTAssertEqual(
            try load(list).map(\.scenario.devices.profile),
            ["tablet", "phone", "phone-pro-5x", "phone-variable-aperture", "phone-small"])
    }

    func testTheNameOfThePhoneIsAVariable() throws {
        let camera = text.replacingOccurrences(
            of: "{preset: 640x480", with: "{camera: \"${phones}.front\", preset: 640x480")
        XCTAssertEqual(
            try load(camera).map(\.scenario.session.camera), ["phone-small.front", "tablet.front"])
        // A profile of the scenario has precedence, so the variable is then used for something else or not at all.
        let webcam = text.replacingOccurrences(of: "{scene: grey}", with: "{profile: webcam, scene: grey}")
        XCTAssertThrowsError(try load(webcam)) { error in
            XCTAssertTrue("\(error)".contains("the variable \"phones\" is not used"), "\(error)")
        }
    }

    func testAWrongSelectionIsRefused() {
        for (selection, message) in [
            ("without wings", "\"without wings\" selects no phones"), ("webcam", "\"webcam\" selects no phones"),
            ("without lidar and with triple", "no phone is in"),
        ] {
            let wrong = text.replacingOccurrences(of: "without ultra-wide", with: selection)
            XCTAssertThrowsError(try load(wrong), selection) { error in
                XCTAssertEqual((error as? YAMLError)?.line, 4, selection)
                XCTAssertTrue("\(error)".contains(message), "\(error)")
            }
        }
    }

    func testAStepFollowsASessionThatStartsLater() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        let profile = """
            profile: 1
            basedOn: phone-small
            name: slow
            processing: {starting: 50 ms, opening: 200 ms, output: 60 ms}
            """
        try Data(profile.utf8).write(to: folder.appendingPathComponent("slow.yaml"))
        let slow = text.replacingOccurrences(of: "matrix:\n  phones: without ultra-wide\n", with: "")
            .replacingOccurrences(of: "{scene: grey}", with: "{profile: slow.yaml, scene: grey}")
            .replacingOccurrences(of: "end: 0.5 s", with: "end: 2 s")
        let url = folder.appendingPathComponent("photo.yaml")
        try Data(slow.utf8).write(to: url)
        let result = try XCTUnwrap(ScenarioFile.load(path: url.path).first).run()
        XCTAssertTrue(result.log.contains { $0.hasSuffix(" photo will capture") }, "\(result.log)")
    }

    func testAScenarioPlaysOnEachPhone() throws {
        for file in try load(text) {
            let result = try file.run()
            XCTAssertTrue(result.log.contains { $0.hasSuffix(" photo will capture") }, file.name)
        }
    }
}
