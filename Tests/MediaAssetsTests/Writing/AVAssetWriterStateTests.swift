import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets

final class AVAssetWriterStateTests: XCTestCase {
    private func started(
        _ bench: WriterBench, _ inputs: [AVAssetWriterInput], session: Bool = true
    ) throws -> AVAssetWriter {
        let writer = try bench.makeWriter("a.mov")
        for input in inputs { writer.add(input) }
        XCTAssertTrue(writer.startWriting())
        if session { writer.startSession(atSourceTime: WriterBench.start) }
        return writer
    }

    func testStatesFollowEachOther() throws {
        let bench = try WriterBench()
        let video = bench.makeVideo()
        let writer = try bench.makeWriter("a.mov")
        XCTAssertEqual(writer.status, .unknown)
        XCTAssertEqual(writer.availableMediaTypes.first, .video)
        writer.add(video)
        XCTAssertFalse(video.isReadyForMoreMediaData)
        XCTAssertFalse(bench.fileExists("a.mov"))
        XCTAssertTrue(writer.startWriting())
        XCTAssertEqual(writer.status, .writing)
        XCTAssertTrue(bench.fileExists("a.mov"))
        XCTAssertTrue(video.isReadyForMoreMediaData)
        writer.startSession(atSourceTime: WriterBench.start)
        XCTAssertTrue(video.append(try WriterBench.frame(0, at: .zero)))
        video.markAsFinished()
        XCTAssertFalse(video.isReadyForMoreMediaData)
        bench.finish(writer)
        XCTAssertEqual(writer.status, .completed)
        XCTAssertNil(writer.error)
        XCTAssertFalse(video.append(try WriterBench.frame(1, at: .milliseconds(40))))
        bench.assertNoMisuse()
    }

    func testCallsOutOfTurnAreMisuse() throws {
        let bench = try WriterBench()
        let video = bench.makeVideo()
        let writer = try bench.makeWriter("a.mov")
        let frame = try WriterBench.frame(0, at: .zero)
        bench.assertMisuse(.internalInconsistency, "Cannot call method when status is 0") { video.append(frame) }
        bench.assertMisuse(.internalInconsistency, "Cannot start writing without inputs") { writer.startWriting() }
        writer.add(video)
        bench.assertMisuse(.internalInconsistency, "status is 0") { writer.startSession(atSourceTime: .zero) }
        bench.assertMisuse(.internalInconsistency, "status is 0") { writer.cancelWriting() }
        bench.assertMisuse(.internalInconsistency, "status is 0") { video.markAsFinished() }
        bench.assertMisuse(.internalInconsistency, "status is 0") {
            video.requestMediaDataWhenReady(on: .main) {}
        }
        bench.assertMisuse(.internalInconsistency, "status is 0") { writer.finishWriting {} }
        writer.startWriting()
        bench.assertMisuse(.internalInconsistency, "status is 1") { writer.startWriting() }
        bench.assertMisuse(.internalInconsistency, "status is 1") { writer.movieTimeScale = 600 }
        bench.assertMisuse(.internalInconsistency, "after writing has started") { video.transform = .identity }
        bench.assertMisuse(.internalInconsistency, "Must start a session") { video.append(frame) }
        bench.assertMisuse(.internalInconsistency, "no session") { writer.endSession(atSourceTime: .zero) }
        writer.startSession(atSourceTime: WriterBench.start)
        bench.assertMisuse(.internalInconsistency, "a writer has one") { writer.startSession(atSourceTime: .zero) }
        bench.assertMisuse(.internalInconsistency, "not before the session's start") {
            writer.endSession(atSourceTime: .zero)
        }
        XCTAssertTrue(video.append(frame))
        writer.endSession(atSourceTime: WriterBench.start + CMTime(value: 1, timescale: 1))
        bench.assertMisuse(.internalInconsistency, "the session has ended") { video.append(frame) }
        bench.finish(writer)
        XCTAssertEqual(writer.status, .completed)
        bench.assertMisuse(.internalInconsistency, "status is 2") { writer.finishWriting {} }
        bench.assertMisuse(.internalInconsistency, "status is 2") { writer.startWriting() }
        writer.cancelWriting()
        XCTAssertEqual(writer.status, .completed)
        XCTAssertTrue(bench.fileExists("a.mov"))
    }

