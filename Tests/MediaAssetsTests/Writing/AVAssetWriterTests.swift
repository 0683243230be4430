import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class AVAssetWriterTests: XCTestCase {
    private func assertContainsOneSecond(
        _ url: URL, frameCount: Int = 30, sound: Bool = true, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let movie = try DecodedMovie(url)
        XCTAssertEqual(
            movie.frames.map(\.time), (0..<frameCount).map { CMTime(value: Int64($0), timescale: 30) },
            url.lastPathComponent, file: file, line: line)
        XCTAssertEqual(
            movie.counters, (0..<frameCount).map { UInt32($0) }, url.lastPathComponent, file: file, line: line)
        if sound {
            XCTAssertEqual(movie.audioStart.seconds, 0, accuracy: 1e-9, file: file, line: line)
            XCTAssertEqual(movie.audioSamples.count, 48000, accuracy: 1024, file: file, line: line)
        }
        try AssetWriterFixture.assertDecodesSilently(url, file: file, line: line)
    }

    func testAWriterRejectsInputsOfAnotherSystem() throws {
        let fixture = try AssetWriterFixture()
        let other = CaptureSystem(name: "the other system", hosts: [], clock: SimClock())
        let writer = try fixture.system.run { try AVAssetWriter(outputURL: fixture.url("a.mov"), fileType: .mov) }
        let input = other.run { AVAssetWriterInput(mediaType: .video, outputSettings: nil) }
        XCTAssertFalse(writer.canAdd(input))
        fixture.assertMisuse(
            .invalidArgument,
            "the input belongs to the other system, but the writer belongs to capture system without devices"
        ) { writer.add(input) }
        XCTAssertEqual(writer.inputs, [])
    }

    func testEveryCodecAndContainerKeepsFramesAndTimes() throws {
        let fixture = try AssetWriterFixture()
        for (type, name) in [(AVFileType.mov, "mov"), (.mp4, "mp4"), (.m4v, "m4v")] {
            for codec in [AVVideoCodecType.h264, .hevc, .jpeg] where type == .mov || codec != .jpeg {
                for audioFormat in [
                    kAudioFormatMPEG4AAC, kAudioFormatLinearPCM, kAudioFormatAppleLossless, kAudioFormatOpus,
                ]
                where type == .mov || audioFormat != kAudioFormatLinearPCM {
                    let file = "\(codec.rawValue)-\(audioFormat).\(name)"
                    let writer = try fixture.makeWriter(file, type)
                    try fixture.writeMedia(
                        1, writer, video: fixture.makeVideoInput(codec: codec),
                        audio: fixture.makeAudioInput(audioFormat))
                    XCTAssertEqual(writer.status, .completed, "\(file): \(String(describing: writer.error))")
                    fixture.assertNoMisuse()
                    try assertContainsOneSecond(fixture.url(file))
                }
            }
        }
    }

    func testAudioOnlyFilesOfEveryTypeAndCodecAreWritten() throws {
        let fixture = try AssetWriterFixture()
        for (type, name, codecs) in [
            (AVFileType.m4a, "m4a", [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatOpus]),
            (.caf, "caf", [kAudioFormatMPEG4AAC, kAudioFormatLinearPCM, kAudioFormatAppleLossless, kAudioFormatOpus]),
            (.wav, "wav", [kAudioFormatLinearPCM]),
        ] {
            for codec in codecs {
                let file = "\(codec).\(name)"
                let writer = try fixture.makeWriter(file, type)
                try fixture.writeMedia(1, writer, video: nil, audio: fixture.makeAudioInput(codec))
                XCTAssertEqual(writer.status, .completed, "\(file): \(String(describing: writer.error))")
                let decoded = try DecodedMovie(fixture.url(file))
                // FFmpeg's CAF demuxer does not remove the priming frames listed in the packet table.
                let primings: [AudioFormatID: Int] = [kAudioFormatMPEG4AAC: 1024, kAudioFormatOpus: 312]
                let priming = type == .caf ? primings[codec] ?? 0 : 0
                XCTAssertEqual(decoded.audioSamples.count - priming, 48000, accuracy: 1024, file)
                let exact = codec == kAudioFormatLinearPCM || codec == kAudioFormatAppleLossless
                if exact { XCTAssertEqual(decoded.audioSamples.count, 48000, file) }
                for frame in stride(from: 4800, to: 43200, by: 7) {
                    let expected = Float(Int16(6000 * sin(2 * Double.pi * 1000 * Double(frame) / 48000))) / 32768
                    XCTAssertEqual(
                        decoded.audioSamples[priming + frame], expected, accuracy: exact ? 1e-6 : 0.02,
                        "\(file) \(frame)"
                    )
                }
                try AssetWriterFixture.assertDecodesSilently(fixture.url(file))
            }
        }
        fixture.assertNoMisuse()
    }

    func testReorderedFramesKeepTheirTimes() throws {
        let fixture = try AssetWriterFixture()
        for codec in [AVVideoCodecType.h264, .hevc] {
            let hasCompositionOffsets = try [true, false].map { reorders in
                let name = "\(codec.rawValue)-\(reorders).mp4"
                let video = fixture.makeVideoInput(codec: codec, [AVVideoAllowFrameReorderingKey: reorders])
                let writer = try fixture.makeWriter(name, .mp4)
                try fixture.writeMedia(1, writer, video: video, audio: nil)
                XCTAssertEqual(writer.status, .completed)
                try assertContainsOneSecond(fixture.url(name), sound: false)
                return try Data(contentsOf: fixture.url(name)).range(of: Data("ctts".utf8)) != nil
            }
            XCTAssertEqual(hasCompositionOffsets, [true, false], codec.rawValue)
        }
    }

    func testMediaBeforeTheSessionIsTrimmedAndLateTracksStartWithAnEmptyEdit() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput(kAudioFormatLinearPCM))
        writer.add(video)
        writer.add(audio)
        writer.startWriting()
        // The video starts three frames before the start of the session, the audio a tenth of a second after it.
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in -3..<15 {
            XCTAssertTrue(
                video.append(
                    try AssetWriterFixture.videoSample(frame + 3, at: CMTime(value: Int64(frame), timescale: 30))))
        }
        XCTAssertTrue(audio.append(try AssetWriterFixture.audioSample(4800..<24000)))
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        let movie = try DecodedMovie(fixture.url("a.mov"))
        let visibleFrames = movie.frames.filter { $0.time >= .zero }
        XCTAssertEqual(visibleFrames.map(\.time), (0..<15).map { CMTime(value: Int64($0), timescale: 30) })
        XCTAssertEqual(visibleFrames.map { $0.marker?.counter }, (3..<18).map { UInt32($0) })
        XCTAssertEqual(movie.audioStart, CMTime(value: 1, timescale: 10))
        XCTAssertEqual(movie.audioSamples.count, 19200)
        try AssetWriterFixture.assertDecodesSilently(fixture.url("a.mov"))
    }

    func testMediaAfterTheSessionsEndIsTrimmed() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput(kAudioFormatLinearPCM))
        writer.add(video)
        writer.add(audio)
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<15 {
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        audio.append(try AssetWriterFixture.audioSample(0..<24000))
        writer.endSession(atSourceTime: AssetWriterFixture.start + CMTime(value: 1, timescale: 3))
        XCTAssertFalse(video.isReadyForMoreMediaData)
        fixture.finish(writer)
        let movie = try DecodedMovie(fixture.url("a.mov"))
        XCTAssertEqual(movie.counters, (0..<10).map { UInt32($0) })
        XCTAssertEqual(movie.audioSamples.count, 16000)
    }

    func testAudioGapsAreSilentAndOverlapsAreDropped() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.wav", .wav)
        let audio = fixture.makeAudioInput(kAudioFormatLinearPCM)
        writer.add(audio)
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for range in [4800..<9600, 9000..<12000, 24000..<28800] {
            audio.append(try AssetWriterFixture.audioSample(range))
        }
        fixture.finish(writer)
        let sound = try DecodedMovie(fixture.url("a.wav")).audioSamples
        XCTAssertEqual(sound.count, 28800)
        XCTAssertTrue(sound[0..<4800].allSatisfy { $0 == 0 } && sound[12000..<24000].allSatisfy { $0 == 0 })
        for frame in Array(4800..<12000) + Array(24000..<28800) {
            let expected = Float(Int16(6000 * sin(2 * Double.pi * 1000 * Double(frame) / 48000))) / 32768
            XCTAssertEqual(sound[frame], expected, accuracy: 1e-6)
        }
    }

    func testTheLastFrameHasItsOwnDurationOrThatOfThePreviousFrame() throws {
        let fixture = try AssetWriterFixture()
        for (name, duration, endMarker, expected) in [
            ("duration", CMTime(value: 1, timescale: 5), CMTime.invalid, 0.7),
            ("previous", .invalid, .invalid, 0.75), ("marker", .invalid, CMTime(value: 9, timescale: 10), 0.9),
        ] {
            let writer = try fixture.makeWriter("\(name).mov")
            let video = fixture.makeVideoInput()
            writer.add(video)
            writer.startWriting()
            writer.startSession(atSourceTime: AssetWriterFixture.start)
            for (number, time) in [0.0, 0.25, 0.5].enumerated() {
                video.append(
                    try AssetWriterFixture.videoSample(
                        number, at: CMTime(seconds: time, preferredTimescale: 600), duration: duration))
            }
            if endMarker.isValid {
                let end = try CMSampleBuffer(
                    dataBuffer: nil, formatDescription: nil, numSamples: 0,
                    sampleTimings: [
                        CMSampleTimingInfo(
                            duration: .invalid, presentationTimeStamp: AssetWriterFixture.start + endMarker,
                            decodeTimeStamp: .invalid)
                    ], sampleSizes: [])
                CMSetAttachment(
                    end, key: kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration, value: true,
                    attachmentMode: kCMAttachmentMode_ShouldPropagate)
                XCTAssertTrue(video.append(end))
            }
            fixture.finish(writer)
            XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
            XCTAssertEqual(try MovieLength.seconds(fixture.url("\(name).mov")), expected, accuracy: 1e-6, name)
        }
    }

    func testEqualMediaResultsInEqualBytes() throws {
        let files = try (0..<2).map { _ in
            let fixture = try AssetWriterFixture()
            let writer = try fixture.makeWriter("a.mp4", .mp4)
            try fixture.writeMedia(1, writer, video: fixture.makeVideoInput(), audio: fixture.makeAudioInput())
            return try Data(contentsOf: fixture.url("a.mp4"))
        }
        XCTAssertEqual(files[0], files[1])
    }

    func testAFragmentedMovieIsPlayableWithoutBeingFinished() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        writer.movieFragmentInterval = CMTime(value: 1, timescale: 2)
        for input in [video, audio] {
            input.expectsMediaDataInRealTime = true
            writer.add(input)
        }
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<60 {
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
            audio.append(try AssetWriterFixture.audioSample(frame * 1600..<(frame + 1) * 1600))
        }
        let movie = try DecodedMovie(fixture.url("a.mov"))
        XCTAssertGreaterThanOrEqual(movie.frames.count, 30)
        XCTAssertEqual(movie.counters, (0..<movie.frames.count).map { UInt32($0) })
        writer.cancelWriting()
    }

    func testASecondFinishIsMisuseOnTheHostClock() async throws {
        let fixture = try AssetWriterFixture(clock: HostClock())
        let (video, writer) = (fixture.makeVideoInput(), try fixture.makeWriter("a.mov"))
        writer.add(video)
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        XCTAssertTrue(video.append(try AssetWriterFixture.videoSample(0, at: .zero)))
        await withCheckedContinuation { continuation in
            writer.finishWriting { continuation.resume() }
            // The first call may have completed the file by now; then the message names the status.
            fixture.assertMisuse(.internalInconsistency, "Cannot call method") { writer.finishWriting {} }
        }
        XCTAssertEqual(writer.status, .completed)
    }

    func testAWriterOnTheHostClockCompletes() async throws {
        let fixture = try AssetWriterFixture(clock: HostClock())
        let writer = try fixture.makeWriter("a.mov")
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        let queue = DispatchQueue(label: "test")
        let frame = Lock(0)
        let chunk = Lock(0)
        for input in [video, audio] { writer.add(input) }
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let remaining = Lock(2)
            let inputFinished: @Sendable () -> Void = {
                if remaining.withLock({ remaining in
                    remaining -= 1
                    return remaining == 0
                }) {
                    continuation.resume()
                }
            }
            video.requestMediaDataWhenReady(on: queue) {
                while video.isReadyForMoreMediaData {
                    let number = frame.withLock { $0 }
                    guard number < 30,
                        let next = try? AssetWriterFixture.videoSample(
                            number, at: CMTime(value: Int64(number), timescale: 30))
                    else {
                        video.markAsFinished()
                        return inputFinished()
                    }
                    video.append(next)
                    frame.withLock { $0 += 1 }
                }
            }
            audio.requestMediaDataWhenReady(on: queue) {
                while audio.isReadyForMoreMediaData {
                    let number = chunk.withLock { $0 }
                    guard number < 50, let next = try? AssetWriterFixture.audioSample(number * 960..<(number + 1) * 960)
                    else {
                        audio.markAsFinished()
                        return inputFinished()
                    }
                    audio.append(next)
                    chunk.withLock { $0 += 1 }
                }
            }
        }
        await writer.finishWriting()
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        fixture.assertNoMisuse()
        try assertContainsOneSecond(fixture.url("a.mov"))
    }
}

/// Reads the duration in a movie's header.
enum MovieLength {
    static func seconds(_ url: URL) throws -> Double {
        let data = try Data(contentsOf: url)
        let start = try XCTUnwrap(data.range(of: Data("mvhd".utf8))).upperBound
        func number(_ offset: Int) -> Double {
            Double(data[start + offset..<start + offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        return number(16) / number(12)
    }
}
