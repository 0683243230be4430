import Foundation
import XCTest

/// The options that set the camera, `obscura chart`, and `devices` with a custom profile.
final class CameraCommandTests: ObscuraTestCase {
    private let profile = """
        profile: 1
        name: mine
        manufacturer: Me
        devices:
          - camera:
              id: wide
              name: Wide
              model: w
              kind: builtInWideAngleCamera
              position: back
              lens: {aperture: 2, focalLength: 4 mm, equivalentFocalLength: 24 mm}
              sensor: {fullWell: 5000 e, readNoise: 2 e}
              exposure: {durations: [1/1000 s, 1/10 s], iso: [50, 800]}
              whiteBalance: {temperatures: [2800 K, 6500 K]}
              zoom: {maximum: 4}
              formats:
                - {size: 320x240, pixelFormats: [420v], frameRates: [30 fps]}
          - camera:
              id: narrow
              name: Narrow
              model: n
              kind: builtInTelephotoCamera
              position: back
              lens: {aperture: 2, focalLength: 8 mm, equivalentFocalLength: 48 mm}
              sensor: {fullWell: 5000 e, readNoise: 2 e}
              exposure: {durations: [1/1000 s, 1/10 s], iso: [50, 800]}
              whiteBalance: {temperatures: [2800 K, 6500 K]}
              zoom: {maximum: 4}
              formats:
                - {size: 320x240, pixelFormats: [420v], frameRates: [30 fps]}
          - virtualCamera:
              id: both
              name: Both
              model: b
              kind: builtInDualCamera
              constituents: [wide, narrow]
              switchOver: [2]
              maximumZoom: 8
        """

    private func write(_ text: String) throws { try Data(text.utf8).write(to: file("mine.yaml")) }

    func testACustomProfileIsListed() throws {
        try write(profile)
        let listing = try obscura("devices", "--profile", "mine.yaml", "--json").object()
        let devices = try XCTUnwrap(listing["devices"] as? [[String: Any]])
        XCTAssertEqual(devices.compactMap { $0["id"] as? String }.sorted(), ["mine.both", "mine.narrow", "mine.wide"])
        let both = try XCTUnwrap(devices.first { $0["id"] as? String == "mine.both" })
        XCTAssertEqual(both["constituents"] as? [String], ["mine.wide", "mine.narrow"])
        XCTAssertEqual(both["switchOverZoomFactors"] as? [Double], [2])
        XCTAssertEqual(both["formats"] as? [String], ["320x240 420v 30 fps"])
        let text = try obscura("devices", "--formats", "--profile", "mine.yaml").text
        XCTAssertTrue(text.contains("mine.wide, from zoom 2 on mine.narrow"), text)
    }

    func testAnInvalidProfileIsRejectedWithLineAndKey() throws {
        try write(profile.replacingOccurrences(of: "readNoise: 2 e", with: "readNose: 2 e"))
        try assertFails(
            1, "devices", "--profile", "mine.yaml",
            containing: ["mine.yaml:12:", "devices[0].camera.sensor.readNose", "did you mean \"readNoise\"?"])
    }

    func testEachCameraOptionChangesThePhoto() throws {
        var photos: [Data] = []
        for (name, options) in [
            ("plain", []), ("zoom", ["--zoom", "3"]), ("torch", ["--torch", "1"]), ("flash", ["--flash"]),
            ("expose", ["--expose", "0.5,0.95"]), ("lens", ["--lens", "0"]),
        ] {
            let outcome = try run(
                Self.tool,
                ["photo", "\(name).jpg", "--size", "640x480", "--after", "300ms", "--scene", "chart"] + options)
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            photos.append(try Data(contentsOf: file("\(name).jpg")))
        }
        XCTAssertEqual(Set(photos).count, photos.count)
    }

    func testAMovieIsZoomed() throws {
        for (name, zoom) in [("a", "1"), ("b", "4")] {
            let outcome = try obscura(
                "record", "\(name).mov", "--size", "640x480", "--duration", "200ms", "--no-audio", "--zoom", zoom)
            XCTAssertEqual(outcome.status, 0, outcome.errors)
        }
        XCTAssertNotEqual(try Data(contentsOf: file("a.mov")), try Data(contentsOf: file("b.mov")))
    }

