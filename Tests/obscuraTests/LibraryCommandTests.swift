import Foundation
import TestSupport
import XCTest

/// `obscura library` and `--save`.
final class LibraryCommandTests: ObscuraTestCase {
    private func list() throws -> [[String: Any]] {
        try XCTUnwrap(try obscura("library", "list", "--json").object()["assets"] as? [[String: Any]])
    }

    func testSavedFilesAreListedAndExportedUnchangedByAnotherProcess() throws {
        let movie = try obscura("record", "m.mov", "--duration", "300ms", "--size", "640x480", "--save", "--json")
            .object()
        let photo = try obscura("photo", "p.jpg", "--size", "640x480", "--after", "100ms", "--save", "--json").object()
        let assets = try list()
        XCTAssertEqual(assets.count, 2)
        for (report, name, type) in [(movie, "m.mov", "movie"), (photo, "p.jpg", "picture")] {
            // The identifier of the saved asset.
            let id = try XCTUnwrap(report["library"] as? String)
            let asset = try XCTUnwrap(assets.first { $0["id"] as? String == id }, "\(assets)")
            XCTAssertEqual(asset["file"] as? String, name)
            XCTAssertEqual(asset["type"] as? String, type)
            XCTAssertEqual(asset["width"] as? Int, 640)
            XCTAssertEqual(asset["height"] as? Int, 480)
            let outcome = try obscura("library", "export", id, "copy-\(name)")
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            XCTAssertEqual(try Data(contentsOf: file("copy-\(name)")), try Data(contentsOf: file(name)))
            // The recorded file is not overwritten.
            try assertFails(1, "library", "export", id, name, containing: ["\(name) exists already"])
        }
        let length = assets.compactMap { $0["duration"] as? Double }.max()
        XCTAssertEqual(try XCTUnwrap(length), 0.3, accuracy: 0.001)
    }

    func testFilesAreImportedUnderTheirNames() throws {
        XCTAssertEqual(try obscura("photo", "p.jpg", "--size", "640x480", "--after", "100ms").status, 0)
        let report = try obscura(
            "library", "import", "p.jpg", Self.media("handheld-3s.mp4").path, "--json"
        ).object()
        XCTAssertEqual((report["imported"] as? [Any])?.count, 2)
        XCTAssertEqual(Set(try list().compactMap { $0["file"] as? String }), ["p.jpg", "handheld-3s.mp4"])
    }

    func testAllMetadataAreShownAndNoOthers() throws {
        XCTAssertEqual(try obscura("photo", "p.jpg", "--size", "640x480", "--after", "100ms").status, 0)
        let tagged = try tool(
            "exiftool", "-q", "-overwrite_original", "-all=", "-DateTimeOriginal=2024:05:17 18:30:00",
            "-XMP-dc:Subject=lake", "-XMP-dc:Subject=boat", "-IPTC:City=Bern", "p.jpg")
        XCTAssertEqual(tagged.status, 0, tagged.errors)
        XCTAssertEqual(try obscura("library", "import", "p.jpg").status, 0)
        let id = try XCTUnwrap(try list().first?["id"] as? String)
        let files = try XCTUnwrap(
            try obscura("library", "show", id, "--json").object()["files"] as? [[String: Any]])
        let metadata = try XCTUnwrap(files.first?["metadata"] as? [String: String])
        XCTAssertEqual(metadata["{Exif}.DateTimeOriginal"], "2024:05:17 18:30:00")
        XCTAssertEqual(metadata["dc:subject"], "lake, boat")
        XCTAssertEqual(metadata["{IPTC}.City"], "Bern")
        XCTAssertNil(metadata["{Exif}.DateTimeDigitized"], "\(metadata)")
    }

