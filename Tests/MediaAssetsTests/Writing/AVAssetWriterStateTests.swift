import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class AVAssetWriterStateTests: XCTestCase {
    private func startedWriter(
        _ fixture: AssetWriterFixture, _ inputs: [AVAssetWriterInput], session: Bool = true
    ) throws -> AVAssetWriter {
        let writer = try fixture.makeWriter("a.mov")
        for input in inputs { writer.add(input) }
        XCTAssertTrue(writer.startWriting())
        if session { writer.startSession(atSourceTime: AssetWriterFixture.start) }
        return writer
    }

    func testStatusChangesFromUnknownToWritingToCompleted() throws {
        let fixture = try AssetWriterFixture()
        let video = fixture.makeVideoInput()
        let writer = try fixture.makeWriter("a.mov")
        XCTAssertEqual(writer.status, .unknown)
        XCTAssertEqual(writer.availableMediaTypes.first, .video)
        writer.add(video)
        XCTAssertFalse(video.isReadyForMoreMediaData)
        XCTAssertFalse(fixture.fileExists("a.mov"))
        XCTAssertTrue(writer.startWriting())
        XCTAssertEqual(writer.status, .writing)
        XCTAssertTrue(fixture.fileExists("a.mov"))
        XCTAssertTrue(video.isReadyForMoreMediaData)
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        XCTAssertTrue(video.append(try AssetWriterFixture.videoSample(0, at: .zero)))
        video.markAsFinished()
        XCTAssertFalse(video.isReadyForMoreMediaData)
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed)
        XCTAssertNil(writer.error)
        XCTAssertFalse(video.append(try AssetWriterFixture.videoSample(1, at: .milliseconds(40))))
        fixture.assertNoMisuse()
    }

    func testCallsInTheWrongStateAreMisuse() throws {
        let fixture = try AssetWriterFixture()
        let video = fixture.makeVideoInput()
        let writer = try fixture.makeWriter("a.mov")
        let frame = try AssetWriterFixture.videoSample(0, at: .zero)
        fixture.assertMisuse(.internalInconsistency, "Cannot call method when status is 0") { video.append(frame) }
        fixture.assertMisuse(.internalInconsistency, "Cannot start writing without inputs") { writer.startWriting() }
        writer.add(video)
        fixture.assertMisuse(.internalInconsistency, "status is 0") { writer.startSession(atSourceTime: .zero) }
        fixture.assertMisuse(.internalInconsistency, "status is 0") { writer.cancelWriting() }
        fixture.assertMisuse(.internalInconsistency, "status is 0") { video.markAsFinished() }
        fixture.assertMisuse(.internalInconsistency, "status is 0") {
            video.requestMediaDataWhenReady(on: .main) {}
        }
        fixture.assertMisuse(.internalInconsistency, "status is 0") { writer.finishWriting {} }
        writer.startWriting()
        fixture.assertMisuse(.internalInconsistency, "status is 1") { writer.startWriting() }
        fixture.assertMisuse(.internalInconsistency, "status is 1") { writer.movieTimeScale = 600 }
        fixture.assertMisuse(.internalInconsistency, "after writing has started") { video.transform = .identity }
        fixture.assertMisuse(.internalInconsistency, "Must start a session") { video.append(frame) }
        fixture.assertMisuse(.internalInconsistency, "no session") { writer.endSession(atSourceTime: .zero) }
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        fixture.assertMisuse(.internalInconsistency, "a writer has only one") {
            writer.startSession(atSourceTime: .zero)
        }
        fixture.assertMisuse(.internalInconsistency, "not before the session's start") {
            writer.endSession(atSourceTime: .zero)
        }
        XCTAssertTrue(video.append(frame))
        writer.endSession(atSourceTime: AssetWriterFixture.start + CMTime(value: 1, timescale: 1))
        fixture.assertMisuse(.internalInconsistency, "the session has ended") { video.append(frame) }
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed)
        fixture.assertMisuse(.internalInconsistency, "status is 2") { writer.finishWriting {} }
        fixture.assertMisuse(.internalInconsistency, "status is 2") { video.markAsFinished() }
        fixture.assertMisuse(.internalInconsistency, "status is 2") { writer.startWriting() }
        writer.cancelWriting()
        XCTAssertEqual(writer.status, .completed)
        XCTAssertTrue(fixture.fileExists("a.mov"))
    }

    func testIncompatibleInputsCannotBeAdded() throws {
        let fixture = try AssetWriterFixture()
        let movie = try fixture.makeWriter("a.mov")
        let video = fixture.makeVideoInput()
        movie.add(video)
        XCTAssertFalse(movie.canAdd(video))
        fixture.assertMisuse(.invalidArgument, "already belongs to a writer") { movie.add(video) }
        let audioWriter = try fixture.makeWriter("a.m4a", .m4a)
        XCTAssertFalse(audioWriter.canAdd(fixture.makeVideoInput()))
        XCTAssertTrue(audioWriter.canAdd(fixture.makeAudioInput()))
        XCTAssertFalse(audioWriter.canAdd(fixture.makeAudioInput(kAudioFormatLinearPCM)))
        XCTAssertFalse(try fixture.makeWriter("a.mp4", .mp4).canAdd(fixture.makeVideoInput(codec: .jpeg)))
        XCTAssertFalse(try fixture.makeWriter("a.wav", .wav).canAdd(fixture.makeAudioInput()))
        let passthrough = fixture.system.run { AVAssetWriterInput(mediaType: .video, outputSettings: nil) }
        XCTAssertTrue(movie.canAdd(passthrough))
        XCTAssertFalse(try fixture.makeWriter("b.mp4", .mp4).canAdd(passthrough))
        XCTAssertTrue(
            movie.canApply(
                outputSettings: [AVVideoCodecKey: AVVideoCodecType.hevc, AVVideoWidthKey: 640, AVVideoHeightKey: 480],
                forMediaType: .video))
        XCTAssertFalse(movie.canApply(outputSettings: [AVVideoCodecKey: "xyzw"], forMediaType: .video))
        XCTAssertFalse(audioWriter.canApply(outputSettings: nil, forMediaType: .video))
        try fixture.assertMisuse(.invalidArgument, "Invalid file type") {
            XCTAssertThrowsError(try fixture.makeWriter("a.heic", .heic))
        }
        try fixture.assertMisuse(.invalidArgument, "not a file URL") {
            XCTAssertThrowsError(
                try AVAssetWriter(outputURL: XCTUnwrap(URL(string: "http://example.com/a.mov")), fileType: .mov))
        }
    }

    func testSettingsThatCannotBeUsedAreMisuse() throws {
        let fixture = try AssetWriterFixture()
        let video: [String: Any] = [
            AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 320, AVVideoHeightKey: 240,
        ]
        func properties(_ more: [String: Any]) -> [String: Any] {
            video.merging([AVVideoCompressionPropertiesKey: more]) { $1 }
        }
        let pcm: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48000, AVNumberOfChannelsKey: 2,
        ]
        func aac(_ channelCount: Int, _ layout: Any) -> [String: Any] {
            [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48000, AVNumberOfChannelsKey: channelCount,
                AVChannelLayoutKey: layout,
            ]
        }
        func layout(_ tag: AudioChannelLayoutTag, bitmap: UInt32 = 0, count: UInt32 = 0) -> Data {
            [tag, bitmap, count].withUnsafeBytes { Data($0) }
        }
        for (type, settings, text) in [
            (AVMediaType.video, [:], "AVVideoCodecKey is missing"),
            (.video, [AVVideoCodecKey: "h264"], "codec h264 is not available"),
            (.video, [AVVideoCodecKey: AVVideoCodecType.h264], "AVVideoWidthKey and AVVideoHeightKey"),
            (.video, video.merging([AVVideoScalingModeKey: AVVideoScalingModeFit]) { $1 }, "is not a scaling mode"),
            (.video, video.merging([AVVideoWidthKey: 0]) { $1 }, "0 is not a value for AVVideoWidthKey"),
            (.video, video.merging([AVVideoWidthKey: "wide"]) { $1 }, "wide is not a value for AVVideoWidthKey"),
            (.video, properties([AVVideoProfileLevelKey: "H264_Extended_3_0"]), "is not a profile and level of h264"),
            (.video, properties([AVVideoProfileLevelKey: "HEVC_Main_AutoLevel"]), "is not a profile and level of h264"),
            (.video, properties([AVVideoH264EntropyModeKey: "HUFFMAN"]), "use CAVLC or CABAC"),
            (.video, properties([AVVideoAverageBitRateKey: -1]), "-1 is not a value for AverageBitRate"),
            (.video, video.merging([AVVideoColorPropertiesKey: [String: Any]()]) { $1 }, "needs primaries"),
            (.video, video.merging([AVVideoDecompressionPropertiesKey: [String: Any]()]) { $1 }, "cannot be used"),
            (.audio, [:], "AVFormatIDKey is missing"),
            (.audio, [AVFormatIDKey: kAudioFormatMPEGLayer3], "'aac '"),
            (.audio, [AVFormatIDKey: kAudioFormatMPEG4AAC], "AVSampleRateKey and AVNumberOfChannelsKey"),
            (.audio, pcm, "AVLinearPCMBitDepthKey is missing"),
            (
                .audio, [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48000, AVNumberOfChannelsKey: 6],
                "AVChannelLayoutKey"
            ),
            (.audio, aac(1, layout(kAudioChannelLayoutTag_Stereo)), "has 2 channels, but AVNumberOfChannelsKey is 1"),
            (.audio, aac(2, Data([1, 2, 3])), "3 bytes are not a value for AVChannelLayoutKey"),
            (.audio, aac(2, "stereo"), "stereo is not a value for AVChannelLayoutKey"),
            (.audio, aac(2, layout(kAudioChannelLayoutTag_UseChannelDescriptions, count: 2)), "2 descriptions need 52"),
            (.audio, aac(2, layout(kAudioChannelLayoutTag_UseChannelBitmap, bitmap: 4)), "has 1 channels"),
            (.metadata, [AVVideoCodecKey: "x"], "can only pass through"),
        ] as [(AVMediaType, [String: Any], String)] {
            try fixture.assertMisuse(.invalidArgument, text) {
                let input = AVAssetWriterInput(mediaType: type, outputSettings: settings)
                XCTAssertFalse(try fixture.makeWriter("a.mov").canAdd(input))
            }
        }
        let description = try CMFormatDescription(imageBuffer: AssetWriterFixture.pixelBuffer(0))
        fixture.assertMisuse(.invalidArgument, "is not of media type soun") {
            _ = AVAssetWriterInput(
                mediaType: .audio, outputSettings: [AVFormatIDKey: kAudioFormatMPEG4AAC],
                sourceFormatHint: description)
        }
        // With a hint, only the codec is required.
        _ = fixture.system.run {
            AVAssetWriterInput(
                mediaType: .video, outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264],
                sourceFormatHint: description)
        }
        fixture.assertNoMisuse()
    }

    func testBuffersOfTheWrongTypeAreMisuse() throws {
        let fixture = try AssetWriterFixture()
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        let passthrough = fixture.system.run { AVAssetWriterInput(mediaType: .video, outputSettings: nil) }
        let writer = try startedWriter(fixture, [video, audio, passthrough])
        let (frame, audioBuffer) = (
            try AssetWriterFixture.videoSample(0, at: .zero), try AssetWriterFixture.audioSample(0..<480)
        )
        fixture.assertMisuse(.invalidArgument, "Media type of sample buffer must match") { video.append(audioBuffer) }
        fixture.assertMisuse(.invalidArgument, "Media type of sample buffer must match") { audio.append(frame) }
        fixture.assertMisuse(.invalidArgument, "must be in a compressed format") { passthrough.append(frame) }
        writer.cancelWriting()
    }

    func testStartWritingFailsIfTheFileExists() throws {
        let fixture = try AssetWriterFixture()
        try Data("mine".utf8).write(to: fixture.url("a.mov"))
        let writer = try fixture.makeWriter("a.mov")
        writer.add(fixture.makeVideoInput())
        XCTAssertFalse(writer.startWriting())
        XCTAssertEqual(writer.status, .failed)
        XCTAssertEqual((writer.error as? AVError)?.code, .fileAlreadyExists)
        XCTAssertEqual(try Data(contentsOf: fixture.url("a.mov")), Data("mine".utf8))
        let isCompleted = Lock(false)
        writer.finishWriting { isCompleted.withLock { $0 = true } }
        fixture.settle()
        XCTAssertTrue(isCompleted.withLock { $0 })
        fixture.assertNoMisuse()
    }

    func testCancellingRemovesTheFile() throws {
        let fixture = try AssetWriterFixture()
        let video = fixture.makeVideoInput()
        let writer = try startedWriter(fixture, [video])
        for frame in 0..<40 {
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        XCTAssertTrue(fixture.fileExists("a.mov"))
        writer.cancelWriting()
        XCTAssertEqual(writer.status, .cancelled)
        XCTAssertNil(writer.error)
        XCTAssertFalse(fixture.fileExists("a.mov"))
        XCTAssertFalse(video.append(try AssetWriterFixture.videoSample(41, at: CMTime(value: 41, timescale: 30))))
        XCTAssertFalse(video.isReadyForMoreMediaData)
        writer.cancelWriting()
        fixture.assertNoMisuse()
    }

    func testFinishingWithoutSamplesFailsAndRemovesTheFile() throws {
        let fixture = try AssetWriterFixture()
        let writer = try startedWriter(fixture, [fixture.makeVideoInput()])
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .failed)
        XCTAssertEqual((writer.error as? AVError)?.code, .noDataCaptured)
        XCTAssertFalse(fixture.fileExists("a.mov"))
    }

    func testAnInvalidSampleFailsTheWriterWithAReason() throws {
        let fixture = try AssetWriterFixture()
        let video = fixture.makeVideoInput()
        let writer = try startedWriter(fixture, [video])
        XCTAssertTrue(video.append(try AssetWriterFixture.videoSample(0, at: .milliseconds(100))))
        XCTAssertFalse(video.append(try AssetWriterFixture.videoSample(1, at: .milliseconds(50))))
        XCTAssertEqual(writer.status, .failed)
        XCTAssertTrue(writer.error?.localizedDescription.contains("does not follow") ?? false)
        fixture.assertNoMisuse()
    }

    func testAnInputThatIsAheadWaitsForTheOthers() throws {
        let fixture = try AssetWriterFixture()
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        let writer = try startedWriter(fixture, [video, audio])
        var frames = 0
        while video.isReadyForMoreMediaData, frames < 1000 {
            video.append(try AssetWriterFixture.videoSample(frames, at: CMTime(value: Int64(frames), timescale: 30)))
            frames += 1
        }
        XCTAssertEqual(frames, 31)
        try fixture.assertMisuse(
            .internalInconsistency, "A sample buffer cannot be appended when readyForMoreMediaData is NO"
        ) {
            XCTAssertFalse(video.append(try AssetWriterFixture.videoSample(99, at: CMTime(value: 99, timescale: 30))))
        }
        XCTAssertTrue(audio.isReadyForMoreMediaData)
        audio.append(try AssetWriterFixture.audioSample(0..<24000))
        XCTAssertTrue(video.isReadyForMoreMediaData)
        audio.markAsFinished()
        while video.isReadyForMoreMediaData, frames < 100 {
            video.append(try AssetWriterFixture.videoSample(frames, at: CMTime(value: Int64(frames), timescale: 30)))
            frames += 1
        }
        XCTAssertEqual(frames, 100)
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed)
    }

    func testRealTimeInputsDoNotWaitForEachOther() throws {
        let fixture = try AssetWriterFixture()
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        video.expectsMediaDataInRealTime = true
        let writer = try startedWriter(fixture, [video, audio])
        for frame in 0..<90 {
            XCTAssertTrue(video.isReadyForMoreMediaData)
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        writer.cancelWriting()
        fixture.assertNoMisuse()
    }

    func testARealTimeInputEventuallyWaitsForTheFirstSampleOfAnother() throws {
        let fixture = try AssetWriterFixture()
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        for input in [video, audio] { input.expectsMediaDataInRealTime = true }
        let writer = try startedWriter(fixture, [video, audio])
        var frame: Int64 = 0
        while video.isReadyForMoreMediaData, frame < 400 {
            // Four frames per second: the limit depends on their times, not their number.
            video.append(try AssetWriterFixture.videoSample(Int(frame), at: CMTime(value: frame, timescale: 4)))
            frame += 1
        }
        XCTAssertEqual(frame, 41)
        audio.append(try AssetWriterFixture.audioSample(0..<960))
        XCTAssertTrue(video.isReadyForMoreMediaData)
        video.append(try AssetWriterFixture.videoSample(Int(frame), at: CMTime(value: frame, timescale: 4)))
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        XCTAssertEqual(try DecodedMovie(fixture.url("a.mov")).frames.count, 42)
        fixture.assertNoMisuse()
    }

    func testMissingMetadataDoesNotDelayWriting() throws {
        let fixture = try AssetWriterFixture()
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.label")
        item.dataType = kCMMetadataBaseDataType_UTF8
        item.value = "label" as NSString
        let group = AVTimedMetadataGroup(
            items: [item],
            timeRange: CMTimeRange(
                start: AssetWriterFixture.start + CMTime(value: 4, timescale: 1),
                duration: CMTime(value: 1, timescale: 1)))
        let description = try XCTUnwrap(group.copyFormatDescription())
        for hasMetadata in [false, true] {
            let name = "\(hasMetadata).mov"
            let video = fixture.makeVideoInput()
            let metadata = fixture.system.run {
                AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
            }
            let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: metadata)
            let writer = try fixture.makeWriter(name)
            writer.movieFragmentInterval = CMTime(value: 1, timescale: 1)
            for input in [video, metadata] { writer.add(input) }
            writer.startWriting()
            writer.startSession(atSourceTime: AssetWriterFixture.start)
            for frame in 0..<150 {
                video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
            }
            // Most of the appended frames are already written.
            XCTAssertGreaterThanOrEqual(try DecodedMovie(fixture.url(name)).frames.count, 90)
            if hasMetadata { XCTAssertTrue(adaptor.append(group)) }
            fixture.finish(writer)
            XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
            try AssetWriterFixture.assertDecodesSilently(fixture.url(name))
            let asset = fixture.system.run { AVURLAsset(url: fixture.url(name)) }
            let tracks = asset.tracks(withMediaType: .metadata)
            XCTAssertEqual(tracks.count, hasMetadata ? 1 : 0)
            if hasMetadata {
                XCTAssertEqual(
                    tracks.first?.timeRange,
                    CMTimeRange(start: CMTime(value: 4, timescale: 1), duration: CMTime(value: 1, timescale: 1)))
            }
        }
        fixture.assertNoMisuse()
    }

    func testRequestBlocksAreCalledUntilAllMediaIsAppended() throws {
        let fixture = try AssetWriterFixture()
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        let writer = try startedWriter(fixture, [video, audio])
        let queue = DispatchQueue(label: "test.media")
        let events = Lock<[String]>([])
        let counts = Lock((video: 0, audio: 0))
        video.requestMediaDataWhenReady(on: queue) {
            events.withLock { $0.append("video") }
            while video.isReadyForMoreMediaData {
                let number = counts.withLock { $0.video }
                guard number < 120,
                    let frame = try? AssetWriterFixture.videoSample(
                        number, at: CMTime(value: Int64(number), timescale: 30))
                else { return video.markAsFinished() }
                video.append(frame)
                counts.withLock { $0.video += 1 }
            }
        }
        // Appends one buffer in each call; the block is called again until it appends nothing.
        audio.requestMediaDataWhenReady(on: queue) {
            events.withLock { $0.append("audio") }
            let number = counts.withLock { $0.audio }
            guard number < 8,
                let audioBuffer = try? AssetWriterFixture.audioSample(number * 24000..<(number + 1) * 24000)
            else {
                return audio.markAsFinished()
            }
            audio.append(audioBuffer)
            counts.withLock { $0.audio += 1 }
        }
        fixture.assertMisuse(.internalInconsistency, "more than once") {
            audio.requestMediaDataWhenReady(on: queue) {}
        }
        fixture.settle()
        XCTAssertEqual(counts.withLock { $0.video }, 120)
        XCTAssertEqual(counts.withLock { $0.audio }, 8)
        XCTAssertGreaterThan(events.withLock { $0.filter { $0 == "video" }.count }, 2)
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed)
        XCTAssertEqual(try DecodedMovie(fixture.url("a.mov")).frames.count, 120)
        fixture.assertNoMisuse()
    }

    func testStatusAndReadinessCanBeObserved() throws {
        let fixture = try AssetWriterFixture()
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        let writer = try fixture.makeWriter("a.mov")
        let events = Lock<[String]>([], order: .client)
        let observations = [
            writer.observe(\.status) { writer, _ in events.withLock { $0.append("\(writer.status)") } },
            video.observe(\.isReadyForMoreMediaData, options: .new) { _, change in
                events.withLock { $0.append(change.newValue == true ? "ready" : "not ready") }
            },
        ]
        writer.add(video)
        writer.add(audio)
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<31 {
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        audio.append(try AssetWriterFixture.audioSample(0..<48000))
        fixture.finish(writer)
        XCTAssertEqual(
            events.withLock { $0 }, ["writing", "ready", "not ready", "ready", "not ready", "completed"])
        for observation in observations { observation.invalidate() }
    }

    func testMultiPassInputsEncodeInOnePass() throws {
        let fixture = try AssetWriterFixture()
        let video = fixture.makeVideoInput()
        video.performsMultiPassEncodingIfSupported = true
        XCTAssertNil(video.currentPassDescription)
        fixture.assertMisuse(.internalInconsistency, "status is 0") { video.markCurrentPassAsFinished() }
        let writer = try startedWriter(fixture, [video])
        XCTAssertFalse(video.canPerformMultiplePasses)
        let passes = Lock<[Bool]>([])
        video.respondToEachPassDescription(on: DispatchQueue(label: "test")) {
            guard let pass = video.currentPassDescription else {
                passes.withLock { $0.append(false) }
                return video.markAsFinished()
            }
            passes.withLock { $0.append(pass.sourceTimeRanges.count == 1) }
            if let frame = try? AssetWriterFixture.videoSample(0, at: .zero) { video.append(frame) }
            video.markCurrentPassAsFinished()
        }
        fixture.settle()
        XCTAssertEqual(passes.withLock { $0 }, [true, false])
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed)
        fixture.assertNoMisuse()
    }

    func testABlockThatAppendsNothingIsNotCalledRepeatedly() throws {
        let fixture = try AssetWriterFixture()
        let video = fixture.makeVideoInput()
        let writer = try startedWriter(fixture, [video])
        let calls = Lock(0)
        video.requestMediaDataWhenReady(on: DispatchQueue(label: "test")) { calls.withLock { $0 += 1 } }
        fixture.settle()
        XCTAssertEqual(calls.withLock { $0 }, 1)
        writer.cancelWriting()
        fixture.settle()
        XCTAssertEqual(calls.withLock { $0 }, 1)
    }
}
