import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// A session of a simulated phone with a photo output on which Live Photos are enabled.
final class LivePhotoFixture {
    let capture: CaptureFixture
    let output: AVCapturePhotoOutput
    let session: AVCaptureSession

    /// - Parameter isRunning: Whether to start the session, two seconds before the test.
    init(
        microphone: String? = "phone.microphone", preset: AVCaptureSession.Preset = .vga640x480,
        isRunning: Bool = true, storage: SimStorage = SimStorage()
    ) throws {
        capture = try CaptureFixture(profile: "phone", scene: .chart, storage: storage)
        output = capture.inSystem { AVCapturePhotoOutput() }
        session = try capture.makeSession(
            camera: "phone.back-wide", microphone: microphone, preset: preset, [output])
        output.isLivePhotoCaptureEnabled = true
        guard isRunning else { return }
        session.startRunning()
        capture.advance(milliseconds: 2000)
    }

    /// Returns settings for a JPEG photo with a movie in the folder of the fixture.
    func settings(_ name: String = "a.mov", codec: AVVideoCodecType = .h264) -> AVCapturePhotoSettings {
        let settings = capture.inSystem { AVCapturePhotoSettings() }
        settings.livePhotoMovieFileURL = capture.url(name)
        settings.livePhotoVideoCodecType = codec
        return settings
    }

    /// Captures a Live Photo, and advances until its movie is complete.
    func livePhoto(_ settings: AVCapturePhotoSettings) -> RecordingPhotos {
        let photos = RecordingPhotos()
        output.capturePhoto(with: settings, delegate: photos)
        capture.advance(milliseconds: 2500)
        return photos
    }

    /// The fields of the streams of a movie, one line for each.
    func streams(_ name: String = "a.mov") throws -> [String] {
        let entries = "stream=codec_type,codec_name,codec_tag_string,width,height,duration"
        return try FFprobe.lines(["-show_entries", entries], capture.url(name)).map { $0.joined(separator: ",") }
    }

    func decode(_ name: String = "a.mov") throws -> DecodedMovie {
        try MovieInspection.assertNoProblems(capture.url(name))
        return try DecodedMovie(capture.url(name))
    }
}
