import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import XCTest

final class EXIFTests: XCTestCase {
    private func completeEXIF() -> EXIF {
        var exif = EXIF()
        exif.exposureTime = 1.0 / 120
        exif.aperture = 1.8
        exif.iso = 250
        exif.exposureBias = -0.7
        exif.focalLengthMillimeters = 4.25
        exif.equivalentFocalLengthMillimeters = 26
        exif.orientation = .right
        exif.originalTime = EXIF.Moment(
            year: 2026, month: 2, day: 3, hour: 4, minute: 5, second: 6, millisecond: 78, offsetMinutes: -210)
        exif.make = "Obscura"
        exif.model = "Kamera ü"
        exif.lensMake = "Obscura"
        exif.lensModel = "Wide 4.25 mm f/1.8"
        exif.software = "obscura 1"
        exif.flash = EXIF.Flash(fired: true, isAutomatic: true)
        exif.whiteBalance = .manual
        exif.location = EXIF.Location(
            latitude: -33.856785, longitude: 151.215295, altitude: -4.5,
            time: EXIF.Moment(year: 2026, month: 2, day: 3, hour: 7, minute: 35, second: 6), heading: 271.5)
        exif.pixelWidth = 4032
        exif.pixelHeight = 3024
        exif.colorSpace = .sRGB
        return exif
    }

    func testAllFieldsAreReadBack() throws {
        let exif = completeEXIF()
        var decoded = try EXIF(encoded: exif.encoded())
        let location = try XCTUnwrap(decoded.location)
        XCTAssertEqual(location.latitude, -33.856785, accuracy: 1e-7)
        XCTAssertEqual(location.longitude, 151.215295, accuracy: 1e-7)
        XCTAssertEqual(try XCTUnwrap(decoded.exposureTime), 1.0 / 120, accuracy: 1e-9)
        XCTAssertEqual(decoded.exposureBias, -0.7)
        XCTAssertEqual(location.altitude, -4.5)
        XCTAssertEqual(location.heading, 271.5)
        XCTAssertEqual(location.time, exif.location?.time)
        decoded.location = exif.location
        XCTAssertEqual(decoded, exif)
    }

    func testTagsWithoutAPropertyOfEXIFAreReadBack() throws {
        let tiff: [String: Any] = [
            kCGImagePropertyTIFFImageDescription: "A street", kCGImagePropertyTIFFArtist: "Ada",
            kCGImagePropertyTIFFCopyright: "© 2026",
        ]
        let photo: [String: Any] = [
            kCGImagePropertyExifUserComment: "for the test", kCGImagePropertyExifLensSerialNumber: "12",
            kCGImagePropertyExifLensSpecification: [4.25, 4.25, 1.5, 1.75], kCGImagePropertyExifApertureValue: 1.5,
            kCGImagePropertyExifMaxApertureValue: 1.25, kCGImagePropertyExifSubjectDistance: 2.5,
            kCGImagePropertyExifDigitalZoomRatio: 2.0, kCGImagePropertyExifShutterSpeedValue: -1.5,
            kCGImagePropertyExifBrightnessValue: -0.5, kCGImagePropertyExifSubjectArea: [100, 200, 30, 40],
            kCGImagePropertyExifExposureProgram: 2, kCGImagePropertyExifExposureMode: 1,
            kCGImagePropertyExifMeteringMode: 5, kCGImagePropertyExifLightSource: 4,
            kCGImagePropertyExifSensingMethod: 2, kCGImagePropertyExifCustomRendered: 1,
            kCGImagePropertyExifSceneCaptureType: 3, kCGImagePropertyExifSceneType: 1,
        ]
        let exif = EXIF(imageProperties: [
            kCGImagePropertyTIFFDictionary: tiff, kCGImagePropertyExifDictionary: photo,
        ])
        XCTAssertEqual(exif.additional.count, tiff.count + photo.count)
        let properties = try EXIF(encoded: exif.encoded()).imageProperties
        XCTAssertEqual(properties[kCGImagePropertyTIFFDictionary] as? NSDictionary, tiff as NSDictionary)
        XCTAssertEqual(properties[kCGImagePropertyExifDictionary] as? NSDictionary, photo as NSDictionary)
    }

