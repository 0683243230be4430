import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

final class MovieRepairTests: XCTestCase {
    func testAnInterruptedRecordingIsRepaired() throws {
        let folder = try MediaFixture.folder(self)
        for container in [MovieContainer.mov, .mp4] {
            let url = folder.appendingPathComponent("a.\(container.rawValue)")
            var script = RecordingScript()
            script.container = container
            script.interval = CMTime(value: 1, timescale: 1)
            script.orientation = MovieOrientation(rotationAngle: 270)
            let recorder = try script.makeRecorder(url)
            recorder.metadata = MovieMetadata(make: "Maker", custom: [.init(key: "com.example.take", value: "7")])
            try script.feed(0..<3.4, into: recorder)
            let broken = try Data(contentsOf: url)
            recorder.cancel()
            try broken.write(to: url)
            let map = try MovieMap(reading: MemoryFile(broken))
            let repaired = folder.appendingPathComponent("b.\(container.rawValue)")
            let summary = try MovieRepair.repair(url, to: repaired, in: DiskStorage())
            XCTAssertEqual(try Data(contentsOf: url), broken)
            XCTAssertTrue(try MovieRepair.isComplete(repaired, in: DiskStorage()))
            XCTAssertFalse(try MovieRepair.isComplete(url, in: DiskStorage()))
            let repairedMap = try MovieMap(reading: DiskStorage().open(repaired, for: .reading))
            XCTAssertEqual(repairedMap.duration, map.duration)
            XCTAssertGreaterThanOrEqual(summary.duration.seconds, 2)
            XCTAssertTrue(repairedMap.fragments.isEmpty)
            for (old, new) in zip(map.tracks, repairedMap.tracks) {
                XCTAssertEqual(old.samples.sampleCount, new.samples.sampleCount)
                XCTAssertEqual(old.transform, new.transform)
                XCTAssertEqual(old.timeRange.start, new.timeRange.start)
                XCTAssertEqual(Self.times(old), Self.times(new))
            }
            XCTAssertTrue(repairedMap.metadata.contains { $0.value == .text("Maker") })
        }
    }

    func testAnIndexThatIsNotYetVisibleIsUsedForTheRepair() throws {
        let folder = try MediaFixture.folder(self)
        let url = folder.appendingPathComponent("a.mov")
        var script = RecordingScript()
        script.interval = CMTime(value: 1, timescale: 1)
        // A commit writes the index into a free box, the size of the media, and last the size of the free box, which
        // makes the index visible. If the last write is lost, only a repair finds the index.
        var best = (visible: Int64(0), saved: Int64(0))
        for operation in 1..<40 {
            let storage = SimStorage()
            storage.inject(.powerLoss, atOperation: operation)
            if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
            let recorder = try? script.makeRecorder(url, storage: storage)
            guard let recorder else { continue }
            try? script.feed(0..<3.2, into: recorder)
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            let data = try Data(contentsOf: url)
            let visible = try MovieMap(reading: MemoryFile(data)).tracks.reduce(0) { $0 + $1.samples.sampleCount }
            let repaired = folder.appendingPathComponent("b-\(operation).mov")
            guard let summary = try? MovieRepair.repair(url, to: repaired, in: DiskStorage()) else {
                XCTAssertEqual(visible, 0, "operation \(operation)")
                continue
            }
            let saved = summary.sampleCounts.values.reduce(0, +)
            XCTAssertGreaterThanOrEqual(saved, visible, "operation \(operation)")
            XCTAssertTrue(try MovieRepair.isComplete(repaired, in: DiskStorage()), "operation \(operation)")
            if saved - visible > best.saved - best.visible { best = (visible, saved) }
        }
        XCTAssertGreaterThan(best.saved, best.visible, "no interruption left an index that is not yet visible")
    }

    /// Records a short movie with a fault at one storage operation. Returns the contents of the remaining file (nil if
    /// there is none) and the operations.
    private func interruptedRecording(
        _ script: RecordingScript, _ fault: SimStorage.Fault?, at operation: Int, _ url: URL
    ) throws -> (data: Data?, operations: [SimStorage.Operation]) {
        if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
        let storage = SimStorage()
        if let fault { storage.inject(fault, atOperation: operation) }
        // The errors of interrupted recordings are tested elsewhere.
        if let recorder = try? script.makeRecorder(url, storage: storage) {
            try? script.feed(0..<1.7, into: recorder)
            _ = try? recorder.finish(at: RecordingScript.time(CMTime(value: 17, timescale: 10)))
        }
        return (try? Data(contentsOf: url), storage.operations)
    }

