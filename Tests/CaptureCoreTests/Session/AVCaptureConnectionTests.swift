import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore
@testable import CapturePreview

final class AVCaptureConnectionTests: XCTestCase {
    /// The luma of a frame, row by row.
    private struct Luma: Equatable {
        let width: Int
        let height: Int
        var rows: [[UInt8]]

        init(_ sample: CMSampleBuffer) throws {
            let pixels = try XCTUnwrap(sample.imageBuffer)
            (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
            rows = pixels.withPlane(0) { plane in
                (0..<plane.height).map { y in
                    Array(
                        UnsafeRawBufferPointer(start: plane.baseAddress + y * plane.bytesPerRow, count: plane.width))
                }
            }
        }

        init(rows: [[UInt8]]) {
            self.rows = rows
            (width, height) = (rows.first?.count ?? 0, rows.count)
        }

        /// Rotated clockwise by 90 degrees.
        var rotated: Luma {
            Luma(rows: (0..<width).map { x in (0..<height).map { rows[height - 1 - $0][x] } })
        }

        var mirrored: Luma { Luma(rows: rows.map { $0.reversed() }) }
    }

    func testADataOutputRotatesAndMirrorsThePixels() throws {
        let fixture = try CaptureFixture(scene: .chart)
        let listeners = (0..<9).map { _ in RecordingFrames(keepsSamples: true) }
        let outputs = fixture.inSystem { listeners.map { _ in AVCaptureVideoDataOutput() } }
        for (output, listener) in zip(outputs, listeners) {
            output.setSampleBufferDelegate(listener, queue: listener.queue)
        }
        let session = try fixture.makeSession(microphone: nil, outputs)
        for (index, output) in outputs.dropFirst().enumerated() {
            let connection = try XCTUnwrap(output.connection(with: .video))
            connection.videoRotationAngle = CGFloat(index % 4 * 90)
            connection.automaticallyAdjustsVideoMirroring = false
            connection.isVideoMirrored = index >= 4
        }
        session.startRunning()
        fixture.advance(milliseconds: 10)
        session.stopRunning()
        let lumas = try listeners.map { try Luma(XCTUnwrap($0.samples.first)) }
        var expected = lumas[0]
        for turn in 0..<4 {
            XCTAssertTrue(lumas[1 + turn] == expected, "rotated by \(turn * 90) degrees")
            XCTAssertTrue(lumas[5 + turn] == expected.mirrored, "rotated by \(turn * 90) degrees and mirrored")
            XCTAssertEqual(lumas[1 + turn].width, turn % 2 == 0 ? 320 : 240)
            expected = expected.rotated
        }
        XCTAssertFalse(lumas[0] == lumas[0].mirrored)
        for listener in listeners { XCTAssertEqual(listener.counters, [0]) }
        fixture.assertNoMisuse()
    }

    func testOrientationsCorrespondToAngles() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession([output])
        let connection = try XCTUnwrap(output.connection(with: .video))
        XCTAssertEqual(connection.videoOrientation, .landscapeRight)
        for (orientation, angle) in [
            (AVCaptureVideoOrientation.portrait, 90.0), (.landscapeLeft, 180), (.portraitUpsideDown, 270),
            (.landscapeRight, 0),
        ] {
            connection.videoOrientation = orientation
            XCTAssertEqual(connection.videoRotationAngle, angle)
            connection.videoRotationAngle = 0
            connection.videoRotationAngle = angle
            XCTAssertEqual(connection.videoOrientation, orientation)
            XCTAssertTrue(connection.isVideoRotationAngleSupported(angle))
        }
        XCTAssertFalse(connection.isVideoRotationAngleSupported(45))
        fixture.assertMisuse(.invalidArgument) { connection.videoRotationAngle = 45 }
        XCTAssertEqual(connection.videoRotationAngle, 0)
        withExtendedLifetime(session) {}
    }

