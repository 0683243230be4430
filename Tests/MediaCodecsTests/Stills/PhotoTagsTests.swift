import Foundation
import MediaCodecs
import TestSupport
import XCTest

/// All metadata of photos that exiftool wrote.
final class PhotoTagsTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tags-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    /// Returns the tags of a file that ffmpeg writes and exiftool changes.
    private func tags(_ name: String, _ arguments: String...) throws -> [PhotoTag] {
        let url = folder.appendingPathComponent(name)
        for (program, options) in [
            ("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=32x32", "-frames:v", "1", url.path]),
            ("exiftool", ["-q", "-overwrite_original", "-charset", "iptc=UTF8"] + arguments + [url.path]),
        ] {
            let output = try ExternalTool.run(program, options)
            if output.status == 127 { throw MissingRequirement("the program \(program), which CI/setup installs") }
            XCTAssertEqual(output.status, 0, output.errors)
        }
        return try XCTUnwrap(PhotoFile(Data(contentsOf: url))).tags
    }

    private func texts(_ tags: [PhotoTag], _ name: String) -> [String] {
        tags.filter { $0.name == name }.map(\.text)
    }

    func testAllTagsOfTheEXIFBlockAreListedAndNoOthers() throws {
        let tags = try tags(
            "exif.jpg", "-DateTimeOriginal=2024:05:17 18:30:00", "-ExposureTime=1/8", "-ISO=200", "-Make=Canon",
            "-LensInfo=24 70 2.8 4", "-UserComment=Grüße", "-XPTitle=Über", "-SerialNumber=0042",
            "-GPSLatitude=47.5", "-GPSLatitudeRef=N", "-GPSTimeStamp=03:04:05", "-ColorSpace#=1",
            "-InteropIndex=R98")
        for (name, text) in [
            ("{TIFF}.Make", "Canon"), ("{TIFF}.XPTitle", "Über"), ("{Exif}.DateTimeOriginal", "2024:05:17 18:30:00"),
            ("{Exif}.ExposureTime", "0.125"), ("{Exif}.ISOSpeedRatings", "200"), ("{Exif}.ColorSpace", "1"),
            ("{Exif}.ExifVersion", "0232"), ("{Exif}.UserComment", "Grüße"), ("{Exif}.BodySerialNumber", "0042"),
            ("{Exif}.LensSpecification", "24, 70, 2.8, 4"), ("{GPS}.Latitude", "47.5"), ("{GPS}.LatitudeRef", "N"),
            ("{GPS}.TimeStamp", "03:04:05"), ("{Interoperability}.InteroperabilityIndex", "R98"),
        ] {
            XCTAssertEqual(texts(tags, name), [text], "\(name) in \(tags)")
        }
        XCTAssertEqual(texts(tags, "{Exif}.DateTimeDigitized"), [], "the file has only one date")
        XCTAssertEqual(texts(tags, "{TIFF}.DateTime"), [])
    }

    func testXMPPropertiesAreListedWithTheirListsAndStructures() throws {
        let tags = try tags(
            "xmp.jpg", "-XMP-dc:Subject=cat", "-XMP-dc:Subject=dogs & <mice>", "-XMP-dc:Description=A lake",
            "-XMP-xmp:Rating=4", "-XMP-iptcCore:CreatorWorkEmail=me@example.org")
        XCTAssertEqual(texts(tags, "dc:subject"), ["cat", "dogs & <mice>"])
        XCTAssertEqual(texts(tags, "dc:description"), ["A lake"])
        XCTAssertEqual(texts(tags, "xmp:Rating"), ["4"])
        XCTAssertEqual(texts(tags, "Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiEmailWork"), ["me@example.org"])
        XCTAssertFalse(tags.contains { $0.name.hasPrefix("rdf:") || $0.name.hasPrefix("x:") }, "\(tags)")
    }

    func testTextsOfIPTCAndOfFileFormatsAreListed() throws {
        let jpeg = try tags(
            "iptc.jpg", "-IPTC:Keywords=lake", "-IPTC:Keywords=boat", "-IPTC:City=Zürich", "-Comment=a remark")
        XCTAssertEqual(texts(jpeg, "{IPTC}.Keywords"), ["lake", "boat"])
        XCTAssertEqual(texts(jpeg, "{IPTC}.City"), ["Zürich"])
        XCTAssertEqual(texts(jpeg, "{JPEG}.Comment"), ["a remark"])
        let png = try tags("text.png", "-PNG:Author=Ada", "-PNG:Title=Zürich")
        XCTAssertEqual(texts(png, "{PNG}.Author"), ["Ada"])
        XCTAssertEqual(texts(png, "{PNG}.Title"), ["Zürich"])
    }

    func testDamagedMetadataIsReadAsFarAsPossible() throws {
        let url = folder.appendingPathComponent("all.jpg")
        let all = Set(
            try tags("all.jpg", "-IPTC:Keywords=lake", "-IPTC:City=Bern", "-XMP-dc:Subject=cat", "-Make=Canon"))
        let data = try Data(contentsOf: url)
        let end = try XCTUnwrap(data.range(of: Data("cat".utf8))).upperBound
        for count in stride(from: 4, to: end, by: 3) {
            let tags = PhotoFile(data.prefix(count))?.tags ?? []
            XCTAssertTrue(all.isSuperset(of: tags), "\(tags) in the first \(count) bytes")
            // A changed length must not lead beyond the data.
            var changed = data
            changed[count] ^= 0xFF
            _ = PhotoFile(changed)?.tags
        }
    }
}