    func testARecordingInterruptedAtAnyOperationIsPlayableAndRepaired() throws {
        let folder = try MediaFixture.folder(self)
        let url = folder.appendingPathComponent("a.mov")
        var scripts: [RecordingScript] = []
        for (codec, container, putsIndexInFront) in [
            (VideoSampleFormat.Codec.h264, MovieContainer.mov, true), (.jpeg, .mov, false), (.hevc, .mp4, false),
        ] {
            var script = RecordingScript(width: 96, height: 64)
            (script.codec, script.container, script.putsIndexInFront) = (codec, container, putsIndexInFront)
            script.interval = CMTime(value: 1, timescale: 2)
            scripts.append(script)
        }
        for script in scripts {
            let complete = try interruptedRecording(script, nil, at: 0, url)
            let completeSamples = try Self.samples(of: XCTUnwrap(complete.data))
            XCTAssertGreaterThan(complete.operations.count, 10)
            var fragmentEnds: Set<Int> = []
            for operation in CaseSample.of(1...complete.operations.count, count: 16) {
                let what = "\(script.codec), operation \(operation)"
                guard let data = try interruptedRecording(script, .powerLoss, at: operation, url).data, !data.isEmpty
                else {
                    continue
                }
                let saved = try assertIsPlayableAndRepaired(data, url, what)
                fragmentEnds.insert(try assertIsBeginning(saved, of: completeSamples, script, what))
            }
            // The complete recording, and three fragments before.
            XCTAssertGreaterThanOrEqual(fragmentEnds.subtracting([0]).count, 4, "\(script.codec)")
        }
    }

    /// Expects the repaired samples to be the first ones of the complete recording: complete fragments of video, and
    /// audio that covers them and exceeds them by at most the delay of the video encoder.
    ///
    /// The invariant concerns one recording only. The number of audio packets in a fragment is not compared between
    /// recordings, because it depends on the call in which the encoder returns the key frame of the next fragment.
    /// - Returns: The number of frames.
    private func assertIsBeginning(
        _ saved: [String: [StoredSample]], of completeSamples: [String: [StoredSample]], _ script: RecordingScript,
        _ what: String
    ) throws -> Int {
        for (handler, samples) in saved {
            let expected = try XCTUnwrap(completeSamples[handler], what).prefix(samples.count)
            XCTAssertEqual(samples.map(\.data), expected.map(\.data), "\(what): \(handler)")
        }
        let all = try (video: XCTUnwrap(completeSamples["vide"]), audio: XCTUnwrap(completeSamples["soun"]))
        let frames = saved["vide"] ?? []
        if frames.count < all.video.count {
            XCTAssertTrue(all.video[frames.count].isSync, "\(what): \(frames.count) frames end within a fragment")
        }
        let packetDuration = 1024 / Double(script.sampleRate)
        let videoEnd = Double(frames.count) / Double(script.frameRate)
        let audioEnd = Double(saved["soun"]?.count ?? 0) * packetDuration
        let lookahead = try XCTUnwrap(script.configuration.video).encoder.lookahead
        let encoderDelay = Double(lookahead + 4) / Double(script.frameRate)
        // Priming precedes the audio, and the encoder delays the last packets.
        XCTAssertGreaterThan(audioEnd, videoEnd - 3 * packetDuration, what)
        XCTAssertLessThan(audioEnd, videoEnd + encoderDelay + 3 * packetDuration, what)
        return frames.count
    }

    /// A sample as stored in a file.
    private struct StoredSample {
        let data: [UInt8]
        let isSync: Bool
    }

    /// Returns the samples of each track in decode order, by handler.
    private static func samples(of data: Data) throws -> [String: [StoredSample]] {
        let file = MemoryFile(data)
        var result: [String: [StoredSample]] = [:]
        for track in try MovieMap(reading: file).tracks {
            result[track.handler, default: []] += try track.samples.runs.flatMap { run in
                try (0..<Int64(run.count)).map { index in
                    let offset = run.offset + Int64(run.size) * index
                    return StoredSample(data: try file.bytes(at: offset, count: Int(run.size)), isSync: run.isSync)
                }
            }
        }
        return result
    }

    func testARecordingInterruptedInAnyWriteIsPlayableAndRepaired() throws {
        let folder = try MediaFixture.folder(self)
        let url = folder.appendingPathComponent("a.mov")
        var script = RecordingScript(width: 96, height: 64)
        script.interval = CMTime(value: 1, timescale: 2)
        let operations = try interruptedRecording(script, nil, at: 0, url).operations
        let writes = operations.enumerated().filter { $0.element.kind == .write }
        for (index, operation) in CaseSample.of(writes, count: 10) {
            for keptByteCount in Set([1, operation.byteCount / 2])
            where keptByteCount > 0 && keptByteCount < operation.byteCount {
                let fault = SimStorage.Fault.cut(keepingByteCount: keptByteCount, .inputOutput)
                guard let data = try interruptedRecording(script, fault, at: index + 1, url).data else { continue }
                try assertIsPlayableAndRepaired(data, url, "operation \(index + 1) after \(keptByteCount) bytes")
            }
        }
    }

