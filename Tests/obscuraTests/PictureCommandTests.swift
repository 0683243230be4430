import Foundation
import SimDevices
import XCTest

/// `obscura photo`, `sheet` and `devices`.
final class PictureCommandTests: ObscuraTestCase {
    func testAPhotoIsAJPEGWithTheSettingsOfTheCamera() throws {
        let report = try obscura("photo", "p.jpg", "--size", "1280x720", "--after", "500ms", "--json").object()
        XCTAssertEqual(report["width"] as? Int, 1280)
        XCTAssertEqual(report["height"] as? Int, 720)
        XCTAssertEqual(report["bytes"] as? Int, try Data(contentsOf: file("p.jpg")).count)
        XCTAssertEqual(try XCTUnwrap(report["time"] as? Double), 0.5, accuracy: 0.1)
        XCTAssertEqual(try probe(file("p.jpg"), "v", "stream=codec_name,width,height"), ["mjpeg,1280,720"])
        try assertDecodes(file("p.jpg"))
        let tags = try exif("p.jpg")
        XCTAssertEqual(tags["Make"] as? String, "Obscura")
        XCTAssertEqual(tags["Model"] as? String, "sim-phone-wide-1")
        XCTAssertEqual(tags["Orientation"] as? Int, 1)
        XCTAssertEqual(try XCTUnwrap(tags["FNumber"] as? Double), 1.78, accuracy: 0.01)
        XCTAssertEqual(try XCTUnwrap(tags["FocalLength"] as? Double), 6.86, accuracy: 0.01)
        let exposure = try XCTUnwrap(tags["ExposureTime"] as? Double)
        XCTAssertTrue((1 / 45000...1 / 20).contains(exposure), "\(exposure) s")
        XCTAssertTrue((50...6400).contains(try XCTUnwrap(tags["ISO"] as? Int)))
        XCTAssertEqual(tags["DateTimeOriginal"] as? String, "2026:01:01 12:00:00")
    }

    func testAHEIFPhotoIsUprightAndContainsTheDepthMap() throws {
        let report = try obscura(
            "photo", "p.heic", "--device", "phone.front-true-depth", "--hold", "portrait", "--size", "640x480",
            "--after", "100ms", "--depth", "depth.png", "--json"
        ).object()
        XCTAssertEqual(report["bytes"] as? Int, try Data(contentsOf: file("p.heic")).count)
        XCTAssertEqual(try exif("p.heic")["Orientation"] as? Int, 6)
        let information = try tool("heif-info", "p.heic").text
        XCTAssertTrue(information.contains("image: 480x640"), information)
        XCTAssertTrue(information.contains("depth channel: yes"), information)
        let options = ["--size", "640x480", "--after", "40ms"]
        XCTAssertEqual(try run(Self.tool, ["photo", "q.heif", "--format", "heif"] + options).status, 0)
        XCTAssertEqual(try exif("q.heif")["FileType"] as? String, "HEIC")
        let misnamed = try run(Self.tool, ["photo", "q.jpg", "--format", "heif"] + options)
        XCTAssertEqual(misnamed.status, 64)
        XCTAssertTrue(misnamed.errors.contains("q.jpg must end in .heic or .heif"), misnamed.errors)
        let webcam = try run(Self.tool, ["photo", "w.heic", "--profile", "webcam"] + options)
        XCTAssertEqual(webcam.status, 1)
        XCTAssertTrue(webcam.errors.contains("USB Webcam takes no HEIF photos"), webcam.errors)
    }

    func testTheHoldDeterminesTheOrientationOfAPhoto() throws {
        let orientations: [(hold: [String], camera: String, orientation: Int)] = [
            ([], "phone.front", 3), (["--hold", "landscape-right"], "phone.front", 1),
            (["--hold", "portrait"], "phone.back-wide", 6), (["--hold", "portrait"], "phone.front", 6),
            (["--hold", "portrait-upside-down"], "phone.back-wide", 8),
            (["--hold", "landscape-right"], "phone.back-wide", 3),
        ]
        for (index, (hold, camera, orientation)) in orientations.enumerated() {
            let outcome = try run(
                Self.tool,
                ["photo", "\(index).jpg", "--device", camera, "--size", "640x480", "--after", "40ms"] + hold)
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            XCTAssertEqual(try exif("\(index).jpg")["Orientation"] as? Int, orientation, "\(camera) \(hold)")
        }
        let rejected = try obscura("photo", "w.jpg", "--profile", "webcam", "--hold", "portrait")
        XCTAssertNotEqual(rejected.status, 0)
        XCTAssertTrue(
            rejected.errors.contains("--hold portrait requires a profile with built-in cameras"), rejected.errors)
    }

    /// Returns the EXIF tags of a photo, numeric ones as numbers.
    private func exif(_ photo: String) throws -> [String: Any] {
        let outcome = try tool("exiftool", "-json", "-n", photo)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let list = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
        return try XCTUnwrap(list?.first)
    }

