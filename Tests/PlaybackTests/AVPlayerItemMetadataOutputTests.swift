import AssetTypes
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerItemMetadataOutputTests: XCTestCase {
    /// Records the groups that an output delivers, with the time of the item.
    private final class Recorder: AVPlayerItemMetadataOutputPushDelegate {
        struct Call: Equatable {
            var label: String
            var time: CMTime?
        }

        let calls = Lock<[Call]>([], order: .client)

        func metadataOutput(
            _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
            from track: AVPlayerItemTrack?
        ) {
            XCTAssertEqual(track?.assetTrack?.mediaType, .metadata)
            let time = output.item?.currentTime()
            let labels = groups.flatMap(\.items).map {
                ($0.value as? NSString)?.description ?? ($0.value as? NSNumber)?.stringValue ?? "no value"
            }
            calls.withLock { $0.append(Call(label: labels.joined(separator: " "), time: time)) }
        }

        func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {
            calls.withLock { $0.append(Call(label: "flush", time: nil)) }
        }

        func dequeueCalls() -> [Call] {
            calls.withLock { calls in
                defer { calls = [] }
                return calls
            }
        }
    }

    private let clock = SimClock()

    private func item(_ name: String, _ value: any NSCopying & NSObjectProtocol, _ type: String) -> AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.\(name)")
        item.dataType = type
        item.value = value
        return item
    }

    /// Creates a group. The start and the length are in tenths of a second.
    private func group(_ label: String, _ count: Int, _ start: Int64, _ length: Int64) -> AVTimedMetadataGroup {
        AVTimedMetadataGroup(
            items: [
                item("label", label as NSString, kCMMetadataBaseDataType_UTF8),
                item("count", NSNumber(value: count), kCMMetadataBaseDataType_SInt32),
            ],
            timeRange: CMTimeRange(
                start: AssetWriterFixture.start + CMTime(value: start, timescale: 10),
                duration: CMTime(value: length, timescale: 10)))
    }

    /// Creates a player of a movie with groups from 0 to 0.3 s, from 0.3 to 0.5 s and from 0.7 to 1 s.
    private func makePlayer(_ media: AssetWriterFixture) throws -> AVPlayer {
        let description = try XCTUnwrap(group("", 0, 0, 1).copyFormatDescription())
        let (video, input) = (
            media.makeVideoInput(),
            media.system.run {
                AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
            }
        )
        let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
        let writer = try media.makeWriter("a.mov")
        writer.add(video)
        writer.add(input)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<30 {
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        for group in [group("a", 1, 0, 3), group("b", 2, 3, 2), group("c", 3, 7, 3)] {
            XCTAssertTrue(adaptor.append(group))
        }
        media.finish(writer)
        return media.system.run { AVPlayer(url: writer.outputURL) }
    }

    private func time(_ tenths: Int64) -> CMTime { CMTime(value: tenths, timescale: 10) }

    func testGroupsAreDeliveredWhenPlaybackReachesThem() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = try makePlayer(media)
        let recorder = Recorder()
        let output = AVPlayerItemMetadataOutput(identifiers: ["mdta/com.example.label"])
        output.setDelegate(recorder, queue: DispatchQueue(label: "metadata"))
        player.currentItem?.add(output)
        clock.settle()
        XCTAssertEqual(recorder.dequeueCalls(), [.init(label: "a", time: .zero)], "the current group, while paused")
        player.play()
        clock.advance(by: .milliseconds(1500))
        XCTAssertEqual(
            recorder.dequeueCalls(), [.init(label: "b", time: time(3)), .init(label: "c", time: time(7))])
        player.rate = -2
        clock.advance(by: .seconds(1))
        XCTAssertEqual(
            recorder.dequeueCalls(), [.init(label: "b", time: time(5)), .init(label: "a", time: time(3))], "reversed")
        player.seek(to: CMTime(value: 8, timescale: 10), toleranceBefore: .zero, toleranceAfter: .zero)
        clock.settle()
        XCTAssertEqual(
            recorder.dequeueCalls(), [.init(label: "flush", time: nil), .init(label: "c", time: time(8))])
        player.seek(to: CMTime(value: 6, timescale: 10), toleranceBefore: .zero, toleranceAfter: .zero)
        clock.settle()
        XCTAssertEqual(recorder.dequeueCalls(), [.init(label: "flush", time: nil)], "there is no group")
        player.currentItem?.remove(output)
        player.play()
        clock.advance(by: .seconds(1))
        XCTAssertEqual(recorder.dequeueCalls(), [])
    }

    func testGroupsCanBeDeliveredEarlierAndWithAllItems() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = try makePlayer(media)
        let recorder = Recorder()
        let output = AVPlayerItemMetadataOutput()
        output.setDelegate(recorder, queue: nil)
        output.advanceIntervalForDelegateInvocation = 0.1
        clock.settle()
        player.currentItem?.add(output)
        clock.settle()
        player.play()
        clock.advance(by: .milliseconds(1500))
        XCTAssertEqual(
            recorder.dequeueCalls(),
            [
                .init(label: "a 1", time: .zero), .init(label: "b 2", time: time(2)),
                .init(label: "c 3", time: time(6)),
            ])
    }
}
