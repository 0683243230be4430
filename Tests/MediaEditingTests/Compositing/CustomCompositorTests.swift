import CaptureHAL
import Dispatch
import Foundation
import ImageTypes
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

final class CustomCompositorTests: XCTestCase {
    private typealias Fixture = CompositionFixture

    /// An instruction with a parameter for the compositor: the width of a stripe in pixels.
    private final class StripeInstruction: NSObject, AVVideoCompositionInstructionProtocol {
        let timeRange: CMTimeRange
        let enablePostProcessing = false
        let containsTweening = false
        let requiredSourceTrackIDs: [NSValue]?
        let passthroughTrackID: CMPersistentTrackID
        let stripeWidth: Int

        init(
            _ range: CMTimeRange, _ tracks: [CMPersistentTrackID]?, stripeWidth: Int,
            passthrough: CMPersistentTrackID = 0
        ) {
            timeRange = range
            requiredSourceTrackIDs = tracks.map { $0.map { NSNumber(value: $0) } }
            passthroughTrackID = passthrough
            self.stripeWidth = stripeWidth
        }
    }

    /// Draws the frame of track 1 with a stripe of track 2 at its left edge, on a private queue.
    private final class StripeCompositor: NSObject, AVVideoCompositing {
        let sourcePixelBufferAttributes: [String: any Sendable]? = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA
        ]
        let requiredPixelBufferAttributesForRenderContext: [String: any Sendable] = [
            kCVPixelBufferPixelFormatTypeKey: [kCVPixelFormatType_32BGRA]
        ]
        private let queue = DispatchQueue(label: "stripes")
        let contexts = Lock<[CGSize]>([])
        let hints = Lock<[CMTime]>([])
        let sources = Lock<[[Int32]]>([])

        func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {
            contexts.withLock { $0.append(newRenderContext.size) }
        }

        func anticipateRendering(using renderHint: AVVideoCompositionRenderHint) {
            hints.withLock { $0.append(renderHint.startCompositionTime) }
        }

