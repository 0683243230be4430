import Foundation
import TestSupport
import XCTest

/// Live Photos, bursts and the sizes of `obscura photo`.
final class PhotoSeriesCommandTests: ObscuraTestCase {
    private let quick = ["--size", "640x480", "--after", "300ms"]

    private func photo(_ arguments: String...) throws -> Outcome {
        let outcome = try run(Self.tool, ["photo"] + arguments + quick)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        return outcome
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }

    func testALivePhotoHasAMovieWithTheIdentifierOfThePhoto() throws {
        let report = try photo("p.heic", "--live", "--json").object()
        let movie = try XCTUnwrap(report["movie"] as? [String: Any])
        XCTAssertEqual(movie["file"] as? String, "p.mov")
        // The camera ran for 0.3 s before the photo.
        XCTAssertEqual(try XCTUnwrap(movie["photoTime"] as? Double), 0.3, accuracy: 0.07)
        XCTAssertEqual(try XCTUnwrap(movie["seconds"] as? Double), 1.8, accuracy: 0.07)
        let streams = try FFprobe.lines(["-show_entries", "stream=codec_type,codec_tag_string"], file("p.mov"))
        XCTAssertEqual(streams.map { $0.joined(separator: " ") }, ["video hvc1", "audio sowt", "data mebx"])
        func identifier(_ name: String) throws -> String {
            let output = try ExternalTool.run(
                "exiftool", ["-s3", "-ContentIdentifier", "-MediaGroupUUID", file(name).path])
            return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        XCTAssertNotNil(UUID(uuidString: try identifier("p.mov")))
        XCTAssertEqual(try identifier("p.heic"), try identifier("p.mov"))
    }

    func testASavedLivePhotoIsALivePhotoOfTheLibrary() throws {
        _ = try photo("p.heic", "--live", "--save", "--library", "library")
        let list = try obscura("library", "list", "--live", "--library", "library", "--json")
        XCTAssertEqual(list.status, 0, list.errors)
        XCTAssertTrue(list.text.contains("p.heic"), list.text)
    }

    func testPhotosOfABurstAreNumberedAndHaveTheInterval() throws {
        let report = try photo("p.jpg", "--burst", "3", "--interval", "200ms", "--json").object()
        let photos = try XCTUnwrap(report["photos"] as? [[String: Any]])
        XCTAssertEqual(photos.compactMap { $0["file"] as? String }, ["p-1.jpg", "p-2.jpg", "p-3.jpg"])
        let times = photos.compactMap { $0["time"] as? Double }
        XCTAssertEqual(times[1] - times[0], 0.2, accuracy: 0.034)
        XCTAssertEqual(times[2] - times[1], 0.2, accuracy: 0.034)
        XCTAssertTrue(["p-1.jpg", "p-2.jpg", "p-3.jpg"].allSatisfy(exists))
        _ = try photo("a{number}b.jpg", "--burst", "10")
        XCTAssertTrue(exists("a01b.jpg") && exists("a10b.jpg"))
    }

    func testTheFileContainsAThumbnailIfRequested() throws {
        for (name, option) in [("a.jpg", "--thumbnail"), ("b.jpg", "--json")] {
            _ = try photo(name, option)
            let outcome = try tool("exiftool", "-s3", "-ThumbnailLength", name)
            XCTAssertEqual(outcome.text.isEmpty, option != "--thumbnail", name)
        }
    }

    func testTheQualityChangesTheFile() throws {
        for quality in ["speed", "quality"] { _ = try photo("\(quality).jpg", "--quality", quality) }
        XCTAssertLessThan(
            try Data(contentsOf: file("speed.jpg")).count, try Data(contentsOf: file("quality.jpg")).count)
    }

    func testAWebcamAnswersAsADeviceWithoutTheseFeatures() throws {
        let webcam = ["--profile", "webcam", "--after", "100ms"]
        for (options, text) in [
            (["--live"], "USB Webcam takes no Live Photos"), (["--bracket", "-1,0,1"], "USB Webcam takes no brackets"),
            (["--max-size", "4032x3024"], "USB Webcam takes no photos of 4032x3024"),
        ] {
            let outcome = try run(Self.tool, ["photo", "p.jpg"] + webcam + options)
            XCTAssertEqual(outcome.status, 1, outcome.errors)
            XCTAssertTrue(outcome.errors.contains(text), outcome.errors)
            XCTAssertFalse(exists("p.jpg"))
        }
    }

    func testInvalidCombinationsAreReported() throws {
        try assertFails(64, "photo", "p.jpg", "--interval", "1s", containing: ["--interval requires --burst"])
        try assertFails(64, "photo", "p.jpg", "--burst", "0", containing: ["--burst must be"])
        try assertFails(64, "photo", "p.jpg", "--quality", "best", containing: ["there is no quality"])
        try assertFails(64, "photo", "p.jpg", "--bracket", "1,x", containing: ["list of numbers in EV"])
        try assertFails(64, "photo", "p.jpg", "--live", "--bracket", "0,1", containing: ["exclude each other"])
        try assertFails(
            64, "photo", "p.jpg", "--burst", "2", "--depth", "d.png", containing: ["--depth requires a single photo"])
        try Data().write(to: file("p.mov"))
        try assertFails(1, "photo", "p.jpg", "--live", containing: ["p.mov exists already"])
    }
}
