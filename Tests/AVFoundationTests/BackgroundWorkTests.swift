import AVFoundation
import CaptureTesting
import TestSupport
import UIKit
import XCTest

/// What happens to media work when the app enters the background.
final class BackgroundWorkTests: XCTestCase {
    private static func makeWriter(_ simulated: SimulatedSystem) throws -> (AVAssetWriter, AVAssetWriterInput) {
        let url = simulated.folder.appendingPathComponent("a.mov")
        let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
        let input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 320, AVVideoHeightKey: 240])
        writer.add(input)
        return (writer, input)
    }

    /// Starts a writer and appends a second of video.
    private static func makeWritingWriter(_ simulated: SimulatedSystem) throws -> (AVAssetWriter, AVAssetWriterInput) {
        let (writer, input) = try Self.makeWriter(simulated)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for number in 0..<30 {
            input.append(try AssetWriterFixture.videoSample(number, at: CMTime(value: Int64(number), timescale: 30)))
        }
        simulated.advance(by: .seconds(1))
        return (writer, input)
    }

    /// Moves the app to the background.
    private static func enterBackground(_ simulated: SimulatedSystem) {
        simulated.system.interruptions.begin(.notAvailableInBackground)
        simulated.advance(by: .seconds(1))
    }

    func testAWriterFailsInTheBackground() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem()
            let (writer, input) = try Self.makeWritingWriter(simulated)
            let statuses = Lock<[AVAssetWriter.Status]>([], order: .client)
            let observation = writer.observe(\.status) { writer, _ in
                let status = writer.status
                statuses.withLock { $0.append(status) }
            }
            Self.enterBackground(simulated)
            XCTAssertEqual(writer.status, .failed)
            XCTAssertEqual((writer.error as? AVError)?.code, .operationInterrupted)
            XCTAssertEqual(statuses.withLock { $0 }, [.failed])
            XCTAssertFalse(input.isReadyForMoreMediaData)
            XCTAssertFalse(input.append(try AssetWriterFixture.videoSample(30, at: CMTime(value: 1, timescale: 1))))
            simulated.system.interruptions.end(.notAvailableInBackground)
            let isDone = Lock(false, order: .client)
            writer.finishWriting { isDone.withLock { $0 = true } }
            simulated.advance(by: .seconds(1))
            XCTAssertTrue(isDone.withLock { $0 }, "the handler is called after a failure")
            XCTAssertEqual(writer.status, .failed)
            XCTAssertFalse(AVURLAsset(url: writer.outputURL).isPlayable)
            withExtendedLifetime(observation) {}
        }
    }

    func testAWriterFailsWhileItFinishesInTheBackground() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem()
            let (writer, _) = try Self.makeWritingWriter(simulated)
            let status = Lock<AVAssetWriter.Status?>(nil, order: .client)
            writer.finishWriting {
                let result = writer.status
                status.withLock { $0 = result }
            }
            Self.enterBackground(simulated)
            XCTAssertEqual(status.withLock { $0 }, .failed)
        }
    }

    func testMovieFragmentsBeforeTheFailureArePlayable() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem()
            let (writer, input) = try Self.makeWriter(simulated)
            input.expectsMediaDataInRealTime = true
            writer.movieFragmentInterval = CMTime(value: 1, timescale: 2)
            XCTAssertTrue(writer.startWriting())
            writer.startSession(atSourceTime: AssetWriterFixture.start)
            for number in 0..<90 {
                simulated.advance(by: .milliseconds(33))
                input.append(
                    try AssetWriterFixture.videoSample(number, at: CMTime(value: Int64(number), timescale: 30)))
            }
            Self.enterBackground(simulated)
            XCTAssertEqual(writer.status, .failed)
            XCTAssertGreaterThan(AVURLAsset(url: writer.outputURL).duration.seconds, 0.4)
        }
    }

    func testABackgroundTaskProtectsAWriterUntilItEnds() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem()
            let application = UIApplication.shared
            let task = Lock<UIBackgroundTaskIdentifier?>(nil, order: .client)
            let observer = NotificationCenter.default.addObserver(
                forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
            ) { _ in
                MainActor.assumeIsolated { task.withLock { $0 = application.beginBackgroundTask() } }
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            let (writer, input) = try Self.makeWritingWriter(simulated)
            Self.enterBackground(simulated)
            XCTAssertEqual(writer.status, .writing)
            XCTAssertTrue(input.append(try AssetWriterFixture.videoSample(30, at: CMTime(value: 1, timescale: 1))))
            application.endBackgroundTask(try XCTUnwrap(task.withLock { $0 }))
            simulated.advance(by: .zero)
            XCTAssertEqual(writer.status, .failed)
        }
    }

    func testAProtectedWriterFinishesInTheBackground() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem()
            let task = UIApplication.shared.beginBackgroundTask()
            let (writer, _) = try Self.makeWritingWriter(simulated)
            Self.enterBackground(simulated)
            writer.finishWriting {}
            simulated.advance(by: .seconds(1))
            XCTAssertEqual(writer.status, .completed)
            XCTAssertEqual(AVURLAsset(url: writer.outputURL).duration.seconds, 1, accuracy: 0.001)
            UIApplication.shared.endBackgroundTask(task)
            simulated.advance(by: .zero)
            XCTAssertEqual(writer.status, .completed)
        }
    }

    func testAWriterFailsWhenTheTimeForTasksIsOver() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem()
            let status = Lock<AVAssetWriter.Status?>(nil, order: .client)
            let (writer, _) = try Self.makeWritingWriter(simulated)
            let task = UIApplication.shared.beginBackgroundTask {
                let atExpiration = writer.status
                status.withLock { $0 = atExpiration }
            }
            Self.enterBackground(simulated)
            simulated.advance(by: .milliseconds(28_900))
            XCTAssertEqual(writer.status, .writing)
            simulated.advance(by: .milliseconds(200))
            XCTAssertEqual(status.withLock { $0 }, .writing, "the handler runs before the suspension")
            XCTAssertEqual(writer.status, .failed)
            UIApplication.shared.endBackgroundTask(task)
        }
    }

    func testAWriterCannotStartInTheBackground() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem()
            Self.enterBackground(simulated)
            let (writer, _) = try Self.makeWriter(simulated)
            XCTAssertFalse(writer.startWriting())
            XCTAssertEqual((writer.error as? AVError)?.code, .operationInterrupted)
            XCTAssertFalse(FileManager.default.fileExists(atPath: writer.outputURL.path))
        }
    }

    func testAnExportFailsInTheBackgroundAndLeavesNoFile() throws {
        try MainActor.assumeIsolated {
            for preset in [AVAssetExportPresetPassthrough, AVAssetExportPresetHighestQuality] {
                for isProtected in [false, true] {
                    let simulated = try SimulatedSystem()
                    let (writer, _) = try Self.makeWritingWriter(simulated)
                    writer.finishWriting {}
                    simulated.advance(by: .seconds(1))
                    if isProtected { _ = UIApplication.shared.beginBackgroundTask() }
                    let export = try XCTUnwrap(
                        AVAssetExportSession(asset: AVURLAsset(url: writer.outputURL), presetName: preset))
                    let url = simulated.folder.appendingPathComponent("b.mov")
                    export.outputURL = url
                    export.outputFileType = .mov
                    let status = Lock<AVAssetExportSession.Status?>(nil, order: .client)
                    export.exportAsynchronously {
                        let result = export.status
                        status.withLock { $0 = result }
                    }
                    simulated.advance(by: .milliseconds(10))
                    XCTAssertEqual(export.status, .exporting, preset)
                    Self.enterBackground(simulated)
                    XCTAssertEqual(status.withLock { $0 }, isProtected ? .completed : .failed, preset)
                    XCTAssertEqual((export.error as? AVError)?.code, isProtected ? nil : .operationInterrupted, preset)
                    XCTAssertEqual(FileManager.default.fileExists(atPath: url.path), isProtected, preset)
                    simulated.close()
                }
            }
        }
    }
}
