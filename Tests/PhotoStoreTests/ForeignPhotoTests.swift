import CaptureHAL
import Foundation
import ImageTypes
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import PhotoStore

/// Tests photos of other programs: damaged ones, and those with unusual formats and metadata.
final class ForeignPhotoTests: PhotoLibraryTestCase {
    private func imported(_ photo: Data, in system: CaptureSystem) throws -> PHAsset {
        let identifier = try save(photo, in: system)
        return try XCTUnwrap(assets(in: system).first { $0.localIdentifier == identifier })
    }

    private func image(of asset: PHAsset, _ size: CGSize) throws -> CVPixelBuffer {
        try ImageSource(asset).image(
            of: ImageSize(
                asset: (asset.pixelWidth, asset.pixelHeight), target: size, mode: .aspectFit, resize: .fast),
            fromThumbnail: false)
    }

    /// Returns blue, green and red of a pixel in a 32BGRA image.
    private func values(of image: CVPixelBuffer, _ column: Int, _ row: Int) throws -> [Int] {
        CVPixelBufferLockBaseAddress(image, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(image, .readOnly) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(image)).assumingMemoryBound(to: UInt8.self)
        let pixel = base + row * CVPixelBufferGetBytesPerRow(image) + column * 4
        return (0..<3).map { Int(pixel[$0]) }
    }

    /// Runs a program that changes or writes files in the folder of the test.
    private func run(_ program: String, _ arguments: String...) throws {
        let output = try ExternalTool.run(program, arguments)
        if output.status == 127 { throw MissingRequirement("the program \(program), which CI/setup installs") }
        XCTAssertEqual(output.status, 0, output.errors + output.text)
    }

    /// Returns a photo with metadata that exiftool writes.
    private func photo(_ data: Data, _ name: String, _ metadata: String...) throws -> Data {
        let url = folder.appendingPathComponent(name)
        try data.write(to: url)
        let output = try ExternalTool.run("exiftool", ["-q", "-overwrite_original"] + metadata + [url.path])
        XCTAssertEqual(output.status, 0, output.errors)
        return try Data(contentsOf: url)
    }

    // MARK: Descriptions

    func testCaptionsAndKeywordsAreReadFromTheOriginal() throws {
        let system = makeSystem()
        let described = try photo(
            makeJPEG(), "xmp.jpg", "-XMP-dc:Description=Cats & mice", "-XMP-dc:Subject=cat", "-XMP-dc:Subject=mouse",
            "-EXIF:ImageDescription=another")
        let metadata = try imported(described, in: system).extendedMetadata
        XCTAssertEqual(metadata.caption, "Cats & mice")
        XCTAssertEqual(metadata.keywords, ["cat", "mouse"])
        XCTAssertEqual(metadata.originalFilename, "IMG_0001.JPG")
        let older = try photo(makeJPEG(), "exif.jpg", "-EXIF:ImageDescription=A cat")
        XCTAssertEqual(try imported(older, in: system).extendedMetadata.caption, "A cat")
        let press = try photo(
            makeJPEG(), "iptc.jpg", "-charset", "iptc=UTF8", "-codedcharacterset=utf8",
            "-IPTC:Caption-Abstract=Käse", "-IPTC:Keywords=lake", "-IPTC:Keywords=boat")
        XCTAssertEqual(try imported(press, in: system).extendedMetadata.caption, "Käse")
        XCTAssertEqual(try imported(press, in: system).extendedMetadata.keywords, ["lake", "boat"])
        let plain = try imported(makeJPEG(), in: system).extendedMetadata
        XCTAssertNil(plain.caption)
        XCTAssertEqual(plain.keywords, [])
        let clip = try makeMovie(arguments: [
            "-movflags", "use_metadata_tags", "-metadata", "com.apple.quicktime.description=A clip", "-metadata",
            "com.apple.quicktime.keywords=one, two",
        ])
        try saveMovie(clip, in: system)
        let movie = try XCTUnwrap(assets(in: system).last).extendedMetadata
        XCTAssertEqual(movie.caption, "A clip")
        XCTAssertEqual(movie.keywords, ["one", "two"])
        XCTAssertEqual(movie.originalFilename, "clip.mov")
    }

    // MARK: Damage

