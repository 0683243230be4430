import AssetTypes
import CaptureHAL
import Foundation
import KeyValueObserving
import MediaTypes
import QuartzCore
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerLayerTests: XCTestCase {
    /// Renders a layer into a buffer of its size.
    private func render(_ layer: CALayer) throws -> CVPixelBuffer {
        let (width, height) = (Int(layer.bounds.width), Int(layer.bounds.height))
        let context = try XCTUnwrap(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.premultipliedFirst.rawValue))
        context.translateBy(x: 0, y: CGFloat(height))
        context.scaleBy(x: 1, y: -1)
        layer.render(in: context)
        return try XCTUnwrap(context.makeImage()).pixelBuffer
    }

    func testALayerDrawsTheFrameAtTheCurrentTime() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = fixture.system.run { AVPlayer(url: fixture.url) }
        let layer = fixture.system.run { AVPlayerLayer(player: player) }
        layer.bounds = CGRect(x: 0, y: 0, width: 320, height: 240)
        let changes = Lock<[Bool]>([], order: .client)
        let observation = layer.observe(\.isReadyForDisplay) { layer, _ in
            let isReady = layer.isReadyForDisplay
            changes.withLock { $0.append(isReady) }
        }
        XCTAssertFalse(layer.isReadyForDisplay)
        fixture.clock.settle()
        XCTAssertEqual(changes.withLock { $0 }, [true])
        var numbers: [Int?] = []
        player.play()
        for _ in 0..<4 {
            fixture.advance(frames: 5.6)
            numbers.append(PlaybackFixture.number(try render(layer)))
        }
        XCTAssertEqual(numbers, [5, 11, 16, 22])
        withExtendedLifetime(observation) {}
    }

    func testTheGravityFitsTheRotatedVideo() throws {
        let fixture = try PlaybackFixture(
            frameCount: 2, transform: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 240, ty: 0))
        let player = try fixture.makePlayer()
        XCTAssertEqual(player.currentItem?.presentationSize, CGSize(width: 240, height: 320))
        let layer = fixture.system.run { AVPlayerLayer(player: player) }
        layer.bounds = CGRect(x: 0, y: 0, width: 320, height: 320)
        XCTAssertEqual(layer.videoRect, CGRect(x: 40, y: 0, width: 240, height: 320))
        // The layer is transparent to the left and right of the video.
        let buffer = try render(layer)
        func isOpaque(_ x: Int, _ y: Int) -> Bool {
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
            let base = CVPixelBufferGetBaseAddress(buffer)?.assumingMemoryBound(to: UInt8.self)
            return base?[y * CVPixelBufferGetBytesPerRow(buffer) + x * 4 + 3] == 255
        }
        XCTAssertEqual([isOpaque(20, 160), isOpaque(160, 160), isOpaque(300, 160)], [false, true, false])
        layer.videoGravity = .resizeAspectFill
        XCTAssertEqual(layer.videoRect.width, 320)
        XCTAssertEqual(layer.videoRect.height, 320 * 320 / 240, accuracy: 1e-6)
        layer.videoGravity = .resize
        XCTAssertEqual(layer.videoRect, layer.bounds)
        layer.player = nil
        XCTAssertEqual(layer.videoRect, .zero)
        XCTAssertNil(layer.copyDisplayedPixelBuffer())
    }

    func testTheDisplayedBufferIsThatOfAPausedPlayerInTheFormatOfTheLayer() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = try fixture.makePlayer()
        let layer = fixture.system.run { AVPlayerLayer(player: player) }
        player.play()
        fixture.advance(frames: 6)
        XCTAssertNil(layer.copyDisplayedPixelBuffer())
        player.pause()
        let buffer = try XCTUnwrap(layer.copyDisplayedPixelBuffer())
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(buffer), kCVPixelFormatType_32BGRA)
        XCTAssertEqual(PlaybackFixture.number(buffer), 6)
        XCTAssertNil(layer.pixelBufferAttributes)
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        layer.pixelBufferAttributes = [
            kCVPixelBufferPixelFormatTypeKey: format, kCVPixelBufferWidthKey: 160, kCVPixelBufferHeightKey: 120,
        ]
        XCTAssertEqual(layer.pixelBufferAttributes?[kCVPixelBufferWidthKey] as? Int, 160)
        let small = try XCTUnwrap(layer.copyDisplayedPixelBuffer())
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(small), format)
        XCTAssertEqual(CVPixelBufferGetWidth(small), 160)
    }

    func testAnOutputCanReplaceTheFramesOfALayer() throws {
        let fixture = try PlaybackFixture(frameCount: 24)
        let player = try fixture.makePlayer()
        let layer = fixture.system.run { AVPlayerLayer(player: player) }
        let item = try XCTUnwrap(player.currentItem)
        let output = AVPlayerItemVideoOutput()
        item.add(output)
        XCTAssertFalse(output.suppressesPlayerRendering)
        XCTAssertNotNil(layer.copyDisplayedPixelBuffer())
        output.suppressesPlayerRendering = true
        XCTAssertNil(layer.copyDisplayedPixelBuffer())
        XCTAssertNotNil(output.copyPixelBuffer(forItemTime: .zero, itemTimeForDisplay: nil))
        let metadata = AVPlayerItemMetadataOutput()
        metadata.suppressesPlayerRendering = true
        item.remove(output)
        item.add(metadata)
        XCTAssertNotNil(layer.copyDisplayedPixelBuffer())
    }
}
