import AVFoundation
import CaptureTesting
import ExampleTestSupport
import Photos
import XCTest

@testable import Recorders

/// The requirements S4-7 to S4-18 of docs/tutorials.md, about movies. They are tested with both recorders unless they
/// are about one.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS4_7…` tests S4-7.
final class RecordingStoryTests: XCTestCase {
    func testS4_7TheFolderIsCreatedAndMoviesAreNamedByDate() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            XCTAssertFalse(FileManager.default.fileExists(atPath: app.folder.path))
            let formatter = DateFormatter()
            formatter.dateFormat = "yyyyMMddHHmmss"
            var dates: [Date] = []
            for _ in 0..<2 {
                _ = try app.record(.milliseconds(100))
                let movie = try XCTUnwrap(app.controller.lastMovie)
                XCTAssertEqual(movie.deletingLastPathComponent().path, app.folder.path)
                XCTAssertEqual(movie.pathExtension, kind == .dataOutputs ? "mp4" : "mov")
                dates.append(try XCTUnwrap(formatter.date(from: movie.deletingPathExtension().lastPathComponent)))
                app.advance(.seconds(3))
            }
            XCTAssertEqual(dates[1].timeIntervalSince(dates[0]), 3.6, accuracy: 1.1, "\(kind)")
        }
    }

    func testS4_7TwoMoviesInOneSecondHaveTwoNames() throws {
        let simulated = try SimulatedSystem()
        let folder = MovieFolder(url: simulated.folder.appendingPathComponent("a/b"))
        let first = try folder.makeMovieURL(fileExtension: "mp4")
        XCTAssertTrue(FileManager.default.createFile(atPath: first.path, contents: nil))
        let second = try folder.makeMovieURL(fileExtension: "mp4")
        XCTAssertNotEqual(first, second)
        XCTAssertTrue(second.lastPathComponent.hasSuffix("-2.mp4"), second.lastPathComponent)
    }

    func testS4_8TheWriterUsesH264Settings() throws {
        let app = try RecordersApp(.dataOutputs, scene: .street)
        app.start()
        let movie = try app.record(.seconds(3))
        let format = try XCTUnwrap(movie.video.formatDescriptions.first) as! CMFormatDescription
        XCTAssertEqual(CMFormatDescriptionGetMediaSubType(format), kCMVideoCodecType_H264)
        let atoms = CMFormatDescriptionGetExtension(
            format, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
        let configuration = try XCTUnwrap((atoms as? [String: Any])?["avcC"] as? Data)
        XCTAssertEqual(configuration[configuration.startIndex + 1], 66, "the baseline profile")
        let bitRate = Double(movie.video.estimatedDataRate)
        XCTAssertEqual(bitRate, 352 * 288 * 12, accuracy: 352 * 288 * 12 * 0.15)
    }

    func testS4_9TheWriterWritesMonoAACAt22050Hz() throws {
        let app = try RecordersApp(.dataOutputs)
        app.start()
        let movie = try app.record(.seconds(1))
        let audio = try XCTUnwrap(movie.audio)
        let format = try XCTUnwrap(audio.formatDescriptions.first) as! CMFormatDescription
        let description = try XCTUnwrap(CMAudioFormatDescriptionGetStreamBasicDescription(format)).pointee
        XCTAssertEqual(description.mFormatID, kAudioFormatMPEG4AAC)
        XCTAssertEqual(description.mSampleRate, 22_050)
        XCTAssertEqual(description.mChannelsPerFrame, 1)
        XCTAssertGreaterThan(try movie.peak(0.2..<0.8), 0.01, "the tone is recorded")
    }

    func testS4_10AnotherAspectRatioCropsTheFrames() throws {
        let app = try RecordersApp { log in
            // The left quarter of each frame is red.
            DataOutputRecorder(
                movieSize: CGSize(width: 288, height: 288), processFrame: FrameProcessor.leftQuarterRed,
                log: { log.add($0) })
        }
        app.start()
        let movie = try app.record(.milliseconds(300))
        XCTAssertEqual(movie.video.naturalSize, CGSize(width: 288, height: 288))
        // Cropping 352x288 pixels removes 32 columns at each side: 56 of the 88 red ones remain.
        let image = try movie.image()
        let inside = try image.mean(CGRect(x: 0, y: 0.2, width: 50.0 / 288, height: 0.6))
        let outside = try image.mean(CGRect(x: 62.0 / 288, y: 0.2, width: 50.0 / 288, height: 0.6))
        XCTAssertGreaterThan(inside.red - inside.green, 120)
        XCTAssertLessThan(abs(outside.red - outside.green), 40)
    }

    func testS4_11TheDistanceOfKeyFramesIsLimited() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            let frames = try app.record(.seconds(3)).frames()
            XCTAssertEqual(frames.count, 90, accuracy: 2, "\(kind)")
            let keyFrames = frames.indices.filter { frames[$0].isKeyFrame }
            XCTAssertEqual(keyFrames.first, 0)
            let distances = zip(keyFrames, keyFrames.dropFirst() + [frames.count]).map { $1 - $0 }
            XCTAssertLessThanOrEqual(try XCTUnwrap(distances.max()), kind == .dataOutputs ? 30 : 60, "\(kind)")
        }
    }

    func testS4_12AMovieBeginsWithAFrameAtZero() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            let movie = try app.record(.seconds(1))
            XCTAssertEqual(try movie.frames().first?.time, 0, "\(kind)")
            XCTAssertEqual(movie.video.timeRange.start, .zero, "\(kind)")
            let audio = try XCTUnwrap(movie.audio)
            XCTAssertGreaterThanOrEqual(audio.timeRange.start, .zero, "\(kind)")
            XCTAssertLessThan(audio.timeRange.start.seconds, 0.05, "\(kind)")
            XCTAssertGreaterThan(try movie.peak(0..<0.1), 0.01, "\(kind): sound from the beginning")
        }
    }

    func testS4_13StoppingWithoutARecordingHasNoEffect() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.controller.stopRecording()
            app.advance(.milliseconds(100))
            app.start()
            for _ in 0..<2 {
                app.controller.stopRecording()
                app.advance(.milliseconds(300))
            }
            XCTAssertEqual(app.log.all, [], "\(kind)")
            XCTAssertNil(app.controller.message)
            XCTAssertFalse(FileManager.default.fileExists(atPath: app.folder.path))
            XCTAssertEqual(try app.record(.milliseconds(300)).duration, 0.3, accuracy: 0.1, "\(kind)")
        }
    }

    func testS4_13StoppingBeforeTheFirstFrameEndsWithAnError() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            app.controller.startRecording()
            app.controller.stopRecording()
            app.advance(.seconds(1))
            XCTAssertFalse(app.controller.isRecording, "\(kind)")
            XCTAssertNil(app.controller.lastMovie, "\(kind)")
            XCTAssertNotNil(app.controller.message, "\(kind)")
            let files = try FileManager.default.contentsOfDirectory(atPath: app.folder.path)
            XCTAssertEqual(files, [], "\(kind)")
        }
    }

    func testS4_14TheMovieOutputWritesBothTracksWithOneOutput() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            XCTAssertEqual(app.controller.session.outputs.count, kind == .movieFile ? 1 : 2)
            let movie = try app.record(.seconds(1))
            XCTAssertEqual(movie.duration, 1, accuracy: 0.1, "\(kind)")
            let audio = try XCTUnwrap(movie.audio, "\(kind)")
            XCTAssertEqual(audio.timeRange.end.seconds, movie.video.timeRange.end.seconds, accuracy: 0.1, "\(kind)")
        }
    }

    func testS4_15APauseIsRemovedFromTheMovie() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            let movie = try app.recordWithPause()
            XCTAssertEqual(movie.duration, 2, accuracy: 0.1, "\(kind)")
            let times = try movie.frames().map(\.time)
            XCTAssertEqual(times.count, 60, accuracy: 3, "\(kind)")
            XCTAssertLessThan(try XCTUnwrap(times.greatestStep), 0.07, "\(kind)")
            // The tone continues.
            for tenth in 1..<19 {
                let time = Double(tenth) / 10
                XCTAssertGreaterThan(try movie.peak(time..<time + 0.1), 0.01, "\(kind) at \(time) s")
            }
        }
    }

    func testS4_16APauseOfTheWriterIsAGap() throws {
        let app = try RecordersApp { log in
            DataOutputRecorder(removesPauses: false, log: { log.add($0) })
        }
        app.start()
        let movie = try app.recordWithPause()
        XCTAssertEqual(movie.duration, 4, accuracy: 0.1)
        let times = try movie.frames().map(\.time)
        XCTAssertEqual(times.count, 60, accuracy: 3)
        XCTAssertEqual(try XCTUnwrap(times.greatestStep), 2, accuracy: 0.07, "one frame is shown during the pause")
        XCTAssertGreaterThan(try movie.peak(0.2..<0.9), 0.01)
        XCTAssertLessThan(try movie.peak(1.2..<2.8), 0.001, "silence")
        XCTAssertGreaterThan(try movie.peak(3.2..<3.8), 0.01, "the sound continues after the pause")
    }

    func testS4_17FramesAreProcessedBeforeTheyAreWritten() throws {
        let app = try RecordersApp(scene: .chart) { log in
            DataOutputRecorder(processFrame: Grayscale.process, log: { log.add($0) })
        }
        app.controller.previewLayer.frame = CGRect(x: 0, y: 0, width: 352, height: 288)
        app.start()
        let movie = try app.record(.milliseconds(300))
        let preview = try XCTUnwrap(app.controller.previewLayer.renderedImage(scale: 1))
        let unprocessedApp = try RecordersApp(.dataOutputs, scene: .chart)
        unprocessedApp.start()
        let unprocessedImage = try unprocessedApp.record(.milliseconds(300)).image()
        XCTAssertLessThan(try movie.image().saturation(), 6)
        XCTAssertGreaterThan(try preview.saturation(), 20)
        XCTAssertGreaterThan(try unprocessedImage.saturation(), 20)
    }

    func testS4_17AFailedFrameProcessorEndsTheMovieWithItsError() throws {
        struct Failure: LocalizedError { var errorDescription: String? { "no picture today" } }
        let app = try RecordersApp { log in
            DataOutputRecorder(processFrame: { _ in throw Failure() }, log: { log.add($0) })
        }
        app.start()
        app.controller.startRecording()
        app.advance(.seconds(1))
        XCTAssertFalse(app.controller.isRecording)
        XCTAssertEqual(app.controller.message, "no picture today")
        XCTAssertEqual(app.log.all, ["video write failed: no picture today", "no picture today"])
    }

    func testS4_18TheMoviePlaysAndIsSavedToTheLibrary() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            let movie = try app.record(.seconds(1))
            XCTAssertTrue(movie.asset.isPlayable, "\(kind)")
            XCTAssertEqual(try movie.decodedFrameCount(), 30, accuracy: 1, "\(kind)")
            let name = try XCTUnwrap(app.controller.lastMovie).lastPathComponent
            XCTAssertEqual(app.log.all, ["recorded \(name)", "saved \(name)"], "\(kind)")
            let saved = PHAsset.fetchAssets(with: .video, options: nil)
            XCTAssertEqual(saved.count, 1, "\(kind)")
            XCTAssertEqual(try XCTUnwrap(saved.firstObject).duration, movie.duration, accuracy: 0.001, "\(kind)")
        }
    }

    func testS4_18AMovieThatCannotBeSavedIsLogged() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind, authorization: [.photoLibrary: .denied, .photoLibraryAdditions: .denied])
            app.start()
            let movie = try app.record(.milliseconds(300))
            XCTAssertTrue(movie.asset.isPlayable)
            XCTAssertEqual(app.log.all.count, 2, "\(kind)")
            XCTAssertTrue(app.log.all[1].hasPrefix("not saved"), "\(kind): \(app.log.all)")
        }
    }
}

