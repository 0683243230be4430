import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets

final class AVAssetWriterTests: XCTestCase {
    private func assertHoldsSecond(
        _ url: URL, frameCount: Int = 30, sound: Bool = true, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let movie = try DecodedMovie(url)
        XCTAssertEqual(
            movie.frames.map(\.time), (0..<frameCount).map { CMTime(value: Int64($0), timescale: 30) },
            url.lastPathComponent, file: file, line: line)
        XCTAssertEqual(
            movie.counters, (0..<frameCount).map { UInt32($0) }, url.lastPathComponent, file: file, line: line)
        if sound {
            XCTAssertEqual(movie.soundStart.seconds, 0, accuracy: 1e-9, file: file, line: line)
            XCTAssertEqual(movie.sound.count, 48000, accuracy: 1024, file: file, line: line)
        }
        try WriterBench.assertDecodesSilently(url, file: file, line: line)
    }

    func testEveryCodecInEveryContainerGivesBackItsFramesAtTheirTimes() throws {
        let bench = try WriterBench()
        for (type, name) in [(AVFileType.mov, "mov"), (.mp4, "mp4"), (.m4v, "m4v")] {
            for codec in [AVVideoCodecType.h264, .hevc, .jpeg] where type == .mov || codec != .jpeg {
                for sound in [kAudioFormatMPEG4AAC, kAudioFormatLinearPCM, kAudioFormatAppleLossless, kAudioFormatOpus]
                where type == .mov || sound != kAudioFormatLinearPCM {
                    let file = "\(codec.rawValue)-\(sound).\(name)"
                    let writer = try bench.makeWriter(file, type)
                    try bench.play(1, writer, video: bench.makeVideo(codec: codec), audio: bench.makeAudio(sound))
                    XCTAssertEqual(writer.status, .completed, "\(file): \(String(describing: writer.error))")
                    bench.assertNoMisuse()
                    try assertHoldsSecond(bench.url(file))
                }
            }
        }
    }

    func testSoundAloneGoesIntoEveryFileThatHoldsIt() throws {
        let bench = try WriterBench()
        for (type, name, codecs) in [
            (AVFileType.m4a, "m4a", [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatOpus]),
            (.caf, "caf", [kAudioFormatMPEG4AAC, kAudioFormatLinearPCM, kAudioFormatAppleLossless, kAudioFormatOpus]),
            (.wav, "wav", [kAudioFormatLinearPCM]),
        ] {
            for codec in codecs {
                let file = "\(codec).\(name)"
                let writer = try bench.makeWriter(file, type)
                try bench.play(1, writer, video: nil, audio: bench.makeAudio(codec))
                XCTAssertEqual(writer.status, .completed, "\(file): \(String(describing: writer.error))")
                let sound = try DecodedMovie(bench.url(file))
                // FFmpeg's reader of CAF plays the priming, too, of which the file's table of packets tells.
                let primings: [AudioFormatID: Int] = [kAudioFormatMPEG4AAC: 1024, kAudioFormatOpus: 312]
                let priming = type == .caf ? primings[codec] ?? 0 : 0
                XCTAssertEqual(sound.sound.count - priming, 48000, accuracy: 1024, file)
                let exact = codec == kAudioFormatLinearPCM || codec == kAudioFormatAppleLossless
                if exact { XCTAssertEqual(sound.sound.count, 48000, file) }
                for frame in stride(from: 4800, to: 43200, by: 7) {
                    let expected = Float(Int16(6000 * sin(2 * Double.pi * 1000 * Double(frame) / 48000))) / 32768
                    XCTAssertEqual(
                        sound.sound[priming + frame], expected, accuracy: exact ? 1e-6 : 0.02, "\(file) \(frame)")
                }
                try WriterBench.assertDecodesSilently(bench.url(file))
            }
        }
        bench.assertNoMisuse()
    }

    func testReorderedFramesKeepTheirTimes() throws {
        let bench = try WriterBench()
        for codec in [AVVideoCodecType.h264, .hevc] {
            let sizes = try [true, false].map { reorders in
                let name = "\(codec.rawValue)-\(reorders).mp4"
                let video = bench.makeVideo(codec: codec, [AVVideoAllowFrameReorderingKey: reorders])
                let writer = try bench.makeWriter(name, .mp4)
                try bench.play(1, writer, video: video, audio: nil)
                XCTAssertEqual(writer.status, .completed)
                try assertHoldsSecond(bench.url(name), sound: false)
                return try Data(contentsOf: bench.url(name)).range(of: Data("ctts".utf8)) != nil
            }
            XCTAssertEqual(sizes, [true, false], codec.rawValue)
        }
    }