    func testAnUnsupportedSettingIsReported() throws {
        let webcam = ["--profile", "webcam", "--after", "100ms"]
        func assertUnsupported(_ options: [String], _ texts: String...) throws {
            let outcome = try run(Self.tool, ["photo", "p.jpg"] + webcam + options)
            XCTAssertEqual(outcome.status, 1, outcome.errors)
            for text in texts { XCTAssertTrue(outcome.errors.contains(text), outcome.errors) }
            XCTAssertFalse(FileManager.default.fileExists(atPath: file("p.jpg").path))
        }
        try assertUnsupported(["--torch", "1"], "USB Webcam has no torch")
        try assertUnsupported(["--flash"], "USB Webcam has no flash")
        try assertUnsupported(["--lens", "0.5"], "USB Webcam has a fixed-focus lens")
        try assertUnsupported(["--zoom", "9"], "USB Webcam zooms up to 4, not 9")
        try assertFails(64, "photo", "p.jpg", "--zoom", "0.5", containing: ["--zoom must be 1 or more"])
        try assertFails(64, "photo", "p.jpg", "--torch", "2", containing: ["--torch must be 0 to 1"])
        try assertFails(64, "photo", "p.jpg", "--lens", "-1", containing: ["--lens must be 0 to 1"])
        try assertFails(64, "photo", "p.jpg", "--lens", "1", "--focus", "0.5,0.5", containing: ["exclude each other"])
        try assertFails(64, "photo", "p.jpg", "--expose", "2,0", containing: ["is not a point"])
        try assertFails(64, "record", "p.mov", "--focus", "middle", containing: ["is not a point"])
    }

    func testLuxAndKelvinSetTheLight() throws {
        var photos: [Data] = []
        for (name, options) in [
            ("plain", []), ("dark", ["--lux", "2"]), ("warm", ["--kelvin", "2800"]),
        ] {
            let outcome = try run(
                Self.tool,
                ["photo", "\(name).jpg", "--size", "640x480", "--after", "200ms", "--scene", "grey"] + options)
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            photos.append(try Data(contentsOf: file("\(name).jpg")))
        }
        XCTAssertEqual(Set(photos).count, 3)
        try assertFails(64, "photo", "p.jpg", "--lux", "0", containing: ["--lux must be"])
        try assertFails(64, "photo", "p.jpg", "--kelvin", "300", containing: ["--kelvin must be"])
        try assertFails(
            64, "photo", "p.jpg", "--lux", "5", "--backend", "file:a.mov", containing: ["--lux requires --backend sim"])
    }

    func testAChartHasARowForEachControl() throws {
        try write(profile)
        let report = try obscura(
            "chart", "c.png", "--profile", "mine.yaml", "--width", "80", "--json"
        ).object()
        XCTAssertEqual(report["camera"] as? String, "mine.wide")
        // The camera has no torch and no focus motor: exposure, ISO, white balance and zoom remain.
        XCTAssertGreaterThanOrEqual(try XCTUnwrap(report["pictures"] as? Int), 14)
        let size = try probe(file("c.png"), "v", "stream=width,height")
        XCTAssertEqual(size, ["\(report["width"] as? Int ?? 0),\(report["height"] as? Int ?? 0)"])
        XCTAssertEqual(
            try obscura("chart", "d.png", "--profile", "mine.yaml", "--width", "80").status, 0)
        XCTAssertEqual(try Data(contentsOf: file("c.png")), try Data(contentsOf: file("d.png")))
        try assertFails(64, "chart", "e.png", "--backend", "linux", containing: ["chart requires --backend sim"])
    }

    func testAChartOmitsARowWithoutEffect() throws {
        // The constituent that is used at zoom 1 has no boost; the other one has.
        try write(
            profile.replacingOccurrences(
                of: "      kind: builtInTelephotoCamera",
                with: "      lowLightBoost: 4\n      kind: builtInTelephotoCamera"))
        let report = try obscura(
            "chart", "c.png", "--profile", "mine.yaml", "--device", "mine.both", "--width", "64", "--json"
        ).object()
        let leftOut = try XCTUnwrap(report["leftOut"] as? [String])
        XCTAssertEqual(leftOut.count, 1)
        XCTAssertTrue(leftOut.first?.hasPrefix("Low light: the camera that Both uses") == true, "\(leftOut)")
        let narrowReport = try obscura(
            "chart", "d.png", "--profile", "mine.yaml", "--device", "mine.narrow", "--width", "64", "--json"
        ).object()
        XCTAssertEqual(narrowReport["leftOut"] as? [String], [])
    }
}