        func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
            sources.withLock { $0.append(request.sourceTrackIDs.map(\.int32Value)) }
            queue.async {
                guard let instruction = request.videoCompositionInstruction as? StripeInstruction,
                    let frame = request.renderContext.newPixelBuffer(), let first = request.sourceFrame(byTrackID: 1)
                else { return request.finish(with: CocoaError(.coderReadCorrupt)) }
                guard let second = request.sourceFrame(byTrackID: 2) else {
                    return request.finish(withComposedVideoFrame: first)
                }
                frame.fill { x, y in (x < instruction.stripeWidth ? second : first).pixel(x, y) }
                request.finish(withComposedVideoFrame: frame)
            }
        }
    }

    private func asset(_ fixture: CompositionFixture) throws -> AVMutableComposition {
        try fixture.composition(of: [
            try fixture.movie("a.mov", red: 200, green: 100, blue: 50, frameCount: 6),
            try fixture.movie("b.mov", red: 20, green: 30, blue: 240, frameCount: 6),
        ])
    }

    private func composition(_ instructions: [StripeInstruction]) -> AVMutableVideoComposition {
        let composition = AVMutableVideoComposition()
        composition.customVideoCompositorClass = StripeCompositor.self
        composition.renderSize = CGSize(width: 160, height: 120)
        composition.frameDuration = Fixture.time(1)
        composition.instructions = instructions
        return composition
    }

    func testACustomCompositorReceivesTheRequiredSourcesAndItsInstruction() throws {
        let fixture = try Fixture()
        let asset = try asset(fixture)
        let composition = composition([
            StripeInstruction(Fixture.range(0, 2), nil, stripeWidth: 50),
            StripeInstruction(Fixture.range(2, 4), [1], stripeWidth: 0),
            StripeInstruction(Fixture.range(4, 6), [1], stripeWidth: 0, passthrough: 2),
        ])
        let (reader, output) = try fixture.reader(of: asset, composition)
        let compositor = try XCTUnwrap(output.customVideoCompositor as? StripeCompositor)
        output.videoComposition = composition
        XCTAssertTrue(output.customVideoCompositor === compositor)
        XCTAssertTrue(reader.startReading(), "\(String(describing: reader.error))")
        let frames = try output.drain().map { try XCTUnwrap($0.imageBuffer) }
        XCTAssertEqual(reader.status, .completed, "\(String(describing: reader.error))")
        let left = frames.map { $0.pixel(49, 7) }
        let right = frames.map { $0.pixel(50, 7) }
        let first = try XCTUnwrap(right.first)
        let second = try XCTUnwrap(left.first)
        XCTAssertNotEqual(first, second)
        XCTAssertEqual(left, [second, second, first, first, second, second])
        XCTAssertEqual(right, [first, first, first, first, second, second])
        XCTAssertEqual(compositor.contexts.withLock { $0 }, [CGSize(width: 160, height: 120)])
        XCTAssertEqual(compositor.hints.withLock { $0 }, (0..<6).map { Fixture.time($0) })
        XCTAssertEqual(compositor.sources.withLock { $0 }, [[1, 2], [1, 2], [1], [1]])
    }

    /// A compositor that fails each request.
    private final class FailingCompositor: NSObject, AVVideoCompositing {
        var sourcePixelBufferAttributes: [String: Any]? {
            [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        }
        var requiredPixelBufferAttributesForRenderContext: [String: Any] {
            [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        }

        func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}
        func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
            request.finish(with: CocoaError(.userCancelled))
            request.finishCancelledRequest()
        }
    }

    func testAFailedRequestFailsTheReaderWithItsCause() throws {
        let fixture = try Fixture()
        let asset = try asset(fixture)
        let composition = composition([StripeInstruction(Fixture.range(0, 6), [1], stripeWidth: 0)])
        composition.customVideoCompositorClass = FailingCompositor.self
        let (reader, output) = try fixture.reader(of: asset, composition)
        XCTAssertTrue(reader.startReading())
        XCTAssertNil(output.copyNextSampleBuffer())
        XCTAssertEqual(reader.status, .failed)
        let cause = (reader.error as? AVError)?.userInfo[NSUnderlyingErrorKey] as? CocoaError
        XCTAssertEqual(cause?.code, .userCancelled)
    }

    func testACustomInstructionWithoutACompositorFails() throws {
        let fixture = try Fixture()
        let asset = try asset(fixture)
        let composition = composition([StripeInstruction(Fixture.range(0, 6), [1], stripeWidth: 0)])
        composition.customVideoCompositorClass = nil
        let (reader, output) = try fixture.reader(of: asset, composition)
        XCTAssertTrue(reader.startReading())
        XCTAssertNil(output.copyNextSampleBuffer())
        XCTAssertEqual((reader.error as? AVError)?.code, .invalidVideoComposition)
    }

    func testAHandlerFiltersUprightFrames() throws {
        let fixture = try Fixture()
        let asset = try fixture.movie(
            "a.mov", red: 200, green: 100, blue: 50, frameCount: 4,
            transform: CGAffineTransform(0, 1, -1, 0, 120, 0))
        let color = try fixture.color(of: asset)
        let times = Lock<[CMTime]>([])
        let composition = fixture.system.run {
            AVVideoComposition(asset: asset) { request in
                times.withLock { $0.append(request.compositionTime) }
                let source = request.sourceImage
                XCTAssertEqual(source.extent, CGRect(x: 0, y: 0, width: 120, height: 160))
                guard request.compositionTime < Fixture.time(3) else {
                    return request.finish(with: AVError(.contentIsNotAuthorized))
                }
                // The y axis points up: the top 40 rows of the frame.
                request.finish(with: source.cropped(to: CGRect(x: 10, y: 120, width: 50, height: 40)), context: nil)
            }
        }
        XCTAssertEqual(composition.renderSize, CGSize(width: 120, height: 160))
        let (reader, output) = try fixture.reader(of: asset, composition)
        XCTAssertTrue(reader.startReading())
        let frames = try output.drain().map { try XCTUnwrap($0.imageBuffer) }
        XCTAssertEqual(frames.count, 3)
        XCTAssertEqual(times.withLock { $0 }, (0..<4).map { Fixture.time($0) })
        XCTAssertEqual((reader.error as? AVError)?.code, .contentIsNotAuthorized)
        let frame = try XCTUnwrap(frames.first)
        let black: [UInt8] = [0, 0, 0, 255]
        for (x, y, expected) in [
            (10, 0, color), (59, 39, color), (9, 0, black), (60, 39, black), (59, 40, black), (0, 159, black),
        ] { XCTAssertEqual(frame.pixel(x, y), expected, "\(x), \(y)") }
    }
}
