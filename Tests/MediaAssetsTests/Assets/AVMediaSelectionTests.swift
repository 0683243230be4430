import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class AVMediaSelectionTests: XCTestCase {
    /// Writes a movie of half a second with two alternative audio tracks in English and German. The German track is the
    /// default.
    private func movie(_ fixture: AssetWriterFixture) throws -> AVAsset {
        let writer = try fixture.makeWriter("a.mov")
        let inputs = [fixture.makeVideoInput(), fixture.makeAudioInput(), fixture.makeAudioInput()]
        for input in inputs { writer.add(input) }
        inputs[1].languageCode = "eng"
        inputs[2].languageCode = "deu"
        writer.add(AVAssetWriterInputGroup(inputs: Array(inputs[1...]), defaultInput: inputs[2]))
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<15 {
            inputs[0].append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        for input in inputs.dropFirst() { input.append(try AssetWriterFixture.audioSample(0..<24000)) }
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        return fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
    }

    func testAlternativeAudioTracksAreTheOptionsOfAGroup() async throws {
        let fixture = try AssetWriterFixture()
        let asset = try movie(fixture)
        XCTAssertEqual(asset.availableMediaCharacteristicsWithMediaSelectionOptions, [.audible])
        XCTAssertNil(asset.mediaSelectionGroup(forMediaCharacteristic: .visual))
        XCTAssertNil(asset.mediaSelectionGroup(forMediaCharacteristic: .legible))
        let loaded = try await asset.loadMediaSelectionGroup(for: .audible)
        let group = try XCTUnwrap(loaded)
        XCTAssertEqual(group.options.map(\.extendedLanguageTag), ["en", "de"])
        XCTAssertEqual(group.options.map(\.mediaType), [.audio, .audio])
        XCTAssertEqual(group.defaultOption, group.options[1])
        XCTAssertFalse(group.allowsEmptySelection)
        XCTAssertEqual(group.options[1].displayName(with: Locale(identifier: "en")), "German")
        XCTAssertEqual(group.options[0].mediaSubTypes, [NSNumber(value: kAudioFormatMPEG4AAC)])
        XCTAssertTrue(group.options[0].isPlayable)
        XCTAssertEqual(group, asset.mediaSelectionGroup(forMediaCharacteristic: .audible))
    }

    func testOptionsAreFilteredByLanguageLocaleAndCharacteristic() throws {
        let fixture = try AssetWriterFixture()
        let options = try XCTUnwrap(try movie(fixture).mediaSelectionGroup(forMediaCharacteristic: .audible)).options
        XCTAssertEqual(
            AVMediaSelectionGroup.mediaSelectionOptions(
                from: options, filteredAndSortedAccordingToPreferredLanguages: ["fr", "de-AT", "en"]),
            [options[1], options[0]])
        XCTAssertEqual(
            AVMediaSelectionGroup.mediaSelectionOptions(from: options, with: Locale(identifier: "en")), [options[0]])
        XCTAssertEqual(
            AVMediaSelectionGroup.mediaSelectionOptions(from: options, withMediaCharacteristics: [.audible]), options)
        XCTAssertEqual(
            AVMediaSelectionGroup.mediaSelectionOptions(from: options, withoutMediaCharacteristics: [.audible]), [])
        XCTAssertEqual(AVMediaSelectionGroup.playableMediaSelectionOptions(from: options), options)
    }

    func testAnOptionIsFoundByItsPropertyList() throws {
        let fixture = try AssetWriterFixture()
        let group = try XCTUnwrap(try movie(fixture).mediaSelectionGroup(forMediaCharacteristic: .audible))
        let data = try PropertyListSerialization.data(
            fromPropertyList: group.options[0].propertyList(), format: .binary, options: 0)
        let plist = try PropertyListSerialization.propertyList(from: data, format: nil)
        XCTAssertEqual(group.mediaSelectionOption(withPropertyList: plist), group.options[0])
        XCTAssertNil(group.mediaSelectionOption(withPropertyList: ["TrackID": 9]))
        // A language in another form, as in property lists of earlier versions.
        var other = try XCTUnwrap(plist as? [String: Any])
        other["Language"] = "eng"
        XCTAssertEqual(group.mediaSelectionOption(withPropertyList: other), group.options[0])
        other["Language"] = "deu"
        XCTAssertNil(group.mediaSelectionOption(withPropertyList: other))
    }

    func testASelectionChangesOnlyToOptionsOfTheGroup() throws {
        let fixture = try AssetWriterFixture()
        let asset = try movie(fixture)
        let group = try XCTUnwrap(asset.mediaSelectionGroup(forMediaCharacteristic: .audible))
        let preferred = asset.preferredMediaSelection
        XCTAssertEqual(preferred.selectedMediaOption(in: group), group.options[1])
        XCTAssertTrue(preferred.mediaSelectionCriteriaCanBeApplied(automaticallyTo: group))
        let selection = try XCTUnwrap(preferred.mutableCopy() as? AVMutableMediaSelection)
        selection.select(group.options[0], in: group)
        XCTAssertEqual(selection.selectedMediaOption(in: group), group.options[0])
        XCTAssertFalse(selection.mediaSelectionCriteriaCanBeApplied(automaticallyTo: group))
        selection.select(nil, in: group)
        XCTAssertEqual(selection.selectedMediaOption(in: group), group.options[0])
        XCTAssertEqual(preferred.selectedMediaOption(in: group), group.options[1])
        XCTAssertTrue(selection.asset === asset)
        XCTAssertEqual(
            asset.allMediaSelections.map { $0.selectedMediaOption(in: group) }, [group.options[1], group.options[0]])
    }
}