    func testPhotosWithDamageBehindTheirHeaderAreImportedUnchanged() throws {
        let system = makeSystem()
        let jpeg = try makeJPEG(width: 400, height: 300)
        var superfluous = jpeg
        // Bytes behind the first segment, which decoders skip.
        superfluous.insert(contentsOf: [0, 1, 2], at: 20)
        var flipped = jpeg
        for offset in 0..<40 { flipped[jpeg.count * 3 / 4 + offset] ^= 0x55 }
        let png = try PNGCodec().encode(makeImage(width: 400, height: 300))
        let cases = [
            "without its end marker": Data(jpeg.dropLast(2)), "of which a half is missing": jpeg.prefix(jpeg.count / 2),
            "with superfluous bytes": superfluous, "with damaged image data": flipped,
            "PNG without its end": Data(png.dropLast(12)), "PNG of which a half is missing": png.prefix(png.count / 2),
        ]
        for (name, data) in cases {
            let asset = try imported(data, in: system)
            XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [400, 300], name)
            XCTAssertEqual(try system.run { try original(of: asset) }, data, name)
        }
        // The upper left quarter is red where it can be decoded.
        let asset = try imported(Data(jpeg.dropLast(3)), in: system)
        XCTAssertEqual(try color(of: image(of: asset, CGSize(width: 100, height: 75)), 10, 10), [0, 0, 255])
    }

    func testPhotosThatCannotBeDecodedAreImportedWithoutAThumbnail() throws {
        let system = makeSystem()
        let asset = try imported(HandmadeJPEG(values: [128], precision: 12).data, in: system)
        XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [8, 8])
        XCTAssertThrowsError(try image(of: asset, CGSize(width: 8, height: 8))) { error in
            XCTAssertTrue("\(error)".contains("12 bits"), "\(error)")
        }
    }

    func testCMYKPhotosHaveTheirColors() throws {
        let system = makeSystem()
        // Adobe's values are inverted: 255 is no ink. Blue, green and red are the products with black.
        let cmyk = try imported(HandmadeJPEG(values: [255, 128, 64, 255], adobeTransform: 0).data, in: system)
        let size = CGSize(width: 8, height: 8)
        for (value, expected) in zip(try values(of: image(of: cmyk, size), 4, 4), [64, 128, 255]) {
            XCTAssertEqual(Double(value), Double(expected), accuracy: 3)
        }
        // Y'CbCr with black: the complement of the luma, with the light that black leaves.
        let ycck = try imported(HandmadeJPEG(values: [200, 128, 128, 128], adobeTransform: 2).data, in: system)
        for value in try values(of: image(of: ycck, size), 4, 4) {
            XCTAssertEqual(Double(value), 27, accuracy: 3)
        }
    }

    // MARK: Transparency

    func testTransparentPixelsOfThumbnailsAndImagesAreWhite() throws {
        let system = makeSystem()
        for format in ["rgba", "ya8", "rgba64be"] {
            let url = folder.appendingPathComponent("\(format).png")
            try run(
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "color=s=600x400,format=rgba,geq=r=0:g=0:b=0:a='255*gte(X,300)'",
                "-frames:v", "1", "-pix_fmt", format, url.path)
            let asset = try imported(try Data(contentsOf: url), in: system)
            for side in [300.0, 600.0] {
                let image = try image(of: asset, CGSize(width: side, height: side))
                let (width, height) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
                XCTAssertEqual(try color(of: image, width / 4, height / 2), [255, 255, 255], "\(format) \(side)")
                XCTAssertEqual(try color(of: image, width * 3 / 4, height / 2), [0, 0, 0], "\(format) \(side)")
            }
        }
    }

    func testThumbnailsOfPNGsWithAPaletteHaveItsColors() throws {
        let system = makeSystem()
        let (source, target) = (
            folder.appendingPathComponent("source.png"), folder.appendingPathComponent("palette.png")
        )
        try PNGCodec().encode(makeImage(width: 64, height: 48)).write(to: source)
        try run(
            "ffmpeg", "-nostdin", "-v", "error", "-i", source.path, "-filter_complex",
            "split[a][b];[a]palettegen=max_colors=16[p];[b][p]paletteuse", "-pix_fmt", "pal8", target.path)
        let data = try Data(contentsOf: target)
        // Color type 3 of the header: a palette.
        XCTAssertEqual(data[25], 3)
        let asset = try imported(data, in: system)
        XCTAssertNil(try asset.missingThumbnailReason())
        let image = try image(of: asset, CGSize(width: 64, height: 48))
        XCTAssertEqual(
            try [(8, 8), (56, 8), (56, 40), (8, 40)].map { try color(of: image, $0.0, $0.1) },
            [[0, 0, 255], [0, 255, 0], [255, 255, 255], [255, 0, 0]])
    }

    // MARK: Metadata

    func testTheDateIsTheFirstOneThatIsKnown() throws {
        let system = makeSystem()
        let jpeg = try makeJPEG()
        let png = try PNGCodec().encode(makeImage())
        let zeros = "-EXIF:DateTimeOriginal#=0000:00:00 00:00:00"
        // Each file has one more date before those of the next one.
        let cases: [(Data, String, [String], TimeInterval)] = [
            (
                jpeg, "original.jpg",
                [
                    "-EXIF:DateTimeOriginal=2021:06:01 12:00:00", "-EXIF:OffsetTimeOriginal=+02:00",
                    "-EXIF:CreateDate=now",
                ], 1_622_541_600
            ),
            (
                jpeg, "digitized.jpg",
                [
                    zeros, "-EXIF:CreateDate=2021:06:01 12:00:00", "-EXIF:OffsetTimeDigitized=-01:00",
                    "-EXIF:SubSecTimeDigitized=25", "-EXIF:ModifyDate=now",
                ], 1_622_552_400.25
            ),
            (jpeg, "modified.jpg", [zeros, "-EXIF:ModifyDate=2021:06:01 12:00:00"], 1_622_548_800),
            (
                jpeg, "gps.jpg",
                [zeros, "-EXIF:GPSDateStamp=2021:06:01", "-EXIF:GPSTimeStamp=12:00:00"], 1_622_548_800
            ),
            (jpeg, "xmp.jpg", [zeros, "-XMP-exif:DateTimeOriginal=2021:06:01 12:00:00+02:00"], 1_622_541_600),
            (jpeg, "xmp-created.jpg", ["-XMP-xmp:CreateDate=2021:06:01 12:00:00+02:00"], 1_622_541_600),
            (jpeg, "xmp-photoshop.jpg", ["-XMP-photoshop:DateCreated=2021:06:01 12:00:00Z"], 1_622_548_800),
            (png, "xmp.png", ["-XMP-exif:DateTimeOriginal=2021:06:01 12:00:00+02:00"], 1_622_541_600),
            (png, "exif.png", ["-EXIF:DateTimeOriginal=2021:06:01 12:00:00"], 1_622_548_800),
            (png, "text.png", ["-PNG:CreationTime=2021:06:01 12:00:00"], 1_622_548_800),
        ]
        for (data, name, metadata, seconds) in cases {
            let url = folder.appendingPathComponent(name)
            try data.write(to: url)
            let output = try ExternalTool.run("exiftool", ["-q", "-overwrite_original"] + metadata + [url.path])
            XCTAssertEqual(output.status, 0, output.errors)
            let asset = try imported(try Data(contentsOf: url), in: system)
            XCTAssertEqual(asset.creationDate?.timeIntervalSince1970, seconds, name)
        }
    }

    func testAPositionOfZerosIsNoneAndTheCameraIsStored() throws {
        let system = makeSystem()
        let nowhere = try imported(
            photo(
                makeJPEG(), "zero.jpg", "-EXIF:GPSLatitude=0", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=0",
                "-EXIF:GPSLongitudeRef=E", "-EXIF:Make=Canon  ", "-EXIF:Model=EOS R5"), in: system)
        XCTAssertNil(nowhere.location)
        XCTAssertEqual(nowhere.cameraMake, "Canon")
        XCTAssertEqual(nowhere.cameraModel, "EOS R5")
        let xmp = try imported(
            photo(
                makeJPEG(), "xmp.jpg", "-XMP-exif:GPSLatitude=48.8577 N", "-XMP-exif:GPSLongitude=2.295 W",
                "-XMP-tiff:Make=Example", "-XMP-tiff:Orientation#=6"), in: system)
        XCTAssertEqual(try XCTUnwrap(xmp.location).coordinate.latitude, 48.8577, accuracy: 1e-4)
        XCTAssertEqual(try XCTUnwrap(xmp.location).coordinate.longitude, -2.295, accuracy: 1e-4)
        XCTAssertEqual(xmp.cameraMake, "Example")
        XCTAssertEqual([xmp.pixelWidth, xmp.pixelHeight], [48, 64])
    }

    // MARK: HEIF

    func testHEICPhotosAreReadWithTheirMetadata() throws {
        let system = makeSystem()
        let source = folder.appendingPathComponent("source.png")
        try PNGCodec().encode(makeImage(width: 96, height: 64)).write(to: source)
        let url = folder.appendingPathComponent("photo.heic")
        try run("heif-enc", "-q", "90", "-o", url.path, source.path)
        // The orientation in the metadata does not rotate the image.
        let data = try photo(
            try Data(contentsOf: url), "photo.heic", "-EXIF:DateTimeOriginal=2021:06:01 12:00:00",
            "-EXIF:OffsetTimeOriginal=+02:00", "-EXIF:Make=Apple", "-EXIF:Model=iPhone 12", "-EXIF:Orientation#=6",
            "-EXIF:GPSLatitude=48.8577", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2.295",
            "-EXIF:GPSLongitudeRef=E")
        let asset = try imported(data, in: system)
        XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [96, 64])
        XCTAssertEqual(asset.creationDate?.timeIntervalSince1970, 1_622_541_600)
        XCTAssertEqual(asset.cameraModel, "iPhone 12")
        XCTAssertEqual(try XCTUnwrap(asset.location).coordinate.latitude, 48.8577, accuracy: 1e-4)
        let resource = try XCTUnwrap(system.run { PHAssetResource.assetResources(for: asset) }.first)
        XCTAssertEqual(resource.uniformTypeIdentifier, "public.heic")
        XCTAssertEqual(try system.run { try original(of: asset) }, data)
        let image = try image(of: asset, CGSize(width: 96, height: 64))
        XCTAssertEqual(
            try [(8, 8), (88, 8), (88, 56), (8, 56)].map { try color(of: image, $0.0, $0.1) },
            [[0, 0, 255], [0, 255, 0], [255, 255, 255], [255, 0, 0]])
        let view = try XCTUnwrap(UIImage(data: data))
        XCTAssertEqual(view.size, CGSize(width: 96, height: 64))
        XCTAssertEqual(view.imageOrientation, .up)
    }

    func testTheRotationOfAHEICPhotoIsAppliedOnce() throws {
        let system = makeSystem()
        let source = folder.appendingPathComponent("source.png")
        try PNGCodec().encode(makeImage(width: 96, height: 64)).write(to: source)
        let url = folder.appendingPathComponent("photo.heic")
        try run("heif-enc", "-q", "90", "-o", url.path, source.path)
        // A quarter of a turn counterclockwise, in place of a property that decoders ignore.
        var data = try Data(contentsOf: url)
        let property = try XCTUnwrap(data.range(of: Data("pixi".utf8)))
        data.replaceSubrange(property.lowerBound..<property.lowerBound + 5, with: Data("irot".utf8) + [1])
        let asset = try imported(data, in: system)
        XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [64, 96])
        let image = try image(of: asset, CGSize(width: 64, height: 96))
        XCTAssertEqual(
            try [(8, 8), (56, 8), (56, 88), (8, 88)].map { try color(of: image, $0.0, $0.1) },
            [[0, 255, 0], [255, 255, 255], [255, 0, 0], [0, 0, 255]])
    }

    func testADamagedHEICPhotoIsRefusedOrImportedButNeverCrashes() throws {
        let source = folder.appendingPathComponent("source.png")
        try PNGCodec().encode(makeImage(width: 96, height: 64)).write(to: source)
        let url = folder.appendingPathComponent("photo.heic")
        try run("heif-enc", "-q", "50", "-o", url.path, source.path)
        let data = try Data(contentsOf: url)
        for count in 0..<min(data.count, 700) {
            let file = PhotoFile(data.prefix(count))
            _ = try? file?.size()
            _ = file?.metadata
            var changed = data
            changed[count] ^= 0xFF
            let other = PhotoFile(changed)
            _ = try? other?.size()
            _ = other?.creationTime
        }
    }
}

