import AVFoundation
import CaptureTesting
import SimDevices
import TestSupport
import XCTest

/// The virtual time that the work of asset writers and exports takes.
final class ProcessingTimeTests: XCTestCase {
    private func makeWriter(_ simulated: SimulatedSystem) throws -> (AVAssetWriter, AVAssetWriterInput) {
        let url = simulated.folder.appendingPathComponent("a.mov")
        let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
        let input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 320, AVVideoHeightKey: 240])
        writer.add(input)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        return (writer, input)
    }

    private func frame(_ number: Int) throws -> CMSampleBuffer {
        try AssetWriterFixture.videoSample(number, at: CMTime(value: Int64(number), timescale: 30))
    }

    func testAWriterIsNotCompleteWhenFinishWritingReturns() throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        for number in 0..<10 { XCTAssertTrue(input.append(try frame(number))) }
        let end = Lock<CMTime?>(nil, order: .client)
        writer.finishWriting {
            let now = simulated.clock.now
            end.withLock { $0 = now }
        }
        XCTAssertEqual(writer.status, .writing)
        XCTAssertFalse(AVURLAsset(url: writer.outputURL).isPlayable)
        XCTAssertMisuse(.internalInconsistency, containing: "status is 1") { writer.finishWriting {} }
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(writer.status, .completed)
        // 10 frames in 2 ms each, and 20 ms for the end of the file.
        XCTAssertEqual(end.withLock { $0 }, CMTime(value: 40, timescale: 1000))
        XCTAssertEqual(AVURLAsset(url: writer.outputURL).duration.seconds, 1.0 / 3, accuracy: 0.001)
    }

    func testAnInputIsNotReadyWhileItsEncoderIsBehind() throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        var count = 0
        while count < 300, input.isReadyForMoreMediaData {
            XCTAssertTrue(input.append(try frame(count)))
            count += 1
        }
        XCTAssertEqual(count, 32)
        let late = try frame(count)
        XCTAssertMisuse(.internalInconsistency, containing: "readyForMoreMediaData is NO") {
            XCTAssertFalse(input.append(late))
        }
        let changes = Lock(0, order: .client)
        let observation = input.observe(\.isReadyForMoreMediaData) { _, _ in changes.withLock { $0 += 1 } }
        simulated.advance(by: .milliseconds(1))
        XCTAssertFalse(input.isReadyForMoreMediaData)
        simulated.advance(by: .milliseconds(1))
        XCTAssertTrue(input.isReadyForMoreMediaData)
        XCTAssertEqual(changes.withLock { $0 }, 1)
        writer.cancelWriting()
        withExtendedLifetime(observation) {}
    }

    func testMediaIsRequestedAgainWhenTheEncoderHasCaughtUp() throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        let state = Lock((count: 0, calls: 0), order: .client)
        let frames = try (0..<300).map(frame)
        let queue = DispatchQueue(label: "writer")
        input.requestMediaDataWhenReady(on: queue) {
            state.withLock { $0.calls += 1 }
            while input.isReadyForMoreMediaData {
                let number = state.withLock { $0.count }
                guard number < frames.count else {
                    input.markAsFinished()
                    return writer.finishWriting {}
                }
                input.append(frames[number])
                state.withLock { $0.count += 1 }
            }
        }
        simulated.advance(by: .milliseconds(100))
        // 100 ms / 2 ms are encoded, and 32 wait.
        XCTAssertEqual(state.withLock { $0.count }, 82)
        XCTAssertGreaterThan(state.withLock { $0.calls }, 10)
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(writer.status, .completed)
        XCTAssertEqual(AVURLAsset(url: writer.outputURL).duration.seconds, 10, accuracy: 0.001)
    }

    func testCancellingAWriterThatFinishes() throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        XCTAssertTrue(input.append(try frame(0)))
        let statuses = Lock<[AVAssetWriter.Status]>([], order: .client)
        writer.finishWriting {
            let status = writer.status
            statuses.withLock { $0.append(status) }
        }
        writer.cancelWriting()
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(statuses.withLock { $0 }, [.cancelled])
        XCTAssertFalse(FileManager.default.fileExists(atPath: writer.outputURL.path))
        writer.finishWriting { statuses.withLock { $0.append(.unknown) } }
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(statuses.withLock { $0 }.count, 2, "the handler is called after a cancellation, without misuse")
    }

    func testTheProfileSetsTheTimes() throws {
        let yaml = try DeviceProfile.builtInYAML("webcam") + "processing: {videoFrame: 50 ms, finishing: 1 s}\n"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("slow.yaml")
        try Data(yaml.utf8).write(to: file)
        let simulated = try SimulatedSystem(profile: file.path)
        let (writer, input) = try makeWriter(simulated)
        for number in 0..<2 { XCTAssertTrue(input.append(try frame(number))) }
        writer.finishWriting {}
        simulated.advance(by: .milliseconds(1099))
        XCTAssertEqual(writer.status, .writing)
        simulated.advance(by: .milliseconds(1))
        XCTAssertEqual(writer.status, .completed)
    }

    func testATaskCanWaitForAWriterAndForAnExport() async throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        for number in 0..<30 { XCTAssertTrue(input.append(try frame(number))) }
        await writer.finishWriting()
        XCTAssertEqual(writer.status, .completed)
        XCTAssertEqual(simulated.clock.now, CMTime(value: 80, timescale: 1000))
        for (preset, time) in [(AVAssetExportPresetPassthrough, 20), (AVAssetExportPresetHighestQuality, 80)] {
            let start = simulated.clock.now
            let export = try XCTUnwrap(
                AVAssetExportSession(asset: AVURLAsset(url: writer.outputURL), presetName: preset))
            try await export.export(to: simulated.folder.appendingPathComponent("\(preset).mov"), as: .mov)
            XCTAssertEqual(export.status, .completed)
            XCTAssertEqual(simulated.clock.now - start, CMTime(value: Int64(time), timescale: 1000), preset)
        }
    }

    func testARunningExportCanBeCancelled() throws {
        let simulated = try SimulatedSystem()
        let (writer, input) = try makeWriter(simulated)
        for number in 0..<30 { XCTAssertTrue(input.append(try frame(number))) }
        writer.finishWriting {}
        simulated.advance(by: .seconds(1))
        for preset in [AVAssetExportPresetPassthrough, AVAssetExportPresetHighestQuality] {
            let export = try XCTUnwrap(
                AVAssetExportSession(asset: AVURLAsset(url: writer.outputURL), presetName: preset))
            let url = simulated.folder.appendingPathComponent("\(preset).mov")
            export.outputURL = url
            export.outputFileType = .mov
            let isDone = Lock(false, order: .client)
            export.exportAsynchronously { isDone.withLock { $0 = true } }
            simulated.advance(by: .milliseconds(5))
            XCTAssertEqual(export.status, .exporting)
            export.cancelExport()
            simulated.advance(by: .seconds(1))
            XCTAssertTrue(isDone.withLock { $0 })
            XCTAssertEqual(export.status, .cancelled)
            XCTAssertFalse(FileManager.default.fileExists(atPath: url.path), preset)
        }
    }
}
