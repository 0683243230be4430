import AssetTypes
import CaptureHAL
import Foundation
import MediaAssets
import MediaEditing
import MediaTypes
import QuartzCore
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerItemVideoCompositionTests: XCTestCase {
    private func time(_ frame: Int64) -> CMTime { PlaybackFixture.time(frame) }

    /// Creates a composition that shows every eighth frame of the movie, which has 240 frames per second, at 1.5 times
    /// its size.
    private func composition(_ asset: AVAsset) throws -> AVMutableVideoComposition {
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: try XCTUnwrap(asset.tracks.first))
        layer.setTransform(CGAffineTransform(scaleX: 1.5, y: 1.5), at: .zero)
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = CMTimeRange(start: .zero, duration: asset.duration)
        instruction.layerInstructions = [layer]
        let composition = AVMutableVideoComposition()
        composition.renderSize = CGSize(width: 480, height: 360)
        composition.frameDuration = CMTime(value: 1, timescale: 30)
        composition.instructions = [instruction]
        return composition
    }

    func testOutputsShowComposedFramesAtTheirTimes() throws {
        let fixture = try PlaybackFixture()
        let player = try fixture.makePlayer()
        let item = try XCTUnwrap(player.currentItem)
        let output = AVPlayerItemVideoOutput()
        item.add(output)
        XCTAssertEqual(PlaybackFixture.number(output.copyPixelBuffer(forItemTime: time(9), itemTimeForDisplay: nil)), 9)
        item.videoComposition = try composition(item.asset)
        XCTAssertTrue(output.hasNewPixelBuffer(forItemTime: time(9)))
        XCTAssertEqual(item.presentationSize, CGSize(width: 480, height: 360))
        XCTAssertNil(item.customVideoCompositor)
        for (frame, shown) in [(9, 8), (15, 8), (16, 16), (47, 40), (3, 0), (99, 40)] as [(Int64, Int64)] {
            var start = CMTime.invalid
            let buffer = try XCTUnwrap(output.copyPixelBuffer(forItemTime: time(frame), itemTimeForDisplay: &start))
            XCTAssertEqual(start, time(shown))
            XCTAssertEqual(CVPixelBufferGetWidth(buffer), 480)
            XCTAssertEqual(PlaybackFixture.number(buffer), Int(shown))
        }
        player.rate = 1
        fixture.advance(frames: 20)
        XCTAssertEqual(PlaybackFixture.number(item.displayedFrame()), 16)
        player.pause()
        item.step(byCount: 1)
        XCTAssertEqual(item.currentTime(), time(24))
        item.step(byCount: -2)
        XCTAssertEqual(item.currentTime(), time(8))
        item.videoComposition = nil
        XCTAssertEqual(PlaybackFixture.number(item.displayedFrame()), 8)
        XCTAssertEqual(item.presentationSize, CGSize(width: 320, height: 240))
        fixture.media.assertNoMisuse()
    }

    func testACompositionWithAnAnimationToolIsMisuse() throws {
        let fixture = try PlaybackFixture(frameCount: 8)
        let item = try XCTUnwrap(try fixture.makePlayer().currentItem)
        let animated = try composition(item.asset)
        let layer = CALayer()
        animated.animationTool = AVVideoCompositionCoreAnimationTool(postProcessingAsVideoLayer: layer, in: layer)
        fixture.media.assertMisuse(.invalidArgument, "animation tool") { item.videoComposition = animated }
        XCTAssertNil(item.videoComposition)
    }

    func testAnInvalidCompositionFailsTheItem() throws {
        let fixture = try PlaybackFixture(frameCount: 8)
        let player = try fixture.makePlayer()
        let item = try XCTUnwrap(player.currentItem)
        let broken = try composition(item.asset)
        broken.instructions = []
        item.videoComposition = broken
        XCTAssertNil(item.displayedFrame())
        fixture.clock.settle()
        XCTAssertEqual(item.status, .failed)
        XCTAssertEqual((item.error as? AVError)?.code, .invalidVideoComposition)
    }
}