/// A JPEG image of 8 by 8 pixels of one color, with one block for each component (ITU-T T.81).
private struct HandmadeJPEG {
    let data: Data

    /// Creates an image.
    ///
    /// - Parameters:
    ///   - values: The value of each component.
    ///   - adobeTransform: The transformation in Adobe's segment: 0 for CMYK, 2 for YCCK; nil without the segment.
    init(values: [Int], precision: UInt8 = 8, adobeTransform: UInt8? = nil) {
        var bytes: [UInt8] = [0xFF, 0xD8]
        func append(_ marker: UInt8, _ payload: [UInt8]) {
            bytes += [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)] + payload
        }
        if let adobeTransform { append(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, adobeTransform]) }
        // All steps are 8, so that a difference of 1 in the first coefficient is one level.
        append(0xDB, [0] + [UInt8](repeating: 8, count: 64))
        let components = (0..<values.count).map { UInt8($0 + 1) }
        append(
            precision == 8 ? 0xC0 : 0xC1,
            [precision, 0, 8, 0, 8, UInt8(values.count)] + components.flatMap { [$0, 0x11, 0] })
        // Twelve codes of 4 bits for the sizes of the first coefficient.
        append(0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + (0..<12))
        // One code of one bit for the end of the block.
        append(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
        append(0xDA, [UInt8(values.count)] + components.flatMap { [$0, 0] } + [0, 63, 0])
        var bits = ""
        func binary(_ number: Int, _ count: Int) -> String {
            let text = String(number, radix: 2)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        for value in values {
            let level = value - 128
            let size = level == 0 ? 0 : String(abs(level), radix: 2).count
            bits += binary(size, 4)
            if size > 0 { bits += binary(level > 0 ? level : level + (1 << size) - 1, size) }
            bits += "0"
        }
        bits += String(repeating: "1", count: (8 - bits.count % 8) % 8)
        var rest = Substring(bits)
        while !rest.isEmpty {
            let byte = UInt8(rest.prefix(8), radix: 2) ?? 0
            bytes += byte == 0xFF ? [0xFF, 0] : [byte]
            rest = rest.dropFirst(8)
        }
        data = Data(bytes + [0xFF, 0xD9])
    }
}
