import Foundation
import XCTest

/// Wrong input: one error sentence, the right exit status, and no files left.
final class WrongInputTests: ObscuraTestCase {
    override func setUpWithError() throws {
        try super.setUpWithError()
        try Data("This is a text.\n".utf8).write(to: file("text.mov"))
        try FileManager.default.createDirectory(at: file("folder"), withIntermediateDirectories: false)
    }

    func testASourceThatIsNotAMovieIsRejected() throws {
        try assertFails(1, "record", "o.mov", "--backend", "file:nope.avi", containing: ["there is no file nope.avi"])
        try assertFails(
            1, "record", "o.mov", "--backend", "file:text.mov", containing: ["text.mov is not a media file"])
        try assertFails(1, "record", "o.mov", "--backend", "file:folder", containing: ["folder is a folder"])
        try assertFails(1, "photo", "o.jpg", "--backend", "file:text.mov", containing: ["text.mov is not a media file"])
        try assertFails(1, "devices", "--backend", "file:nope.avi", containing: ["there is no file nope.avi"])
        try assertFails(1, "sheet", "text.mov", "s.png", containing: ["text.mov is not a media file"])
        try assertFails(1, "sheet", "nope.mov", "s.png", containing: ["there is no file nope.mov"])
    }

    func testTheErrorContainsTheNameOfTheSourceOnce() throws {
        let outcome = try obscura("record", "o.mov", "--backend", "file:nope.avi")
        XCTAssertEqual(outcome.errors, "Error: there is no file nope.avi\n")
    }

    func testADamagedMovieIsRejected() throws {
        let completeData = try Data(contentsOf: Self.media("handheld-3s.mp4"))
        try completeData.prefix(3000).write(to: file("cut.mp4"))
        try assertFails(1, "record", "o.mov", "--backend", "file:cut.mp4", containing: ["cut.mp4"])
        try Data().write(to: file("empty.mp4"))
        try assertFails(1, "record", "o.mov", "--backend", "file:empty.mp4", containing: ["empty.mp4"])
    }

    func testAnUnknownProfileKeyIsNamedWithItsLine() throws {
        let profile = """
            profile: 1
            name: bad
            manufacturer: Nobody
            devices:
              - camera:
                  id: camera
                  nmae: Camera
            """
        try Data(profile.utf8).write(to: file("bad.yaml"))
        try assertFails(1, "record", "o.mov", "--profile", "bad.yaml", containing: ["bad.yaml:7:", "nmae", "\"name\""])
        try assertFails(1, "record", "o.mov", "--profile", "nope.yaml", containing: ["there is no file nope.yaml"])
        try assertFails(64, "record", "o.mov", "--profile", "nope", containing: ["\"nope\"", "phone", "webcam"])
        try assertFails(1, "record", "o.mov", "--profile", "./folder", containing: ["./folder is a folder"])
    }

    func testAnOutputPathThatCannotBeWrittenIsRejected() throws {
        try Data().write(to: file("plain"))
        for (command, name) in [("record", "o.mov"), ("photo", "o.jpg")] {
            try assertFails(1, command, "plain/\(name)", containing: ["plain is a file"])
            try assertFails(1, command, "nope/\(name)", containing: ["there is no folder", "nope"])
            // Not even root can create a file in /proc.
            try assertFails(1, command, "/proc/\(name)", containing: ["/proc"])
        }
        try assertFails(1, "library", "list", "--library", "plain", containing: ["library cannot be opened", "plain"])
    }

    func testAnExistingOutputIsNeverOverwritten() throws {
        for name in ["o.mov", "o.jpg", "o.png"] { try Data("precious".utf8).write(to: file(name)) }
        try assertFails(1, "record", "o.mov", containing: ["o.mov exists already"])
        try assertFails(1, "photo", "o.jpg", containing: ["o.jpg exists already"])
        try assertFails(1, "sheet", Self.media("street-3s.avi").path, "o.png", containing: ["o.png exists already"])
        for name in ["o.mov", "o.jpg", "o.png"] {
            XCTAssertEqual(try Data(contentsOf: file(name)), Data("precious".utf8))
        }
    }

