import CaptureHAL
import Foundation
import MediaTypes
import QuartzCore
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Tests video compositions that render Core Animation layers into their frames.
final class AnimationToolTests: XCTestCase {
    private typealias Fixture = CompositionFixture

    private let blue: [UInt8] = [255, 0, 0, 255]
    private let black: [UInt8] = [0, 0, 0, 255]

    /// The layers of a tool: the whole frame, the video, and a blue box of 20x20 pixels in the lower left corner.
    private struct Layers {
        let root = CALayer()
        let video = CALayer()
        let box = CALayer()

        init() {
            root.frame = CGRect(x: 0, y: 0, width: 160, height: 120)
            video.frame = root.frame
            box.frame = CGRect(x: 0, y: 0, width: 20, height: 20)
            box.backgroundColor = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
            root.addSublayer(video)
            root.addSublayer(box)
        }

        var tool: AVVideoCompositionCoreAnimationTool {
            AVVideoCompositionCoreAnimationTool(postProcessingAsVideoLayer: video, in: root)
        }
    }

    private func animation(_ keyPath: String, from: Double, to: Double) -> CABasicAnimation {
        let animation = CABasicAnimation(keyPath: keyPath)
        (animation.fromValue, animation.toValue) = (from, to)
        (animation.beginTime, animation.duration) = (AVCoreAnimationBeginTimeAtZero, 10.0 / 30)
        animation.isRemovedOnCompletion = false
        animation.fillMode = .both
        return animation
    }

    private func composition(of asset: AVAsset, _ tool: AVVideoCompositionCoreAnimationTool)
        -> AVMutableVideoComposition
    {
        let layers = asset.tracks.map { AVMutableVideoCompositionLayerInstruction(assetTrack: $0) }
        let composition = Fixture.videoComposition(of: asset, layers)
        composition.animationTool = tool
        return composition
    }

    private func assertNear(
        _ pixel: [UInt8], _ expected: [UInt8], _ tolerance: Int = 1, _ message: String = "", line: UInt = #line
    ) {
        let isNear = zip(pixel, expected).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
        XCTAssertTrue(isNear, "\(pixel) is not near \(expected) \(message)", line: line)
    }