    func testAPhotoHasAMarkerOnlyIfRequested() throws {
        for (name, arguments) in [("a.jpg", []), ("b.jpg", ["--marker"])] {
            let outcome = try run(
                Self.tool, ["photo", name, "--size", "640x480", "--after", "100ms"] + arguments)
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            let raw = try tool("ffmpeg", "-v", "error", "-i", name, "-pix_fmt", "gray", "-f", "rawvideo", "-")
            let luma = [UInt8](raw.output)
            XCTAssertEqual(luma.count, 640 * 480)
            let marker = FrameMarker.read(width: 640, height: 480) { x, y in Int(luma[y * 640 + x]) }
            XCTAssertEqual(marker != nil, !arguments.isEmpty, name)
        }
        let rejected = try obscura("photo", "c.jpg", "--backend", "linux", "--marker")
        XCTAssertEqual(rejected.status, 64)
        XCTAssertTrue(rejected.errors.contains("--marker requires --backend sim"), rejected.errors)
    }

    func testTheSameSeedResultsInTheSamePhoto() throws {
        for (name, seed) in [("a.jpg", "3"), ("b.jpg", "3"), ("c.jpg", "4")] {
            let outcome = try obscura("photo", name, "--size", "640x480", "--after", "100ms", "--seed", seed)
            XCTAssertEqual(outcome.status, 0, outcome.errors)
        }
        XCTAssertEqual(try Data(contentsOf: file("a.jpg")), try Data(contentsOf: file("b.jpg")))
        XCTAssertNotEqual(try Data(contentsOf: file("a.jpg")), try Data(contentsOf: file("c.jpg")))
    }

    func testTheDepthMapIsWrittenAsAnImage() throws {
        let report = try obscura(
            "photo", "p.jpg", "--device", "phone.front-true-depth", "--size", "640x480", "--scene", "portrait",
            "--depth", "d.png", "--json"
        ).object()
        let depth = try XCTUnwrap(report["depth"] as? [String: Any])
        XCTAssertEqual(depth["file"] as? String, "d.png")
        XCTAssertEqual(try XCTUnwrap(depth["nearestMetres"] as? Double), 0.9, accuracy: 0.03)
        XCTAssertEqual(try XCTUnwrap(depth["farthestMetres"] as? Double), 4, accuracy: 0.2)
        XCTAssertEqual(depth["holes"] as? Double, 0)
        XCTAssertEqual(try probe(file("d.png"), "v", "stream=codec_name,width,height"), ["png,640,480"])
        let raw = try obscura(
            "photo", "q.jpg", "--device", "phone.front-true-depth", "--size", "640x480", "--scene", "portrait",
            "--depth", "e.png", "--raw-depth")
        XCTAssertEqual(raw.status, 0, raw.errors)
        XCTAssertTrue(raw.text.contains("% not measured"), raw.text)
        let rejected = try obscura("photo", "r.jpg", "--depth", "f.png")
        XCTAssertNotEqual(rejected.status, 0)
        XCTAssertTrue(rejected.errors.contains("phone.front-true-depth"), rejected.errors)
        let listing = try obscura("devices", "--formats")
        XCTAssertTrue(listing.text.contains("depth 768x576 hdep 1-30 fps"), listing.text)
    }

    func testMattesAreStoredInThePhoto() throws {
        for name in ["m.heic", "m.jpg"] {
            let report = try obscura(
                "photo", name, "--device", "phone.front-true-depth", "--size", "640x480", "--scene", "portrait",
                "--mattes", "--json"
            ).object()
            XCTAssertEqual(report["mattes"] as? [String], ["portrait", "skin", "hair"], name)
        }
        let empty = try obscura(
            "photo", "n.heic", "--device", "phone.front-true-depth", "--size", "640x480", "--scene", "grey", "--mattes")
        XCTAssertEqual(empty.status, 0, empty.errors)
        XCTAssertTrue(empty.text.contains("no mattes: the photo shows no people"), empty.text)
        let rejected = try obscura("photo", "o.heic", "--device", "phone.back-ultra-wide", "--mattes")
        XCTAssertNotEqual(rejected.status, 0)
        XCTAssertTrue(rejected.errors.contains("phone.front-true-depth"), rejected.errors)
        XCTAssertNotEqual(try obscura("photo", "p.dng", "--mattes").status, 0)
    }