    func testAnUnsupportedFormatIsReportedWithTheSupportedOnes() throws {
        try assertFails(
            1, "record", "o.mov", "--size", "1900x1000", containing: ["1900x1000", "nearest sizes are 1920x1080"])
        try assertFails(1, "photo", "o.jpg", "--size", "641x481", containing: ["641x481", "nearest sizes are 640x480"])
        try assertFails(
            1, "record", "o.mov", "--size", "640x480", "--fps", "500",
            containing: ["500 fps", "640x480", "it supports 1-60"])
        try assertFails(
            1, "record", "o.mov", "--backend", "file:\(Self.media("street-3s.avi").path)", "--size", "640x480",
            containing: ["640x480", "nearest sizes are 768x576"])
        try assertFails(
            1, "record", "o.mov", "--device", "phone.microphone", "--size", "640x480",
            containing: ["no camera", "640x480"])
    }

    func testAnUnknownDeviceIsReportedWithTheKnownOnes() throws {
        try assertFails(1, "record", "o.mov", "--device", "nope", containing: ["\"nope\"", "phone.back-wide"])
        try assertFails(1, "devices", "--device", "nope", containing: ["\"nope\"", "phone.microphone"])
        try assertFails(1, "photo", "o.jpg", "--device", "phone.microphone", containing: ["no camera"])
    }

    func testUnknownValuesAreReportedWithTheKnownOnes() throws {
        try assertFails(
            64, "record", "o.mov", "--backend", "fil", containing: ["\"fil\"", "sim, linux, file:PATH or trace:PATH"])
        try assertFails(
            64, "record", "o.mov", "--backend", "file:", containing: ["sim, linux, file:PATH or trace:PATH"])
        try assertFails(64, "photo", "o.jpg", "--after=-1s", containing: ["a duration is not negative"])
        try assertFails(64, "record", "o.mov", "--preset", "huge", containing: ["\"huge\"", "did you mean \"high\"?"])
        try assertFails(64, "record", "o.mov", "--codec", "vp9", containing: ["vp9", "h264", "hevc", "jpeg"])
        try assertFails(64, "record", "o.mov", "--scene", "mars", containing: ["\"mars\"", "street, chart, grey"])
        try assertFails(64, "record", "o.mov", "--nonsense", containing: ["--nonsense"])
        try assertFails(64, "photo", "o.jpg", "--library", "lib", containing: ["--library requires --save"])
        try assertFails(64, "devices", "--library", "lib", containing: ["--library"])
    }

    func testAMisspelledCommandIsReportedWithASuggestion() throws {
        try assertFails(64, "recrod", containing: ["there is no command \"recrod\"", "did you mean \"record\"?"])
        try assertFails(64, "library", "lits", containing: ["\"lits\"", "did you mean \"list\"?"])
        XCTAssertTrue(try obscura("recrod").errors.contains("'obscura --help'"))
        // The usage is that of the parent of the unknown subcommand.
        let usage = try obscura("library", "lits").errors
        XCTAssertTrue(usage.contains("Usage: obscura library <subcommand>"), usage)
        XCTAssertTrue(usage.contains("'obscura library --help'"), usage)
        // With a suggestion, a long list is left out.
        XCTAssertFalse(try obscura("recrod").errors.contains("valid names"))
        try assertFails(64, "help", "trace", "minimise", containing: ["\"minimise\"", "did you mean \"minimize\"?"])
        try assertFails(64, "transmogrify", containing: ["valid names are devices, record, photo"])
    }