    private var lastRepaired = Data()
    private var lastVisible: Int64 = 0

    /// Expects a file to be playable up to the end of its index without problems, and its repair to be a movie without
    /// fragments that contains at least these samples at the same times.
    ///
    /// - Returns: The samples of the repaired movie by handler; empty if there is nothing to repair.
    @discardableResult
    private func assertIsPlayableAndRepaired(
        _ data: Data, _ url: URL, _ what: String
    ) throws -> [String: [StoredSample]] {
        let memory = MemoryFile(data)
        let map = try MovieMap(reading: memory)
        let visible = map.tracks.reduce(0) { $0 + $1.samples.sampleCount }
        let repaired = url.deletingLastPathComponent().appendingPathComponent("repaired.mov")
        if FileManager.default.fileExists(atPath: repaired.path) {
            try FileManager.default.removeItem(at: repaired)
        }
        do {
            let summary = try MovieRepair.repair(url, to: repaired, in: DiskStorage())
            XCTAssertTrue(try MovieRepair.isComplete(repaired, in: DiskStorage()), what)
            let repairedMap = try MovieMap(reading: DiskStorage().open(repaired, for: .reading))
            XCTAssertEqual(repairedMap.boxes.map(\.type).filter { $0 == "moof" }, [], what)
            for track in map.tracks where !track.samples.isEmpty {
                let times = Self.times(track)
                let repairedTrack = try XCTUnwrap(repairedMap.tracks.first { $0.handler == track.handler }, what)
                XCTAssertEqual(Array(Self.times(repairedTrack).prefix(times.count)), times, what)
            }
            // A file that is the same as for the previous operation is not checked again.
            let bytes = try Data(contentsOf: repaired)
            if bytes != lastRepaired { try MediaTools.assertDecodes(repaired) }
            if visible > 0 {
                if bytes != lastRepaired || visible != lastVisible { try MediaTools.assertDecodes(url) }
                let problems = try MovieChecker.problems(of: map, in: memory).filter { $0.severity == .error }
                // The last box, with media that is not yet in an index, may be incomplete.
                XCTAssertEqual(problems.filter { !$0.message.contains("within its last box, mdat") }, [], what)
            }
            (lastRepaired, lastVisible) = (bytes, visible)
            let samples = try Self.samples(of: bytes)
            XCTAssertEqual(
                samples.values.reduce(0) { $0 + $1.count }, Int(summary.sampleCounts.values.reduce(0, +)), what)
            return samples
        } catch let error as MovieError {
            XCTAssertEqual(visible, 0, "\(what): \(error.message)")
            XCTAssertEqual(error.code, .empty, "\(what): \(error.message)")
            return [:]
        }
    }

    func testPixelAspectRatioAndCleanApertureArePreserved() throws {
        let folder = try MediaFixture.folder(self)
        let (source, repaired) = (folder.appendingPathComponent("a.mov"), folder.appendingPathComponent("b.mov"))
        let encoder = try VideoEncoder(
            VideoEncoderSettings(
                codec: .h264, dimensions: CMVideoDimensions(width: 160, height: 96),
                pixelAspectRatio: PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)))
        var format = encoder.format
        format.cleanAperture = CleanAperture(
            width: .init(150), height: .init(280, 3), horizontalOffset: .init(-1, 2))
        let writer = try MovieFileWriter(
            url: source, storage: DiskStorage(), configuration: .init(container: .mov))
        let track = try writer.addTrack(MovieTrackConfiguration(format: .video(format), timescale: 90_000))
        let duration = CMTime(value: 1, timescale: 30)
        var samples: [EncodedSample] = []
        for frame in 0..<3 {
            samples += try encoder.encode(
                try SyntheticMedia.frame(frame, width: 160, height: 96), at: CMTime(value: Int64(frame), timescale: 30),
                duration: duration)
        }
        samples += try encoder.finish()
        for sample in samples { try writer.append(sample, to: track) }
        try writer.finish()

