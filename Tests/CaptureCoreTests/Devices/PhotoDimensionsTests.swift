import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// The sizes of the photos of phones.
final class PhotoDimensionsTests: XCTestCase {
    /// The camera, the size of frames, and the sizes of photos as width x height.
    private let cameras: [(camera: String, preset: AVCaptureSession.Preset, frames: String, photos: [String])] = [
        ("phone.back-wide", .photo, "4032x3024", ["4032x3024"]),
        ("phone.back-wide", .hd1920x1080, "1920x1080", ["1920x1080", "4160x2340"]),
        ("phone.back-wide", .vga640x480, "640x480", ["640x480", "4032x3024"]),
        ("phone.back-wide", .cif352x288, "352x288", ["352x288", "3696x3024"]),
        ("phone.front", .hd1280x720, "1280x720", ["1280x720", "4032x2268"]),
        ("phone.back-dual", .vga640x480, "640x480", ["640x480", "4032x3024"]),
        ("phone-small.front", .photo, "3088x2316", ["3088x2316"]),
        ("phone-small.front", .vga640x480, "640x480", ["640x480", "3088x2316"]),
        ("tablet.back-wide", .photo, "4032x3024", ["4032x3024"]),
        ("phone-pro-5x.back-wide", .photo, "4032x3024", ["4032x3024", "5712x4284", "8064x6048"]),
        ("phone-pro-5x.back-wide", .hd1920x1080, "1920x1080", ["1920x1080", "4224x2376"]),
        ("phone-pro-5x.back-wide", .vga640x480, "640x480", ["640x480", "4032x3024"]),
        ("phone-pro-5x.back-triple", .photo, "4032x3024", ["4032x3024"]),
        ("phone-pro-5x.back-dual", .photo, "4032x3024", ["4032x3024"]),
        ("phone-variable-aperture.back-wide", .photo, "4032x3024", ["4032x3024", "5712x4284", "8064x6048"]),
        ("phone-square-front.back-wide", .photo, "4032x3024", ["4032x3024", "5712x4284", "8064x6048"]),
        ("webcam.camera", .vga640x480, "640x480", ["640x480"]),
    ]

    private func text(_ size: CMVideoDimensions) -> String { "\(size.width)x\(size.height)" }

    func testPhonesHaveThePhotosOfTheirFormats() throws {
        for item in cameras {
            let fixture = try CaptureFixture(profile: String(item.camera.prefix { $0 != "." }))
            let output = fixture.inSystem { AVCapturePhotoOutput() }
            let session = try fixture.makeSession(
                camera: item.camera, microphone: nil, preset: item.preset, [output])
            let name = "\(item.camera) \(item.preset.rawValue)"
            let format = try fixture.device(item.camera).activeFormat
            XCTAssertEqual(text(CMVideoFormatDescriptionGetDimensions(format.formatDescription)), item.frames, name)
            XCTAssertEqual(format.supportedMaxPhotoDimensions.map(text), item.photos, name)
            XCTAssertEqual(text(output.maxPhotoDimensions), item.photos[0], name)
            withExtendedLifetime(session) {}
        }
    }

    /// A phone with photos of 48 MP beside small frames, at a tenth of the size.
    func testSettingsSelectOneOfThreeSizes() throws {
        let sizes = [(64, 48), (400, 300), (800, 600)].map { CMVideoDimensions(width: $0, height: $1) }
        let fixture = try CaptureFixture(profile: "phone") { profile in
            for index in profile.devices.indices {
                guard case .camera(var camera) = profile.devices[index] else { continue }
                for format in camera.formats.indices where camera.formats[format].dimensions.width == 192 {
                    camera.formats[format].photoDimensions = sizes
                }
                profile.devices[index] = .camera(camera)
            }
        }
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(camera: "phone.back-wide", microphone: nil, preset: .low, [output])
        output.isHighResolutionCaptureEnabled = true
        session.startRunning()
        fixture.advance(milliseconds: 100)
        let none = CMVideoDimensions(width: 0, height: 0)
        let cases: [(limit: Int, requested: CMVideoDimensions, isHighResolution: Bool, expected: Int)] = [
            (0, none, false, 0), (1, none, false, 0), (1, sizes[1], false, 1), (2, sizes[1], false, 1),
            (2, sizes[2], false, 2), (2, none, false, 0), (0, none, true, 2),
        ]
        for item in cases {
            output.maxPhotoDimensions = sizes[item.limit]
            let settings = fixture.inSystem { AVCapturePhotoSettings() }
            settings.maxPhotoDimensions = item.requested
            settings.isHighResolutionPhotoEnabled = item.isHighResolution
            let photos = RecordingPhotos()
            output.capturePhoto(with: settings, delegate: photos)
            fixture.advance(milliseconds: 200)
            let photo = try XCTUnwrap(photos.photos.first)
            XCTAssertEqual(text(photo.resolvedSettings.photoDimensions), text(sizes[item.expected]), "\(item)")
            let header = try JPEGCodec().header(of: XCTUnwrap(photo.fileDataRepresentation()))
            XCTAssertEqual(header.width, Int(sizes[item.expected].width), "\(item)")
        }
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testComputersDoNotRunSeveralCameras() throws {
        for (profile, isSupported) in [
            ("laptop", false), ("phone-as-webcam", false), ("phone", true), ("tablet", true),
        ] {
            let fixture = try CaptureFixture(profile: profile)
            XCTAssertEqual(
                fixture.inSystem { AVCaptureMultiCamSession.isMultiCamSupported }, isSupported, profile)
        }
    }
}
