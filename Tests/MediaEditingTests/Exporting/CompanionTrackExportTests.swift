import CaptureHAL
import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Exports of timed metadata and timecode tracks.
final class CompanionTrackExportTests: XCTestCase {
    private func time(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 30) }
    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: time(start), end: time(end))
    }

    private func group(_ number: Int, _ range: CMTimeRange) -> AVTimedMetadataGroup {
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.count")
        item.dataType = kCMMetadataBaseDataType_SInt32
        item.value = NSNumber(value: number)
        return AVTimedMetadataGroup(
            items: [item],
            timeRange: CMTimeRange(start: AssetWriterFixture.start + range.start, duration: range.duration))
    }

    /// Writes one second of video with a metadata track: the numbers 0, 1 and 2, each for a third of a second.
    ///
    /// - Parameter description: The format of the metadata; nil for the one of the groups.
    private func movieWithMetadata(
        _ fixture: AssetWriterFixture, _ description: CMFormatDescription? = nil
    ) throws -> AVAsset {
        let description = try XCTUnwrap(description ?? group(0, range(0, 10)).copyFormatDescription())
        let metadata = fixture.system.run {
            AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
        }
        let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: metadata)
        let video = fixture.makeVideoInput([AVVideoMaxKeyFrameIntervalKey: 10])
        let writer = try fixture.makeWriter("source.mov")
        for input in [video, metadata] { writer.add(input) }
        metadata.addTrackAssociation(
            withTrackOf: video, type: AVAssetTrack.AssociationType.metadataReferent.rawValue)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<30 {
            if frame % 10 == 0 {
                let third = range(Int64(frame), Int64(frame + 10))
                XCTAssertTrue(adaptor.append(group(frame / 10, third)))
            }
            video.append(try AssetWriterFixture.videoSample(frame, at: time(Int64(frame))))
        }
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        return fixture.asset("source.mov")
    }

    /// Returns the numbers in the metadata track and their time ranges.
    private func numbers(_ asset: AVAsset) throws -> [(number: Int, range: CMTimeRange)] {
        let track = try XCTUnwrap(asset.tracks(withMediaType: .metadata).first)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        var result: [(number: Int, range: CMTimeRange)] = []
        while let group = adaptor.nextTimedMetadataGroup() {
            result.append((try XCTUnwrap(group.items.first?.numberValue).intValue, group.timeRange))
        }
        XCTAssertEqual(reader.status, .completed)
        return result
    }

    func testTimedMetadataIsExportedWithItsVideo() throws {
        let fixture = try AssetWriterFixture()
        let source = try movieWithMetadata(fixture)
        XCTAssertEqual(try numbers(source).map(\.number), [0, 1, 2])
        for (preset, name, type) in [
            (AVAssetExportPresetPassthrough, "stored.mov", AVFileType.mov),
            (AVAssetExportPresetPassthrough, "stored.mp4", .mp4), (AVAssetExportPresetHighestQuality, "new.mov", .mov),
            (AVAssetExportPreset640x480, "new.mp4", .mp4),
        ] {
            let session = try fixture.export(source, preset, name, type) { $0.timeRange = self.range(10, 30) }
            XCTAssertEqual(session.status, .completed, "\(name): \(String(describing: session.error))")
            try MovieInspection.assertNoProblems(fixture.url(name))
            let copy = fixture.asset(name)
            let (video, metadata) = (copy.tracks(withMediaType: .video), copy.tracks(withMediaType: .metadata))
            XCTAssertEqual(
                metadata.first?.associatedTracks(ofType: .metadataReferent).map(\.trackID), video.map(\.trackID), name)
            let copiedNumbers = try numbers(copy)
            XCTAssertEqual(copiedNumbers.map(\.number), [1, 2], name)
            XCTAssertEqual(copiedNumbers.map(\.range), [range(0, 10), range(10, 20)], name)
        }
        fixture.assertNoMisuse()
    }

    func testLocalKeyIDsArePreserved() throws {
        let fixture = try AssetWriterFixture()
        let keys = [("com.example.other", 2), ("com.example.count", 5)].map { name, id -> [String: Any] in
            [
                kCMMetadataFormatDescriptionKey_Namespace: 0x6d64_7461 as UInt32,
                kCMMetadataFormatDescriptionKey_Value: name,
                kCMMetadataFormatDescriptionKey_LocalID: id,
                kCMMetadataFormatDescriptionKey_DataType: kCMMetadataBaseDataType_SInt32,
            ]
        }
        var description: CMFormatDescription?
        CMMetadataFormatDescriptionCreateWithKeys(
            allocator: nil, metadataType: kCMMetadataFormatType_Boxed, keys: keys, formatDescriptionOut: &description)
        let source = try movieWithMetadata(fixture, try XCTUnwrap(description))
        var assets = [source]
        for (preset, name) in [
            (AVAssetExportPresetPassthrough, "stored.mov"), (AVAssetExportPresetHighestQuality, "new.mov"),
        ] {
            let session = try fixture.export(source, preset, name)
            XCTAssertEqual(session.status, .completed, "\(name): \(String(describing: session.error))")
            assets.append(fixture.asset(name))
        }
        for asset in assets {
            XCTAssertEqual(try numbers(asset).map(\.number), [0, 1, 2])
            let track = try XCTUnwrap(asset.tracks(withMediaType: .metadata).first)
            let description = try XCTUnwrap(track.typedFormatDescriptions.first)
            let identifiers = [1, 2, 5].map { id in
                CMMetadataFormatDescriptionGetKeyWithLocalID(description, localKeyID: id)?[
                    kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier] as? String
            }
            XCTAssertEqual(identifiers, [nil, "mdta/com.example.other", "mdta/com.example.count"])
        }
        fixture.assertNoMisuse()
    }

    func testInvalidLocalKeyIDsAreMisuse() throws {
        let fixture = try AssetWriterFixture()
        func key(_ name: String, _ id: Int?) -> [String: Any] {
            var key: [String: Any] = [
                kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: "mdta/com.example.\(name)",
                kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: kCMMetadataBaseDataType_SInt32,
            ]
            key[kCMMetadataFormatDescriptionKey_LocalID] = id
            return key
        }
        // Without an ID of its own, the second key has the ID 2.
        for (keys, reason) in [
            ([key("a", 2), key("b", 2)], "share the local ID 2"),
            ([key("a", 2), key("b", nil)], "share the local ID 2"),
            ([key("a", 0)], "the local ID 0"),
        ] {
            var description: CMFormatDescription?
            CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
                allocator: nil, metadataType: kCMMetadataFormatType_Boxed, metadataSpecifications: keys,
                formatDescriptionOut: &description)
            fixture.assertMisuse(.invalidArgument, reason) {
                _ = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
            }
        }
    }

    func testARangeTrimsMetadataAtItsStartAndEnd() throws {
        let fixture = try AssetWriterFixture()
        let source = try movieWithMetadata(fixture)
        for (preset, name) in [(AVAssetExportPresetPassthrough, "stored.mov"), (AVAssetExportPreset640x480, "new.mov")]
        {
            let session = try fixture.export(source, preset, name) { $0.timeRange = self.range(5, 25) }
            XCTAssertEqual(session.status, .completed, "\(name): \(String(describing: session.error))")
            let copy = fixture.asset(name)
            XCTAssertEqual(copy.duration, time(20), name)
            let metadata = try XCTUnwrap(copy.tracks(withMediaType: .metadata).first)
            XCTAssertEqual(metadata.timeRange, range(0, 20), name)
            let copiedNumbers = try numbers(copy)
            XCTAssertEqual(copiedNumbers.map(\.number), [0, 1, 2], name)
            XCTAssertEqual(copiedNumbers.map(\.range), [range(0, 5), range(5, 15), range(15, 20)], name)
        }
    }

    /// Returns the source frames unchanged and records the metadata number of each frame.
    private final class NumberCompositor: NSObject, AVVideoCompositing {
        let sourcePixelBufferAttributes: [String: any Sendable]? = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA
        ]
        let requiredPixelBufferAttributesForRenderContext: [String: any Sendable] = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA
        ]
        let numbers = Lock<[Int?]>([])

        func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}

        func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
            let group = request.sourceSampleDataTrackIDs.first.flatMap {
                request.sourceTimedMetadata(byTrackID: $0.int32Value)
            }
            let number = group?.items.first?.numberValue?.intValue
            numbers.withLock { $0.append(number) }
            guard let id = request.sourceTrackIDs.first?.int32Value, let frame = request.sourceFrame(byTrackID: id)
            else { return request.finish(with: AVError(.unknown, "no frame")) }
            request.finish(withComposedVideoFrame: frame)
        }
    }

    func testACustomCompositorReceivesTheMetadataOfItsFrames() throws {
        let fixture = try AssetWriterFixture()
        let asset = try movieWithMetadata(fixture)
        let metadata = try XCTUnwrap(asset.tracks(withMediaType: .metadata).first)
        let composition = fixture.system.run { AVMutableVideoComposition(propertiesOf: asset) }
        composition.customVideoCompositorClass = NumberCompositor.self
        composition.sourceSampleDataTrackIDs = [NSNumber(value: metadata.trackID)]
        let instruction = try XCTUnwrap(composition.instructions.first as? AVMutableVideoCompositionInstruction)
        instruction.requiredSourceSampleDataTrackIDs = [NSNumber(value: metadata.trackID)]
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderVideoCompositionOutput(
            videoTracks: asset.tracks(withMediaType: .video), videoSettings: nil)
        output.videoComposition = composition
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        XCTAssertEqual(output.drain().count, 30)
        let compositor = try XCTUnwrap(output.customVideoCompositor as? NumberCompositor)
        XCTAssertEqual(compositor.numbers.withLock { $0 }, (0..<30).map { $0 / 10 })
    }

    func testTimedMetadataFollowsTheEditsOfAComposition() throws {
        let fixture = try AssetWriterFixture()
        let source = try movieWithMetadata(fixture)
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(20, 30), of: source, at: .zero)
        try composition.insertTimeRange(range(0, 20), of: source, at: time(10))
        XCTAssertEqual(composition.tracks.map(\.mediaType), [.video, .metadata])
        composition.scaleTimeRange(range(10, 20), toDuration: time(20))
        let session = try fixture.export(composition, AVAssetExportPresetPassthrough, "edit.mov")
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        let copiedNumbers = try numbers(fixture.asset("edit.mov"))
        XCTAssertEqual(copiedNumbers.map(\.number), [2, 0, 1])
        XCTAssertEqual(copiedNumbers.map(\.range), [range(0, 10), range(10, 30), range(30, 40)])
    }

    func testTimecodeIsExportedWithItsVideoToQuickTimeFilesOnly() throws {
        let fixture = try AssetWriterFixture()
        let frames = try fixture.movie(
            "frames.mov", 0..<30, fixture.makeVideoInput([AVVideoMaxKeyFrameIntervalKey: 10]))
        let writer = try MovieFileWriter(
            url: fixture.url("source.mov"), storage: fixture.system.storage,
            configuration: MovieFileWriter.Configuration(container: .mov, fragmentInterval: .invalid))
        let map = try XCTUnwrap(frames.tracks.first).map
        let format = try map.copiedFormat(of: try XCTUnwrap(map.sampleEntries.first), to: .mov)
        let timecode = try XCTUnwrap(TimecodeSampleFormat(frameDuration: time(1)))
        let video = try writer.addTrack(MovieTrackConfiguration(format: format, timescale: 600))
        let track = try writer.addTrack(MovieTrackConfiguration(format: .timecode(timecode), timescale: 30))
        writer.relate(track, to: video, as: .timecode)
        let code = timecode.sample(secondsSinceMidnight: 3600)
        try writer.append(EncodedSample(data: code, presentationTime: .zero, duration: time(30)), to: track)
        for sample in try frames.samples(.video, nil) {
            try writer.append(
                EncodedSample(
                    data: try XCTUnwrap(sample.dataBuffer).dataBytes(), presentationTime: sample.presentationTimeStamp,
                    decodeTime: sample.decodeTimeStamp.isNumeric ? sample.decodeTimeStamp : nil,
                    duration: sample.duration, isKeyFrame: sample.isSync), to: video)
        }
        try writer.finish()
        let source = fixture.asset("source.mov")
        for (name, type) in [("copy.mov", AVFileType.mov), ("copy.mp4", .mp4)] {
            let session = try fixture.export(source, AVAssetExportPresetPassthrough, name, type) {
                $0.timeRange = self.range(10, 30)
            }
            XCTAssertEqual(session.status, .completed, "\(name): \(String(describing: session.error))")
            try MovieInspection.assertNoProblems(fixture.url(name))
            let copy = fixture.asset(name)
            let timecodeTracks = copy.tracks(withMediaType: .timecode)
            guard type == .mov else {
                XCTAssertEqual(copy.tracks.map(\.mediaType), [.video])
                continue
            }
            let videoTrack = try XCTUnwrap(copy.tracks(withMediaType: .video).first)
            XCTAssertEqual(
                videoTrack.associatedTracks(ofType: .timecode).map(\.trackID), timecodeTracks.map(\.trackID))
            let segment = try XCTUnwrap(timecodeTracks.first?.segments.first?.timeMapping)
            // The timecode at the start is one hour and ten frames: the sample is unchanged, and the edit skips ten
            // frames.
            XCTAssertEqual(segment.source, range(10, 30))
            XCTAssertEqual(segment.target, range(0, 20))
            XCTAssertEqual(try copy.samples(.timecode, nil).first?.dataBuffer?.dataBytes(), code)
        }
    }
}