    func testTagsOfAPositionAreReadBackWithAndWithoutALocation() throws {
        let position: [String: Any] = [
            kCGImagePropertyGPSSatellites: "12", kCGImagePropertyGPSStatus: "A", kCGImagePropertyGPSMeasureMode: "3",
            kCGImagePropertyGPSDOP: 4.5, kCGImagePropertyGPSSpeedRef: "K", kCGImagePropertyGPSSpeed: 36.5,
            kCGImagePropertyGPSTrackRef: "T", kCGImagePropertyGPSTrack: 90.25, kCGImagePropertyGPSMapDatum: "WGS-84",
            kCGImagePropertyGPSDestBearingRef: "M", kCGImagePropertyGPSDestBearing: 12.5,
            kCGImagePropertyGPSDestDistanceRef: "K", kCGImagePropertyGPSDestDistance: 3.5,
            kCGImagePropertyGPSProcessingMethod: "GPS", kCGImagePropertyGPSAreaInformation: "Zürich",
            kCGImagePropertyGPSDifferental: 1, kCGImagePropertyGPSHPositioningError: 2.5,
        ]
        for location in [nil, EXIF.Location(latitude: 47.5, longitude: 8.5)] {
            var exif = EXIF(imageProperties: [kCGImagePropertyGPSDictionary: position])
            exif.location = location
            let decoded = try EXIF(encoded: exif.encoded())
            XCTAssertEqual(decoded, exif)
            let entries = decoded.imageProperties[kCGImagePropertyGPSDictionary] as? [String: Any]
            let others = entries?.filter { position[$0.key] != nil }
            XCTAssertEqual(others as NSDictionary?, position as NSDictionary)
            XCTAssertEqual(entries?[kCGImagePropertyGPSLatitude] as? Double, location?.latitude)
        }
    }

    func testTagsOfTheMakerNoteOfAppleAreReadBack() throws {
        let note: [String: Any] = [
            "17": "5F1D8A0C-6E5B-4E7C-9B42-0A3B1D3A77C1", "4": 1, "8": [-0.5, 0.25, 0.0625], "40": -7,
        ]
        let exif = EXIF(imageProperties: [kCGImagePropertyMakerAppleDictionary: note])
        XCTAssertEqual(exif.contentIdentifier, "5F1D8A0C-6E5B-4E7C-9B42-0A3B1D3A77C1")
        let decoded = try EXIF(encoded: exif.encoded())
        XCTAssertEqual(decoded, exif)
        let entries = decoded.imageProperties[kCGImagePropertyMakerAppleDictionary]
        XCTAssertEqual(entries as? NSDictionary, note as NSDictionary)
        var other = EXIF()
        XCTAssertNil(other.imageProperties[kCGImagePropertyMakerAppleDictionary])
        other.contentIdentifier = "A"
        XCTAssertEqual(other.makerApple, [17: .text("A")])
        other.makerApple[70_000] = .integers([1])
        XCTAssertThrowsError(try other.encoded())
    }

    func testACommentCanContainAnyCharacters() throws {
        for comment in ["Größe 3 → 4 📷", ""] {
            var exif = EXIF()
            exif.additional[kCGImagePropertyExifUserComment] = .text(comment)
            XCTAssertEqual(try EXIF(encoded: exif.encoded()), exif)
        }
    }

    func testValuesOfAWrongTypeAreIgnored() {
        let exif = EXIF(imageProperties: [
            kCGImagePropertyExifDictionary: [
                kCGImagePropertyExifUserComment: 5, kCGImagePropertyExifMeteringMode: "spot",
                kCGImagePropertyExifExposureMode: 0.5, kCGImagePropertyExifSubjectArea: [1, "2"],
            ] as [String: Any]
        ])
        XCTAssertEqual(exif.additional, [:])
    }

    func testANumberThatATagCannotHoldIsAnError() {
        var exif = EXIF()
        exif.additional[kCGImagePropertyExifSceneType] = .integers([256])
        XCTAssertThrowsError(try exif.encoded()) {
            XCTAssertEqual(($0 as? ImageError)?.message, "SceneType requires numbers from 0 to 255, not [256]")
        }
    }

    func testABlockLargerThanTheMaximumOfAJPEGFileIsReadFromAPNGFile() throws {
        let image = try PNGCodec().encode(MediaFixture.makeBuffer(16, 16, kCVPixelFormatType_OneComponent8))
        // The chunk does not contain `Exif` and two zero bytes. Its checksum, the last four bytes, is not verified.
        let block = try completeEXIF().encoded().dropFirst(6) + Data(count: 70_000)
        var chunk = withUnsafeBytes(of: UInt32(block.count).bigEndian) { Data($0) }
        chunk += Data("eXIf".utf8)
        chunk += block
        chunk += Data(count: 4)
        // The signature and the chunk IHDR are 33 bytes.
        let file = Data(image.prefix(33) + chunk + image.dropFirst(33))
        XCTAssertEqual(EXIF(file: file)?.model, "Kamera ü")
    }

    func testAnEmptyBlockHasNoFields() throws {
        XCTAssertEqual(try EXIF(encoded: EXIF().encoded()), EXIF())
    }