    func testLayersMoveAndFadeAtTheTimesOfTheFrames() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50)
        let color = try fixture.color(of: asset)
        let layers = Layers()
        layers.box.add(animation("position.x", from: 20, to: 100), forKey: nil)
        let fading = CALayer()
        fading.frame = CGRect(x: 140, y: 100, width: 20, height: 20)
        fading.backgroundColor = .white
        fading.add(animation("opacity", from: 0, to: 1), forKey: nil)
        layers.root.addSublayer(fading)
        let frames = try fixture.frames(of: asset, composition(of: asset, layers.tool))
        XCTAssertEqual(frames.count, 10)
        for (index, sample) in frames.enumerated() {
            let frame = try XCTUnwrap(sample.imageBuffer)
            XCTAssertEqual(CVPixelBufferGetPixelFormatType(frame), kCVPixelFormatType_32BGRA)
            // The box is 10 to 30 pixels from the left at first, and at the bottom.
            let left = 10 + 8 * index
            for (x, y, expected) in [
                (left, 119, blue), (left + 19, 100, blue), (left - 1, 119, color), (left + 20, 119, color),
                (left, 99, color), (80, 50, color),
            ] { assertNear(frame.pixel(x, y), expected, index == 0 ? 0 : 1, "at \(x), \(y) of frame \(index)") }
            let white = Double(index) / 10
            let mixed = color.map { UInt8((Double($0) + (255 - Double($0)) * white).rounded()) }
            assertNear(frame.pixel(150, 10), mixed, 1, "frame \(index)")
            XCTAssertEqual(frame.pixel(139, 10), color)
        }
        // Animations run on the time of the movie, even if only a part of it is read.
        let part = try fixture.frames(of: asset, composition(of: asset, layers.tool), Fixture.range(6, 8))
        assertNear(try XCTUnwrap(part.first?.imageBuffer).pixel(58, 119), blue)
        assertNear(try XCTUnwrap(part.first?.imageBuffer).pixel(57, 119), color)
        fixture.base.assertNoMisuse()
    }

    func testEachVideoLayerShowsTheFramesInItsRectangle() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50, frameCount: 2)
        let color = try fixture.color(of: asset)
        let root = CALayer()
        root.frame = CGRect(x: 0, y: 0, width: 160, height: 120)
        let (large, small) = (CALayer(), CALayer())
        large.frame = CGRect(x: 80, y: 0, width: 80, height: 60)
        small.frame = CGRect(x: 10, y: 100, width: 16, height: 12)
        small.opacity = 0.5
        root.addSublayer(large)
        root.addSublayer(small)
        let tool = AVVideoCompositionCoreAnimationTool(postProcessingAsVideoLayers: [large, small], in: root)
        let frame = try XCTUnwrap(try fixture.frames(of: asset, composition(of: asset, tool)).last?.imageBuffer)
        for (x, y, expected) in [
            (80, 60, color), (159, 119, color), (79, 119, black), (159, 59, black), (0, 0, black),
            (10, 8, color.dropLast().map { $0 / 2 } + [255]), (25, 19, color.dropLast().map { $0 / 2 } + [255]),
            (26, 19, black), (25, 20, black), (10, 7, black),
        ] { assertNear(frame.pixel(x, y), expected, 1, "at \(x), \(y)") }
        // The layers of the client keep their contents.
        XCTAssertNil(large.contents)
    }

    func testAFlippedRootHasItsOriginAtTheTop() throws {
        let fixture = try Fixture()
        let asset = try fixture.colorfulMovie("a.mov", frameCount: 1)
        let sourceFrames = try asset.samples(.video, [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
        let source = try XCTUnwrap(sourceFrames.first?.imageBuffer)
        let layers = Layers()
        layers.root.isGeometryFlipped = true
        let frames = try fixture.frames(of: asset, composition(of: asset, layers.tool))
        let frame = try XCTUnwrap(frames.first?.imageBuffer)
        XCTAssertEqual(frame.pixel(0, 0), blue)
        XCTAssertEqual(frame.pixel(19, 19), blue)
        // The video is upright, and its pixels are those of the movie.
        for (x, y) in [(20, 0), (0, 20), (159, 0), (77, 43), (0, 119), (159, 119)] {
            XCTAssertEqual(frame.pixel(x, y), source.pixel(x, y), "\(x), \(y)")
        }
    }

    func testALayerCanBeATrackOfTheComposition() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50)
        let color = try fixture.color(of: asset)
        let box = CALayer()
        box.frame = CGRect(x: 20, y: 0, width: 40, height: 20)
        box.backgroundColor = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
        box.add(animation("position.x", from: 40, to: 120), forKey: nil)
        let id = fixture.system.run { asset.unusedTrackID() }
        let overlay = AVMutableVideoCompositionLayerInstruction()
        overlay.trackID = id
        overlay.setOpacityRamp(fromStartOpacity: 0, toEndOpacity: 1, timeRange: Fixture.range(0, 10))
        overlay.setCropRectangle(CGRect(x: 0, y: 110, width: 160, height: 10), at: .zero)
        overlay.setTransform(CGAffineTransform(translationX: 0, y: -110), at: .zero)
        let movie = AVMutableVideoCompositionLayerInstruction(assetTrack: try XCTUnwrap(asset.tracks.first))
        let composition = Fixture.videoComposition(of: asset, [overlay, movie])
        let range = CMTimeRange(start: .zero, duration: asset.duration)
        XCTAssertFalse(composition.isValid(for: asset, timeRange: range, validationDelegate: nil))
        composition.animationTool = AVVideoCompositionCoreAnimationTool(additionalLayer: box, asTrackID: id)
        XCTAssertTrue(composition.isValid(for: asset, timeRange: range, validationDelegate: nil))
        for (index, sample) in try fixture.frames(of: asset, composition).enumerated() {
            let frame = try XCTUnwrap(sample.imageBuffer)
            let opacity = Double(index) / 10
            let mixed = zip(color, blue).map { UInt8((Double($0) * (1 - opacity) + Double($1) * opacity).rounded()) }
            let left = 20 + 8 * index
            for (x, y, expected) in [
                (left, 0, mixed), (left + 39, 9, mixed), (left - 1, 0, color), (left + 40, 9, color),
                (left, 10, color), (left, 119, color),
            ] { assertNear(frame.pixel(x, y), expected, 1, "at \(x), \(y) of frame \(index)") }
        }
        // The layer is not visible behind the movie.
        composition.instructions = Fixture.videoComposition(of: asset, [movie, overlay]).instructions
        let covered = try fixture.frames(of: asset, composition)
        XCTAssertEqual(try XCTUnwrap(covered.last?.imageBuffer).pixel(100, 5), color)
    }

    func testInstructionsCanSkipTheTool() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50)
        let composition = composition(of: asset, Layers().tool)
        let instruction = try XCTUnwrap(composition.instructions.first as? AVMutableVideoCompositionInstruction)
        let second = try XCTUnwrap(instruction.mutableCopy() as? AVMutableVideoCompositionInstruction)
        (instruction.timeRange, second.timeRange) = (Fixture.range(0, 4), Fixture.range(4, 10))
        second.enablePostProcessing = false
        composition.instructions = [instruction, second]
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let frames = try fixture.frames(of: asset, composition, nil, [kCVPixelBufferPixelFormatTypeKey: format])
        let dark = try frames.map { sample in
            let pixels = try XCTUnwrap(sample.imageBuffer)
            XCTAssertEqual(CVPixelBufferGetPixelFormatType(pixels), format)
            return pixels.bytes[110 * 160 + 5] < 60
        }
        XCTAssertEqual(dark, (0..<10).map { $0 < 4 })
    }

    /// Finishes each request with the frame of track 77, which is the track of a layer.
    private final class TrackCompositor: NSObject, AVVideoCompositing {
        let sourcePixelBufferAttributes: [String: any Sendable]? = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA
        ]
        let requiredPixelBufferAttributesForRenderContext: [String: any Sendable] = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA
        ]

        func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}

        func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
            guard let frame = request.sourceFrame(byTrackID: 77) else {
                return request.finish(with: AVError(.unknown, "no frame"))
            }
            request.finish(withComposedVideoFrame: frame)
        }
    }

    func testACustomCompositorReceivesTheRenderedLayerAsASourceFrame() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50, frameCount: 1)
        let box = CALayer()
        box.frame = CGRect(x: 0, y: 0, width: 20, height: 20)
        box.backgroundColor = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
        let overlay = AVMutableVideoCompositionLayerInstruction()
        overlay.trackID = 77
        let composition = Fixture.videoComposition(of: asset, [overlay])
        composition.customVideoCompositorClass = TrackCompositor.self
        composition.animationTool = AVVideoCompositionCoreAnimationTool(additionalLayer: box, asTrackID: 77)
        let frame = try XCTUnwrap(try fixture.frames(of: asset, composition).first?.imageBuffer)
        XCTAssertEqual(frame.pixel(19, 100), blue)
        XCTAssertEqual(frame.pixel(19, 99), [0, 0, 0, 0])
    }

    func testCoreImageHandlersAndImageGeneratorsUseTheTool() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50, frameCount: 2)
        let filtered = fixture.system.run {
            AVMutableVideoComposition(asset: asset) { $0.finish(with: $0.sourceImage, context: nil) }
        }
        filtered.animationTool = Layers().tool
        let frame = try XCTUnwrap(try fixture.frames(of: asset, filtered).first?.imageBuffer)
        XCTAssertEqual(frame.pixel(0, 119), blue)
        let generator = AVAssetImageGenerator(asset: asset)
        generator.videoComposition = composition(of: asset, Layers().tool)
        let image = try generator.copyCGImage(at: .zero, actualTime: nil)
        XCTAssertEqual(image.pixelBuffer.pixel(0, 119), blue)
        XCTAssertNotEqual(image.pixelBuffer.pixel(80, 60), blue)
    }

    func testCopiesKeepTheTool() throws {
        let tool = Layers().tool
        let composition = AVMutableVideoComposition()
        XCTAssertNil(composition.animationTool)
        composition.animationTool = tool
        XCTAssertTrue((composition.copy() as? AVVideoComposition)?.animationTool === tool)
        XCTAssertTrue((composition.mutableCopy() as? AVMutableVideoComposition)?.animationTool === tool)
    }

    // recipe: animated-title
    /// Returns a composition with a title in the upper half that fades out after half a second.
    private func titled(_ asset: AVAsset, _ text: String) -> AVVideoComposition {
        let composition = AVMutableVideoComposition(propertiesOf: asset)
        let size = composition.renderSize
        let (parent, video, title) = (CALayer(), CALayer(), CATextLayer())
        parent.frame = CGRect(origin: .zero, size: size)
        video.frame = parent.frame
        title.frame = CGRect(x: 0, y: size.height / 2, width: size.width, height: size.height / 2)
        (title.string, title.fontSize, title.alignmentMode) = (text, size.height / 3, .center)

        let fade = CABasicAnimation(keyPath: "opacity")
        (fade.fromValue, fade.toValue) = (1, 0)
        (fade.beginTime, fade.duration) = (0.5, 0.25)
        fade.fillMode = .forwards
        fade.isRemovedOnCompletion = false
        title.add(fade, forKey: "fade")

        parent.addSublayer(video)
        parent.addSublayer(title)
        composition.animationTool = AVVideoCompositionCoreAnimationTool(postProcessingAsVideoLayer: video, in: parent)
        return composition
    }
    // end

    func testAnExportContainsATitleThatFadesOut() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie("a.mov", red: 20, green: 40, blue: 60, frameCount: 30)
        let video = fixture.system.run { titled(asset, "MMMM") }
        let session = try fixture.base.export(asset, AVAssetExportPresetHighestQuality, "out.mov") {
            $0.videoComposition = video
        }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        let settings = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        let frames = try fixture.base.asset("out.mov").samples(.video, settings)
        XCTAssertEqual(frames.count, 30)
        /// Returns the highest green values of the upper half and the lower half.
        func brightest(_ index: Int) throws -> (above: UInt8, below: UInt8) {
            let pixels = try XCTUnwrap(frames[index].imageBuffer)
            let rows = [0..<58, 62..<120].map { rows in
                rows.flatMap { y in (0..<160).map { pixels.pixel($0, y)[1] } }.max() ?? 0
            }
            return (rows[0], rows[1])
        }
        XCTAssertGreaterThan(try brightest(0).above, 220)
        XCTAssertGreaterThan(try brightest(14).above, 220)
        XCTAssertLessThan(try brightest(0).below, 60)
        let half = try brightest(19).above
        XCTAssertTrue((90...190).contains(half), "\(half)")
        XCTAssertLessThan(try brightest(24).above, 60)
    }
}
