import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class TrackAssociationTests: XCTestCase {
    /// Writes half a second of video and two audio tracks. `prepare` can add associations and groups.
    private func write(
        _ fixture: AssetWriterFixture, _ prepare: (AVAssetWriter, [AVAssetWriterInput]) -> Void
    ) throws -> AVAsset {
        let writer = try fixture.makeWriter("a.mov")
        let inputs = [fixture.makeVideoInput(), fixture.makeAudioInput(), fixture.makeAudioInput()]
        for input in inputs { writer.add(input) }
        prepare(writer, inputs)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<15 {
            inputs[0].append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        for input in inputs.dropFirst() { input.append(try AssetWriterFixture.audioSample(0..<24000)) }
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        try MovieInspection.assertNoProblems(fixture.url("a.mov"))
        return fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
    }

    func testAnAssociationIsWrittenToTheFile() throws {
        let fixture = try AssetWriterFixture()
        let asset = try write(fixture) { _, inputs in
            let type = AVAssetTrack.AssociationType.audioFallback.rawValue
            XCTAssertTrue(inputs[1].canAddTrackAssociation(withTrackOf: inputs[2], type: type))
            inputs[1].addTrackAssociation(withTrackOf: inputs[2], type: type)
            XCTAssertFalse(inputs[0].canAddTrackAssociation(withTrackOf: inputs[2], type: type))
            XCTAssertFalse(inputs[1].canAddTrackAssociation(withTrackOf: inputs[1], type: type))
            XCTAssertFalse(inputs[1].canAddTrackAssociation(withTrackOf: inputs[2], type: "none"))
            fixture.assertMisuse(.invalidArgument, "cannot have an association of type fall") {
                inputs[0].addTrackAssociation(withTrackOf: inputs[2], type: type)
            }
        }
        let tracks = asset.tracks
        XCTAssertEqual(tracks[1].associatedTracks(ofType: .audioFallback).map(\.trackID), [tracks[2].trackID])
        XCTAssertEqual(tracks[0].availableTrackAssociationTypes, [])
        fixture.assertNoMisuse()
    }

    func testTheTracksOfAGroupAreAlternatives() throws {
        let fixture = try AssetWriterFixture()
        let asset = try write(fixture) { writer, inputs in
            let group = AVAssetWriterInputGroup(inputs: Array(inputs[1...]), defaultInput: inputs[2])
            XCTAssertTrue(writer.canAdd(group))
            writer.add(group)
            XCTAssertEqual(writer.inputGroups, [group])
            XCTAssertTrue(group.defaultInput === inputs[2])
            fixture.assertMisuse(.invalidArgument, "already in another group") { writer.add(group) }
            let mixed = AVAssetWriterInputGroup(inputs: inputs, defaultInput: nil)
            XCTAssertFalse(writer.canAdd(mixed))
            fixture.assertMisuse(.invalidArgument, "must be one of the inputs") {
                _ = AVAssetWriterInputGroup(inputs: [], defaultInput: inputs[0])
            }
        }
        let tracks = asset.tracks
        XCTAssertEqual(tracks.map(\.map.alternateGroup), [0, 1, 1])
        XCTAssertEqual(tracks.map(\.isEnabled), [true, false, true])
        fixture.assertNoMisuse()
    }

    func testAudioFilesAllowNeitherGroupsNorAssociations() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.wav", .wav)
        let input = fixture.makeAudioInput(kAudioFormatLinearPCM)
        writer.add(input)
        XCTAssertFalse(writer.canAdd(AVAssetWriterInputGroup(inputs: [input], defaultInput: nil)))
        let other = fixture.makeAudioInput()
        XCTAssertFalse(input.canAddTrackAssociation(withTrackOf: other, type: "fall"))
    }

    func testOtherInputsDoNotWaitForASparselyInterleavedInput() throws {
        for location in [
            AVAssetWriterInput.MediaDataLocation.interleavedWithMainMediaData, .sparselyInterleavedWithMainMediaData,
        ] {
            let fixture = try AssetWriterFixture()
            let writer = try fixture.makeWriter("a.mov")
            let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
            audio.mediaDataLocation = location
            audio.sampleReferenceBaseURL = fixture.url("")
            for input in [video, audio] {
                input.expectsMediaDataInRealTime = false
                writer.add(input)
            }
            writer.startWriting()
            writer.startSession(atSourceTime: AssetWriterFixture.start)
            for frame in 0..<60 where video.isReadyForMoreMediaData {
                video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
            }
            XCTAssertEqual(video.isReadyForMoreMediaData, location == .sparselyInterleavedWithMainMediaData)
            fixture.assertMisuse(.internalInconsistency, "setMediaDataLocation:") {
                audio.mediaDataLocation = .interleavedWithMainMediaData
            }
            writer.cancelWriting()
        }
    }
}
