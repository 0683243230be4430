import Foundation
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

final class CaptionAdaptorTests: XCTestCase {
    private final class RecordingValidation: AVAssetReaderCaptionValidationHandling {
        var skipped: [[String]] = []

        func captionAdaptor(
            _ adaptor: AVAssetReaderOutput.CaptionAdaptor, didVend caption: AVCaption,
            skippingUnsupportedSourceSyntaxElements syntaxElements: [String]
        ) { skipped.append(syntaxElements) }
    }

    /// Retains the readers, because adaptors do not.
    private var readers: [AVAssetReader] = []

    /// Returns a time range in tenths of a second from the start of the session.
    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: CMTime(value: start, timescale: 10), end: CMTime(value: end, timescale: 10))
    }

    private func makeInput(_ fixture: AssetWriterFixture, _ type: AVMediaType = .subtitle) -> AVAssetWriterInput {
        fixture.system.run { AVAssetWriterInput(mediaType: type, outputSettings: nil) }
    }

    /// Writes a movie with captions.
    private func write(
        _ groups: [AVCaptionGroup], to name: String, _ type: AVFileType, _ input: AVAssetWriterInput,
        _ fixture: AssetWriterFixture
    ) throws {
        let writer = try fixture.makeWriter(name, type)
        let adaptor = AVAssetWriterInput.CaptionAdaptor(assetWriterInput: input)
        writer.add(input)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        for group in groups { XCTAssertTrue(adaptor.append(group)) }
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
    }

    private func makeAdaptor(
        _ name: String, _ fixture: AssetWriterFixture
    ) throws -> AVAssetReaderOutput.CaptionAdaptor {
        let asset = fixture.system.run { AVURLAsset(url: fixture.url(name)) }
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: try XCTUnwrap(asset.tracks.first), outputSettings: nil)
        reader.add(output)
        let adaptor = AVAssetReaderOutput.CaptionAdaptor(assetReaderTrackOutput: output)
        XCTAssertTrue(reader.startReading())
        readers.append(reader)
        return adaptor
    }

    func testCaptionsWithStylesAndRegionsAreReadAsTheyWereWritten() throws {
        for type in [AVFileType.mov, .mp4] {
            let fixture = try AssetWriterFixture()
            let styled = AVMutableCaption("Grüße 😀 now", timeRange: range(0, 10))
            let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
            styled.setTextColor(blue, in: NSRange(location: 6, length: 2))
            styled.setFontWeight(.bold, in: NSRange(location: 9, length: 3))
            styled.setDecoration(.underline, in: NSRange(location: 9, length: 3))
            styled.region = .appleITTTop
            let unstyled = AVCaption("two\nlines", timeRange: range(15, 30))
            let input = makeInput(fixture)
            input.naturalSize = CGSize(width: 1280, height: 720)
            input.languageCode = "deu"
            try write(
                [styled, unstyled].map { AVCaptionGroup(captions: [$0], timeRange: $0.timeRange) }, to: "a.movie", type,
                input, fixture)

            let adaptor = try makeAdaptor("a.movie", fixture)
            let first = try XCTUnwrap(adaptor.nextCaptionGroup())
            XCTAssertEqual(first.timeRange, range(0, 10))
            let decodedCaption = try XCTUnwrap(first.captions.first)
            XCTAssertEqual(decodedCaption.text, styled.text)
            var found = NSRange()
            XCTAssertEqual(decodedCaption.textColor(at: 7, range: &found), blue)
            XCTAssertEqual(found, NSRange(location: 6, length: 2))
            XCTAssertEqual(decodedCaption.fontWeight(at: 9, range: &found), .bold)
            XCTAssertEqual(found, NSRange(location: 9, length: 3))
            XCTAssertEqual(decodedCaption.decoration(at: 10, range: nil), .underline)
            XCTAssertEqual(decodedCaption.fontStyle(at: 0, range: nil), .unknown)
            XCTAssertEqual(decodedCaption.region?.origin, AVCaptionRegion.appleITTTop.origin)
            XCTAssertEqual(decodedCaption.region?.size, AVCaptionRegion.appleITTTop.size)
            XCTAssertEqual(adaptor.captionsNotPresentInPreviousGroups(in: first), [decodedCaption])
            let gap = try XCTUnwrap(adaptor.nextCaptionGroup())
            XCTAssertEqual(gap.timeRange, range(10, 15))
            XCTAssertEqual(gap.captions, [])
            let last = try XCTUnwrap(adaptor.nextCaptionGroup())
            XCTAssertEqual(last.timeRange, range(15, 30))
            XCTAssertEqual(last.captions.map(\.text), ["two\nlines"])
            XCTAssertNil(adaptor.nextCaptionGroup())
            XCTAssertEqual(readers.last?.status, .completed)
            fixture.assertNoMisuse()
        }
    }

    func testStyledTextWithoutAColorHasTheDefaultColorOfTheTrack() throws {
        let fixture = try AssetWriterFixture()
        var entry = SubtitleSampleFormat(handler: "sbtl", width: 0, height: 0).entry
        // The color of the default style follows 26 bytes.
        entry.replaceSubrange(26..<30, with: [0xff, 0xff, 0, 0xff])
        var hint: CMFormatDescription?
        // The size and type of the box, six reserved bytes and the data reference index precede the format.
        CMFormatDescriptionCreate(
            allocator: nil, mediaType: kCMMediaType_Subtitle, mediaSubType: kCMSubtitleFormatType_3GText,
            extensions: [kCMFormatDescriptionExtension_VerbatimSampleDescription: Data(count: 16) + entry],
            formatDescriptionOut: &hint)
        let description = try XCTUnwrap(hint)
        let input = fixture.system.run {
            AVAssetWriterInput(mediaType: .subtitle, outputSettings: nil, sourceFormatHint: description)
        }
        let styled = AVMutableCaption("bold white", timeRange: range(0, 10))
        let white = CGColor(red: 1, green: 1, blue: 1, alpha: 1)
        styled.setFontWeight(.bold, in: NSRange(location: 0, length: 4))
        styled.setTextColor(white, in: NSRange(location: 5, length: 5))
        try write(
            [AVCaptionGroup(captions: [styled], timeRange: styled.timeRange)], to: "a.mov", .mov, input, fixture)
        let caption = try XCTUnwrap(try makeAdaptor("a.mov", fixture).nextCaptionGroup()?.captions.first)
        XCTAssertEqual(caption.fontWeight(at: 0, range: nil), .bold)
        XCTAssertNil(caption.textColor(at: 0, range: nil))
        XCTAssertEqual(caption.textColor(at: 5, range: nil), white)
        fixture.assertNoMisuse()
    }

    func testOtherPlayersReadTheCaptions() throws {
        for (type, media) in [(AVFileType.mov, AVMediaType.subtitle), (.mp4, .subtitle), (.m4v, .text)] {
            let fixture = try AssetWriterFixture()
            let styled = AVMutableCaption("one two", timeRange: range(0, 10))
            styled.setFontStyle(.italic, in: NSRange(location: 4, length: 3))
            styled.setTextColor(CGColor(red: 1, green: 1, blue: 0, alpha: 1), in: NSRange(location: 0, length: 3))
            let next = AVCaption("three", timeRange: range(15, 30))
            let name = "a.\(type == .mov ? "mov" : "mp4")"
            try write(
                [styled, next].map { AVCaptionGroup(captions: [$0], timeRange: $0.timeRange) }, to: name, type,
                makeInput(fixture, media), fixture)
            let streams = try FFprobe.lines(
                ["-show_entries", "stream=codec_name,codec_type,duration"], fixture.url(name))
            XCTAssertEqual(streams, [["mov_text", "subtitle", "3.000000"]])
            let text = try ExternalTool.run(
                "ffmpeg", ["-v", "error", "-i", fixture.url(name).path, "-map", "0:s", "-f", "srt", "-"]
            ).text
            let font = "<font face=\"Sans-Serif\" size=\"18\">"
            XCTAssertEqual(
                text.split(separator: "\n").map(String.init),
                [
                    "1", "00:00:00,000 --> 00:00:01,000",
                    "\(font)<font color=\"#ffff00\">one</font></font>\(font) <i>two</i></font>", "2",
                    "00:00:01,500 --> 00:00:03,000", "\(font)three</font>",
                ])
        }
    }

    func testTheCaptionsOfAGroupAreWrittenAsLinesWithTheirStyles() throws {
        let fixture = try AssetWriterFixture()
        let (first, second) = (
            AVCaption("first", timeRange: range(0, 10)), AVMutableCaption("second", timeRange: range(0, 10))
        )
        second.setFontStyle(.italic, in: NSRange(location: 0, length: 6))
        let group = AVCaptionGroup(captions: [first, second], timeRange: range(0, 10))
        try write([group], to: "a.mov", .mov, makeInput(fixture), fixture)
        let caption = try XCTUnwrap(try makeAdaptor("a.mov", fixture).nextCaptionGroup()?.captions.first)
        XCTAssertEqual(caption.text, "first\nsecond")
        var found = NSRange()
        XCTAssertEqual(caption.fontStyle(at: 6, range: &found), .italic)
        XCTAssertEqual(found, NSRange(location: 6, length: 6))
    }

    func testAPassthroughExportKeepsCaptions() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        let (video, input) = (fixture.makeVideoInput(), makeInput(fixture))
        input.naturalSize = CGSize(width: 320, height: 240)
        let captions = AVAssetWriterInput.CaptionAdaptor(assetWriterInput: input)
        for input in [video, input] { fixture.system.run { writer.add(input) } }
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<60 {
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        let caption = AVMutableCaption(
            "kept",
            timeRange: CMTimeRange(
                start: AssetWriterFixture.start + range(5, 15).start, end: AssetWriterFixture.start + range(5, 15).end))
        caption.setFontWeight(.bold, in: NSRange(location: 0, length: 4))
        caption.region = .appleITTBottom
        XCTAssertTrue(captions.append(caption))
        fixture.finish(writer)

        let session = try fixture.export(fixture.asset("a.mov"), AVAssetExportPresetPassthrough, "b.mov", .mov) { _ in }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        let copy = fixture.asset("b.mov")
        let output = AVAssetReaderTrackOutput(
            track: try XCTUnwrap(copy.tracks(withMediaType: .subtitle).first), outputSettings: nil)
        let reader = try AVAssetReader(asset: copy)
        reader.add(output)
        let adaptor = AVAssetReaderOutput.CaptionAdaptor(assetReaderTrackOutput: output)
        reader.startReading()
        let decodedCaption = try XCTUnwrap(adaptor.nextCaptionGroup()?.captions.first)
        XCTAssertEqual(decodedCaption.text, "kept")
        XCTAssertEqual(decodedCaption.timeRange, range(5, 15))
        XCTAssertEqual(decodedCaption.fontWeight(at: 0, range: nil), .bold)
        XCTAssertEqual(decodedCaption.region?.origin, AVCaptionRegion.appleITTBottom.origin)
        fixture.assertNoMisuse()
    }

    func testAnOverlappingCaptionFailsTheWriter() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        let input = makeInput(fixture)
        let adaptor = AVAssetWriterInput.CaptionAdaptor(assetWriterInput: input)
        writer.add(input)
        writer.startWriting()
        writer.startSession(atSourceTime: .zero)
        adaptor.append(AVCaption("a", timeRange: range(0, 10)))
        adaptor.append(AVCaption("b", timeRange: range(5, 20)))
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .failed)
        fixture.assertNoMisuse()
    }

    func testUnsupportedBoxesOfASampleAreReported() throws {
        var bytes = try XCTUnwrap(TimedTextSample(text: "la").data)
        bytes += Data([0, 0, 0, 8]) + Data("krok".utf8)
        XCTAssertEqual(TimedTextSample(bytes)?.unsupportedBoxes, ["krok"])
        XCTAssertEqual(TimedTextSample(bytes)?.text, "la")
        XCTAssertNil(TimedTextSample(Data([0, 9, 65])))
        let utf16 = Data([0, 4, 0xfe, 0xff, 0, 0x41])
        XCTAssertEqual(TimedTextSample(utf16)?.text, "A")
        XCTAssertNil(TimedTextSample(text: String(repeating: "a", count: 70_000)).data)

        let fixture = try AssetWriterFixture()
        let text = "la" + String(repeating: "-", count: 8)
        try write(
            [AVCaptionGroup(captions: [AVCaption(text, timeRange: range(0, 10))], timeRange: range(0, 10))],
            to: "a.mov", .mov, makeInput(fixture), fixture)
        // A box for karaoke (krok) replaces the hyphens at the end of the text.
        let url = fixture.url("a.mov")
        var file = try Data(contentsOf: url)
        let sample = try XCTUnwrap(file.range(of: Data([0, 10]) + Data(text.utf8)))
        file.replaceSubrange(sample, with: bytes)
        try file.write(to: url)
        let adaptor = try makeAdaptor("a.mov", fixture)
        let validation = RecordingValidation()
        adaptor.validationDelegate = validation
        XCTAssertEqual(adaptor.nextCaptionGroup()?.captions.map(\.text), ["la"])
        XCTAssertEqual(validation.skipped, [["krok"]])
    }

    func testAdaptorsOfOtherMediaAreMisuse() throws {
        let fixture = try AssetWriterFixture()
        fixture.assertMisuse(.invalidArgument, "must be of media type text or subtitle") {
            _ = AVAssetWriterInput.CaptionAdaptor(assetWriterInput: fixture.makeVideoInput())
        }
        let input = makeInput(fixture)
        _ = AVAssetWriterInput.CaptionAdaptor(assetWriterInput: input)
        fixture.assertMisuse(.invalidArgument, "already has an adaptor") {
            _ = AVAssetWriterInput.CaptionAdaptor(assetWriterInput: input)
        }
        let movie = try fixture.movie("video.mov", 0..<5)
        let track = try XCTUnwrap(movie.tracks.first)
        fixture.assertMisuse(.invalidArgument, "must read a track of text") {
            _ = AVAssetReaderOutput.CaptionAdaptor(
                assetReaderTrackOutput: AVAssetReaderTrackOutput(track: track, outputSettings: nil))
        }
    }
}