    func testWhatIsBeforeTheSessionIsCutAndWhatComesLateBeginsLate() throws {
        let bench = try WriterBench()
        let writer = try bench.makeWriter("a.mov")
        let (video, audio) = (bench.makeVideo(), bench.makeAudio(kAudioFormatLinearPCM))
        writer.add(video)
        writer.add(audio)
        writer.startWriting()
        // Pictures from three frames before the session on, sound from a tenth of a second after it on.
        writer.startSession(atSourceTime: WriterBench.start)
        for frame in -3..<15 {
            XCTAssertTrue(
                video.append(try WriterBench.frame(frame + 3, at: CMTime(value: Int64(frame), timescale: 30))))
        }
        XCTAssertTrue(audio.append(try WriterBench.sound(4800..<24000)))
        bench.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        let movie = try DecodedMovie(bench.url("a.mov"))
        let shown = movie.frames.filter { $0.time >= .zero }
        XCTAssertEqual(shown.map(\.time), (0..<15).map { CMTime(value: Int64($0), timescale: 30) })
        XCTAssertEqual(shown.map { $0.marker?.counter }, (3..<18).map { UInt32($0) })
        XCTAssertEqual(movie.soundStart, CMTime(value: 1, timescale: 10))
        XCTAssertEqual(movie.sound.count, 19200)
        try WriterBench.assertDecodesSilently(bench.url("a.mov"))
    }

