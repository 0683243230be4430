import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Times at which an asset presents sound but no video.
final class GapCompositionTests: XCTestCase {
    private func time(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 30) }

    /// Writes ten frames from 1/3 s to 2/3 s, and one second of sound.
    private func movieWithLateVideo(_ fixture: AssetWriterFixture) throws -> AVAsset {
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        let writer = try fixture.makeWriter("late.mov")
        for input in [video, audio] { writer.add(input) }
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<30 {
            if (10..<20).contains(frame) {
                XCTAssertTrue(video.append(try AssetWriterFixture.videoSample(frame, at: time(Int64(frame)))))
            }
            XCTAssertTrue(audio.append(try AssetWriterFixture.audioSample(frame * 1600..<(frame + 1) * 1600)))
        }
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        return fixture.asset("late.mov")
    }

    /// Returns the numbers of the composed frames at 30 frames per second; nil for frames without a number.
    private func numbers(_ composition: AVVideoComposition, _ asset: AVAsset) throws -> [UInt32?] {
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderVideoCompositionOutput(
            videoTracks: asset.tracks(withMediaType: .video), videoSettings: nil)
        output.videoComposition = composition
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        return output.drain().map(\.counter)
    }

    private func constantRate(_ asset: AVAsset, _ fixture: AssetWriterFixture) -> AVMutableVideoComposition {
        let composition = fixture.system.run { AVMutableVideoComposition(propertiesOf: asset) }
        composition.sourceTrackIDForFrameTiming = kCMPersistentTrackID_Invalid
        composition.frameDuration = time(1)
        return composition
    }

    private let nearest =
        [UInt32?](repeating: 10, count: 10) + (10..<20).map { $0 } + [UInt32?](repeating: 19, count: 10)

    func testTheNearestFrameIsShownBeforeAndAfterTheVideo() throws {
        let fixture = try AssetWriterFixture()
        let asset = try movieWithLateVideo(fixture)
        let composition = constantRate(asset, fixture)
        XCTAssertEqual(composition.instructions.count, 1)
        XCTAssertEqual(try numbers(composition, asset), nearest)
        let session = try fixture.export(asset, AVAssetExportPresetHighestQuality, "out.mov") {
            $0.videoComposition = composition
        }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        XCTAssertEqual(try fixture.asset("out.mov").samples(.video, [:]).map(\.counter), nearest)
    }

    func testACompositionOfAnAssetShowsTheNearestFrame() throws {
        let fixture = try AssetWriterFixture()
        let asset = try movieWithLateVideo(fixture)
        let edited = fixture.system.run { AVMutableComposition() }
        try edited.insertTracks(of: asset)
        XCTAssertEqual(try numbers(constantRate(edited, fixture), edited), nearest)
    }

    func testAnInsertedEmptySegmentShowsTheBackground() throws {
        let fixture = try AssetWriterFixture()
        let asset = try movieWithLateVideo(fixture)
        let edited = fixture.system.run { AVMutableComposition() }
        try edited.insertTracks(of: asset)
        edited.insertEmptyTimeRange(CMTimeRange(start: time(15), duration: time(5)))
        let expected = nearest[..<15] + [UInt32?](repeating: nil, count: 5) + nearest[15...]
        XCTAssertEqual(try numbers(constantRate(edited, fixture), edited), Array(expected))
    }

    func testATrackThatHasEndedDoesNotCoverAnother() throws {
        let fixture = try AssetWriterFixture()
        let (first, second) = (try fixture.movie("a.mov", 0..<10), try fixture.movie("b.mov", 50..<70))
        let edited = fixture.system.run { AVMutableComposition() }
        for (id, asset) in [(Int32(1), first), (2, second)] {
            let track = try XCTUnwrap(edited.addMutableTrack(withMediaType: .video, preferredTrackID: id))
            try track.insertTimeRange(
                CMTimeRange(start: .zero, duration: asset.duration),
                of: try XCTUnwrap(asset.tracks.firstVideoTrack), at: .zero)
        }
        let composition = constantRate(edited, fixture)
        // The first layer is in front in the whole movie.
        let instruction = try XCTUnwrap(composition.instructions.first as? AVMutableVideoCompositionInstruction)
        instruction.timeRange = CMTimeRange(start: .zero, duration: edited.duration)
        composition.instructions = [instruction]
        XCTAssertEqual(try numbers(composition, edited), (0..<10).map { $0 } + (60..<70).map { $0 })
    }
}
