import Foundation
import StrictYAML
import XCTest

@testable import CaptureScenarios

/// Tests the photo library of scenarios: its initial contents, and expectations of its contents.
final class ScenarioLibraryContentsTests: XCTestCase {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        addTeardownBlock { try FileManager.default.removeItem(at: folder) }
        return folder
    }

    private func text(
        library: String = "{assets: [{photo: 64x48, albums: [A]}, {movie: 64x48, duration: 0.5 s, hidden: true}]}",
        authorization: String = "{photo-library: authorized}",
        steps: [String] = [], expect: [String] = ["library: assets, is: 2"]
    ) -> String {
        var lines = [
            "scenario: 1", "name: Library",
            "devices: {profile: phone, scene: grey, authorization: \(authorization), library: \(library)}",
            "session: {preset: 352x288, microphone: false, outputs: [photo]}", "timeline:",
            "  - {at: 0 s, do: start}", "  - {at: 0 s, do: photo, to: a.jpg}",
        ]
        lines += steps.map { "  - {\($0)}" }
        lines += ["end: 1 s", "expect:"]
        lines += expect.map { "  - {\($0)}" }
        return lines.joined(separator: "\n")
    }

    @discardableResult
    private func run(_ text: String, keep: (URL) throws -> Void = { _ in }) throws -> ScenarioResult {
        let url = try folder().appendingPathComponent("s.yaml")
        try Data(text.utf8).write(to: url)
        return try ScenarioFile(path: url.path).run(keep: keep)
    }

    func testTheContentsAreReadAndWritten() throws {
        let library =
            "{assets: [{photo: 64x48, count: 3, albums: [A, B], favorite: true}, {file: a.jpg, selected: true}, "
            + "{movie: 64x48, duration: 0.5 s, hidden: true}], albums: [C]}"
        let scenario = try Scenario(yaml: text(library: library), file: "t.yaml")
        XCTAssertEqual(scenario.devices.library?.assets.count, 3)
        XCTAssertEqual(scenario.devices.library?.allAlbums, ["C", "A", "B"])
        XCTAssertEqual(try Scenario(yaml: scenario.yaml, file: "t.yaml").devices, scenario.devices)
    }

    func testTheLibraryIsClosedBeforeItsFilesAreKept() throws {
        var names: [String] = []
        try run(text()) { files in
            names = try FileManager.default.contentsOfDirectory(atPath: files.appendingPathComponent("library").path)
        }
        XCTAssertEqual(
            names.filter { $0.hasPrefix("index") }, ["index.sqlite"], "the library is not closed")
    }

    func testTheVerdictsOfUnmetExpectationsDescribeTheLibrary() throws {
        let result = try run(
            text(
                steps: ["at: 0.5 s, do: create-asset, file: a.jpg, album: A"],
                expect: [
                    "library: photos, is: 1", "library: photos, is: 2, album: B",
                    "library: movies, is: 1, duration: 2 s",
                    "library: assets, is: 0, added: true", "library: albums, is: 2", "library: photos, is: 2, album: A",
                    "library: movies, is: 1, hidden: true, duration: 0.5 s",
                ]))
        XCTAssertEqual(
            result.verdicts.map(\.seen),
            [
                "2 photos", "0 photos of 2", "0 movies of 1, with durations of 0.5 s", "1 assets of 3", "1 albums: A",
                "2 photos", "1 movies",
            ])
        XCTAssertEqual(result.verdicts.map(\.isMet), [false, false, false, false, false, true, true])
        XCTAssertEqual(
            result.log.suffix(3).map { $0.split(separator: " ").dropFirst().joined(separator: " ") },
            ["asset photo 64x48 in A", "asset movie 64x48 0.5 s", "asset photo 288x352 in A added"])
    }

    func testAFileNextToTheScenarioCanBeAnAsset() throws {
        let folder = try folder()
        let first = folder.appendingPathComponent("s.yaml")
        try Data(text().utf8).write(to: first)
        _ = try ScenarioFile(path: first.path).run { files in
            try FileManager.default.copyItem(
                at: files.appendingPathComponent("a.jpg"), to: folder.appendingPathComponent("dog.jpg"))
        }
        try Data(text(library: "{assets: [{file: dog.jpg}]}", expect: ["library: photos, is: 1, size: 288x352"]).utf8)
            .write(to: first)
        XCTAssertEqual(try ScenarioFile(path: first.path).run().verdicts.map(\.isMet), [true])
        try Data(text(library: "{assets: [{file: cat.jpg}]}").utf8).write(to: first)
        XCTAssertThrowsError(try ScenarioFile(path: first.path).run()) {
            XCTAssertTrue("\($0)".contains("cat.jpg"), "\($0)")
        }
    }

    func testTheScenariosOfAFolderIncludeFilesWithAMisspelledKey() throws {
        let folder = try folder()
        for (name, line) in [
            ("a.yaml", "scenario: 1"), ("b.yaml", "senario: 1"), ("profile.yaml", "profile: 1"), ("s.yaml", "scene: 1"),
            ("c.json", "{\"scenario\": 1}"), ("d.json", "{\"name\": \"x\", \"scenaro\": 1}"),
        ] {
            try Data("\(line)\n".utf8).write(to: folder.appendingPathComponent(name))
        }
        XCTAssertEqual(
            try ScenarioFile.paths(in: folder.path).map { ($0 as NSString).lastPathComponent },
            ["a.yaml", "b.yaml", "c.json", "d.json"])
    }

    func testMistakesAreReportedWithLineAndSuggestion() throws {
        let cases: [(String, Int, String)] = [
            (text(library: "{asets: []}"), 3, "did you mean \"assets\"?"),
            (text(library: "{assets: [{phto: 64x48}]}"), 3, "did you mean \"photo\"?"),
            (text(library: "{assets: [{count: 3}]}"), 3, "add \"photo: 640x480\""),
            (text(library: "{assets: [{photo: 64x48, movie: 64x48}]}"), 3, "write two assets"),
            (text(library: "{assets: [{photo: 64x48, duration: 1 s}]}"), 3, "only a movie"),
            (text(library: "{assets: [{photo: 1x1}]}"), 3, "is not a valid size"),
            (text(authorization: "{video: limited}"), 3, "only \"photo-library\" has limited"),
            (text(authorization: "{photo-library: limted}"), 3, "did you mean \"limited\"?"),
            (text(steps: ["at: 0 s, do: authorize, resource: audio, state: limited"]), 8, "limited authorization"),
            (text(steps: ["at: 0 s, do: answer, resource: video, answer: limited"]), 8, "limited authorization"),
            (text(steps: ["at: 0 s, do: create-asset, file: b.jpg"]), 8, "did you mean \"a.jpg\"?"),
            (text(expect: ["library: moves, is: 1"]), 10, "did you mean \"movies\"?"),
            (text(expect: ["library: photos"]), 10, "is"),
            (text(expect: ["library: photos, is: 1, duration: 1 s"]), 10, "only movies"),
            (text(expect: ["library: albums, is: 1, added: true"]), 10, "has no \"added\""),
            (text(expect: ["never: asset created b.jpg"]), 10, "did you mean \"asset created a.jpg\"?"),
        ]
        for (yaml, line, text) in cases {
            XCTAssertThrowsError(try Scenario(yaml: yaml, file: "t.yaml"), text) { error in
                guard let error = error as? YAMLError else { return XCTFail("\(error)") }
                XCTAssertEqual(error.line, line, error.description)
                XCTAssertTrue(error.description.contains(text), "\(text): \(error)")
            }
        }
    }
}