    func testEqualValuesAreEncodedAsEqualBytes() throws {
        XCTAssertEqual(try completeEXIF().encoded(), try completeEXIF().encoded())
    }

    func testAnExposureTimeIsWrittenAsASimpleFraction() throws {
        var exif = EXIF()
        exif.exposureTime = 0.008333333
        let data = try exif.encoded()
        let fraction = Data([1, 0, 0, 0, 120, 0, 0, 0])
        XCTAssertNotNil(data.range(of: fraction))
    }

    func testEveryOrientationIsARotationAndAMirror() {
        for orientation in CGImagePropertyOrientation.allCases {
            XCTAssertEqual(
                CGImagePropertyOrientation(rotation: orientation.rotation, isMirrored: orientation.isMirrored),
                orientation)
        }
        XCTAssertEqual(CGImagePropertyOrientation.right.rotation, .clockwise90)
    }

    func testADateIsConvertedToCalendarTime() {
        let moment = EXIF.Moment(Date(timeIntervalSince1970: 1_709_210_096.25), offsetMinutes: 60)
        XCTAssertEqual(
            moment,
            EXIF.Moment(
                year: 2024, month: 2, day: 29, hour: 13, minute: 34, second: 56, millisecond: 250, offsetMinutes: 60))
        let momentBefore1970 = EXIF.Moment(Date(timeIntervalSince1970: -1))
        XCTAssertEqual(
            [
                momentBefore1970.year, momentBefore1970.month, momentBefore1970.day, momentBefore1970.hour,
                momentBefore1970.second,
            ], [1969, 12, 31, 23, 59])
    }

    func testOutOfRangeValuesAreRejected() {
        var exif = EXIF()
        exif.exposureTime = -1
        XCTAssertThrowsError(try exif.encoded()) { XCTAssertEqual(($0 as? ImageError)?.code, .invalidInput) }
        exif = EXIF()
        exif.aperture = .nan
        XCTAssertThrowsError(try exif.encoded())
        exif = EXIF()
        exif.location = EXIF.Location(latitude: 91, longitude: 0)
        XCTAssertThrowsError(try exif.encoded())
        exif = EXIF()
        exif.software = String(repeating: "x", count: 70_000)
        XCTAssertThrowsError(try exif.encoded()) { XCTAssertEqual(($0 as? ImageError)?.code, .tooLarge) }
    }

    func testRandomDamageNeverCrashes() throws {
        let encoded = [UInt8](try completeEXIF().encoded())
        for seed in 0..<500 {
            var generator = SplitMix64(seed: UInt64(seed))
            var bytes = encoded
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                bytes[Int.random(in: 6..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count - 6, using: &generator) / 2)
            let exif = try EXIF(encoded: Data(bytes))
            _ = try? exif.encoded()  // A damaged value may not be writable.
        }
        XCTAssertThrowsError(try EXIF(encoded: Data("Exif".utf8)))
    }

    func testImagePropertiesHaveAllFields() throws {
        var exif = EXIF()
        exif.exposureTime = 1 / 60.0
        exif.aperture = 1.78
        exif.iso = 80
        exif.exposureBias = -0.5
        exif.focalLengthMillimeters = 6.86
        exif.equivalentFocalLengthMillimeters = 24
        exif.orientation = .leftMirrored
        exif.originalTime = EXIF.Moment(
            year: 2026, month: 2, day: 3, hour: 8, minute: 35, second: 6, millisecond: 7, offsetMinutes: -90)
        exif.make = "A"
        exif.model = "B"
        exif.lensMake = "C"
        exif.lensModel = "D"
        exif.software = "E"
        exif.flash = EXIF.Flash(fired: true, isAutomatic: true)
        exif.whiteBalance = .manual
        exif.location = EXIF.Location(
            latitude: -12.5, longitude: 100.25, altitude: -3,
            time: EXIF.Moment(year: 2026, month: 2, day: 3, hour: 7, minute: 35, second: 6), heading: 271.5)
        exif.pixelWidth = 4032
        exif.pixelHeight = 3024
        exif.colorSpace = .uncalibrated
        XCTAssertEqual(EXIF(imageProperties: exif.imageProperties), exif)
        XCTAssertEqual(EXIF(imageProperties: [:]), EXIF())
        exif.thumbnail = try JPEGCodec().encode(
            XCTUnwrap(CVPixelBuffer(width: 16, height: 8, pixelFormat: kCVPixelFormatType_32BGRA)))
        XCTAssertEqual(try EXIF(encoded: exif.encoded()).thumbnail, exif.thumbnail)
    }
}