    func testMirroringIsManualForOutputsAndAutomaticForPreviews() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let outputs: [AVCaptureOutput] = fixture.inSystem {
            [AVCaptureVideoDataOutput(), AVCaptureMovieFileOutput(), AVCapturePhotoOutput()]
        }
        let session = try fixture.makeSession(camera: "phone.front", microphone: nil, preset: .vga640x480, outputs)
        let layer = AVCaptureVideoPreviewLayer(session: session)
        for output in outputs {
            let connection = try XCTUnwrap(output.connection(with: .video))
            XCTAssertFalse(connection.automaticallyAdjustsVideoMirroring, "\(output)")
            XCTAssertFalse(connection.isVideoMirrored, "\(output)")
            connection.isVideoMirrored = true
            XCTAssertTrue(connection.isVideoMirrored, "\(output)")
            fixture.assertNoMisuse()
            connection.automaticallyAdjustsVideoMirroring = true
            XCTAssertFalse(connection.isVideoMirrored, "\(output): automatic mirroring mirrors only previews")
            fixture.assertMisuse(.invalidArgument) { connection.isVideoMirrored = true }
            XCTAssertFalse(connection.isVideoMirrored, "\(output)")
        }
        let preview = try XCTUnwrap(layer.connection)
        XCTAssertTrue(preview.automaticallyAdjustsVideoMirroring)
        XCTAssertTrue(preview.isVideoMirrored)
        fixture.assertMisuse(.invalidArgument) { preview.isVideoMirrored = false }
        XCTAssertTrue(preview.isVideoMirrored)
    }

    func testAnAudioConnectionHasNoOrientationOrMirroring() throws {
        let fixture = try CaptureFixture()
        let (video, audio) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()) }
        let session = try fixture.makeSession([video, audio])
        let (videoConnection, audioConnection) = (
            try XCTUnwrap(video.connections.first), try XCTUnwrap(audio.connections.first)
        )
        XCTAssertFalse(audioConnection.isVideoOrientationSupported)
        XCTAssertFalse(audioConnection.isVideoMirroringSupported)
        fixture.assertMisuse(.invalidArgument) { audioConnection.videoOrientation = .portrait }
        fixture.assertMisuse(.invalidArgument) { audioConnection.videoRotationAngle = 0 }
        XCTAssertFalse(audioConnection.automaticallyAdjustsVideoMirroring)
        fixture.assertMisuse(.invalidArgument) { audioConnection.isVideoMirrored = true }
        XCTAssertEqual(videoConnection.audioChannels, [])
        withExtendedLifetime(session) {}
    }

    func testADisabledConnectionDeliversNothingUntilItIsEnabledAgain() throws {
        let fixture = try CaptureFixture()
        let (one, other) = (RecordingFrames(), RecordingFrames())
        let (first, second) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput()) }
        first.setSampleBufferDelegate(one, queue: one.queue)
        second.setSampleBufferDelegate(other, queue: other.queue)
        let session = try fixture.makeSession(microphone: nil, [first, second])
        session.startRunning()
        fixture.advance(milliseconds: 50)
        first.connection(with: .video)?.isEnabled = false
        fixture.advance(milliseconds: 40)
        first.connection(with: .video)?.isEnabled = true
        fixture.advance(milliseconds: 40)
        XCTAssertEqual(one.counters, [0, 1, 3])
        XCTAssertEqual(other.counters, [0, 1, 2, 3])
        session.inputs.first?.ports.first?.isEnabled = false
        fixture.advance(milliseconds: 70)
        XCTAssertEqual(other.counters, [0, 1, 2, 3])
        session.stopRunning()
    }

    func testAudioChannelsReportTheirPowerLevels() throws {
        let fixture = try CaptureFixture()
        let audio = fixture.inSystem { AVCaptureAudioDataOutput() }
        let session = try fixture.makeSession(camera: nil, [audio])
        let connection = try XCTUnwrap(audio.connection(with: .audio))
        let channels = connection.audioChannels
        XCTAssertEqual(channels.map(\.averagePowerLevel), [-160, -160], "they exist before audio is received")
        session.startRunning()
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(connection.audioChannels, channels, "the objects stay the same")
        // Sines of -20 and -26 dBFS peak: their mean power is 3.01 dB below.
        XCTAssertEqual(channels.count, 2)
        XCTAssertEqual(channels[0].averagePowerLevel, -23.01, accuracy: 0.1)
        XCTAssertEqual(channels[0].peakHoldLevel, -20, accuracy: 0.2)
        XCTAssertEqual(channels[1].averagePowerLevel, -29.01, accuracy: 0.1)
        XCTAssertEqual(channels[1].peakHoldLevel, -26, accuracy: 0.3)
        session.stopRunning()
    }
}
