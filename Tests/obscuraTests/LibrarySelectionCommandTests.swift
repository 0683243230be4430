import Foundation
import XCTest

/// The commands of `obscura library` for selected assets: `list`, `export`, `sheet` and `album`.
final class LibrarySelectionCommandTests: ObscuraTestCase {
    /// Imports three photos of 2023 and 2024 and a movie of 2024, and returns their identifiers by their names.
    private func importFiles() throws -> [String: String] {
        for (name, date, camera) in [
            ("a.jpg", "2023:05:17 18:30:00", "Canon"), ("b.jpg", "2024:01:02 03:04:05", "NIKON"),
            ("c.jpg", "2024:02:03 04:05:06", "Canon"),
        ] {
            let encoding = try tool(
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64,hue=h=\(name.utf8.first ?? 0)",
                "-frames:v", "1", "-pix_fmt", "yuvj420p", name)
            XCTAssertEqual(encoding.status, 0, encoding.errors)
            let tagging = try tool(
                "exiftool", "-q", "-overwrite_original", "-DateTimeOriginal=\(date)", "-Make=\(camera)",
                "-GPSLatitude=48.8577", "-GPSLatitudeRef=N", "-GPSLongitude=2.295", "-GPSLongitudeRef=W", name)
            XCTAssertEqual(tagging.status, 0, tagging.errors)
        }
        let movie = try tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.5", "-pix_fmt", "yuv420p",
            "-metadata", "creation_time=2024-02-03T05:00:00Z", "d.mov")
        XCTAssertEqual(movie.status, 0, movie.errors)
        let report = try obscura("library", "import", "a.jpg", "b.jpg", "c.jpg", "d.mov", "--json").object()
        let imported = try XCTUnwrap(report["imported"] as? [[String: String]])
        XCTAssertEqual(imported.count, 4, "\(report)")
        return Dictionary(uniqueKeysWithValues: imported.map { ($0["file"] ?? "", $0["id"] ?? "") })
    }

    private func names(_ arguments: String...) throws -> [String] {
        let outcome = try run(Self.tool, ["library", "list", "--columns", "file"] + arguments)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        return outcome.text.split(separator: "\n").dropFirst().map(String.init)
    }

    func testAssetsAreFilteredAndSorted() throws {
        let ids = try importFiles()
        XCTAssertEqual(try names(), ["a.jpg", "b.jpg", "c.jpg", "d.mov"])
        XCTAssertEqual(try names("--type", "movie"), ["d.mov"])
        XCTAssertEqual(try names("--camera", "canon"), ["a.jpg", "c.jpg"])
        XCTAssertEqual(try names("--name", "B.J"), ["b.jpg"])
        XCTAssertEqual(try names("--since", "2024"), ["b.jpg", "c.jpg", "d.mov"])
        XCTAssertEqual(try names("--until", "2024-01"), ["a.jpg", "b.jpg"])
        XCTAssertEqual(try names("--since", "2024-01-02", "--until", "2024-01-02"), ["b.jpg"])
        XCTAssertEqual(try names("--since", "2024-02-03T04:05:06Z", "--until", "2024-02-03T04:05:06Z"), ["c.jpg"])
        XCTAssertEqual(try names("--where", "pixelWidth == 64 OR creationDate == nil"), ["d.mov"])
        XCTAssertEqual(try names("--sort", "name", "--reverse", "--limit", "2"), ["d.mov", "c.jpg"])
        XCTAssertEqual(try names("--sort", "camera"), ["d.mov", "a.jpg", "c.jpg", "b.jpg"])
        XCTAssertEqual(try names("--favorite"), [])
        XCTAssertEqual(
            try obscura("library", "list", "--limit", "1", "--columns", "id,created,make,albums").text,
            "id\tcreated\tmake\talbums\n\(ids["a.jpg"] ?? "")\t2023-05-17T18:30:00Z\tCanon\t\n")
        try assertFails(64, "library", "list", "--columns", "id,color", containing: ["no column \"color\"", "created"])
        try assertFails(64, "library", "list", "--where", "color == 1", containing: ["'color == 1'", "pixelWidth"])
        try assertFails(64, "library", "list", "--where", "pixelWidth ==", containing: ["pixelWidth ==", "ends"])
        try assertFails(64, "library", "list", "--since", "2024-13", containing: ["2024-13"])
        try assertFails(1, "library", "list", "--album", "None", containing: ["no album 'None'"])
        XCTAssertTrue(try obscura("library", "list", "--favorite").text.contains("no asset of the library"))
    }

    func testJSONContainsAllProperties() throws {
        let ids = try importFiles()
        XCTAssertEqual(try obscura("library", "album", "create", "Trip", ids["a.jpg"] ?? "").status, 0)
        let listing = try obscura("library", "list", "--json", "--limit", "1").object()
        let asset = try XCTUnwrap((listing["assets"] as? [[String: Any]])?.first)
        XCTAssertEqual(asset["albums"] as? [String], ["Trip"])
        XCTAssertEqual(asset["favorite"] as? Bool, false)
        XCTAssertEqual(try XCTUnwrap(asset["longitude"] as? Double), -2.295, accuracy: 1e-4)
        let file = try XCTUnwrap((asset["files"] as? [[String: Any]])?.first)
        let checksum = try XCTUnwrap(try tool("sha256sum", "a.jpg").text.split(separator: " ").first)
        XCTAssertEqual(file["sha256"] as? String, String(checksum))
        XCTAssertEqual(file["type"] as? String, "photo")
    }

    private func contents(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: file(folder).path)
            .filter { $0.contains(".") }.sorted()
    }

    func testSelectedAssetsAreExportedWithTheirDatesAndOnlyOnce() throws {
        let ids = try importFiles()
        XCTAssertEqual(
            try obscura("library", "album", "create", "A/B", ids["a.jpg"] ?? "", ids["b.jpg"] ?? "").status, 0)
        XCTAssertEqual(try obscura("library", "album", "create", "C", ids["b.jpg"] ?? "").status, 0)
        for folder in ["out", "albums"] {
            try FileManager.default.createDirectory(at: file(folder), withIntermediateDirectories: false)
        }
        let first = try obscura("library", "export", "--to", "out", "--folders", "{year}/{month}", "--xmp")
        XCTAssertEqual(first.status, 0, first.errors)
        XCTAssertTrue(first.text.hasSuffix("out: 8 written, 0 there already, 0 failed\n"), first.text)
        XCTAssertEqual(
            try contents("out"),
            ["2023/05/a.jpg", "2023/05/a.jpg.xmp", "2024/01/b.jpg", "2024/01/b.jpg.xmp", "2024/02/c.jpg"]
                + ["2024/02/c.jpg.xmp", "2024/02/d.mov", "2024/02/d.mov.xmp"])
        XCTAssertEqual(try Data(contentsOf: file("out/2023/05/a.jpg")), try Data(contentsOf: file("a.jpg")))
        let attributes = try FileManager.default.attributesOfItem(atPath: file("out/2024/01/b.jpg").path)
        XCTAssertEqual((attributes[.modificationDate] as? Date)?.timeIntervalSince1970, 1_704_164_645)
        let xmp = try tool(
            "exiftool", "-s3", "-n", "-DateCreated", "-GPSLongitude", "-Make", "-Subject", "out/2024/01/b.jpg.xmp")
        XCTAssertEqual(
            xmp.text.split(separator: "\n").map(String.init),
            ["2024:01:02 03:04:05Z", "-2.295", "NIKON", "A/B, C"], xmp.errors)

        // Only what is new is written; another file with the same name is kept.
        try Data("other".utf8).write(to: file("out/2023/05/a.jpg"))
        try FileManager.default.removeItem(at: file("out/2024/02/c.jpg"))
        let second = try obscura("library", "export", "--to", "out", "--folders", "{year}/{month}", "--json").object()
        XCTAssertEqual(
            (second["exported"] as? [[String: String]])?.compactMap { $0["file"] },
            ["out/2023/05/a (2).jpg", "out/2024/02/c.jpg"])
        XCTAssertEqual((second["unchanged"] as? [Any])?.count, 2)
        XCTAssertEqual(try String(contentsOf: file("out/2023/05/a.jpg"), encoding: .utf8), "other")

        let albums = try obscura("library", "export", "--to", "albums", "--folders", "{album}", "--type", "picture")
        XCTAssertEqual(albums.status, 0, albums.errors)
        XCTAssertEqual(try contents("albums"), ["A_B/a.jpg", "A_B/b.jpg", "C/b.jpg", "no album/c.jpg"])
        try assertFails(
            64, "library", "export", "--to", "out", "--folders", "{color}", containing: ["{color}", "{year}"])
        try assertFails(64, "library", "export", "--to", "out", "--folders", "../{year}", containing: ["relative"])
        try assertFails(1, "library", "export", "--to", "nowhere", containing: ["nowhere"])
        try assertFails(64, "library", "export", "a", "b.jpg", "--xmp", containing: ["need --to"])
        try assertFails(1, "library", "export", "--to", "out", "nothing", containing: ["no asset nothing"])
    }

    func testADamagedOriginalDoesNotStopTheExportOfOthers() throws {
        let ids = try importFiles()
        let id = try XCTUnwrap(ids["b.jpg"])
        let shown = try obscura("library", "show", id, "--json").object()
        let path = try XCTUnwrap((shown["files"] as? [[String: Any]])?.first?["path"] as? String)
        try FileManager.default.createDirectory(at: file("out"), withIntermediateDirectories: false)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for isExported in [false, true] {
            try Data(whole.dropLast()).write(to: URL(fileURLWithPath: path))
            let outcome = try obscura("library", "export", "--to", "out")
            XCTAssertEqual(outcome.status, 1)
            XCTAssertTrue(outcome.errors.contains(id), outcome.errors)
            XCTAssertTrue(outcome.errors.contains(URL(fileURLWithPath: path).lastPathComponent), outcome.errors)
            XCTAssertEqual(try contents("out"), ["a.jpg"] + (isExported ? ["b.jpg"] : []) + ["c.jpg", "d.mov"])
            try whole.write(to: URL(fileURLWithPath: path))
            XCTAssertEqual(try obscura("library", "export", "--to", "out").status, 0)
        }
    }

    func testAContactSheetShowsTheSelectedAssets() throws {
        let ids = try importFiles()
        let outcome = try obscura(
            "library", "sheet", "sheet.png", "--per-row", "3", "--width", "64", "--json"
        ).object()
        XCTAssertEqual(outcome["assets"] as? Int, 4)
        let size = try tool(
            "ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", "sheet.png")
        XCTAssertEqual(size.text, "\(outcome["width"] ?? 0),\(outcome["height"] ?? 0)\n")
        try assertFails(1, "library", "sheet", "sheet.png", containing: ["exists already"])
        try assertFails(64, "library", "sheet", "sheet.jpg", containing: [".png"])
        try assertFails(1, "library", "sheet", "none.png", "--favorite", containing: ["no assets"])

        let id = try XCTUnwrap(ids["a.jpg"])
        let shown = try obscura("library", "show", id, "--json").object()
        let path = try XCTUnwrap((shown["files"] as? [[String: Any]])?.first?["path"] as? String)
        let library = try XCTUnwrap(path.range(of: "/originals/").map { path[..<$0.lowerBound] })
        for file in [path, "\(library)/thumbnails/\(id.prefix { $0 != "/" }).jpg"] {
            try Data("damaged".utf8).write(to: URL(fileURLWithPath: file))
        }
        let damaged = try obscura("library", "sheet", "damaged.png")
        XCTAssertEqual(damaged.status, 1)
        XCTAssertTrue(damaged.errors.contains(id), damaged.errors)
        XCTAssertTrue(FileManager.default.fileExists(atPath: file("damaged.png").path))
    }

    func testAlbumsAreCreatedChangedAndDeleted() throws {
        let ids = try importFiles()
        let (a, b) = (try XCTUnwrap(ids["a.jpg"]), try XCTUnwrap(ids["b.jpg"]))
        let album = try XCTUnwrap(
            try obscura("library", "album", "create", "Trip", a, "--json").object()["id"] as? String)
        try assertFails(1, "library", "album", "create", "Trip", containing: ["an album 'Trip' already"])
        XCTAssertEqual(
            try obscura("library", "album", "add", "Trip", b).text, "\(album): added to 'Trip', 2 assets\n")
        XCTAssertEqual(try names("--album", "Trip", "--reverse"), ["b.jpg", "a.jpg"])
        try assertFails(
            1, "library", "list", "--album", "trp", containing: ["no album 'trp'", "did you mean \"Trip\"?"])
        try assertFails(1, "library", "album", "add", "Tripp", b, containing: ["did you mean \"Trip\"?"])
        XCTAssertEqual(
            try obscura("library", "album", "remove", album, a).text, "\(album): removed from 'Trip', 1 asset\n")
        try assertFails(1, "library", "album", "remove", "Trip", a, containing: ["does not contain \(a)"])
        XCTAssertEqual(
            try obscura("library", "album", "rename", "Trip", "Paris").text, "\(album): renamed to 'Paris', 1 asset\n")
        XCTAssertEqual(try obscura("library", "album", "list").text, "\(album)  Paris, 1 asset\n")
        XCTAssertTrue(try obscura("library", "album", "list", "--smart").text.contains("Videos, 1 asset\n"))
        XCTAssertEqual(try obscura("library", "album", "delete", "Paris").status, 0)
        try assertFails(1, "library", "album", "delete", "Paris", containing: ["no album 'Paris'"])
        XCTAssertEqual(try obscura("library", "album", "list").text, "there are no albums\n")
        XCTAssertEqual(try names().count, 4)
    }
}