    func testDatesOfFilesSurviveTheLossOfTheIndex() throws {
        let date = Date(timeIntervalSince1970: 1_580_702_706)
        let screenshot = try tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64", "-frames:v", "1", "p.png")
        XCTAssertEqual(screenshot.status, 0, screenshot.errors)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file("p.png").path)
        XCTAssertEqual(try obscura("library", "import", "p.png", "--library", "album").status, 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: file("album").path)
        where name.hasPrefix("index") {
            try FileManager.default.removeItem(at: file("album").appendingPathComponent(name))
        }
        XCTAssertEqual(try obscura("library", "import", "--unlisted", "--library", "album").status, 0)
        let listing = try obscura("library", "list", "--library", "album", "--columns", "created")
        XCTAssertEqual(listing.text, "created\n2020-02-03T04:05:06Z\n")
    }

    func testAnOlderIndexLosesNoOriginalAndUnlistedFilesAreImportedAgain() throws {
        for (name, delay) in [("a.jpg", "100ms"), ("b.jpg", "200ms"), ("c.jpg", "300ms")] {
            XCTAssertEqual(try obscura("photo", name, "--size", "640x480", "--after", delay).status, 0)
        }
        let library = "album"
        XCTAssertEqual(try obscura("library", "import", "a.jpg", "--library", library).status, 0)
        // A plain copy of the index is whole after the command.
        try FileManager.default.copyItem(at: file("album/index.sqlite"), to: file("backup.sqlite"))
        XCTAssertEqual(try obscura("library", "import", "b.jpg", "c.jpg", "--library", library).status, 0)
        try FileManager.default.removeItem(at: file("album/index.sqlite"))
        try FileManager.default.copyItem(at: file("backup.sqlite"), to: file("album/index.sqlite"))

        let listing = try obscura("library", "list", "--library", library)
        XCTAssertEqual(listing.text.split(separator: "\n").count, 1)
        XCTAssertTrue(listing.errors.contains("the index does not list 2 files"), listing.errors)
        let verified = try obscura("library", "verify", "--library", library)
        XCTAssertEqual(verified.status, 1)
        XCTAssertTrue(verified.text.contains("1 asset: 2 unlisted files, which"), verified.text)
        let imported = try obscura("library", "import", "--unlisted", "--library", library)
        XCTAssertEqual(imported.status, 0, imported.errors)
        XCTAssertEqual(imported.text.split(separator: "\n").count, 2)
        XCTAssertEqual(
            try obscura("library", "verify", "--library", library).text, "3 assets: all files are intact\n")

        try FileManager.default.removeItem(at: file("album/index.sqlite"))
        try assertFails(
            1, "library", "list", "--library", library,
            containing: ["the index album/index.sqlite is missing", "library import --unlisted"])
        XCTAssertEqual(try obscura("library", "import", "--unlisted", "--library", library).status, 0)
        XCTAssertEqual(try obscura("library", "list", "--library", library).text.split(separator: "\n").count, 3)
        try assertFails(64, "library", "import", containing: ["name the files to import, or --unlisted"])
        try assertFails(64, "library", "import", "a.jpg", "--unlisted", containing: ["--unlisted takes no files"])
    }

    /// A photo and a movie with other names are a Live Photo if their content identifiers are equal; others are not.
    func testLivePhotosAreImportedByTheirContentIdentifiers() throws {
        let identifier = "5F1D8A0C-6E5B-4E7C-9B42-0A3B1D3A77C1"
        XCTAssertEqual(try obscura("photo", "plain.jpg", "--size", "640x480", "--after", "100ms").status, 0)
        let photo = try Data(contentsOf: file("plain.jpg"))
        let note = AppleMakerNoteData.make([(0x11, identifier)])
        try FileManager.default.createDirectory(at: file("camera"), withIntermediateDirectories: true)
        try AppleMakerNoteData.jpeg(photo, note).write(to: file("camera/IMG_0001.JPG"))
        try photo.write(to: file("camera/clip.JPG"))
        for (name, value) in [("camera/clip.MOV", identifier), ("camera/IMG_0001.MOV", "another")] {
            _ = try tool(
                "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1",
                "-pix_fmt", "yuv420p", "-c:v", "libx264", "-movflags", "use_metadata_tags", "-metadata",
                "com.apple.quicktime.content.identifier=\(value)", name)
        }
        let imported = try obscura("library", "import", "camera", "--json").object()
        let assets = try XCTUnwrap(imported["imported"] as? [[String: String]])
        XCTAssertEqual(
            assets.map { [$0["file"], $0["movie"]] },
            [
                ["camera/IMG_0001.JPG", "camera/clip.MOV"], ["camera/clip.JPG", nil], ["camera/IMG_0001.MOV", nil],
            ])
        let live = try XCTUnwrap(assets.first?["id"])
        let shown = try obscura("library", "show", live, "--json").object()
        XCTAssertEqual(shown["subtypes"] as? [String], ["live"])
        let files = try XCTUnwrap(shown["files"] as? [[String: Any]])
        XCTAssertEqual(files.map { $0["name"] as? String }, ["IMG_0001.JPG", "clip.MOV"])
        let metadata = try XCTUnwrap(files[1]["metadata"] as? [String: String])
        XCTAssertTrue(metadata.values.contains(identifier), "\(metadata)")
        XCTAssertTrue(try obscura("library", "show", live).text.contains("content.identifier: \(identifier)"))
        XCTAssertEqual(try obscura("library", "verify").status, 0)
        let again = try obscura("library", "import", "camera", "--json").object()
        XCTAssertEqual((again["duplicates"] as? [[String: String]])?.count, 3)
    }

    func testADamagedOriginalIsReportedByShowExportAndVerify() throws {
        XCTAssertEqual(try obscura("photo", "a.jpg", "--size", "640x480", "--after", "100ms").status, 0)
        let imported = try obscura("library", "import", "a.jpg", "--json").object()
        let id = try XCTUnwrap((imported["imported"] as? [[String: String]])?.first?["id"])
        let shown = try obscura("library", "show", id, "--json").object()
        let original = try XCTUnwrap((shown["files"] as? [[String: Any]])?.first)
        let checksum = try XCTUnwrap(try tool("sha256sum", "a.jpg").text.split(separator: " ").first)
        XCTAssertEqual(original["sha256"] as? String, String(checksum))
        XCTAssertEqual(original["name"] as? String, "a.jpg")
        XCTAssertTrue(try obscura("library", "show", id).text.contains("sha256: \(checksum)"))

        let path = try XCTUnwrap(original["path"] as? String)
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        data[data.count / 2] ^= 1
        try data.write(to: URL(fileURLWithPath: path))
        for arguments in [["show", id], ["verify"]] {
            let outcome = try run(Self.tool, ["library"] + arguments)
            XCTAssertEqual(outcome.status, 1, arguments[0])
            XCTAssertTrue(outcome.text.contains(path), outcome.text)
        }
        let fileName = URL(fileURLWithPath: path).lastPathComponent
        try assertFails(1, "library", "export", id, "copy.jpg", containing: [fileName, "checksum"])
        XCTAssertFalse(FileManager.default.fileExists(atPath: file("copy.jpg").path))

        let library = try XCTUnwrap(path.range(of: "/originals/").map { path[..<$0.lowerBound] })
        let stem = id.prefix { $0 != "/" }
        try FileManager.default.removeItem(atPath: "\(library)/thumbnails/\(stem).jpg")
        try Data(contentsOf: file("a.jpg")).write(to: URL(fileURLWithPath: path))
        let verified = try obscura("library", "verify")
        XCTAssertEqual(verified.status, 1)
        XCTAssertTrue(verified.text.contains("--repair creates the thumbnail again"), verified.text)
        let repaired = try obscura("library", "verify", "--repair")
        XCTAssertEqual(repaired.status, 0, repaired.errors)
        XCTAssertEqual(
            repaired.text, "\(id): created the thumbnail again\n1 asset: all files are intact\n")

    }

    func testADeletedAssetIsRestoredOrRemovedPermanently() throws {
        XCTAssertEqual(try obscura("photo", "a.jpg", "--size", "640x480", "--after", "100ms").status, 0)
        let imported = try obscura("library", "import", "a.jpg", "--json").object()
        let id = try XCTUnwrap((imported["imported"] as? [[String: String]])?.first?["id"])
        try assertFails(1, "library", "restore", id, containing: ["\(id) is not in Recently Deleted"])
        XCTAssertEqual(try obscura("library", "delete", id).text, "\(id): deleted\n")
        XCTAssertEqual(try list().count, 0)
        try assertFails(1, "library", "delete", id, containing: ["there is no asset \(id)"])
        XCTAssertTrue(try obscura("library", "list", "--deleted").text.contains("\(id)  picture a.jpg"))
        XCTAssertNotNil(try obscura("library", "show", id, "--json").object()["deleted"])
        XCTAssertEqual(try obscura("library", "verify").text, "1 asset: all files are intact\n")
        XCTAssertEqual(try obscura("library", "restore", id).text, "\(id): restored\n")
        XCTAssertEqual(try list().map { $0["id"] as? String }, [id])
        let path = try XCTUnwrap((try list().first?["files"] as? [[String: Any]])?.first?["path"] as? String)
        XCTAssertTrue(FileManager.default.fileExists(atPath: path))
        XCTAssertEqual(try obscura("library", "delete", id).status, 0)
        XCTAssertEqual(try obscura("library", "delete", "--permanently", id).text, "\(id): deleted permanently\n")
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
        try assertFails(1, "library", "delete", "--permanently", id, containing: ["there is no asset \(id)"])
    }

    func testFilesThatCannotBeDecodedAreStoredAndTheReasonIsPrinted() throws {
        let encoding = try tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:s=96x64", "-frames:v", "1", "a.png")
        XCTAssertEqual(encoding.status, 0, encoding.errors)
        let photo = try tool("heif-enc", "-o", "a.heic", "a.png")
        XCTAssertEqual(photo.status, 0, photo.errors)
        // A file that is no library, in place of libheif.
        try Data("no library".utf8).write(to: file("libheif.so.1"))
        let outcome = try run(
            process(
                Self.tool, ["library", "import", "a.heic", "--json"], environment: ["LD_LIBRARY_PATH": folder.path]))
        let imported = try XCTUnwrap(try outcome.object()["imported"] as? [[String: String]])
        let reason = try XCTUnwrap(imported.first?["withoutThumbnail"])
        XCTAssertTrue(reason.contains("libheif.so.1") && reason.contains("libheif1"), reason)
        XCTAssertEqual(try list().map { $0["width"] as? Int }, [96])
        // With libheif.
        let whole = try obscura("library", "import", "a.heic", "--duplicates")
        XCTAssertFalse(whole.text.contains("without a thumbnail"), whole.text)
    }

    func testEachFileIsTriedAndADamagedOneStopsNoOther() throws {
        XCTAssertEqual(try obscura("photo", "a.jpg", "--size", "640x480", "--after", "100ms").status, 0)
        XCTAssertEqual(try obscura("photo", "c.jpg", "--size", "640x480", "--after", "200ms").status, 0)
        try Data(contentsOf: file("a.jpg")).prefix(100).write(to: file("b.jpg"))
        let first = try obscura("library", "import", "a.jpg", "b.jpg", "c.jpg", "nope.jpg")
        XCTAssertEqual(first.status, 1)
        XCTAssertEqual(first.text.split(separator: "\n").map { $0.prefix(13) }, ["a.jpg: saved ", "c.jpg: saved "])
        XCTAssertTrue(first.errors.contains("b.jpg"), first.errors)
        XCTAssertTrue(first.errors.contains("there is no file nope.jpg"), first.errors)
        XCTAssertEqual(try list().count, 2)

        let second = try obscura("library", "import", "a.jpg", "b.jpg", "c.jpg", "--json")
        XCTAssertEqual(second.status, 1)
        let report = try XCTUnwrap(JSONSerialization.jsonObject(with: second.output) as? [String: Any])
        XCTAssertEqual((report["imported"] as? [Any])?.count, 0)
        let known = try XCTUnwrap(report["duplicates"] as? [[String: String]])
        XCTAssertEqual(known.map { $0["file"] }, ["a.jpg", "c.jpg"])
        XCTAssertEqual(Set(known.map { $0["id"] }), Set(try list().map { $0["id"] as? String }))
        XCTAssertEqual((report["refused"] as? [[String: String]])?.map { $0["file"] }, ["b.jpg"])
        XCTAssertEqual(try list().count, 2)

        XCTAssertEqual(try obscura("library", "import", "a.jpg", "--duplicates").status, 0)
        XCTAssertEqual(try list().count, 3)
    }

    func testAFolderIsImportedInTheOrderOfItsPaths() throws {
        XCTAssertEqual(try obscura("photo", "p.jpg", "--size", "640x480", "--after", "100ms").status, 0)
        let nested = file("card/DCIM")
        try FileManager.default.createDirectory(at: nested, withIntermediateDirectories: true)
        // The contents determine the type, not the name.
        try FileManager.default.moveItem(at: file("p.jpg"), to: nested.appendingPathComponent("b.data"))
        try FileManager.default.copyItem(
            at: Self.media("handheld-3s.mp4"), to: nested.appendingPathComponent("a.mp4"))
        try Data("notes".utf8).write(to: file("card/notes.txt"))
        try FileManager.default.createSymbolicLink(
            at: nested.appendingPathComponent("up"), withDestinationURL: file("card"))
        // A pipe without a writer is not opened for reading, which would wait.
        XCTAssertEqual(mkfifo(file("card/pipe.jpg").path, 0o600), 0)
        // The library itself is in the folder.
        let report = try obscura("library", "import", "card", "--library", "card/library", "--json").object()
        XCTAssertEqual(
            (report["imported"] as? [[String: String]])?.map { $0["file"] },
            ["card/DCIM/a.mp4", "card/DCIM/b.data"])
        XCTAssertEqual(report["skipped"] as? [String], ["card/DCIM/up", "card/notes.txt", "card/pipe.jpg"])
        let again = try obscura("library", "import", "card", "--library", "card/library")
        XCTAssertEqual(again.status, 0, again.errors)
        XCTAssertTrue(again.text.contains("card/notes.txt: skipped"), again.text)
        XCTAssertEqual(again.text.components(separatedBy: "already in the library").count, 3, again.text)
    }

    func testTheCameraAndThePositionAreListed() throws {
        let outcome = try tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.3", "-pix_fmt", "yuv420p",
            "-movflags", "use_metadata_tags", "-metadata", "com.apple.quicktime.make=Apple", "-metadata",
            "com.apple.quicktime.model=iPhone 12", "-metadata",
            "com.apple.quicktime.creationdate=2021-08-14T15:33:57+0200", "-metadata",
            "com.apple.quicktime.location.ISO6709=+48.8577+002.2950+035.000/", "-metadata",
            "creation_time=2024-01-01T00:00:00Z", file("phone.mov").path)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try obscura("library", "import", "phone.mov").status, 0)
        let asset = try XCTUnwrap(list().first)
        XCTAssertEqual(asset["created"] as? String, "2021-08-14T13:33:57Z")
        XCTAssertEqual(asset["make"] as? String, "Apple")
        XCTAssertEqual(asset["model"] as? String, "iPhone 12")
        XCTAssertEqual(try XCTUnwrap(asset["latitude"] as? Double), 48.8577, accuracy: 1e-4)
        XCTAssertTrue(try obscura("library", "list").text.contains("Apple iPhone 12"))
    }

    func testAFileWithoutADateHasItsDateInTheFileSystem() throws {
        let encoding = try tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64", "-frames:v", "1", "a.jpg")
        XCTAssertEqual(encoding.status, 0, encoding.errors)
        XCTAssertEqual(try tool("touch", "-d", "2019-07-08T09:10:11Z", "a.jpg").status, 0)
        XCTAssertEqual(try obscura("library", "import", "a.jpg").status, 0)
        XCTAssertEqual(try list().map { $0["created"] as? String }, ["2019-07-08T09:10:11Z"])
    }

    func testAnotherFolderIsAnotherLibrary() throws {
        let outcome = try obscura(
            "photo", "p.jpg", "--size", "640x480", "--after", "100ms", "--save", "--library", "other")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try list().count, 0)
        let other = try obscura("library", "list", "--library", "other").text
        XCTAssertTrue(other.contains("picture p.jpg, 640x480"), other)
    }

    func testAnEmptyLibraryIsReportedAsEmpty() throws {
        let outcome = try obscura("library", "list")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertTrue(outcome.text.contains("is empty"), outcome.text)
    }

    func testWithoutXDGDataHomeTheDefaultLibraryIsInTheHomeFolder() throws {
        let arguments = ["photo", "p.jpg", "--size", "640x480", "--after", "100ms", "--save"]
        let outcome = try run(
            process(Self.tool, arguments, environment: ["XDG_DATA_HOME": "", "HOME": file("home").path]))
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let index = file("home/.local/share/obscura/library/index.sqlite")
        XCTAssertTrue(FileManager.default.fileExists(atPath: index.path))
    }

    func testSeveralProcessesSaveToOneLibraryAtTheSameTime() throws {
        let processes = (0..<6).map { number in
            process(
                Self.tool, ["photo", "p\(number).jpg", "--size", "640x480", "--after", "100ms", "--save"])
        }
        let errors = processes.map { process in
            let pipe = Pipe()
            process.standardOutput = FileHandle.nullDevice
            process.standardError = pipe
            return pipe
        }
        for process in processes { try process.run() }
        for (process, pipe) in zip(processes, errors) {
            let message = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 0, message)
        }
        let assets = try list()
        XCTAssertEqual(Set(assets.compactMap { $0["file"] as? String }), Set((0..<6).map { "p\($0).jpg" }))
        XCTAssertEqual(Set(assets.compactMap { $0["id"] as? String }).count, 6)
    }

    func testAnOriginalIsExportedOnlyWithTheExtensionOfItsType() throws {
        let movie = try obscura("record", "m.mov", "--duration", "100ms", "--size", "640x480", "--save", "--json")
            .object()
        let id = try XCTUnwrap(movie["library"] as? String)
        try assertFails(64, "library", "export", id, "out.jpg", containing: ["out.jpg", ".mov"])
        try assertFails(64, "library", "export", id, "out", containing: ["out", ".mov"])
        XCTAssertEqual(try obscura("library", "export", id, "out.MOV").status, 0)
    }
}
