import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import MediaCodecs

final class MovieFileWriterTests: XCTestCase {
    func testAFinishedMovieHasNoFragmentsAndAllSamples() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let script = SampleScript(seconds: 5)
        try script.write(to: url, interval: CMTime(value: 1, timescale: 1))
        let movie = try ParsedMovie(url)
        XCTAssertEqual(movie.topLevel, ["ftyp", "mdat", "moov"])
        XCTAssertEqual(movie.fragmentCount, 0)
        let video = try XCTUnwrap(movie.video)
        let audio = try XCTUnwrap(movie.audio)
        XCTAssertEqual(video.samples.count, script.video.count)
        XCTAssertEqual(audio.samples.count, script.audio.count)
        for (sample, expected) in zip(video.samples, script.video) {
            XCTAssertEqual(movie.sampleData(sample), expected.data)
            XCTAssertEqual(CMTime(value: sample.presentation, timescale: 90000), expected.presentationTime)
            XCTAssertEqual(sample.isKeyFrame, expected.isKeyFrame)
        }
        for (sample, expected) in zip(audio.samples, script.audio) {
            XCTAssertEqual(movie.sampleData(sample), expected.data)
            XCTAssertEqual(CMTime(value: sample.decode - 1024, timescale: 48000), expected.presentationTime)
        }
        XCTAssertEqual(video.edits, [.init(duration: 5 * movie.timescale, mediaTime: 0)])
        XCTAssertEqual(audio.edits, [.init(duration: 5 * movie.timescale, mediaTime: 1024)])
        XCTAssertEqual(movie.duration, 5 * movie.timescale)
        // One chunk per half second, and one more at the end of a fragment.
        XCTAssertLessThanOrEqual(video.chunkCount, 16)
    }

    func testAnUnfinishedFileContainsTheFragmentsSoFar() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let script = SampleScript(seconds: 5)
        let writer = try script.makeWriter(url, DiskStorage(), interval: CMTime(value: 1, timescale: 1))
        var fragmentCounts: Set<Int> = []
        for item in script.items {
            try writer.append(item.sample, to: item.isVideo ? script.videoTrack : script.audioTrack)
            guard writer.hasPlayableContent else { continue }
            let movie = try ParsedMovie(url)
            fragmentCounts.insert(movie.fragmentCount)
            XCTAssertEqual(Array(movie.topLevel.prefix(4)), ["ftyp", "free", "moov", "moof"])
            try script.assertContainsFirstSamples(movie, isFragmented: true)
        }
        XCTAssertEqual(fragmentCounts, [1, 2, 3, 4])
        let movie = try ParsedMovie(url)
        XCTAssertEqual(movie.video?.samples.count, 120)
        XCTAssertEqual(movie.audio?.edits, [.init(duration: 0, mediaTime: 1024)])
    }

    func testEqualSamplesAreWrittenAsEqualBytes() throws {
        let folder = try TemporaryFolder()
        let script = SampleScript(seconds: 3)
        for interval in [CMTime(value: 1, timescale: 1), .invalid] {
            try script.write(to: folder.file("a.mov"), interval: interval)
            try script.write(to: folder.file("b.mov"), interval: interval)
            XCTAssertEqual(try Data(contentsOf: folder.file("a.mov")), try Data(contentsOf: folder.file("b.mov")))
            try FileManager.default.removeItem(at: folder.file("a.mov"))
            try FileManager.default.removeItem(at: folder.file("b.mov"))
        }
    }

    func testWithoutFragmentsTheFileIsPlayableOnlyWhenFinished() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mp4")
        let script = SampleScript(seconds: 3)
        let writer = try script.makeWriter(url, DiskStorage(), container: .mp4, interval: .invalid)
        for item in script.items {
            try writer.append(item.sample, to: item.isVideo ? script.videoTrack : script.audioTrack)
        }
        XCTAssertFalse(writer.hasPlayableContent)
        XCTAssertThrowsError(try ParsedMovie(url))
        try writer.finish()
        let movie = try ParsedMovie(url)
        XCTAssertEqual(movie.topLevel, ["ftyp", "mdat", "moov"])
        XCTAssertEqual(movie.video?.samples.count, 90)
        try script.assertContainsFirstSamples(movie, isFragmented: false)
    }

    func testALateStartIsWrittenAsAnEmptyEditAndTheEndIsExact() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let writer = try MovieFileWriter(
            url: url, storage: DiskStorage(), configuration: .init(container: .mov, fragmentInterval: .invalid))
        let track = try writer.addTrack(SampleScript.videoConfiguration)
        for index in 0..<30 {
            try writer.append(
                EncodedSample(
                    data: Data([1, 2, 3]),
                    presentationTime: CMTime(value: 45000 + 3000 * CMTimeValue(index), timescale: 90000),
                    duration: CMTime(value: 3000, timescale: 90000), isKeyFrame: index == 0), to: track)
        }
        writer.setPresentationEnd(CMTime(value: 100_001, timescale: 90000), of: track)
        try writer.finish()
        let movie = try ParsedMovie(url)
        XCTAssertEqual(movie.timescale, 90000)
        XCTAssertEqual(
            movie.video?.edits, [.init(duration: 45000, mediaTime: -1), .init(duration: 55001, mediaTime: 0)])
        XCTAssertEqual(movie.duration, 100_001)
    }

    func testReorderedFramesKeepBothTimesAndStartAtZero() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let writer = try MovieFileWriter(
            url: url, storage: DiskStorage(), configuration: .init(container: .mov))
        let track = try writer.addTrack(SampleScript.videoConfiguration)
        // I P B B: decoded one frame early.
        let order: [(presentation: Int64, decode: Int64)] = [(0, -1), (3, 0), (1, 1), (2, 2)]
        for (presentation, decode) in order {
            try writer.append(
                EncodedSample(
                    data: Data([UInt8(presentation)]), presentationTime: CMTime(value: presentation, timescale: 30),
                    decodeTime: CMTime(value: decode, timescale: 30), duration: CMTime(value: 1, timescale: 30),
                    isKeyFrame: presentation == 0), to: track)
        }
        try writer.finish()
        let video = try XCTUnwrap(try ParsedMovie(url).video)
        XCTAssertEqual(video.samples.map(\.presentation), [3000, 12000, 6000, 9000])
        XCTAssertEqual(video.samples.map(\.decode), [0, 3000, 6000, 9000])
        XCTAssertEqual(video.edits, [.init(duration: 12000, mediaTime: 3000)])
    }

    func testIrregularTimesAreKept() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let writer = try MovieFileWriter(url: url, storage: DiskStorage(), configuration: .init(container: .mov))
        let track = try writer.addTrack(SampleScript.videoConfiguration)
        let times: [Int64] = [0, 1, 3000, 3003, 90000, 400_000]
        for time in times {
            try writer.append(
                EncodedSample(
                    data: Data([7]), presentationTime: CMTime(value: time, timescale: 90000),
                    duration: CMTime(value: 3000, timescale: 90000)), to: track)
        }
        writer.extendLastSample(of: track, until: CMTime(value: 5, timescale: 1))
        try writer.finish()
        let video = try XCTUnwrap(try ParsedMovie(url).video)
        XCTAssertEqual(video.samples.map(\.presentation), times)
        XCTAssertEqual(video.mediaDuration, 450_000)
    }

    func testFragmentsWithPCMAndAGapContainEveryFrame() throws {
        let folder = try TemporaryFolder()
        for interval in [CMTime(value: 1, timescale: 2), .invalid] {
            let url = folder.file("\(interval.seconds).mov")
            let writer = try MovieFileWriter(
                url: url, storage: DiskStorage(), configuration: .init(container: .mov, fragmentInterval: interval))
            let track = try writer.addTrack(
                MovieTrackConfiguration(
                    format: .audio(AudioSampleFormat(codec: .pcm(.int16), sampleRate: 8000, channelCount: 1)),
                    timescale: 8000))
            var position = 0
            for index in 0..<200 {
                if index == 50 { position += 123 }
                try writer.append(
                    EncodedSample(
                        data: Data(repeating: UInt8(index), count: 160),
                        presentationTime: CMTime(value: Int64(position), timescale: 8000),
                        duration: CMTime(value: 80, timescale: 8000), sampleCount: 80), to: track)
                position += 80
            }
            if interval.isValid {
                let movie = try ParsedMovie(url)
                XCTAssertGreaterThanOrEqual(movie.fragmentCount, 3)
                XCTAssertGreaterThanOrEqual(movie.audio?.samples.count ?? 0, 11000)
            }
            try writer.finish()
            let audio = try XCTUnwrap(try ParsedMovie(url).audio)
            XCTAssertEqual(audio.samples.count, 16000)
            XCTAssertEqual(audio.samples[3999].duration, 124)
            XCTAssertEqual(audio.samples[4000].decode, 4123)
            XCTAssertEqual(audio.mediaDuration, 16123)
            XCTAssertEqual(audio.sampleEntry, "sowt")
        }
    }

    func testTheTrackMatrixMatchesTheOrientation() throws {
        let folder = try TemporaryFolder()
        let fixedPointOne: Int32 = 1 << 16
        let (width, height) = (64 * fixedPointOne, 48 * fixedPointOne)
        let expected: [Int: [Int32]] = [
            0: [fixedPointOne, 0, 0, 0, fixedPointOne, 0, 0, 0, 1 << 30],
            90: [0, fixedPointOne, 0, -fixedPointOne, 0, 0, height, 0, 1 << 30],
            180: [-fixedPointOne, 0, 0, 0, -fixedPointOne, 0, width, height, 1 << 30],
            270: [0, -fixedPointOne, 0, fixedPointOne, 0, 0, 0, width, 1 << 30],
        ]
        for (angle, matrix) in expected {
            let url = folder.file("\(angle).mov")
            var configuration = SampleScript.videoConfiguration
            configuration.transform = MovieOrientation(rotationAngle: angle)
                .transform(for: CMVideoDimensions(width: 64, height: 48))
            let writer = try MovieFileWriter(url: url, storage: DiskStorage(), configuration: .init(container: .mov))
            let track = try writer.addTrack(configuration)
            try writer.append(
                EncodedSample(data: Data([1]), presentationTime: .zero, duration: CMTime(value: 1, timescale: 30)),
                to: track)
            try writer.finish()
            let video = try XCTUnwrap(try ParsedMovie(url).video)
            XCTAssertEqual(video.matrix, matrix, "\(angle)")
            XCTAssertEqual([video.width, video.height], [64, 48])
        }
    }

    func testAMovieWithoutSamplesLeavesNoFile() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let writer = try SampleScript(seconds: 1).makeWriter(url, DiskStorage(), interval: .invalid)
        XCTAssertThrowsError(try writer.finish()) { XCTAssertEqual(($0 as? MovieError)?.code, .empty) }
        XCTAssertFalse(FileManager.default.fileExists(atPath: url.path))
    }

    func testAnExistingFileIsNotChanged() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        try Data([1, 2, 3]).write(to: url)
        XCTAssertThrowsError(
            try MovieFileWriter(url: url, storage: DiskStorage(), configuration: .init(container: .mov))
        ) {
            XCTAssertEqual(($0 as? MovieError)?.cause, .storage(StorageError(.alreadyExists, .create, path: url.path)))
        }
        XCTAssertEqual(try Data(contentsOf: url), Data([1, 2, 3]))
    }

    func testSamplesOutOfOrderAreRejectedWithoutEffect() throws {
        let folder = try TemporaryFolder()
        let writer = try MovieFileWriter(
            url: folder.file("a.mov"), storage: DiskStorage(), configuration: .init(container: .mov))
        let track = try writer.addTrack(SampleScript.videoConfiguration)
        func sample(_ time: CMTime, _ data: Data = Data([1])) -> EncodedSample {
            EncodedSample(data: data, presentationTime: time, duration: CMTime(value: 1, timescale: 30))
        }
        try writer.append(sample(CMTime(value: 1, timescale: 30)), to: track)
        for bad in [
            sample(CMTime(value: 1, timescale: 30)), sample(.zero), sample(.invalid),
            sample(CMTime(value: 2, timescale: 30), Data()), sample(CMTime(value: 1_000_000, timescale: 1)),
        ] {
            XCTAssertThrowsError(try writer.append(bad, to: track)) {
                XCTAssertEqual(($0 as? MovieError)?.code, .invalidSample)
            }
        }
        try writer.append(sample(CMTime(value: 2, timescale: 30)), to: track)
        try writer.finish()
        XCTAssertEqual(try ParsedMovie(folder.file("a.mov")).video?.samples.count, 2)
    }

    func testContainersRejectUnsupportedFormats() throws {
        let folder = try TemporaryFolder()
        let pcm = MovieSampleFormat.audio(AudioSampleFormat(codec: .pcm(.int16), sampleRate: 48000, channelCount: 2))
        let jpeg = MovieSampleFormat.video(
            VideoSampleFormat(
                codec: .jpeg, dimensions: CMVideoDimensions(width: 64, height: 48), configuration: Data()))
        let unsupported: [(MovieContainer, MovieSampleFormat)] = [
            (.mp4, pcm), (.m4a, pcm), (.mp4, jpeg), (.m4a, SampleScript.videoConfiguration.format),
        ]
        for (index, (container, format)) in unsupported.enumerated() {
            let writer = try MovieFileWriter(
                url: folder.file("\(index)"), storage: DiskStorage(), configuration: .init(container: container))
            XCTAssertThrowsError(try writer.addTrack(MovieTrackConfiguration(format: format, timescale: 600))) {
                XCTAssertEqual(($0 as? MovieError)?.code, .unsupportedFormat)
            }
            writer.cancel()
        }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.url.path), [])
    }

    func testFragmentsContinueWithoutVideo() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let script = SampleScript(seconds: 8)
        let writer = try script.makeWriter(url, DiskStorage(), interval: CMTime(value: 2, timescale: 1))
        for item in script.items {
            if item.isVideo, item.sample.presentationTime >= CMTime(value: 1, timescale: 1) { continue }
            try writer.append(item.sample, to: item.isVideo ? script.videoTrack : script.audioTrack)
        }
        let movie = try ParsedMovie(url)
        XCTAssertEqual(movie.fragmentCount, 3)
        XCTAssertEqual(movie.video?.samples.count, 30)
        XCTAssertGreaterThan(movie.audio?.samples.count ?? 0, 300)
        try script.assertContainsFirstSamples(movie, isFragmented: true)
    }

    func testMoreSamplesThanExpectedResultInMoreFragments() throws {
        // Far more samples than expected: the reserved space is too small, so there are more fragments.
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let writer = try MovieFileWriter(
            url: url, storage: DiskStorage(),
            configuration: .init(container: .mov, fragmentInterval: CMTime(value: 2, timescale: 1)))
        var configuration = SampleScript.videoConfiguration
        configuration.expectedSampleRate = 1
        let track = try writer.addTrack(configuration)
        for index in 0..<4000 {
            try writer.append(
                EncodedSample(
                    data: Data(repeating: UInt8(truncatingIfNeeded: index), count: 1 + index % 7),
                    presentationTime: CMTime(value: Int64(index), timescale: 1000),
                    duration: CMTime(value: 1, timescale: 1000), isKeyFrame: index % 100 == 0), to: track)
        }
        let recording = try ParsedMovie(url)
        XCTAssertGreaterThan(recording.fragmentCount, 2)
        XCTAssertGreaterThanOrEqual(recording.video?.samples.count ?? 0, 2000)
        try writer.finish()
        XCTAssertEqual(try ParsedMovie(url).video?.samples.count, 4000)
    }
}
