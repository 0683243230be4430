import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

final class AVAssetExportSessionTests: XCTestCase {
    private func source(_ fixture: AssetWriterFixture, _ codec: AVVideoCodecType = .h264) throws -> AVAsset {
        let name = "source-\(codec.rawValue).mov"
        let writer = try fixture.makeWriter(name)
        let video = fixture.makeVideoInput(codec: codec)
        video.transform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 240, ty: 0)
        let item = AVMutableMetadataItem()
        item.identifier = .quickTimeMetadataMake
        item.value = "Maker" as NSString
        let location = AVMutableMetadataItem()
        location.identifier = .quickTimeMetadataLocationISO6709
        location.value = "+48.8577+002.2950/" as NSString
        writer.metadata = [item, location]
        try fixture.writeMedia(2, writer, video: video, audio: fixture.makeAudioInput())
        return fixture.system.run { AVURLAsset(url: fixture.url(name)) }
    }

    private func export(
        _ fixture: AssetWriterFixture, _ asset: AVAsset, _ preset: String, _ name: String, _ type: AVFileType,
        _ prepare: (AVAssetExportSession) -> Void = { _ in }
    ) throws -> (session: AVAssetExportSession, asset: AVAsset) {
        let session = try XCTUnwrap(AVAssetExportSession(asset: asset, presetName: preset))
        session.outputURL = fixture.url(name)
        session.outputFileType = type
        prepare(session)
        let completionCount = Lock(0)
        session.exportAsynchronously { completionCount.withLock { $0 += 1 } }
        fixture.settle()
        XCTAssertEqual(completionCount.withLock { $0 }, 1)
        return (session, fixture.system.run { AVURLAsset(url: fixture.url(name)) })
    }

    func testThePassthroughPresetKeepsSamplesUnchanged() throws {
        let fixture = try AssetWriterFixture()
        for codec in [AVVideoCodecType.h264, .hevc, .jpeg] {
            let asset = try source(fixture, codec)
            let types: [AVFileType] = codec == .jpeg ? [.mov] : [.mov, .mp4, .m4v]
            let (session, copy) = try export(
                fixture, asset, AVAssetExportPresetPassthrough, "\(codec.rawValue).mov", .mov)
            XCTAssertEqual(session.supportedFileTypes, types)
            XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
            XCTAssertEqual(session.progress, 1)
            try AssetWriterFixture.assertDecodesSilently(fixture.url("\(codec.rawValue).mov"))
            for type in [AVMediaType.video, .audio] {
                let (before, after) = (try asset.samples(type, nil), try copy.samples(type, nil))
                XCTAssertEqual(before.map(\.presentationTimeStamp), after.map(\.presentationTimeStamp))
                XCTAssertEqual(
                    try before.map { try $0.dataBuffer?.dataBytes() }, try after.map { try $0.dataBuffer?.dataBytes() })
            }
            XCTAssertEqual(copy.tracks.first?.preferredTransform.b, 1)
            XCTAssertEqual(Set(copy.metadata.compactMap(\.stringValue)), ["Maker", "+48.8577+002.2950/"])
        }
        fixture.assertNoMisuse()
    }

    func testPresetsTranscodeToTheirCodecAndSize() throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        for (preset, size, codec) in [
            (AVAssetExportPresetHighestQuality, CGSize(width: 320, height: 240), kCMVideoCodecType_H264),
            (AVAssetExportPresetLowQuality, CGSize(width: 192, height: 144), kCMVideoCodecType_H264),
            (AVAssetExportPresetHEVC1920x1080, CGSize(width: 320, height: 240), kCMVideoCodecType_HEVC),
        ] {
            let (session, copy) = try export(fixture, asset, preset, "\(preset).mp4", .mp4) {
                $0.shouldOptimizeForNetworkUse = true
                $0.metadataItemFilter = .forSharing()
            }
            XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
            try AssetWriterFixture.assertDecodesSilently(fixture.url("\(preset).mp4"))
            let video = try XCTUnwrap(copy.tracks(withMediaType: .video).first)
            XCTAssertEqual(video.naturalSize, size)
            XCTAssertEqual(video.preferredTransform.b, 1)
            XCTAssertEqual(video.typedFormatDescriptions.first?.mediaSubType.rawValue, codec)
            let frames = try copy.samples(.video, [:])
            XCTAssertEqual(
                frames.map(\.presentationTimeStamp), (0..<60).map { CMTime(value: Int64($0), timescale: 30) })
            if size.width == 320 { XCTAssertEqual(frames.map(\.counter), (0..<60).map { UInt32($0) }) }
            XCTAssertEqual(copy.duration, asset.duration)
            XCTAssertFalse(copy.metadata.contains { $0.stringValue?.hasPrefix("+48") ?? false })
        }
        fixture.assertNoMisuse()
    }

    func testM4VPresetsWriteM4VFilesOnly() throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        for (preset, size) in [
            (AVAssetExportPresetAppleM4VCellular, CGSize(width: 176, height: 132)),
            (AVAssetExportPresetAppleM4V480pSD, CGSize(width: 320, height: 240)),
        ] {
            XCTAssertTrue(AVAssetExportSession.exportPresets(compatibleWith: asset).contains(preset))
            let (session, copy) = try export(fixture, asset, preset, "\(preset).m4v", .m4v)
            XCTAssertEqual(session.supportedFileTypes, [.m4v])
            XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
            try AssetWriterFixture.assertDecodesSilently(fixture.url("\(preset).m4v"))
            let video = try XCTUnwrap(copy.tracks(withMediaType: .video).first)
            XCTAssertEqual(video.naturalSize, size)
            XCTAssertEqual(video.typedFormatDescriptions.first?.mediaSubType.rawValue, kCMVideoCodecType_H264)
            let audio = try XCTUnwrap(copy.tracks(withMediaType: .audio).first)
            let stream = audio.typedFormatDescriptions.first?.audioStreamBasicDescription
            XCTAssertEqual(stream?.mFormatID, kAudioFormatMPEG4AAC)
        }
        fixture.assertNoMisuse()
    }

    func testProResPresetsEncodeQuickTimeFilesWithLinearPCM() throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        for (preset, code, format) in [
            (AVAssetExportPresetAppleProRes422LPCM, kCMVideoCodecType_AppleProRes422, "yuv422p10le"),
            (AVAssetExportPresetAppleProRes4444LPCM, kCMVideoCodecType_AppleProRes4444, "yuv444p12le"),
        ] {
            XCTAssertTrue(AVAssetExportSession.exportPresets(compatibleWith: asset).contains(preset))
            let (session, copy) = try export(fixture, asset, preset, "\(preset).mov", .mov)
            XCTAssertEqual(session.supportedFileTypes, [.mov])
            XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
            try AssetWriterFixture.assertDecodesSilently(fixture.url("\(preset).mov"))
            let video = try XCTUnwrap(copy.tracks(withMediaType: .video).first)
            XCTAssertEqual(video.typedFormatDescriptions.first?.mediaSubType.rawValue, code)
            XCTAssertEqual(try copy.samples(.video, [:]).map(\.counter), try asset.samples(.video, [:]).map(\.counter))
            let audio = try XCTUnwrap(copy.tracks(withMediaType: .audio).first)
            let stream = audio.typedFormatDescriptions.first?.audioStreamBasicDescription
            XCTAssertEqual(stream?.mFormatID, kAudioFormatLinearPCM)
            let probe = try ExternalTool.run(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", "v", "-show_entries", "stream=codec_name,pix_fmt", "-of",
                    "csv=p=0", fixture.url("\(preset).mov").path,
                ])
            XCTAssertTrue(probe.text.hasPrefix("prores,\(format)"), probe.text)
        }
    }

    func testPresetsWithoutAnEncoderAreNotAvailable() throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        for preset in [
            AVAssetExportPresetHEVCHighestQualityWithAlpha, AVAssetExportPresetMVHEVC960x960,
        ] {
            XCTAssertFalse(AVAssetExportSession.allExportPresets().contains(preset))
            XCTAssertNil(AVAssetExportSession(asset: asset, presetName: preset))
        }
    }

    func testATimeRangeIsExportedExactly() throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        let range = CMTimeRange(start: CMTime(value: 20, timescale: 30), end: CMTime(value: 50, timescale: 30))
        for preset in [AVAssetExportPresetPassthrough, AVAssetExportPresetHighestQuality] {
            let (session, copy) = try export(fixture, asset, preset, "\(preset).mov", .mov) { $0.timeRange = range }
            XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
            XCTAssertEqual(copy.duration, range.duration, preset)
            let frames = try copy.samples(.video, [:])
            XCTAssertEqual(frames.map(\.counter), (20..<50).map { UInt32($0) }, preset)
            XCTAssertEqual(
                frames.map(\.presentationTimeStamp), (0..<30).map { CMTime(value: Int64($0), timescale: 30) }, preset)
            let audioSamples = try copy.samples(.audio, [AVFormatIDKey: kAudioFormatLinearPCM])
            XCTAssertEqual(audioSamples.reduce(0) { $0 + $1.numSamples }, 48_000, preset)
            try AssetWriterFixture.assertDecodesSilently(fixture.url("\(preset).mov"))
        }
    }

    func testTheEstimatedFileLengthAndDurationRespectTheLimit() async throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        let passthroughSession = try XCTUnwrap(
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        let length = try Double(Data(contentsOf: XCTUnwrap(asset as? AVURLAsset).url).count)
        XCTAssertEqual(Double(passthroughSession.estimatedOutputFileLength), length, accuracy: length / 4)
        XCTAssertEqual(passthroughSession.maxDuration, asset.duration)
        let limit = Int64(length / 2)
        let session = try XCTUnwrap(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        session.fileLengthLimit = limit
        let estimate = try await session.estimatedMaximumDuration
        XCTAssertEqual(estimate, session.maxDuration)
        XCTAssertLessThan(session.maxDuration, asset.duration)
        let bytes = try await session.estimatedOutputFileLengthInBytes
        XCTAssertEqual(Double(bytes), Double(limit), accuracy: 100)
        let types = await session.compatibleFileTypes
        XCTAssertEqual(types, session.supportedFileTypes)
    }

    func testATimeRangeWithoutMediaHasNoEstimates() async throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        let later = CMTimeRange(start: CMTime(value: 9, timescale: 1), duration: CMTime(value: 1, timescale: 1))
        for range in [CMTimeRange.invalid, later] {
            let session = try XCTUnwrap(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
            session.timeRange = range
            do {
                _ = try await session.estimatedMaximumDuration
                // Without the error, the next estimate would trap for an invalid range, so the test ends here.
                return XCTFail("\(range) has an estimate")
            } catch {
                XCTAssertEqual((error as? AVError)?.code, .invalidSourceMedia)
            }
            do {
                _ = try await session.estimatedOutputFileLengthInBytes
                XCTFail("\(range) has an estimate")
            } catch {
                XCTAssertEqual((error as? AVError)?.code, .invalidSourceMedia)
            }
            XCTAssertFalse(session.maxDuration.isValid)
            XCTAssertEqual(session.estimatedOutputFileLength, 0)
        }
    }

    func testHandlersReceiveTheErrorOfAnEstimate() throws {
        let fixture = try AssetWriterFixture()
        let session = try XCTUnwrap(
            AVAssetExportSession(asset: source(fixture), presetName: AVAssetExportPresetPassthrough))
        session.timeRange = .invalid
        let durations = Lock<[(CMTime, AVError.Code?)]>([])
        session.estimateMaximumDuration { duration, error in
            durations.withLock { $0.append((duration, (error as? AVError)?.code)) }
        }
        fixture.settle()
        let (duration, code) = try XCTUnwrap(durations.withLock { $0 }.first)
        XCTAssertFalse(duration.isValid)
        // Without the error, the next estimate would trap for an invalid range, so the test ends here.
        guard code == .invalidSourceMedia else { return XCTFail("the error is \(String(describing: code))") }
        let lengths = Lock<[(Int64, AVError.Code?)]>([])
        session.estimateOutputFileLength { length, error in
            lengths.withLock { $0.append((length, (error as? AVError)?.code)) }
        }
        fixture.settle()
        XCTAssertEqual(lengths.withLock { $0.map(\.0) }, [0])
        XCTAssertEqual(lengths.withLock { $0.map(\.1) }, [.invalidSourceMedia])
    }

    func testTheFileLengthDoesNotExceedItsLimit() throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        for preset in [AVAssetExportPresetPassthrough, AVAssetExportPresetHighestQuality] {
            let (_, completeExport) = try export(fixture, asset, preset, "whole \(preset).mov", .mov)
            let length = try Data(contentsOf: XCTUnwrap(completeExport as? AVURLAsset).url).count
            for isOptimized in [false, true] {
                let name = "\(preset) \(isOptimized).mov"
                // The limit includes the space reserved for an index at the start of the file.
                let limit = length / 2 + (isOptimized ? 32_768 : 0)
                let (session, copy) = try export(fixture, asset, preset, name, .mov) {
                    $0.fileLengthLimit = Int64(limit)
                    $0.shouldOptimizeForNetworkUse = isOptimized
                    $0.allowsParallelizedExport = false
                    $0.directoryForTemporaryFiles = fixture.url("")
                }
                XCTAssertEqual(session.status, .completed, "\(name): \(String(describing: session.error))")
                let limited = try Data(contentsOf: fixture.url(name)).count
                XCTAssertLessThanOrEqual(limited, limit, name)
                XCTAssertGreaterThan(limited, limit - length / 4, name)
                try MovieInspection.assertNoProblems(fixture.url(name))
                try AssetWriterFixture.assertDecodesSilently(fixture.url(name))
                let frames = try copy.samples(.video, [:]).map(\.counter)
                XCTAssertEqual(frames, (0..<frames.count).map { UInt32($0) }, name)
                XCTAssertGreaterThan(frames.count, 5, name)
                let video = try XCTUnwrap(copy.tracks(withMediaType: .video).first).timeRange
                let audio = try XCTUnwrap(copy.tracks(withMediaType: .audio).first).timeRange
                XCTAssertEqual(video.end.seconds, audio.end.seconds, accuracy: 1 / 30, name)
                fixture.assertMisuse(.invalidArgument, "setFileLengthLimit:") { session.fileLengthLimit = 1 }
            }
            // A limit that the movie does not reach has no effect, even if the estimated length exceeds it.
            let (_, unlimited) = try export(fixture, asset, preset, "long \(preset).mov", .mov) {
                $0.fileLengthLimit = Int64(length)
            }
            XCTAssertEqual(unlimited.duration, completeExport.duration)
            let (failed, _) = try export(fixture, asset, preset, "short \(preset).mov", .mov) {
                $0.fileLengthLimit = 100
            }
            XCTAssertEqual(failed.status, .failed)
            XCTAssertEqual((failed.error as? AVError)?.code, .maximumFileSizeReached)
            XCTAssertFalse(fixture.fileExists("short \(preset).mov"))
        }
    }

    func testTheAudioPresetExportsAudioOnly() async throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        let session = try XCTUnwrap(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleM4A))
        try await session.export(to: fixture.url("a.m4a"), as: .m4a)
        let copy = fixture.system.run { AVURLAsset(url: fixture.url("a.m4a")) }
        XCTAssertEqual(copy.tracks.map(\.mediaType), [.audio])
        XCTAssertEqual(copy.duration, asset.duration)
    }

    func testAnExportOnTheHostClockCompletes() async throws {
        let sourceFixture = try AssetWriterFixture()
        _ = try source(sourceFixture)
        let fixture = try AssetWriterFixture(clock: HostClock())
        let asset = fixture.system.run { AVURLAsset(url: sourceFixture.url("source-avc1.mov")) }
        let session = try XCTUnwrap(
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
        try await session.export(to: fixture.url("a.mov"), as: .mov)
        XCTAssertEqual(session.status, .completed)
        let copy = fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
        XCTAssertEqual(try copy.samples(.video, [:]).map(\.counter), (0..<60).map { UInt32($0) })
    }

    func testAnExportToAnUnsupportedFileTypeThrowsAndHasNoOtherEffect() async throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        for previousType in [nil, AVFileType.mov] {
            let session = try XCTUnwrap(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
            session.outputFileType = previousType
            do {
                try await session.export(to: fixture.url("a.wav"), as: .wav)
                XCTFail("nothing was exported, but no error was thrown")
            } catch {
                XCTAssertEqual((error as? AVError)?.code, .operationNotSupportedForAsset)
            }
            let misuses = fixture.dequeueMisuses()
            XCTAssertEqual(misuses.map(\.exception), [.invalidArgument])
            XCTAssertTrue(misuses.first?.message.contains("file type") ?? false, "\(misuses)")
            XCTAssertFalse(fixture.fileExists("a.wav"))
            XCTAssertEqual(session.status, .unknown)
            XCTAssertNil(session.outputURL)
            XCTAssertEqual(session.outputFileType, previousType)
        }
    }

    func testASecondExportThrows() async throws {
        let fixture = try AssetWriterFixture()
        let session = try XCTUnwrap(
            AVAssetExportSession(asset: source(fixture), presetName: AVAssetExportPresetPassthrough))
        try await session.export(to: fixture.url("a.mov"), as: .mov)
        fixture.assertNoMisuse()
        do {
            try await session.export(to: fixture.url("b.mov"), as: .mov)
            XCTFail("nothing was exported, but no error was thrown")
        } catch {
            XCTAssertEqual((error as? AVError)?.code, .operationNotAllowed)
        }
        XCTAssertEqual(fixture.dequeueMisuses().map(\.exception), [.invalidArgument])
        XCTAssertFalse(fixture.fileExists("b.mov"))
        XCTAssertEqual(session.status, .completed)
        XCTAssertEqual(session.outputURL, fixture.url("a.mov"))
    }

    func testFailuresAreReportedAndLeaveNoFile() throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        XCTAssertNil(AVAssetExportSession(asset: asset, presetName: "none"))
        let missing = fixture.system.run { AVURLAsset(url: fixture.url("missing.mov")) }
        XCTAssertNil(AVAssetExportSession(asset: missing, presetName: AVAssetExportPresetPassthrough))
        XCTAssertTrue(AVAssetExportSession.exportPresets(compatibleWith: missing).isEmpty)
        fixture.assertMisuse(.invalidArgument, "outputURL") {
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough)?.exportAsynchronously {}
        }
        fixture.assertMisuse(.invalidArgument, "file type") {
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleM4A)?.outputFileType = .mov
        }
        try Data("here".utf8).write(to: fixture.url("there.mov"))
        let existing = try export(fixture, asset, AVAssetExportPresetPassthrough, "there.mov", .mov).session
        XCTAssertEqual(existing.status, .failed)
        XCTAssertEqual((existing.error as? AVError)?.code, .fileAlreadyExists)
        XCTAssertEqual(try Data(contentsOf: fixture.url("there.mov")), Data("here".utf8))
        let cancelled = try XCTUnwrap(
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
        cancelled.outputURL = fixture.url("cancelled.mov")
        cancelled.outputFileType = .mov
        cancelled.exportAsynchronously {}
        cancelled.cancelExport()
        fixture.settle()
        XCTAssertEqual(cancelled.status, .cancelled)
        XCTAssertFalse(fixture.fileExists("cancelled.mov"))
        fixture.storage.freeByteCount = 2000
        let full = try export(fixture, asset, AVAssetExportPresetPassthrough, "full.mov", .mov).session
        XCTAssertEqual(full.status, .failed)
        XCTAssertEqual((full.error as? AVError)?.code, .diskFull)
    }

    func testStatesAreReportedInOrderUntilTheExportEnds() async throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        let session = try XCTUnwrap(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        let states = session.states(updateInterval: 0)
        try await session.export(to: fixture.url("a.mov"), as: .mov)
        var (names, fractions) = ([String](), [Double]())
        for await state in states {
            switch state {
            case .pending: names.append("pending")
            case .waiting: names.append("waiting")
            case .exporting(let progress):
                if names.last != "exporting" { names.append("exporting") }
                fractions.append(progress.fractionCompleted)
            }
        }
        XCTAssertEqual(names, ["pending", "waiting", "exporting"])
        XCTAssertGreaterThan(fractions.count, 10)
        XCTAssertEqual(fractions.last, 1)
        var laterCount = 0
        for await _ in session.states() { laterCount += 1 }
        XCTAssertEqual(laterCount, 0)
    }

    func testAStatusThatIsReportedAfterTheFinalOneHasNoEffect() async {
        let observers = ExportObservers()
        let progress = Progress(totalUnitCount: 1)
        observers.statusDidChange(to: .cancelled, at: .zero, progress)
        observers.statusDidChange(to: .waiting, at: .zero, progress)
        let states = AsyncStream<AVAssetExportSession.State> { continuation in
            observers.add(continuation, every: .infinity, at: .zero, progress)
        }
        var iterator = states.makeAsyncIterator()
        let first = await iterator.next()
        XCTAssertNil(first)
    }

    func testCancellingTheTaskCancelsTheExport() async throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        let session = try XCTUnwrap(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        let url = fixture.url("a.mov")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await session.export(to: url, as: .mov)
        }
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { error in
            XCTAssertEqual((error as? AVError)?.code, .operationCancelled)
        }
        XCTAssertEqual(session.status, .cancelled)
        XCTAssertFalse(fixture.fileExists("a.mov"))
    }

    func testAMissingDirectoryForTemporaryFilesFailsTheExport() throws {
        let fixture = try AssetWriterFixture()
        let asset = try source(fixture)
        let session = try export(fixture, asset, AVAssetExportPresetPassthrough, "a.mov", .mov) {
            $0.directoryForTemporaryFiles = fixture.url("missing")
        }.session
        XCTAssertEqual(session.status, .failed)
        XCTAssertNotNil(session.error as? AVError)
        XCTAssertFalse(fixture.fileExists("a.mov"))
    }
}