    func testTheSessionsEndCutsWhatIsLater() throws {
        let bench = try WriterBench()
        let writer = try bench.makeWriter("a.mov")
        let (video, audio) = (bench.makeVideo(), bench.makeAudio(kAudioFormatLinearPCM))
        writer.add(video)
        writer.add(audio)
        writer.startWriting()
        writer.startSession(atSourceTime: WriterBench.start)
        for frame in 0..<15 {
            video.append(try WriterBench.frame(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        audio.append(try WriterBench.sound(0..<24000))
        writer.endSession(atSourceTime: WriterBench.start + CMTime(value: 1, timescale: 3))
        XCTAssertFalse(video.isReadyForMoreMediaData)
        bench.finish(writer)
        let movie = try DecodedMovie(bench.url("a.mov"))
        XCTAssertEqual(movie.counters, (0..<10).map { UInt32($0) })
        XCTAssertEqual(movie.sound.count, 16000)
    }

    func testGapsInTheSoundBecomeSilenceAndWhatComesTwiceIsDropped() throws {
        let bench = try WriterBench()
        let writer = try bench.makeWriter("a.wav", .wav)
        let audio = bench.makeAudio(kAudioFormatLinearPCM)
        writer.add(audio)
        writer.startWriting()
        writer.startSession(atSourceTime: WriterBench.start)
        for range in [4800..<9600, 9000..<12000, 24000..<28800] { audio.append(try WriterBench.sound(range)) }
        bench.finish(writer)
        let sound = try DecodedMovie(bench.url("a.wav")).sound
        XCTAssertEqual(sound.count, 28800)
        XCTAssertTrue(sound[0..<4800].allSatisfy { $0 == 0 } && sound[12000..<24000].allSatisfy { $0 == 0 })
        for frame in Array(4800..<12000) + Array(24000..<28800) {
            let expected = Float(Int16(6000 * sin(2 * Double.pi * 1000 * Double(frame) / 48000))) / 32768
            XCTAssertEqual(sound[frame], expected, accuracy: 1e-6)
        }
    }

    func testTheLastPictureLastsAsToldOrAsTheOneBefore() throws {
        let bench = try WriterBench()
        for (name, told, marker, expected) in [
            ("told", CMTime(value: 1, timescale: 5), CMTime.invalid, 0.7),
            ("before", .invalid, .invalid, 0.75), ("marker", .invalid, CMTime(value: 9, timescale: 10), 0.9),
        ] {
            let writer = try bench.makeWriter("\(name).mov")
            let video = bench.makeVideo()
            writer.add(video)
            writer.startWriting()
            writer.startSession(atSourceTime: WriterBench.start)
            for (number, time) in [0.0, 0.25, 0.5].enumerated() {
                video.append(
                    try WriterBench.frame(number, at: CMTime(seconds: time, preferredTimescale: 600), duration: told))
            }
            if marker.isValid {
                let end = try CMSampleBuffer(
                    dataBuffer: nil, formatDescription: nil, numSamples: 0,
                    sampleTimings: [
                        CMSampleTimingInfo(
                            duration: .invalid, presentationTimeStamp: WriterBench.start + marker,
                            decodeTimeStamp: .invalid)
                    ], sampleSizes: [])
                CMSetAttachment(
                    end, key: kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration, value: true,
                    attachmentMode: kCMAttachmentMode_ShouldPropagate)
                XCTAssertTrue(video.append(end))
            }
            bench.finish(writer)
            XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
            XCTAssertEqual(try MovieLength.seconds(bench.url("\(name).mov")), expected, accuracy: 1e-6, name)
        }
    }

    func testTheSameMediaGiveTheSameBytes() throws {
        let files = try (0..<2).map { _ in
            let bench = try WriterBench()
            let writer = try bench.makeWriter("a.mp4", .mp4)
            try bench.play(1, writer, video: bench.makeVideo(), audio: bench.makeAudio())
            return try Data(contentsOf: bench.url("a.mp4"))
        }
        XCTAssertEqual(files[0], files[1])
    }

    func testFragmentsMakeAMoviePlayableThatIsNeverFinished() throws {
        let bench = try WriterBench()
        let writer = try bench.makeWriter("a.mov")
        let (video, audio) = (bench.makeVideo(), bench.makeAudio())
        writer.movieFragmentInterval = CMTime(value: 1, timescale: 2)
        for input in [video, audio] {
            input.expectsMediaDataInRealTime = true
            writer.add(input)
        }
        writer.startWriting()
        writer.startSession(atSourceTime: WriterBench.start)
        for frame in 0..<60 {
            video.append(try WriterBench.frame(frame, at: CMTime(value: Int64(frame), timescale: 30)))
            audio.append(try WriterBench.sound(frame * 1600..<(frame + 1) * 1600))
        }
        let movie = try DecodedMovie(bench.url("a.mov"))
        XCTAssertGreaterThanOrEqual(movie.frames.count, 30)
        XCTAssertEqual(movie.counters, (0..<movie.frames.count).map { UInt32($0) })
        writer.cancelWriting()
    }

    func testAWriterInRealTimeFinishesOnItsOwnThread() async throws {
        let bench = try WriterBench(clock: HostClock())
        let writer = try bench.makeWriter("a.mov")
        let (video, audio) = (bench.makeVideo(), bench.makeAudio())
        let queue = DispatchQueue(label: "test")
        let frame = Lock(0)
        let chunk = Lock(0)
        for input in [video, audio] { writer.add(input) }
        writer.startWriting()
        writer.startSession(atSourceTime: WriterBench.start)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let left = Lock(2)
            let done: @Sendable () -> Void = {
                if left.withLock({ left in
                    left -= 1
                    return left == 0
                }) {
                    continuation.resume()
                }
            }
            video.requestMediaDataWhenReady(on: queue) {
                while video.isReadyForMoreMediaData {
                    let number = frame.withLock { $0 }
                    guard number < 30,
                        let next = try? WriterBench.frame(number, at: CMTime(value: Int64(number), timescale: 30))
                    else {
                        video.markAsFinished()
                        return done()
                    }
                    video.append(next)
                    frame.withLock { $0 += 1 }
                }
            }
            audio.requestMediaDataWhenReady(on: queue) {
                while audio.isReadyForMoreMediaData {
                    let number = chunk.withLock { $0 }
                    guard number < 50, let next = try? WriterBench.sound(number * 960..<(number + 1) * 960) else {
                        audio.markAsFinished()
                        return done()
                    }
                    audio.append(next)
                    chunk.withLock { $0 += 1 }
                }
            }
        }
        await writer.finishWriting()
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        bench.assertNoMisuse()
        try assertHoldsSecond(bench.url("a.mov"))
    }
}

/// The length of a movie by its header.
enum MovieLength {
    static func seconds(_ url: URL) throws -> Double {
        let data = try Data(contentsOf: url)
        let place = try XCTUnwrap(data.range(of: Data("mvhd".utf8))).upperBound
        func number(_ offset: Int) -> Double {
            Double(data[place + offset..<place + offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        return number(16) / number(12)
    }
}
