import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

final class VideoCompositorTests: XCTestCase {
    private typealias Fixture = CompositionFixture

    private func layer(_ track: AVAssetTrack) -> AVMutableVideoCompositionLayerInstruction {
        AVMutableVideoCompositionLayerInstruction(assetTrack: track)
    }

    func testLayersAreDrawnInOrderWithTransformAndCrop() throws {
        let fixture = try Fixture()
        let red = try fixture.movie("red.mov", red: 230, green: 20, blue: 30)
        let blue = try fixture.movie("blue.mov", red: 10, green: 40, blue: 220)
        let asset = try fixture.composition(of: [red, blue])
        let (frontColor, backColor) = (try fixture.color(of: red), try fixture.color(of: blue))
        let front = layer(asset.tracks[0])
        front.setTransform(CGAffineTransform(translationX: 16, y: 40), at: .zero)
        front.setCropRectangle(CGRect(x: 10, y: 20, width: 50, height: 30), at: .zero)
        let back = layer(asset.tracks[1])
        back.setTransform(CGAffineTransform(scaleX: 0.5, y: 0.5), at: .zero)
        let composition = Fixture.videoComposition(
            of: asset, [front, back], background: CGColor(red: 1, green: 0.2, blue: 0, alpha: 1))
        let frames = try fixture.frames(of: asset, composition)
        XCTAssertEqual(frames.count, 10)
        let frame = try XCTUnwrap(frames.first?.imageBuffer)
        let background: [UInt8] = [0, 51, 255, 255]
        // The front layer covers the columns 26 to 75 and the rows 60 to 89.
        for (x, y, color) in [
            (0, 0, backColor), (79, 59, backColor), (26, 60, frontColor), (75, 89, frontColor), (25, 60, background),
            (76, 89, background), (26, 59, backColor), (75, 90, background), (80, 59, background),
            (79, 60, background), (25, 59, backColor), (159, 119, background),
        ] { XCTAssertEqual(frame.pixel(x, y), color, "\(x), \(y)") }
        fixture.base.assertNoMisuse()
    }

    func testRampsChangeOpacityTransformAndCropWithTime() throws {
        let fixture = try Fixture()
        let asset = try fixture.composition(of: [
            try fixture.movie("a.mov", red: 200, green: 100, blue: 50),
            try fixture.movie("b.mov", red: 0, green: 0, blue: 0),
        ])
        let color = try fixture.color(of: asset)
        let fading = layer(asset.tracks[0])
        fading.setOpacityRamp(fromStartOpacity: 0, toEndOpacity: 1, timeRange: Fixture.range(0, 8))
        let fades = try fixture.frames(of: asset, Fixture.videoComposition(of: asset, [fading]))
        for (index, sample) in fades.enumerated() {
            let opacity = min(1, Double(index) / 8)
            let expected = color.dropLast().map { UInt8((Double($0) * opacity).rounded()) } + [255]
            XCTAssertEqual(try XCTUnwrap(sample.imageBuffer).pixel(80, 60), expected, "\(index)")
        }
        let moving = layer(asset.tracks[0])
        moving.setTransformRamp(
            fromStart: .identity, toEnd: CGAffineTransform(translationX: 80, y: 0), timeRange: Fixture.range(0, 10))
        moving.setCropRectangleRamp(
            fromStartCropRectangle: CGRect(x: 0, y: 0, width: 20, height: 120),
            toEndCropRectangle: CGRect(x: 0, y: 0, width: 40, height: 120), timeRange: Fixture.range(0, 10))
        let black: [UInt8] = [0, 0, 0, 255]
        for (index, sample) in try fixture.frames(of: asset, Fixture.videoComposition(of: asset, [moving])).enumerated()
        {
            let frame = try XCTUnwrap(sample.imageBuffer)
            let (left, right) = (8 * index, 8 * index + 20 + 2 * index)
            XCTAssertEqual(frame.pixel(left, 0), color, "\(index)")
            XCTAssertEqual(frame.pixel(right - 1, 119), color, "\(index)")
            XCTAssertEqual(frame.pixel(right, 119), black, "\(index)")
            if left > 0 { XCTAssertEqual(frame.pixel(left - 1, 0), black, "\(index)") }
        }
    }