    func testAPhotoOfAMediaFileShowsItsFrame() throws {
        let outcome = try obscura("photo", "p.jpg", "--backend", "file:\(Self.media("street-3s.avi").path)")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try probe(file("p.jpg"), "v", "stream=width,height"), ["768,576"])
    }

    func testASheetIsAPNGWithFramesInRows() throws {
        let outcome = try obscura(
            "sheet", Self.media("street-3s.avi").path, "s.png", "--columns", "3", "--rows", "2", "--width", "160")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertTrue(outcome.text.contains("6 frames"), outcome.text)
        // 3 cells of 160 and 2 of 120, with 4 pixels between and around them.
        XCTAssertEqual(try probe(file("s.png"), "v", "stream=codec_name,width,height"), ["png,496,252"])
        let report = try obscura("sheet", Self.media("street-3s.avi").path, "t.png", "--json").object()
        XCTAssertEqual(report["file"] as? String, "t.png")
        XCTAssertEqual(report["frames"] as? Int, 12)
        XCTAssertEqual(
            try probe(file("t.png"), "v", "stream=width,height"),
            ["\(report["width"] as? Int ?? 0),\(report["height"] as? Int ?? 0)"])
    }

    func testDevicesAreListedAsTextAndJSON() throws {
        let listing = try obscura("devices", "--json").object()
        let devices = try XCTUnwrap(listing["devices"] as? [[String: Any]])
        XCTAssertEqual(
            devices.compactMap { $0["id"] as? String },
            [
                "phone.back-wide", "phone.front", "phone.back-ultra-wide", "phone.back-telephoto", "phone.back-dual",
                "phone.back-dual-wide", "phone.back-triple", "phone.front-true-depth", "phone.back-lidar",
                "phone.microphone",
            ])
        XCTAssertEqual(listing["backend"] as? String, "sim")
        let text = try obscura("devices", "--formats", "--profile", "webcam", "--device", "webcam.microphone").text
        XCTAssertTrue(text.hasPrefix("webcam.microphone  USB Webcam Microphone (microphone, audio)\n"), text)
        XCTAssertTrue(text.contains("    48000 Hz, 2 channels, int16\n"), text)
        XCTAssertFalse(text.contains("1280x720"), text)
    }

    func testDevicesAreListedAsATable() throws {
        let lines = try obscura("devices").text.split(separator: "\n").map(String.init)
        XCTAssertEqual(lines.count, 11)
        XCTAssertTrue(lines[0].hasPrefix("ID "), lines[0])
        let columns = lines.map { line in
            line.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        XCTAssertEqual(columns[0], ["ID", "NAME", "POSITION", "KIND", "SIZES AND RATES"])
        XCTAssertEqual(
            columns[1], ["phone.back-wide", "Back Camera", "back", "wide-angle", "192x144 to 4032x3024, 1-240 fps"])
        XCTAssertEqual(columns[8][3], "true-depth")
        XCTAssertTrue(columns[8][4].hasSuffix(", depth"), lines[8])
        XCTAssertEqual(columns[10][2], "-")
        XCTAssertTrue(columns[10][4].contains(" Hz, "), lines[10])
        // Each column begins at the same offset in all lines.
        let start = try XCTUnwrap(lines[0].range(of: "KIND")).lowerBound.utf16Offset(in: lines[0])
        XCTAssertTrue(lines.allSatisfy { Array($0)[start - 1] == " " && Array($0)[start] != " " }, "\(lines)")
        let webcam = try obscura("devices", "--profile", "webcam").text
        XCTAssertTrue(webcam.contains("external    320x240 to 1920x1080, 5-30 fps\n"), webcam)
        let file = try obscura("devices", "--backend", "file:\(Self.media("street-3s.avi").path)").text
        XCTAssertTrue(file.contains("external  768x576, 10 fps\n"), file)
    }

    func testFrameRatesAreSortedAndMerged() throws {
        let text = try obscura("devices", "--formats", "--profile", "webcam").text
        XCTAssertTrue(text.contains("640x480 yuvs 5, 7.5, 10, 15, 20, 24, 30 fps\n"), text)
        let outcome = try obscura("record", "o.mov", "--size", "1280x720", "--fps", "500")
        XCTAssertTrue(outcome.errors.hasSuffix("it supports 1-240\n"), outcome.errors)
    }

    func testTheMessageAboutMissingDevicesRefersToDoctor() throws {
        let listing = try obscura("devices", "--backend", "linux")
        try XCTSkipIf(!listing.text.hasPrefix("there are no devices"), "this machine has devices")
        XCTAssertEqual(listing.text, "there are no devices on the backend linux; 'obscura doctor' finds the reason\n")
        for arguments in [["record", "a.mov"], ["record", "--null"], ["photo", "a.jpg"]] {
            try assertFails(1, arguments + ["--backend", "linux"], containing: ["no camera", "'obscura doctor'"])
        }
    }

    func testAMediaFileIsListedAsADevice() throws {
        let text = try obscura("devices", "--formats", "--backend", "file:\(Self.media("street-3s.avi").path)").text
        XCTAssertTrue(text.contains("    768x576 420v 10 fps\n"), text)
    }
}
