import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_41…` tests S1-41.
final class HighFrameRateTests: XCTestCase {
    func testS1_41FormatsAreDescribed() throws {
        let simulated = try SimulatedSystem()
        let device = try XCTUnwrap(AVCaptureDevice.default(for: .video))
        let lines = device.formatLines
        XCTAssertEqual(lines.count, device.formats.count)
        let line = try XCTUnwrap(lines.first { $0.contains("1280x720 1.0-240.0 fps") }, "\(lines)")
        XCTAssertTrue(line.hasPrefix("vide "), line)
        XCTAssertTrue(line.contains("zoom 16.0"), line)
        XCTAssertTrue(line.contains("stabilized"), line)
        XCTAssertEqual(Float(device.formats[0].videoFieldOfView), 73.7, accuracy: 1.5, "a lens of 24 mm")
        XCTAssertNotNil(device.format(width: 1280, height: 720, framesPerSecond: 60))
        XCTAssertNil(device.format(width: 3840, height: 2160, framesPerSecond: 120))
        withExtendedLifetime(simulated) {}
    }

    func testS1_42SixtyFramesPerSecondAreRecordedStabilizedAndDroppable() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let results = Events<MovieRecorder.Result>()
        let recorder = MovieRecorder { results.add($0) }
        let session = try makeSession(.hd1280x720, recorder.output)
        let device = try camera(of: session)
        try device.use(
            try XCTUnwrap(device.format(width: 1280, height: 720, framesPerSecond: 60)), framesPerSecond: 60)
        XCTAssertEqual(session.sessionPreset, .inputPriority)
        let connection = try XCTUnwrap(recorder.output.connection(with: .video))
        connection.preferredVideoStabilizationMode = .standard
        session.startRunning()
        simulated.advance(by: .milliseconds(200))
        XCTAssertEqual(connection.activeVideoStabilizationMode, .standard)
        recorder.start(to: simulated.folder.appendingPathComponent("movie.mov"))
        simulated.advance(by: .seconds(1))
        recorder.stop()
        XCTAssertTrue(simulated.advance(until: { results.count == 1 }))
        let asset = AVURLAsset(url: try XCTUnwrap(results.last).url)
        let track = try XCTUnwrap(asset.tracks(withMediaType: .video).first)
        XCTAssertEqual(track.nominalFrameRate, 60, accuracy: 0.5)
        XCTAssertEqual(track.naturalSize, CGSize(width: 1280, height: 720))

        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        var droppableCount = 0
        var count = 0
        while let sampleBuffer = output.copyNextSampleBuffer() {
            guard sampleBuffer.numSamples > 0 else { continue }
            count += 1
            let attachments = CMSampleBufferGetSampleAttachmentsArray(sampleBuffer, createIfNecessary: false)
            let first = (attachments as? [[String: Any]])?.first
            if first?[kCMSampleAttachmentKey_IsDependedOnByOthers as String] as? Bool == false { droppableCount += 1 }
        }
        XCTAssertEqual(count, 60, accuracy: 2)
        XCTAssertEqual(droppableCount, count / 2, accuracy: 3, "players can drop every second frame")
    }

    func testS1_42ARealTimeWriterWritesSixtyFramesPerSecond() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let url = simulated.folder.appendingPathComponent("movie.mov")
        let writer = try RealTimeWriter(to: url, width: 1280, height: 720)
        let session = try makeSession(.hd1280x720, writer.output)
        let device = try camera(of: session)
        try device.use(
            try XCTUnwrap(device.format(width: 1280, height: 720, framesPerSecond: 60)), framesPerSecond: 60)
        session.startRunning()
        simulated.advance(by: .seconds(1))
        session.stopRunning()
        let results = Events<(written: Int, missed: Int)>()
        writer.finish { result in
            if let frameCounts = try? result.get() { results.add(frameCounts) }
        }
        XCTAssertTrue(simulated.advance(until: { results.count == 1 }))
        let frameCounts = try XCTUnwrap(results.last)
        XCTAssertEqual(frameCounts.written, 60, accuracy: 6)
        XCTAssertEqual(frameCounts.missed, 0)
        let track = try XCTUnwrap(AVURLAsset(url: url).tracks(withMediaType: .video).first)
        XCTAssertEqual(track.nominalFrameRate, 60, accuracy: 0.5)
    }
}