    func testAMisspelledValueIsReportedWithASuggestion() throws {
        for (arguments, value) in [
            (["record", "o.mov", "--hold", "portrat"], "portrait"), (["record", "o.mov", "--codec", "hvec"], "hevc"),
            (["record", "o.mov", "--preset", "hihg"], "high"), (["devices", "--sound", "tine"], "tone"),
            (["play", "a.mov", "--pitch", "specral"], "spectral"),
            (["edit", "a.mov", "b.mov", "--pitch", "varispede"], "varispeed"),
            (["edit", "a.mov", "b.mov", "--tracks", "vidoe"], "video"),
            (["library", "list", "--sort", "craeted"], "created"),
            (["library", "list", "--type", "pictrue"], "picture"),
            (["library", "list", "--columns", "widht"], "width"),
        ] {
            try assertFails(64, arguments, containing: ["\"\(arguments.last ?? "")\"", "did you mean \"\(value)\"?"])
        }
        try assertFails(
            64, "library", "export", "--to", "folder", "--folders", "{yaer}", containing: ["did you mean \"{year}\"?"])
        try assertFails(
            64, "library", "list", "--since", "2023-13", containing: ["2023-13", "2024-05-17T18:30:00Z"])
        try assertFails(1, "devices", "--device", "phone.bakc-wide", containing: ["did you mean \"phone.back-wide\"?"])
        XCTAssertFalse(try obscura("devices", "--device", "phone.bakc-wide").errors.contains("phone.microphone"))
    }

    func testAValueInPlaceOfAnOptionIsReportedWithItsOption() throws {
        try assertFails(64, "devices", "--webcam", containing: ["--webcam", "did you mean \"--profile webcam\"?"])
        try assertFails(64, "record", "o.mov", "--hevc", containing: ["--hevc", "\"--codec hevc\""])
        try assertFails(64, "trace", "record", "t", "--night", containing: ["\"--scene night\""])
        // A command without the option.
        XCTAssertFalse(try obscura("inspect", "--phone", "a.mov").errors.contains("--profile"))
    }

    func testTheUsageIsThatOfTheSubcommand() throws {
        try FileManager.default.createDirectory(at: file("several"), withIntermediateDirectories: false)
        for name in ["a", "b"] {
            try Data(
                "scenario: 1\nname: a\nsession: {outputs: [video]}\ntimeline: [{at: 0 s, do: start}]\nend: 1 s".utf8
            )
            .write(to: file("several/\(name).yaml"))
        }
        for option in [["--log", "l"], ["--minimize"]] {
            let outcome = try run(Self.tool, ["replay", "several"] + option)
            XCTAssertEqual(outcome.status, 64, outcome.errors)
            XCTAssertTrue(outcome.errors.contains("single scenario, not 2"), outcome.errors)
            XCTAssertTrue(outcome.errors.contains("Usage: obscura replay"), outcome.errors)
        }
        let usage = try obscura("library", "export", "x", "").errors
        XCTAssertTrue(usage.contains("Usage: obscura library export"), usage)
    }

    func testInvalidValuesAreReportedWithTheExpectedForm() throws {
        for length in ["10", "x", "-1s", "1e99s", "s", "nans"] {
            try assertFails(
                64, "record", "o.mov", "--duration=\(length)", containing: [length, "10s, 250ms, 2min or 1h"])
        }
        try assertFails(64, "record", "o.mov", "--duration", "0s", containing: ["--duration"])
        try assertFails(64, "record", "o.mov", "--fragment-interval", "10", containing: ["10s, 250ms, 2min or 1h"])
        try assertFails(64, "photo", "o.jpg", "--after", "x", containing: ["10s, 250ms, 2min or 1h"])
        for size in ["641", "640x", "x480", "640x480x2", "0x480", "640x-1", "99999999999x1"] {
            try assertFails(64, "record", "o.mov", "--size=\(size)", containing: [size, "such as 1920x1080"])
        }
        for rate in ["0", "-3", "1001", "1e308", "1e-300", "nan", "inf"] {
            try assertFails(64, "record", "o.mov", "--fps=\(rate)", containing: [rate, "between 0.001 and 1000"])
        }
        try assertFails(64, "record", "o.mov", "--fps", "x", containing: ["--fps", "x"])
        // A value that starts with a dash is also accepted without an equals sign.
        try assertFails(64, "record", "o.mov", "--duration", "-1s", containing: ["-1s", "not negative"])
        try assertFails(64, "record", "o.mov", "--fragment-interval", "-1s", containing: ["-1s", "not negative"])
        try assertFails(64, "photo", "o.jpg", "--after", "-1s", containing: ["-1s", "not negative"])
        try assertFails(64, "record", "o.mov", "--fps", "-3", containing: ["-3", "between 0.001 and 1000"])
        try assertFails(64, "record", "o.mov", "--size", "-1x2", containing: ["-1x2", "such as 1920x1080"])
        try assertFails(64, "record", "o.mov", "--seed", "-1", containing: ["-1", "--seed"])
        try assertFails(64, "sheet", "text.mov", "s.png", "--columns", "-1", containing: ["--columns"])
        try assertFails(64, "record", "o.mov", "--seed", "x", containing: ["--seed", "x"])
        try assertFails(64, "sheet", "text.mov", "s.png", "--columns", "0", containing: ["--columns"])
        try assertFails(64, "sheet", "text.mov", "s.png", "--width", "9999999", containing: ["--width"])
    }

