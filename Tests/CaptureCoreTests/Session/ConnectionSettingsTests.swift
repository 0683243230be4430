import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

/// Tests that the settings of connections and outputs stay until the client changes them.
final class ConnectionSettingsTests: XCTestCase {
    private enum Event: CaseIterable {
        case restart, call, background, presetChange, reconfiguration, mediaServicesReset
    }

    private func perform(_ event: Event, on session: AVCaptureSession, _ fixture: CaptureFixture) {
        func interrupt(_ reason: CaptureHAL.InterruptionReason) {
            fixture.system.interruptions.begin(reason)
            fixture.advance(milliseconds: 100)
            fixture.system.interruptions.end(reason)
        }
        switch event {
        case .restart:
            session.stopRunning()
            fixture.advance(milliseconds: 50)
            session.startRunning()
        case .call: interrupt(.videoInUseByAnotherClient)
        case .background: interrupt(.notAvailableInBackground)
        case .presetChange: session.sessionPreset = .medium
        case .reconfiguration:
            session.beginConfiguration()
            let metadata = fixture.inSystem { AVCaptureMetadataOutput() }
            session.addOutput(metadata)
            session.commitConfiguration()
        case .mediaServicesReset:
            fixture.system.interruptions.resetMediaServices()
            fixture.advance(milliseconds: 50)
            session.startRunning()
        }
        fixture.advance(milliseconds: 100)
    }

    func testSettingsOfConnectionsAndOutputsStay() throws {
        for event in Event.allCases {
            let fixture = try CaptureFixture(profile: "phone")
            let (video, photo, movie) = fixture.inSystem {
                (AVCaptureVideoDataOutput(), AVCapturePhotoOutput(), AVCaptureMovieFileOutput())
            }
            let session = try fixture.makeSession(
                camera: "phone.back-wide", microphone: nil, preset: .low, [video, photo, movie])
            session.startRunning()
            fixture.advance(milliseconds: 50)
            let connections = try [video, photo, movie].map { try XCTUnwrap($0.connection(with: .video)) }
            for connection in connections {
                connection.videoRotationAngle = 90
                connection.automaticallyAdjustsVideoMirroring = false
                connection.isVideoMirrored = true
                if connection.isVideoStabilizationSupported { connection.preferredVideoStabilizationMode = .standard }
            }
            connections[0].isEnabled = false
            connections[1].videoScaleAndCropFactor = 2
            video.alwaysDiscardsLateVideoFrames = false
            photo.isHighResolutionCaptureEnabled = true
            photo.maxPhotoQualityPrioritization = .quality
            let largest = try XCTUnwrap(
                connections[1].deviceInput?.device.activeFormat.supportedMaxPhotoDimensions.last)
            photo.maxPhotoDimensions = largest
            photo.setPreparedPhotoSettingsArray([fixture.inSystem { AVCapturePhotoSettings() }])
            movie.movieFragmentInterval = CMTime(value: 3, timescale: 1)
            movie.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.jpeg], for: connections[2])
            fixture.assertNoMisuse()
            func values() -> [String] {
                var values: [String] = []
                for connection in connections {
                    values.append("\(connection.isEnabled) \(connection.videoRotationAngle)")
                    values.append("\(connection.isVideoMirrored) \(connection.automaticallyAdjustsVideoMirroring)")
                    values.append("\(connection.preferredVideoStabilizationMode)")
                    values.append("\(connection.videoScaleAndCropFactor)")
                }
                values.append("\(video.alwaysDiscardsLateVideoFrames) \(photo.isHighResolutionCaptureEnabled)")
                values.append("\(photo.maxPhotoQualityPrioritization)")
                values.append("\(photo.preparedPhotoSettingsArray.map(\.uniqueID))")
                values.append("\(movie.movieFragmentInterval)")
                values.append("\(movie.outputSettings(for: connections[2])[AVVideoCodecKey] ?? "none")")
                return values
            }
            let before = values()
            perform(event, on: session, fixture)
            XCTAssertEqual(values(), before, "after \(event)")
            // Another format may not support the size.
            if event != .presetChange {
                XCTAssertEqual(photo.maxPhotoDimensions.width, largest.width, "after \(event)")
            }
            session.stopRunning()
            fixture.assertNoMisuse()
        }
    }
}