    func testPropertiesOfARotatedMovieShowItUprightAtTheTimesOfItsFrames() throws {
        let fixture = try Fixture()
        let rotation = CGAffineTransform(0, 1, -1, 0, 120, 0)
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50, transform: rotation)
        let composition = fixture.system.run { AVMutableVideoComposition(propertiesOf: asset) }
        let track = try XCTUnwrap(asset.tracks.first)
        XCTAssertEqual(composition.renderSize, CGSize(width: 120, height: 160))
        XCTAssertEqual(composition.sourceTrackIDForFrameTiming, track.trackID)
        XCTAssertEqual(composition.frameDuration, Fixture.time(1))
        XCTAssertEqual(composition.renderScale, 1)
        let instruction = try XCTUnwrap(composition.instructions.first as? AVVideoCompositionInstruction)
        XCTAssertEqual(instruction.timeRange, Fixture.range(0, 10))
        XCTAssertEqual(instruction.requiredSourceTrackIDs, [NSNumber(value: track.trackID)])
        let color = try fixture.color(of: asset)
        let frames = try fixture.frames(of: asset, composition)
        XCTAssertEqual(frames.map(\.presentationTimeStamp), (0..<10).map { Fixture.time($0) })
        let frame = try XCTUnwrap(frames.last?.imageBuffer)
        for (x, y) in [(0, 0), (119, 0), (0, 159), (119, 159)] { XCTAssertEqual(frame.pixel(x, y), color) }
    }

    func testFrameDurationSelectsTheSourceFrameThatIsShown() throws {
        let fixture = try Fixture()
        let asset = try fixture.composition(of: [try fixture.numberedMovie("a.mov", 96, framesPerSecond: 240)])
        asset.scaleTimeRange(Fixture.range(32, 64, 240), toDuration: Fixture.time(256, 240))
        let composition = Fixture.videoComposition(of: asset, [layer(asset.tracks[0])], width: 320, height: 240)
        let frames = try fixture.frames(of: asset, composition)
        XCTAssertEqual(frames.map(\.presentationTimeStamp), (0..<40).map { Fixture.time($0) })
        XCTAssertEqual(frames.map(\.duration), [CMTime](repeating: Fixture.time(1), count: 40))
        let expected = (0..<40).map { frame -> UInt32 in
            if frame < 4 { return UInt32(8 * frame) }
            return UInt32(frame < 36 ? 32 + frame - 4 : 64 + 8 * (frame - 36))
        }
        XCTAssertEqual(frames.map(\.counter), expected)
        let part = try fixture.frames(of: asset, composition, Fixture.range(5, 8))
        XCTAssertEqual(part.map(\.presentationTimeStamp), (5..<8).map { Fixture.time($0) })
        XCTAssertEqual(part.map(\.counter), [33, 34, 35])
    }

    func testTimingOfATrackIsKeptAndEmptyEditsHaveTheFrameDuration() throws {
        let fixture = try Fixture()
        let movie = try fixture.movie("a.mov", red: 200, green: 100, blue: 50)
        let asset = fixture.system.run { AVMutableComposition() }
        let track = try XCTUnwrap(asset.addMutableTrack(withMediaType: .video, preferredTrackID: 7))
        let source = try XCTUnwrap(movie.tracks.first)
        try track.insertTimeRange(Fixture.range(0, 2), of: source, at: .zero)
        try track.insertTimeRange(Fixture.range(0, 2), of: source, at: Fixture.time(4))
        asset.scaleTimeRange(Fixture.range(4, 6), toDuration: Fixture.time(6))
        let composition = fixture.system.run { AVMutableVideoComposition(propertiesOf: asset) }
        composition.frameDuration = Fixture.time(1, 60)
        XCTAssertEqual(
            composition.instructions.map(\.timeRange),
            [Fixture.range(0, 2), Fixture.range(2, 4), Fixture.range(4, 10)])
        let frames = try fixture.frames(of: asset, composition)
        XCTAssertEqual(
            frames.map(\.presentationTimeStamp), [0, 2, 4, 5, 6, 7, 8, 14].map { Fixture.time($0, 60) })
        XCTAssertEqual(frames.map(\.duration), [2, 2, 1, 1, 1, 1, 6, 6].map { Fixture.time($0, 60) })
        let color = try fixture.color(of: movie)
        let colors = try frames.map { try XCTUnwrap($0.imageBuffer).pixel(5, 5) }
        XCTAssertEqual(colors.map { $0 == color }, [true, true, false, false, false, false, true, true])
    }

    func testAReaderConvertsComposedFramesToItsSettings() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50)
        let composition = Fixture.videoComposition(of: asset, [layer(asset.tracks[0])])
        let frames = try fixture.frames(
            of: asset, composition, nil,
            [
                kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
                kCVPixelBufferWidthKey: 80, kCVPixelBufferHeightKey: 60,
            ])
        let frame = try XCTUnwrap(frames.first?.imageBuffer)
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(frame), kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        XCTAssertEqual(CVPixelBufferGetWidth(frame), 80)
        XCTAssertEqual(CVPixelBufferGetHeight(frame), 60)
    }

    func testAFrameThatNeedsNoCompositionKeepsTheBytesOfItsDecoder() throws {
        let fixture = try Fixture()
        let asset = try fixture.colorfulMovie("a.mov", frameCount: 4)
        let format: [String: Any] = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        ]
        let decoded = try asset.samples(.video, format).map { try XCTUnwrap($0.imageBuffer).bytes }
        XCTAssertEqual(decoded.count, 4)
        let front = layer(asset.tracks[0])
        front.setOpacity(0.5, at: Fixture.time(3))
        let composition = Fixture.videoComposition(of: asset, [front, layer(asset.tracks[0])])
        composition.frameDuration = Fixture.time(1, 60)
        let (reader, output) = try fixture.reader(of: asset, composition, nil, format)
        XCTAssertTrue(reader.startReading())
        for index in 0..<6 {
            let buffer = try XCTUnwrap(output.copyNextSampleBuffer()?.imageBuffer)
            XCTAssertTrue(buffer.bytes == decoded[index / 2], "\(index)")
            // The next output frame shows the same source frame, but must not share this buffer.
            buffer.clear()
        }
        let blended = try XCTUnwrap(output.copyNextSampleBuffer()?.imageBuffer)
        XCTAssertFalse(blended.bytes == decoded[3], "a transparent layer is composed")
        fixture.base.assertNoMisuse()
    }

    func testACompositionWithAGapOrNoCompositionFailsTheReader() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50)
        let composition = Fixture.videoComposition(of: asset, [layer(asset.tracks[0])])
        let instruction = try XCTUnwrap(composition.instructions.first as? AVMutableVideoCompositionInstruction)
        instruction.timeRange = Fixture.range(0, 5)
        let (reader, output) = try fixture.reader(of: asset, composition)
        XCTAssertFalse(reader.startReading())
        XCTAssertEqual((reader.error as? AVError)?.code, .invalidVideoComposition)
        XCTAssertNil(output.copyNextSampleBuffer())
        let (secondReader, secondOutput) = try fixture.reader(of: asset, composition)
        secondOutput.videoComposition = nil
        XCTAssertFalse(secondReader.startReading())
        XCTAssertEqual((secondReader.error as? AVError)?.code, .invalidVideoComposition)
    }

    func testAnImageGeneratorAppliesItsVideoComposition() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50)
        let hidden = layer(asset.tracks[0])
        hidden.setOpacity(0, at: Fixture.time(5))
        let generator = AVAssetImageGenerator(asset: asset)
        generator.videoComposition = Fixture.videoComposition(of: asset, [hidden])
        generator.maximumSize = CGSize(width: 80, height: 0)
        var actual = CMTime.invalid
        let color = try fixture.color(of: asset)
        for (time, start, expected) in [(9, 4, color), (11, 5, [0, 0, 0, 255])] as [(Int64, Int64, [UInt8])] {
            let image = try generator.copyCGImage(at: Fixture.time(time, 60), actualTime: &actual)
            XCTAssertEqual(actual, Fixture.time(start))
            XCTAssertEqual([image.width, image.height], [80, 60])
            XCTAssertEqual(image.pixelBuffer.pixel(40, 30), expected)
        }
        generator.requestedTimeToleranceBefore = .zero
        XCTAssertThrowsError(try generator.copyCGImage(at: Fixture.time(10), actualTime: nil))
        generator.videoComposition = nil
        XCTAssertEqual(try generator.copyCGImage(at: Fixture.time(9), actualTime: nil).width, 80)
    }
}