        _ = try MovieRepair.repair(source, to: repaired, in: DiskStorage())
        let atoms = try [source, repaired].map { url in
            try XCTUnwrap(MovieMap(reading: MemoryFile(Data(contentsOf: url))).tracks.first?.sampleEntries.first).atoms
        }
        XCTAssertEqual(atoms[1]["pasp"], Data([0, 0, 0, 4, 0, 0, 0, 3]))
        XCTAssertNotNil(atoms[0]["clap"])
        XCTAssertEqual(atoms[1]["clap"], atoms[0]["clap"])
        let video = try [source, repaired].map { try XCTUnwrap(ParsedMovie($0).video) }
        XCTAssertEqual(video[0].width, 200)
        XCTAssertEqual(video[1].width, video[0].width)
        XCTAssertEqual(video[1].height, video[0].height)
    }

    func testATrackWithTwoFormatsKeepsAllSamplesAndBothFormats() throws {
        let folder = try MediaFixture.folder(self)
        let (source, repaired) = (folder.appendingPathComponent("a.mov"), folder.appendingPathComponent("b.mov"))
        try SampleScript.writeTwoFormats(to: source)
        let summary = try MovieRepair.repair(source, to: repaired, in: DiskStorage())
        XCTAssertEqual(summary.lostSampleCount, 0)
        XCTAssertEqual(summary.omissions, [])
        let track = try XCTUnwrap(MovieMap(reading: MemoryFile(Data(contentsOf: repaired))).tracks.first)
        XCTAssertEqual(track.sampleEntries.map(\.code), ["avc1", "jpeg"])
        XCTAssertEqual(track.samples.runs.map(\.entry), [0, 0, 1, 1])
        XCTAssertEqual(track.samples.runs.map(\.size), [5, 5, 4, 4])
    }

    func testAReadErrorIsReportedAsAnErrorOfTheStorage() throws {
        let url = URL(fileURLWithPath: "/a.mov")
        let storage = UnreadableStorage()
        XCTAssertThrowsError(try MovieRepair.repair(url, to: URL(fileURLWithPath: "/b.mov"), in: storage)) { error in
            let error = error as? MovieError
            XCTAssertEqual(error?.code, .storage)
            XCTAssertEqual(error?.cause, .storage(StorageError(.inputOutput, .read, path: "/a.mov")))
        }
    }

    func testOtherFilesAreRejected() throws {
        let folder = try MediaFixture.folder(self)
        let url = folder.appendingPathComponent("a.mov")
        try Data("this is a text, and no movie at all".utf8).write(to: url)
        XCTAssertThrowsError(try MovieRepair.repair(url, to: folder.appendingPathComponent("b.mov"), in: DiskStorage()))
        {
            XCTAssertEqual(($0 as? MovieError)?.code, .unsupportedFormat)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appendingPathComponent("b.mov").path))
    }

    func testAFullDiskLeavesNoIncompleteMovie() throws {
        let folder = try MediaFixture.folder(self)
        let url = folder.appendingPathComponent("a.mov")
        let script = RecordingScript()
        try script.record(url, seconds: 1)
        let storage = SimStorage()
        storage.freeByteCount = 5000
        let target = folder.appendingPathComponent("b.mov")
        XCTAssertThrowsError(try MovieRepair.repair(url, to: target, in: storage)) {
            XCTAssertEqual(($0 as? MovieError)?.code, .storage)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: target.path))
    }

    /// Returns the presentation times on the movie's timeline.
    private static func times(_ track: TrackMap) -> [Double] {
        guard let segment = track.segments.first(where: { $0.source != nil }), let source = segment.source else {
            return []
        }
        return track.samples.runs.map {
            (track.time($0.presentationTime) - source.start + segment.target.start).seconds
        }
    }
}

/// A storage with a file that cannot be read.
private final class UnreadableStorage: CaptureStorage {
    private final class File: StorageFile {
        let url: URL

        init(_ url: URL) { self.url = url }

        func byteCount() throws(StorageError) -> Int64 { 1000 }
        func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
            throw StorageError(.inputOutput, .read, path: url.path)
        }
        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {}
        func truncate(to byteCount: Int64) throws(StorageError) {}
        func flush() throws(StorageError) {}
        func close() throws(StorageError) {}
    }

    func availableByteCount(at url: URL) throws(StorageError) -> Int64 { 1 << 40 }
    func fileExists(at url: URL) -> Bool { true }
    func contents(ofDirectory url: URL) throws(StorageError) -> [String] { [] }
    func create(_ url: URL, permissions: StoragePermissions) throws(StorageError) -> any StorageFile { File(url) }
    func open(_ url: URL, for access: StorageAccess) throws(StorageError) -> any StorageFile { File(url) }
    func rename(_ source: URL, to destination: URL) throws(StorageError) {}
    func remove(_ url: URL) throws(StorageError) {}
    func createDirectory(_ url: URL, permissions: StoragePermissions) throws(StorageError) {}
    func flushDirectory(_ url: URL) throws(StorageError) {}
}