extension RecordersApp {
    /// Records one second, pauses for two, and records another one.
    fileprivate func recordWithPause() throws -> MovieFile {
        controller.startRecording()
        advance(.seconds(1))
        controller.pauseRecording()
        advance(.seconds(2))
        controller.resumeRecording()
        advance(.seconds(1))
        return try finish()
    }
}

extension [Double] {
    /// The greatest difference between neighbors; nil with fewer than two elements.
    fileprivate var greatestStep: Double? { zip(self, dropFirst()).map { $1 - $0 }.max() }
}

extension CGImage {
    /// Returns the greatest difference between the mean red and blue of the cells in a grid of 16x16.
    fileprivate func saturation() throws -> Double {
        let differences = try (0..<16).flatMap { column in
            try (0..<16).map { row in
                let mean = try mean(
                    CGRect(x: Double(column) / 16, y: Double(row) / 16, width: 1.0 / 16, height: 1.0 / 16))
                return abs(mean.red - mean.blue)
            }
        }
        return try XCTUnwrap(differences.max())
    }
}

/// The frame processor of a test.
private enum FrameProcessor {
    /// Returns a gray copy of a frame, with a red left quarter.
    @Sendable
    static func leftQuarterRed(_ sampleBuffer: CMSampleBuffer) throws -> CMSampleBuffer {
        let gray = try Grayscale.process(sampleBuffer)
        let image = try XCTUnwrap(gray.imageBuffer)
        CVPixelBufferLockBaseAddress(image, [])
        defer { CVPixelBufferUnlockBaseAddress(image, []) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(image)).assumingMemoryBound(to: UInt8.self)
        for row in 0..<CVPixelBufferGetHeight(image) {
            for column in 0..<CVPixelBufferGetWidth(image) / 4 {
                let pixel = row * CVPixelBufferGetBytesPerRow(image) + 4 * column
                (base[pixel], base[pixel + 1], base[pixel + 2]) = (0, 0, 255)
            }
        }
        return gray
    }
}
