import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import MediaAssets

final class AVCaptureMetadataInputTests: XCTestCase {
    private func item(_ text: String) -> AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.note")
        item.dataType = kCMMetadataBaseDataType_UTF8
        item.value = NSString(string: text)
        return item
    }

    private func makeInput(_ capture: CaptureFixture) throws -> AVCaptureMetadataInput {
        let group = AVTimedMetadataGroup(items: [item("")], timeRange: .zero)
        let description = try XCTUnwrap(group.copyFormatDescription())
        return capture.inSystem {
            AVCaptureMetadataInput(formatDescription: description, clock: CMClockGetHostTimeClock())
        }
    }

    private func append(
        _ items: [AVMetadataItem], to input: AVCaptureMetadataInput, at time: CMTime, duration: CMTime = .invalid
    ) throws {
        try input.append(AVTimedMetadataGroup(items: items, timeRange: CMTimeRange(start: time, duration: duration)))
    }

    func testGroupsOfTheAppAreRecordedInATrackOfTheMovie() throws {
        let fixture = try MovieRecordingFixture()
        let input = try makeInput(fixture.capture)
        XCTAssertTrue(fixture.session.canAddInput(input))
        fixture.session.addInput(input)
        XCTAssertFalse(fixture.session.canAddInput(input))
        XCTAssertEqual(input.ports.map(\.mediaType), [.metadata])
        XCTAssertNotNil(input.ports.first?.formatDescription)
        let connection = try XCTUnwrap(fixture.movie.connection(with: .metadata))
        XCTAssertTrue(connection.isActive)
        fixture.start()
        fixture.advance(milliseconds: 200)
        let clock = fixture.capture.clock
        fixture.record()
        try append([item("before")], to: input, at: clock.now)
        fixture.advance(milliseconds: 500)
        try append([item("brief")], to: input, at: clock.now, duration: CMTime(value: 100, timescale: 1000))
        fixture.advance(milliseconds: 500)
        try append([item("last")], to: input, at: clock.now)
        fixture.advance(milliseconds: 300)
        try append([], to: input, at: clock.now)
        fixture.advance(milliseconds: 200)
        fixture.stopRecording()
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(try fixture.decode().frames.count, 45, accuracy: 1)

        let asset = fixture.capture.inSystem { AVURLAsset(url: fixture.capture.url("a.mov")) }
        let reader = try AVAssetReader(asset: asset)
        let track = try XCTUnwrap(asset.tracks(withMediaType: .metadata).first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
        reader.add(output)
        reader.startReading()
        var read: [(text: String?, start: Double, duration: Double)] = []
        while let group = adaptor.nextTimedMetadataGroup() {
            read.append(
                (group.items.first?.stringValue, group.timeRange.start.seconds, group.timeRange.duration.seconds))
        }
        XCTAssertEqual(read.map(\.text), ["before", "brief", "last"])
        for (group, expected) in zip(read, [(0, 0.5), (0.5, 0.1), (1, 0.3)]) {
            XCTAssertEqual(group.start, expected.0, accuracy: 0.05)
            XCTAssertEqual(group.duration, expected.1, accuracy: 0.05)
        }
        XCTAssertEqual(track.timeRange.end.seconds, asset.duration.seconds, accuracy: 0.001)
    }

    func testAGroupMustFitTheFormatAndFollowThePreviousOne() throws {
        let capture = try CaptureFixture()
        let input = try makeInput(capture)
        try append([item("a")], to: input, at: CMTime(value: 2, timescale: 1))
        XCTAssertThrowsError(try append([item("b")], to: input, at: CMTime(value: 2, timescale: 1)))
        let other = AVMutableMetadataItem()
        other.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.other")
        other.value = NSString(string: "c")
        XCTAssertThrowsError(try append([other], to: input, at: CMTime(value: 3, timescale: 1)))
        capture.assertNoMisuse()
    }

    func testAnInputBelongsToOneSessionAtATime() throws {
        let fixture = try MovieRecordingFixture()
        let input = try makeInput(fixture.capture)
        fixture.session.addInput(input)
        let other = fixture.capture.inSystem { AVCaptureSession() }
        XCTAssertFalse(other.canAddInput(input))
        fixture.session.removeInput(input)
        XCTAssertTrue(other.canAddInput(input))
        XCTAssertNil(fixture.movie.connection(with: .metadata))
    }
}
