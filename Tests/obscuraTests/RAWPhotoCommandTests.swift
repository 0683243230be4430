import Foundation
import TestSupport
import XCTest

/// The RAW photos of `obscura photo`.
final class RAWPhotoCommandTests: ObscuraTestCase {
    private let quick = ["--size", "640x480", "--after", "100ms"]

    private func photo(_ arguments: String...) throws -> Outcome {
        let outcome = try run(Self.tool, ["photo"] + arguments + quick)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        return outcome
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }

    /// Returns tags of a file, as exiftool prints them with names.
    private func tags(_ name: String, _ tags: String...) throws -> [String] {
        let outcome = try run(
            URL(fileURLWithPath: "/usr/bin/env"), ["exiftool", "-s3", "-f"] + tags.map { "-" + $0 } + [name])
        return outcome.text.split(separator: "\n").map(String.init)
    }

    func testADNGFileIsTheWholePhoto() throws {
        let report = try photo("p.dng", "--json").object()
        XCTAssertEqual(report["file"] as? String, "p.dng")
        XCTAssertEqual(report["width"] as? Int, 640)
        XCTAssertEqual(report["height"] as? Int, 480)
        XCTAssertEqual(report["bytes"] as? Int, try Data(contentsOf: file("p.dng")).count)
        XCTAssertNil(report["raw"])
        XCTAssertEqual(
            try tags("p.dng", "FileType", "PhotometricInterpretation", "SamplesPerPixel"),
            ["DNG", "Color Filter Array", "1"])
        XCTAssertEqual(try photo("q.dng", "--format", "proraw").text.prefix(14), "q.dng: 640x480")
        XCTAssertEqual(try tags("q.dng", "PhotometricInterpretation", "SamplesPerPixel"), ["Linear Raw", "3"])
    }

    func testARAWPhotoAndAProcessedOneHaveOneNameAndOneExposure() throws {
        let report = try photo("p.heic", "--format", "dng+heif", "--json").object()
        XCTAssertEqual(report["file"] as? String, "p.heic")
        let raw = try XCTUnwrap(report["raw"] as? [String: Any])
        XCTAssertEqual(raw["file"] as? String, "p.dng")
        XCTAssertEqual(raw["width"] as? Int, 640)
        XCTAssertEqual(raw["bytes"] as? Int, try Data(contentsOf: file("p.dng")).count)
        let names = ["ExposureTime", "ISO", "DateTimeOriginal", "SubSecTimeOriginal"]
        let settings = try names.map { try tags("p.heic", $0) }
        XCTAssertEqual(settings, try names.map { try tags("p.dng", $0) })
        XCTAssertEqual(try tags("p.heic", "FileType"), ["HEIC"])
        // Either name can be given.
        let text = try photo("q.dng", "--format", "dng+jpeg").text
        XCTAssertTrue(text.contains("q.jpg: 640x480"), text)
        XCTAssertTrue(text.contains("q.dng: 640x480"), text)
        XCTAssertEqual(try tags("q.jpg", "FileType"), ["JPEG"])
    }

    func testEachExposureOfABracketHasBothFiles() throws {
        let report = try photo("p.jpg", "--format", "dng+jpeg", "--bracket", "-2,0", "--json").object()
        let photos = try XCTUnwrap(report["photos"] as? [[String: Any]])
        XCTAssertEqual(photos.compactMap { $0["file"] as? String }, ["p-1.jpg", "p-2.jpg"])
        XCTAssertEqual(photos.compactMap { ($0["raw"] as? [String: Any])?["file"] as? String }, ["p-1.dng", "p-2.dng"])
        for number in 1...2 {
            XCTAssertEqual(try tags("p-\(number).jpg", "ExposureTime"), try tags("p-\(number).dng", "ExposureTime"))
        }
        XCTAssertNotEqual(
            try tags("p-1.dng", "ExposureTime", "ISO"), try tags("p-2.dng", "ExposureTime", "ISO"))
    }

    func testASavedPhotoIsOneAssetWithARAWPhoto() throws {
        _ = try photo("p.heic", "--format", "dng+heif", "--save", "--library", "library")
        let list = try obscura("library", "list", "--raw", "--library", "library", "--json")
        XCTAssertEqual(list.status, 0, list.errors)
        let assets = try XCTUnwrap(list.object()["assets"] as? [[String: Any]])
        XCTAssertEqual(assets.count, 1)
        try FileManager.default.createDirectory(at: file("out"), withIntermediateDirectories: false)
        let export = try obscura("library", "export", "--to", "out", "--library", "library")
        XCTAssertEqual(export.status, 0, export.errors)
        XCTAssertTrue(exists("out/p.heic") && exists("out/p.dng"), export.text)
    }

    func testACameraWithoutRAWSaysWhatItHas() throws {
        let webcam = try run(Self.tool, ["photo", "p.dng", "--profile", "webcam", "--after", "100ms"])
        XCTAssertEqual(webcam.status, 1, webcam.errors)
        XCTAssertTrue(
            webcam.errors.contains("USB Webcam takes no RAW photos, only JPEG: name a file that ends in .jpg"),
            webcam.errors)
        let virtual = try run(
            Self.tool, ["photo", "p.dng", "--format", "proraw", "--device", "phone.back-dual", "--after", "100ms"])
        XCTAssertEqual(virtual.status, 1, virtual.errors)
        XCTAssertTrue(virtual.errors.contains("takes no Apple ProRAW photos, only HEIF and JPEG"), virtual.errors)
        XCTAssertTrue(virtual.errors.contains("select one of its cameras: phone.back-wide"), virtual.errors)
        XCTAssertFalse(exists("p.dng"))
    }

    func testForbiddenCombinationsAreReportedBeforeTheCameraStarts() throws {
        try assertFails(
            64, "photo", "p.dng", "--quality", "balanced", containing: ["--quality balanced is not possible"])
        try assertFails(
            64, "photo", "p.heic", "--format", "dng+heif", "--quality", "quality",
            containing: ["--quality quality is not possible"])
        try assertFails(64, "photo", "p.dng", "--zoom", "2", containing: ["--zoom is not possible"])
        try assertFails(64, "photo", "p.dng", "--live", containing: ["--live requires a processed photo"])
        try assertFails(
            64, "photo", "p.heic", "--format", "proraw+heif", "--live", containing: ["exclude each other"])
        try assertFails(
            64, "photo", "p.dng", "--depth", "d.png",
            containing: ["--depth requires a processed photo: use --format dng+heif or dng+jpeg"])
        try assertFails(
            64, "photo", "p.jpg", "--format", "dng+heif", containing: ["p.jpg must end in .heic, .heif or .dng"])
        try assertFails(64, "photo", "p.jpg", "--format", "raw", containing: ["there is no format \"raw\""])
        try Data().write(to: file("p.dng"))
        try assertFails(1, "photo", "p.heic", "--format", "dng+heif", containing: ["p.dng exists already"])
    }
}