    func testAWrongFileExtensionIsWrongUsage() throws {
        try assertFails(64, "record", "o.avi", containing: ["o.avi", ".mov, .mp4 or .m4v"])
        try assertFails(64, "record", "o", containing: [".mov, .mp4 or .m4v"])
        try assertFails(64, "photo", "o.png", containing: ["o.png", ".jpg, .jpeg, .heic, .heif or .dng"])
        try assertFails(64, "sheet", "text.mov", "o.jpg", containing: ["o.jpg", ".png"])
    }

    func testAnInvalidFileNameIsRejected() throws {
        try assertFails(64, "record", "", containing: ["the name of the output file is empty"])
        try assertFails(64, "photo", "", containing: ["the name of the output file is empty"])
        let name = String(repeating: "x", count: 296) + ".mov"
        try assertFails(64, "record", name, containing: ["File name too long", "300 bytes"])
        try assertFails(
            64, "photo", name.replacingOccurrences(of: "mov", with: "jpg"), containing: ["File name too long"])
    }

    func testAnUnsupportedPresetIsNamed() throws {
        try assertFails(
            1, "record", "o.mov", "--profile", "webcam", "--preset", "3840x2160",
            containing: ["preset 3840x2160", "high", "640x480"])
    }

    func testAWrongBackendInTheEnvironmentIsNamed() throws {
        let process = process(Self.tool, ["devices"], environment: ["OBSCURA_BACKEND": "fil"])
        let outcome = try run(process)
        XCTAssertEqual(outcome.status, 64)
        XCTAssertTrue(
            outcome.errors.hasPrefix("Error: OBSCURA_BACKEND: \"fil\" is not a backend"), outcome.errors)
        // The option takes precedence.
        let other = try run(
            self.process(Self.tool, ["devices", "--backend", "sim"], environment: ["OBSCURA_BACKEND": "fil"]))
        XCTAssertEqual(other.status, 0, other.errors)
    }

    func testOutputThatCannotBeWrittenIsAFailure() throws {
        let movie = Self.media("handheld-3s.mp4").path
        for arguments in [
            ["devices"], ["devices", "--json"], ["doctor"], ["library", "list"], ["profile", "phone"],
            ["inspect", movie], ["repair", movie],
        ] {
            let process = process(Self.tool, arguments)
            let outcome = try run(process, output: XCTUnwrap(FileHandle(forWritingAtPath: "/dev/full")))
            XCTAssertEqual(outcome.status, 1, "\(arguments)")
            XCTAssertEqual(
                outcome.errors, "Error: the output cannot be written: No space left on device\n", "\(arguments)")
        }
    }