    func testInputsThatDoNotFitAreRefused() throws {
        let bench = try WriterBench()
        let movie = try bench.makeWriter("a.mov")
        let video = bench.makeVideo()
        movie.add(video)
        XCTAssertFalse(movie.canAdd(video))
        bench.assertMisuse(.invalidArgument, "belongs to a writer already") { movie.add(video) }
        let sound = try bench.makeWriter("a.m4a", .m4a)
        XCTAssertFalse(sound.canAdd(bench.makeVideo()))
        XCTAssertTrue(sound.canAdd(bench.makeAudio()))
        XCTAssertFalse(sound.canAdd(bench.makeAudio(kAudioFormatLinearPCM)))
        XCTAssertFalse(try bench.makeWriter("a.mp4", .mp4).canAdd(bench.makeVideo(codec: .jpeg)))
        XCTAssertFalse(try bench.makeWriter("a.wav", .wav).canAdd(bench.makeAudio()))
        let passthrough = bench.system.run { AVAssetWriterInput(mediaType: .video, outputSettings: nil) }
        XCTAssertTrue(movie.canAdd(passthrough))
        XCTAssertFalse(try bench.makeWriter("b.mp4", .mp4).canAdd(passthrough))
        XCTAssertTrue(
            movie.canApply(
                outputSettings: [AVVideoCodecKey: AVVideoCodecType.hevc, AVVideoWidthKey: 640, AVVideoHeightKey: 480],
                forMediaType: .video))
        XCTAssertFalse(movie.canApply(outputSettings: [AVVideoCodecKey: "xyzw"], forMediaType: .video))
        XCTAssertFalse(sound.canApply(outputSettings: nil, forMediaType: .video))
        try bench.assertMisuse(.invalidArgument, "Invalid file type") {
            XCTAssertThrowsError(try bench.makeWriter("a.heic", .heic))
        }
        try bench.assertMisuse(.invalidArgument, "not a file URL") {
            XCTAssertThrowsError(
                try AVAssetWriter(outputURL: XCTUnwrap(URL(string: "http://example.com/a.mov")), fileType: .mov))
        }
    }

