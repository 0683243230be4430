import AssetTypes
import CaptureHAL
import Foundation
import MediaAssets
import MediaEditing
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerItemLegibleOutputTests: XCTestCase {
    /// Records what an output delivers: the texts, the number of samples, and the times.
    private final class Recorder: AVPlayerItemLegibleOutputPushDelegate {
        struct Call: Equatable {
            var texts: [String]
            var sampleCount = 0
            /// The time of the text and the current time of the item, in tenths of a second.
            var times: [Int64]
        }

        let calls = Lock<[Call]>([], order: .client)
        /// The attributes of each part of the delivered texts, as `key=value`.
        let attributes = Lock<[String: [String]]>([:], order: .client)

        func legibleOutput(
            _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [NSAttributedString],
            nativeSampleBuffers nativeSamples: [Any], forItemTime itemTime: CMTime
        ) {
            let now = output.item?.currentTime() ?? .invalid
            let times = [itemTime, now].map { CMTimeConvertScale($0, timescale: 10, method: .default).value }
            calls.withLock {
                $0.append(Call(texts: strings.map(\.string), sampleCount: nativeSamples.count, times: times))
            }
            for string in strings {
                string.enumerateAttributes(in: NSRange(location: 0, length: string.length)) { values, range, _ in
                    let part = (string.string as NSString).substring(with: range)
                    attributes.withLock { $0[part] = values.map { "\($0.key.rawValue)=\($0.value)" }.sorted() }
                }
            }
        }

        func dequeueCalls() -> [Call] {
            calls.withLock { calls in
                defer { calls = [] }
                return calls
            }
        }
    }

    private typealias Call = Recorder.Call
    private let clock = SimClock()

    /// Creates a caption. The start and the end are in tenths of a second.
    private func caption(_ text: String, _ start: Int64, _ end: Int64) -> AVMutableCaption {
        AVMutableCaption(
            text,
            timeRange: CMTimeRange(
                start: AssetWriterFixture.start + CMTime(value: start, timescale: 10),
                end: AssetWriterFixture.start + CMTime(value: end, timescale: 10)))
    }

    /// Creates a player of a movie of one second with texts from 0.2 to 0.4 s, from 0.4 to 0.6 s and from 0.8 to 0.9 s.
    private func makePlayer(_ media: AssetWriterFixture) throws -> AVPlayer {
        let video = media.makeVideoInput()
        let input = media.system.run { AVAssetWriterInput(mediaType: .subtitle, outputSettings: nil) }
        let adaptor = AVAssetWriterInput.CaptionAdaptor(assetWriterInput: input)
        let writer = try media.makeWriter("a.mov")
        writer.add(video)
        writer.add(input)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<30 {
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        let first = caption("red bold", 2, 4)
        first.setTextColor(CGColor(red: 1, green: 0, blue: 0, alpha: 1), in: NSRange(location: 0, length: 3))
        first.setFontWeight(.bold, in: NSRange(location: 4, length: 4))
        for caption in [first, caption("two", 4, 6), caption("three", 8, 9)] {
            XCTAssertTrue(adaptor.append(AVCaptionGroup(captions: [caption], timeRange: caption.timeRange)))
        }
        media.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        return media.system.run { AVPlayer(url: writer.outputURL) }
    }

    func testTextsAreDeliveredWhenPlaybackReachesThem() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = try makePlayer(media)
        let item = try XCTUnwrap(player.currentItem)
        let recorder = Recorder()
        let output = AVPlayerItemLegibleOutput()
        output.setDelegate(recorder, queue: DispatchQueue(label: "subtitles"))
        item.add(output)
        clock.settle()
        XCTAssertEqual(recorder.dequeueCalls(), [])
        player.play()
        clock.advance(by: .milliseconds(1500))
        XCTAssertEqual(
            recorder.dequeueCalls(),
            [
                Call(texts: ["red bold"], times: [2, 2]), Call(texts: ["two"], times: [4, 4]),
                Call(texts: [], times: [6, 6]), Call(texts: ["three"], times: [8, 8]), Call(texts: [], times: [9, 9]),
            ])
        XCTAssertEqual(
            recorder.attributes.withLock { $0["red"] }?.first?.hasPrefix("CMForegroundColorARGB="), true)
        XCTAssertEqual(recorder.attributes.withLock { $0["bold"] }?.contains("CMBoldStyle=true"), true)
        player.rate = -1
        clock.advance(by: .seconds(1))
        XCTAssertEqual(recorder.dequeueCalls().map(\.texts), [["three"], [], ["two"], ["red bold"], []])
        player.seek(to: CMTime(value: 5, timescale: 10), toleranceBefore: .zero, toleranceAfter: .zero)
        clock.settle()
        XCTAssertEqual(recorder.dequeueCalls().map(\.texts), [["two"]])
        // Without a selected option, no text is delivered.
        let group = try XCTUnwrap(item.asset.mediaSelectionGroup(forMediaCharacteristic: .legible))
        item.select(nil, in: group)
        player.play()
        clock.advance(by: .seconds(1))
        XCTAssertEqual(recorder.dequeueCalls(), [])
    }

    func testTextsCanBeDeliveredEarlierAndAsNativeSamples() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = try makePlayer(media)
        let recorder = Recorder()
        let output = AVPlayerItemLegibleOutput(mediaSubtypesForNativeRepresentation: [
            NSNumber(value: kCMSubtitleFormatType_3GText)
        ])
        output.setDelegate(recorder, queue: nil)
        output.advanceIntervalForDelegateInvocation = 0.1
        player.currentItem?.add(output)
        clock.settle()
        _ = recorder.dequeueCalls()
        player.play()
        clock.advance(by: .milliseconds(450))
        let calls = recorder.dequeueCalls().filter { $0.times[0] == 4 }
        XCTAssertEqual(calls, [Call(texts: [], sampleCount: 1, times: [4, 3])])
        media.assertMisuse(.invalidArgument, "c608") {
            _ = AVPlayerItemLegibleOutput(mediaSubtypesForNativeRepresentation: [
                NSNumber(value: kCMClosedCaptionFormatType_CEA608)
            ])
        }
    }
}