    func testOptionsThatExcludeEachOtherAreWrongUsage() throws {
        try assertFails(64, "record", containing: ["--null"])
        try assertFails(64, "record", "o.mov", "--null", containing: ["--null", "o.mov"])
        try assertFails(64, "record", "--null", "--save", containing: ["--save"])
        try assertFails(
            64, "record", "o.mov", "--size", "640x480", "--preset", "high", containing: ["--size", "--preset"])
        try assertFails(
            64, "record", "o.mov", "--backend", "file:text.mov", "--profile", "phone", containing: ["--profile phone"])
        try assertFails(64, "photo", containing: ["<file>"])
        try assertFails(64, "replay", containing: ["<files>"])
        try assertFails(64, "replay", "a.yaml", "b.yaml", "--log", "l", containing: ["--log"])
        for option in ["--log", "--keep", "--junit", "--html", "--results"] {
            try assertFails(64, "replay", "a.yaml", "--minimize", option, "x", containing: ["--minimize", option])
            try assertFails(64, "replay", "a.yaml", "--list", option, "x", containing: ["--list", option])
        }
        for option in ["--json", "--realtime", "--minimize", "--update-golden"] {
            try assertFails(64, "replay", "a.yaml", "--list", option, containing: ["--list", option])
        }
        try assertFails(
            64, "replay", "a.yaml", "--junit", "x", "--html", "./x", containing: ["--junit and --html", "same file"])
        try assertFails(
            64, "scenario", "report", "r", "--junit", "x", "--html", "x", containing: ["--junit and --html"])
        try assertFails(64, "record", "--null", "--codec", "hevc", containing: ["--codec", "--null"])
        try assertFails(64, "record", "--null", "--fragment-interval", "1s", containing: ["--fragment-interval"])
        try assertFails(64, "port", "a.swift", "--lines", "--json", containing: ["--lines"])
    }

    func testAPhotoAfterTheEndOfTheSourceFails() throws {
        try assertFails(
            1, "photo", "o.jpg", "--backend", "file:\(Self.media("street-3s.avi").path)", "--after", "5s",
            containing: ["ended after 3 s", "5s"])
    }

    func testTheLibraryRejectsUnsupportedAndUnknownFiles() throws {
        try assertFails(
            1, "library", "import", "nope.jpg", "--library", "lib", containing: ["there is no file nope.jpg"])
        try assertFails(
            1, "library", "import", "text.mov", "--library", "lib",
            containing: ["text.mov is not a photo or movie", "JPEG", "QuickTime"])
        try makeLibrary("lib")
        try assertFails(
            1, "library", "import", "nope.jpg", "--library", "lib", containing: ["there is no file nope.jpg"])
        try assertFails(1, "library", "export", "nope", "o.jpg", "--library", "lib", containing: ["no asset nope"])
    }

    private func makeLibrary(_ name: String) throws {
        let outcome = try obscura("library", "import", Self.media("handheld-3s.mp4").path, "--library", name)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
    }

    func testListingAndExportingCreateNoLibrary() throws {
        try assertFails(1, "library", "list", "--library", "nosuch", containing: ["there is no library in nosuch"])
        try assertFails(1, "library", "list", "--library", "folder", containing: ["there is no library in folder"])
        try assertFails(
            1, "library", "export", "nope", "o.jpg", "--library", "nosuch",
            containing: ["there is no library in nosuch"])
        try assertFails(1, "library", "export", "nope", "o.jpg", containing: ["no asset nope"])
        let listing = try obscura("library", "list")
        XCTAssertEqual(listing.status, 0, listing.errors)
        XCTAssertTrue(listing.text.contains("is empty"), listing.text)
        XCTAssertFalse(FileManager.default.fileExists(atPath: file("data").path))
    }

    func testAPhotoWithoutItsHeaderIsNotImported() throws {
        XCTAssertEqual(try obscura("photo", "p.jpg", "--size", "640x480", "--after", "100ms").status, 0)
        try Data(contentsOf: file("p.jpg")).prefix(100).write(to: file("cut.jpg"))
        try makeLibrary("lib")
        try assertFails(
            1, "library", "import", "cut.jpg", "--library", "lib", containing: ["cut.jpg", "header is damaged"])
    }

    func testATextFileWithAMovieExtensionIsNotImported() throws {
        try makeLibrary("lib")
        try assertFails(1, "library", "import", "text.mov", "--library", "lib", containing: ["text.mov"])
    }

    func testAnInvalidScenarioIsReportedWithItsLocation() throws {
        try assertFails(1, "replay", "nope.yaml", containing: ["there is no file nope.yaml"])
        try assertFails(1, "replay", "folder", containing: ["there is no scenario in the folder folder"])
        try Data("scenario: 1\nsede: 4\n".utf8).write(to: file("bad.yaml"))
        try assertFails(1, "replay", "bad.yaml", containing: ["bad.yaml:2:", "sede", "seed"])
    }
}
