import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import SimDevices

/// Tests the color space P3 and photos in it.
final class WideColorTests: XCTestCase {
    private struct Capture {
        var fixture: CaptureFixture
        var session: AVCaptureSession
        var output: AVCapturePhotoOutput
        var device: AVCaptureDevice

        func photo(_ codec: AVVideoCodecType) throws -> AVCapturePhoto {
            let photos = RecordingPhotos()
            let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
            settings.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: codec]
            output.capturePhoto(with: settings, delegate: photos)
            fixture.advance(milliseconds: 200)
            fixture.assertNoMisuse()
            return try XCTUnwrap(photos.photos.first)
        }
    }

    private func start(isWide: Bool) throws -> Capture {
        let fixture = try CaptureFixture(profile: "phone", scene: .chart) { profile in
            guard isWide else { return }
            for index in profile.devices.indices {
                guard case .camera(var camera) = profile.devices[index] else { continue }
                for format in camera.formats.indices { camera.formats[format].colorSpaces.insert(.p3D65, at: 1) }
                profile.devices[index] = .camera(camera)
            }
        }
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        fixture.advance(milliseconds: 500)
        return Capture(
            fixture: fixture, session: session, output: output, device: try fixture.device("phone.back-wide"))
    }

    /// Returns the linear light of a code of sRGB, from 0 to 255.
    private func light(_ code: Double) -> Double {
        let signal = code / 255
        return signal > 0.04045 ? pow((signal + 0.055) / 1.055, 2.4) : signal / 12.92
    }

    /// Returns the mean blue, green and red of each patch of the chart.
    private func patches(_ image: CVPixelBuffer) -> [[Double]] {
        ChartScene.patches.indices.map { index in
            let frame = ChartScene.patchFrame(index)
            let columns = Int((frame.x + frame.width / 4) * 640)..<Int((frame.x + frame.width * 3 / 4) * 640)
            let rows = Int((frame.y + frame.height / 4) * 480)..<Int((frame.y + frame.height * 3 / 4) * 480)
            return image.withPlane(0) { plane in
                var sums = [0.0, 0, 0]
                for row in rows {
                    for column in columns {
                        for color in 0..<3 {
                            let offset = row * plane.bytesPerRow + column * 4 + color
                            sums[color] += Double(plane.baseAddress.load(fromByteOffset: offset, as: UInt8.self))
                        }
                    }
                }
                return sums.map { $0 / Double(rows.count * columns.count) }
            }
        }
    }

    /// Compares the light of patches. The transfer function of the frames is that of BT.709 and not that of sRGB, so that
    /// small parts of saturated colors differ.
    private func assertEqual(
        _ found: [[Double]], _ expected: [[Double]], _ message: String = "", line: UInt = #line
    ) {
        for (index, (found, expected)) in zip(found, expected).enumerated() {
            for (found, expected) in zip(found.map(light), expected.map(light)) {
                XCTAssertEqual(
                    found, expected, accuracy: 0.014 + 0.04 * expected, "patch \(index) \(message)", line: line)
            }
        }
    }

    func testASessionWithAPhotoOutputSelectsP3() throws {
        let capture = try start(isWide: true)
        XCTAssertEqual(capture.device.activeFormat.supportedColorSpaces, [.sRGB, .P3_D65])
        XCTAssertEqual(capture.device.activeColorSpace, .P3_D65)
        capture.session.removeOutput(capture.output)
        XCTAssertEqual(capture.device.activeColorSpace, .sRGB)
        capture.session.automaticallyConfiguresCaptureDeviceForWideColor = false
        capture.session.addOutput(capture.output)
        XCTAssertEqual(capture.device.activeColorSpace, .sRGB)
        try capture.device.lockForConfiguration()
        capture.device.activeColorSpace = .P3_D65
        capture.device.unlockForConfiguration()
        capture.session.removeOutput(capture.output)
        XCTAssertEqual(capture.device.activeColorSpace, .P3_D65)
        XCTAssertEqual(try start(isWide: false).device.activeColorSpace, .sRGB)
        capture.fixture.assertNoMisuse()
    }

    func testPhotosHaveTheProfileAndTheColorsOfTheScene() throws {
        let (wide, standard) = (try start(isWide: true), try start(isWide: false))
        for codec in [AVVideoCodecType.jpeg, .hevc] {
            let (photo, reference) = (try wide.photo(codec), try standard.photo(codec))
            let file = try XCTUnwrap(PhotoFile(XCTUnwrap(photo.fileDataRepresentation())))
            XCTAssertTrue(file.isDisplayP3, codec.rawValue)
            let exif = photo.metadata[kCGImagePropertyExifDictionary] as? [String: Any]
            XCTAssertEqual(exif?[kCGImagePropertyExifColorSpace] as? Int, 65535)
            let expected = try XCTUnwrap(PhotoFile(XCTUnwrap(reference.fileDataRepresentation())))
            XCTAssertFalse(expected.isDisplayP3)
            // Read as sRGB, both photos show the same colors.
            let colors = patches(try expected.decoded().pixels)
            assertEqual(patches(try file.decoded().pixels), colors, codec.rawValue)
            let image = try XCTUnwrap(photo.cgImageRepresentation())
            assertEqual(patches(image.pixelBuffer), colors, codec.rawValue)
            let thumbnail = try XCTUnwrap(file.decodedThumbnail()).pixels
            XCTAssertEqual([thumbnail.width, thumbnail.height], [160, 120])
        }
    }

    func testTheCodesAreThoseOfP3() throws {
        let (wide, standard) = (try start(isWide: true), try start(isWide: false))
        let codes = patches(
            try JPEGCodec().decode(
                XCTUnwrap(wide.photo(.jpeg).fileDataRepresentation()), pixelFormat: kCVPixelFormatType_32BGRA
            ).pixels)
        let reference = patches(
            try JPEGCodec().decode(
                XCTUnwrap(standard.photo(.jpeg).fileDataRepresentation()), pixelFormat: kCVPixelFormatType_32BGRA
            ).pixels)
        func code(_ light: Double) -> Double {
            255 * (light > 0.0031308 ? 1.055 * pow(light, 1 / 2.4) - 0.055 : light * 12.92)
        }
        let expected = reference.map { patch in
            let color = ColorMatrix.p3D65.applied(to: (light(patch[2]), light(patch[1]), light(patch[0])))
            return [code(color.blue), code(color.green), code(color.red)]
        }
        assertEqual(codes, expected)
        // The saturated red of the patch 14 has a smaller red and a larger green.
        XCTAssertLessThan(codes[14][2], reference[14][2] - 8)
        XCTAssertGreaterThan(codes[14][1], reference[14][1] + 5)
    }
}