    func testSettingsThatCannotBeUsedAreMisuse() throws {
        let bench = try WriterBench()
        let video: [String: Any] = [
            AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 320, AVVideoHeightKey: 240,
        ]
        func properties(_ more: [String: Any]) -> [String: Any] {
            video.merging([AVVideoCompressionPropertiesKey: more]) { $1 }
        }
        let pcm: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48000, AVNumberOfChannelsKey: 2,
        ]
        for (type, settings, text) in [
            (AVMediaType.video, [:], "AVVideoCodecKey is missing"),
            (.video, [AVVideoCodecKey: "h264"], "codec h264 is not available"),
            (.video, [AVVideoCodecKey: AVVideoCodecType.h264], "AVVideoWidthKey and AVVideoHeightKey"),
            (.video, video.merging([AVVideoScalingModeKey: AVVideoScalingModeFit]) { $1 }, "is not a scaling mode"),
            (.video, video.merging([AVVideoWidthKey: 0]) { $1 }, "0 is not a value for AVVideoWidthKey"),
            (.video, video.merging([AVVideoWidthKey: "wide"]) { $1 }, "wide is not a value for AVVideoWidthKey"),
            (.video, properties([AVVideoProfileLevelKey: "H264_Extended_3_0"]), "is not a profile and level of h264"),
            (.video, properties([AVVideoProfileLevelKey: "HEVC_Main_AutoLevel"]), "is not a profile and level of h264"),
            (.video, properties([AVVideoH264EntropyModeKey: "HUFFMAN"]), "it takes CAVLC or CABAC"),
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
            (.metadata, [AVVideoCodecKey: "x"], "can only pass through"),
        ] as [(AVMediaType, [String: Any], String)] {
            try bench.assertMisuse(.invalidArgument, text) {
                let input = AVAssetWriterInput(mediaType: type, outputSettings: settings)
                XCTAssertFalse(try bench.makeWriter("a.mov").canAdd(input))
            }
        }
        let description = try CMFormatDescription(imageBuffer: WriterBench.picture(0))
        bench.assertMisuse(.invalidArgument, "is not of media type soun") {
            _ = AVAssetWriterInput(
                mediaType: .audio, outputSettings: [AVFormatIDKey: kAudioFormatMPEG4AAC],
                sourceFormatHint: description)
        }
        // With a hint the codec alone is enough.
        _ = bench.system.run {
            AVAssetWriterInput(
                mediaType: .video, outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264],
                sourceFormatHint: description)
        }
        bench.assertNoMisuse()
    }

    func testBuffersOfAnotherKindAreMisuse() throws {
        let bench = try WriterBench()
        let (video, audio) = (bench.makeVideo(), bench.makeAudio())
        let passthrough = bench.system.run { AVAssetWriterInput(mediaType: .video, outputSettings: nil) }
        let writer = try started(bench, [video, audio, passthrough])
        let (frame, sound) = (try WriterBench.frame(0, at: .zero), try WriterBench.sound(0..<480))
        bench.assertMisuse(.invalidArgument, "Media type of sample buffer must match") { video.append(sound) }
        bench.assertMisuse(.invalidArgument, "Media type of sample buffer must match") { audio.append(frame) }
        bench.assertMisuse(.invalidArgument, "must be in a compressed format") { passthrough.append(frame) }
        writer.cancelWriting()
    }

    func testAFileThatIsThereFailsTheStart() throws {
        let bench = try WriterBench()
        try Data("mine".utf8).write(to: bench.url("a.mov"))
        let writer = try bench.makeWriter("a.mov")
        writer.add(bench.makeVideo())
        XCTAssertFalse(writer.startWriting())
        XCTAssertEqual(writer.status, .failed)
        XCTAssertEqual((writer.error as? AVError)?.code, .fileAlreadyExists)
        XCTAssertEqual(try Data(contentsOf: bench.url("a.mov")), Data("mine".utf8))
        let isTold = Lock(false)
        writer.finishWriting { isTold.withLock { $0 = true } }
        bench.settle()
        XCTAssertTrue(isTold.withLock { $0 })
        bench.assertNoMisuse()
    }

    func testCancellingRemovesTheFile() throws {
        let bench = try WriterBench()
        let video = bench.makeVideo()
        let writer = try started(bench, [video])
        for frame in 0..<40 {
            video.append(try WriterBench.frame(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        XCTAssertTrue(bench.fileExists("a.mov"))
        writer.cancelWriting()
        XCTAssertEqual(writer.status, .cancelled)
        XCTAssertNil(writer.error)
        XCTAssertFalse(bench.fileExists("a.mov"))
        XCTAssertFalse(video.append(try WriterBench.frame(41, at: CMTime(value: 41, timescale: 30))))
        XCTAssertFalse(video.isReadyForMoreMediaData)
        writer.cancelWriting()
        bench.assertNoMisuse()
    }

    func testNothingAppendedIsAFailureWithoutAFile() throws {
        let bench = try WriterBench()
        let writer = try started(bench, [bench.makeVideo()])
        bench.finish(writer)
        XCTAssertEqual(writer.status, .failed)
        XCTAssertEqual((writer.error as? AVError)?.code, .noDataCaptured)
        XCTAssertFalse(bench.fileExists("a.mov"))
    }

    func testABadSampleFailsTheWriterAndSaysWhy() throws {
        let bench = try WriterBench()
        let video = bench.makeVideo()
        let writer = try started(bench, [video])
        XCTAssertTrue(video.append(try WriterBench.frame(0, at: .milliseconds(100))))
        XCTAssertFalse(video.append(try WriterBench.frame(1, at: .milliseconds(50))))
        XCTAssertEqual(writer.status, .failed)
        XCTAssertTrue(writer.error?.localizedDescription.contains("does not follow") ?? false)
        bench.assertNoMisuse()
    }

    func testAnInputThatRunsAheadWaitsForTheOthers() throws {
        let bench = try WriterBench()
        let (video, audio) = (bench.makeVideo(), bench.makeAudio())
        let writer = try started(bench, [video, audio])
        var frames = 0
        while video.isReadyForMoreMediaData, frames < 1000 {
            video.append(try WriterBench.frame(frames, at: CMTime(value: Int64(frames), timescale: 30)))
            frames += 1
        }
        XCTAssertEqual(frames, 31)
        try bench.assertMisuse(
            .internalInconsistency, "A sample buffer cannot be appended when readyForMoreMediaData is NO"
        ) {
            XCTAssertFalse(video.append(try WriterBench.frame(99, at: CMTime(value: 99, timescale: 30))))
        }
        XCTAssertTrue(audio.isReadyForMoreMediaData)
        audio.append(try WriterBench.sound(0..<24000))
        XCTAssertTrue(video.isReadyForMoreMediaData)
        audio.markAsFinished()
        while video.isReadyForMoreMediaData, frames < 100 {
            video.append(try WriterBench.frame(frames, at: CMTime(value: Int64(frames), timescale: 30)))
            frames += 1
        }
        XCTAssertEqual(frames, 100)
        bench.finish(writer)
        XCTAssertEqual(writer.status, .completed)
    }

    func testRealTimeInputsDoNotWaitForEachOther() throws {
        let bench = try WriterBench()
        let (video, audio) = (bench.makeVideo(), bench.makeAudio())
        video.expectsMediaDataInRealTime = true
        let writer = try started(bench, [video, audio])
        for frame in 0..<90 {
            XCTAssertTrue(video.isReadyForMoreMediaData)
            video.append(try WriterBench.frame(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        writer.cancelWriting()
        bench.assertNoMisuse()
    }

    func testAnInputInRealTimeWaitsForTheFirstSampleOfAnotherInTheEnd() throws {
        let bench = try WriterBench()
        let (video, audio) = (bench.makeVideo(), bench.makeAudio())
        for input in [video, audio] { input.expectsMediaDataInRealTime = true }
        let writer = try started(bench, [video, audio])
        var frame: Int64 = 0
        while video.isReadyForMoreMediaData, frame < 400 {
            // Four pictures a second: only how far they reach counts.
            video.append(try WriterBench.frame(Int(frame), at: CMTime(value: frame, timescale: 4)))
            frame += 1
        }
        XCTAssertEqual(frame, 41)
        audio.append(try WriterBench.sound(0..<960))
        XCTAssertTrue(video.isReadyForMoreMediaData)
        video.append(try WriterBench.frame(Int(frame), at: CMTime(value: frame, timescale: 4)))
        bench.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        XCTAssertEqual(try DecodedMovie(bench.url("a.mov")).frames.count, 42)
        bench.assertNoMisuse()
    }

    func testMetadataThatNeverComeHoldNothingInMemory() throws {
        let bench = try WriterBench()
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.label")
        item.dataType = kCMMetadataBaseDataType_UTF8
        item.value = "label" as NSString
        let group = AVTimedMetadataGroup(
            items: [item],
            timeRange: CMTimeRange(
                start: WriterBench.start + CMTime(value: 4, timescale: 1), duration: CMTime(value: 1, timescale: 1)))
        let description = try XCTUnwrap(group.copyFormatDescription())
        for comes in [false, true] {
            let name = "\(comes).mov"
            let video = bench.makeVideo()
            let metadata = bench.system.run {
                AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
            }
            let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: metadata)
            let writer = try bench.makeWriter(name)
            writer.movieFragmentInterval = CMTime(value: 1, timescale: 1)
            for input in [video, metadata] { writer.add(input) }
            writer.startWriting()
            writer.startSession(atSourceTime: WriterBench.start)
            for frame in 0..<150 {
                video.append(try WriterBench.frame(frame, at: CMTime(value: Int64(frame), timescale: 30)))
            }
            // What came is on the disk already.
            XCTAssertGreaterThanOrEqual(try DecodedMovie(bench.url(name)).frames.count, 90)
            if comes { XCTAssertTrue(adaptor.append(group)) }
            bench.finish(writer)
            XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
            try WriterBench.assertDecodesSilently(bench.url(name))
            let asset = bench.system.run { AVURLAsset(url: bench.url(name)) }
            let tracks = asset.tracks(withMediaType: .metadata)
            XCTAssertEqual(tracks.count, comes ? 1 : 0)
            if comes {
                XCTAssertEqual(
                    tracks.first?.timeRange,
                    CMTimeRange(start: CMTime(value: 4, timescale: 1), duration: CMTime(value: 1, timescale: 1)))
            }
        }
        bench.assertNoMisuse()
    }

    func testBlocksAreAskedInTurnUntilAllIsThere() throws {
        let bench = try WriterBench()
        let (video, audio) = (bench.makeVideo(), bench.makeAudio())
        let writer = try started(bench, [video, audio])
        let queue = DispatchQueue(label: "test.media")
        let story = Lock<[String]>([])
        let counts = Lock((video: 0, audio: 0))
        video.requestMediaDataWhenReady(on: queue) {
            story.withLock { $0.append("video") }
            while video.isReadyForMoreMediaData {
                let number = counts.withLock { $0.video }
                guard number < 120,
                    let frame = try? WriterBench.frame(number, at: CMTime(value: Int64(number), timescale: 30))
                else { return video.markAsFinished() }
                video.append(frame)
                counts.withLock { $0.video += 1 }
            }
        }
        // One buffer a call: such a block is called again as long as it gives something.
        audio.requestMediaDataWhenReady(on: queue) {
            story.withLock { $0.append("audio") }
            let number = counts.withLock { $0.audio }
            guard number < 8, let sound = try? WriterBench.sound(number * 24000..<(number + 1) * 24000) else {
                return audio.markAsFinished()
            }
            audio.append(sound)
            counts.withLock { $0.audio += 1 }
        }
        bench.assertMisuse(.internalInconsistency, "more than once") {
            audio.requestMediaDataWhenReady(on: queue) {}
        }
        bench.settle()
        XCTAssertEqual(counts.withLock { $0.video }, 120)
        XCTAssertEqual(counts.withLock { $0.audio }, 8)
        XCTAssertGreaterThan(story.withLock { $0.filter { $0 == "video" }.count }, 2)
        bench.finish(writer)
        XCTAssertEqual(writer.status, .completed)
        XCTAssertEqual(try DecodedMovie(bench.url("a.mov")).frames.count, 120)
        bench.assertNoMisuse()
    }

    func testStatusAndReadinessCanBeObserved() throws {
        let bench = try WriterBench()
        let (video, audio) = (bench.makeVideo(), bench.makeAudio())
        let writer = try bench.makeWriter("a.mov")
        let story = Lock<[String]>([], order: .client)
        let watches = [
            writer.observe(\.status) { writer, _ in story.withLock { $0.append("\(writer.status)") } },
            video.observe(\.isReadyForMoreMediaData, options: .new) { _, change in
                story.withLock { $0.append(change.newValue == true ? "ready" : "not ready") }
            },
        ]
        writer.add(video)
        writer.add(audio)
        writer.startWriting()
        writer.startSession(atSourceTime: WriterBench.start)
        for frame in 0..<31 {
            video.append(try WriterBench.frame(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        audio.append(try WriterBench.sound(0..<48000))
        bench.finish(writer)
        XCTAssertEqual(
            story.withLock { $0 }, ["writing", "ready", "not ready", "ready", "not ready", "completed"])
        for watch in watches { watch.invalidate() }
    }

    func testThereIsOnePassOverTheMedia() throws {
        let bench = try WriterBench()
        let video = bench.makeVideo()
        video.performsMultiPassEncodingIfSupported = true
        XCTAssertNil(video.currentPassDescription)
        bench.assertMisuse(.internalInconsistency, "status is 0") { video.markCurrentPassAsFinished() }
        let writer = try started(bench, [video])
        XCTAssertFalse(video.canPerformMultiplePasses)
        let passes = Lock<[Bool]>([])
        video.respondToEachPassDescription(on: DispatchQueue(label: "test")) {
            guard let pass = video.currentPassDescription else {
                passes.withLock { $0.append(false) }
                return video.markAsFinished()
            }
            passes.withLock { $0.append(pass.sourceTimeRanges.count == 1) }
            if let frame = try? WriterBench.frame(0, at: .zero) { video.append(frame) }
            video.markCurrentPassAsFinished()
        }
        bench.settle()
        XCTAssertEqual(passes.withLock { $0 }, [true, false])
        bench.finish(writer)
        XCTAssertEqual(writer.status, .completed)
        bench.assertNoMisuse()
    }

    func testABlockThatHasNothingYetIsNotCalledForEver() throws {
        let bench = try WriterBench()
        let video = bench.makeVideo()
        let writer = try started(bench, [video])
        let calls = Lock(0)
        video.requestMediaDataWhenReady(on: DispatchQueue(label: "test")) { calls.withLock { $0 += 1 } }
        bench.settle()
        XCTAssertEqual(calls.withLock { $0 }, 1)
        writer.cancelWriting()
        bench.settle()
        XCTAssertEqual(calls.withLock { $0 }, 1)
    }
}
