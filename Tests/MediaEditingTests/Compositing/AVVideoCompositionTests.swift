import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets
@testable import MediaEditing

final class AVVideoCompositionTests: XCTestCase {
    private typealias Fixture = CompositionFixture

    func testRampsAreFoundByTime() throws {
        let layer = AVMutableVideoCompositionLayerInstruction()
        var (start, end, range): (Float, Float, CMTimeRange) = (-1, -1, .invalid)
        func findRamp(_ time: Int64) -> Bool {
            layer.getOpacityRamp(for: Fixture.time(time), startOpacity: &start, endOpacity: &end, timeRange: &range)
        }
        XCTAssertFalse(findRamp(0))
        layer.setOpacity(0.25, at: Fixture.time(2))
        layer.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0.5, timeRange: Fixture.range(4, 8))
        XCTAssertFalse(findRamp(1))
        XCTAssertTrue(findRamp(3))
        XCTAssertEqual([start, end], [0.25, 0.25])
        XCTAssertEqual(range, Fixture.range(2, 4))
        XCTAssertTrue(findRamp(7))
        XCTAssertEqual([start, end], [1, 0.5])
        XCTAssertEqual(range, Fixture.range(4, 8))
        XCTAssertFalse(findRamp(8))
        let opacity = layer.state.withLock { $0.opacity }
        XCTAssertEqual(
            [0, 2, 3, 4, 6, 8, 20].map { opacity.value(at: Fixture.time($0)) }, [1, 0.25, 0.25, 1, 0.75, 0.5, 0.5])
        layer.setOpacity(0.75, at: Fixture.time(2))
        XCTAssertTrue(findRamp(2))
        XCTAssertEqual(start, 0.75)
        XCTAssertTrue(layer.getOpacityRamp(for: Fixture.time(2), startOpacity: nil, endOpacity: nil, timeRange: nil))
    }

    func testTransformsAndCropRectanglesHaveRamps() {
        let layer = AVMutableVideoCompositionLayerInstruction()
        let (first, last) = (CGAffineTransform(scaleX: 2, y: 1), CGAffineTransform(scaleX: 4, y: 3))
        layer.setTransformRamp(fromStart: first, toEnd: last, timeRange: Fixture.range(0, 10))
        var (start, end, range) = (CGAffineTransform(), CGAffineTransform(), CMTimeRange.invalid)
        XCTAssertTrue(layer.getTransformRamp(for: Fixture.time(9), start: &start, end: &end, timeRange: &range))
        XCTAssertEqual([start, end], [first, last])
        XCTAssertEqual(range, Fixture.range(0, 10))
        let state = layer.state.withLock { $0 }
        XCTAssertEqual(state.transform.value(at: Fixture.time(5)), CGAffineTransform(scaleX: 3, y: 2))
        XCTAssertTrue(state.crop.value(at: .zero).isInfinite)
        layer.setCropRectangle(CGRect(x: 1, y: 2, width: 3, height: 4), at: .zero)
        var (from, to) = (CGRect.zero, CGRect.zero)
        XCTAssertTrue(
            layer.getCropRectangleRamp(
                for: Fixture.time(100), startCropRectangle: &from, endCropRectangle: &to, timeRange: &range))
        XCTAssertEqual(from, CGRect(x: 1, y: 2, width: 3, height: 4))
        XCTAssertEqual(range.duration, .positiveInfinity)
    }

    func testOverlappingAndEmptyRampsAreMisuse() throws {
        let fixture = try AssetWriterFixture()
        let layer = AVMutableVideoCompositionLayerInstruction()
        layer.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: Fixture.range(0, 4))
        for range in [Fixture.range(3, 5), Fixture.range(6, 6), .invalid] {
            fixture.assertMisuse(.invalidArgument, "must not overlap") {
                layer.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: range)
            }
        }
        fixture.assertMisuse(.invalidArgument, "must be numeric") { layer.setOpacity(0, at: .invalid) }
        layer.setOpacityRamp(fromStartOpacity: 0, toEndOpacity: 1, timeRange: Fixture.range(4, 5))
        fixture.assertNoMisuse()
    }

    func testCopiesDoNotChangeWithTheOriginal() throws {
        let layer = AVMutableVideoCompositionLayerInstruction()
        layer.trackID = 3
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = Fixture.range(0, 4)
        instruction.layerInstructions = [layer]
        let composition = AVMutableVideoComposition()
        composition.renderSize = CGSize(width: 10, height: 10)
        composition.frameDuration = Fixture.time(1)
        composition.instructions = [instruction]
        let copy = try XCTUnwrap(composition.copy() as? AVVideoComposition)
        composition.renderSize = .zero
        instruction.timeRange = Fixture.range(0, 9)
        layer.trackID = 4
        XCTAssertFalse(copy is AVMutableVideoComposition)
        XCTAssertEqual(copy.renderSize, CGSize(width: 10, height: 10))
        let copied = try XCTUnwrap(copy.instructions.first as? AVVideoCompositionInstruction)
        XCTAssertEqual(copied.timeRange, Fixture.range(0, 4))
        XCTAssertEqual(copied.layerInstructions.first?.trackID, 3)
        XCTAssertTrue(copy.mutableCopy() is AVMutableVideoComposition)
        XCTAssertFalse(copied.containsTweening)
        layer.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: Fixture.range(0, 1))
        XCTAssertTrue(instruction.containsTweening)
    }

    /// Records the errors that validation reports, with times in thirtieths of a second.
    private final class RecordingDelegate: NSObject, AVVideoCompositionValidationHandling {
        var found: [String] = []
        var continues = true

        func videoComposition(
            _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
        ) -> Bool {
            found.append(key)
            return continues
        }

        func videoComposition(
            _ videoComposition: AVVideoComposition,
            shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: CMTimeRange
        ) -> Bool {
            found.append("empty \(timeRange.start.seconds * 30)-\(timeRange.end.seconds * 30)")
            return continues
        }

        func videoComposition(
            _ videoComposition: AVVideoComposition,
            shouldContinueValidatingAfterFindingInvalidTimeRangeIn instruction:
                any AVVideoCompositionInstructionProtocol
        ) -> Bool {
            found.append("range at \(instruction.timeRange.start.seconds * 30)")
            return continues
        }

        func videoComposition(
            _ videoComposition: AVVideoComposition,
            shouldContinueValidatingAfterFindingInvalidTrackIDIn instruction:
                any AVVideoCompositionInstructionProtocol,
            layerInstruction: AVVideoCompositionLayerInstruction, asset: AVAsset
        ) -> Bool {
            found.append("track \(layerInstruction.trackID)")
            return continues
        }
    }

    func testValidationReportsEachErrorUntilTheDelegateStops() throws {
        let fixture = try CompositionFixture()
        let asset = try fixture.movie("a.mov", red: 200, green: 100, blue: 50)
        let composition = AVMutableVideoComposition()
        let ranges: [(Int64, Int64)] = [(0, 2), (3, 6), (5, 8)]
        composition.instructions = ranges.map { (start, end) in
            let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: asset.tracks[0])
            if start == 3 { layer.trackID = 99 }
            let instruction = AVMutableVideoCompositionInstruction()
            instruction.timeRange = Fixture.range(start, end)
            instruction.layerInstructions = [layer]
            return instruction
        }
        let unlimited = CMTimeRange(start: .zero, duration: .positiveInfinity)
        let delegate = RecordingDelegate()
        XCTAssertFalse(composition.isValid(for: asset, timeRange: unlimited, validationDelegate: delegate))
        XCTAssertEqual(
            delegate.found,
            ["frameDuration", "renderSize", "empty 2.0-3.0", "track 99", "range at 5.0", "empty 8.0-10.0"])
        delegate.found = []
        delegate.continues = false
        XCTAssertFalse(composition.isValid(for: nil, timeRange: unlimited, validationDelegate: delegate))
        XCTAssertEqual(delegate.found, ["frameDuration"])
        composition.frameDuration = Fixture.time(1)
        composition.renderSize = CGSize(width: 10, height: 10)
        XCTAssertTrue(composition.isValid(for: asset, timeRange: Fixture.range(0, 2), validationDelegate: nil))
        XCTAssertTrue(
            composition.isValid(
                for: asset.tracks, assetDuration: .invalid, timeRange: Fixture.range(6, 8), validationDelegate: nil))
        XCTAssertFalse(composition.isValid(for: asset, timeRange: Fixture.range(1, 4), validationDelegate: nil))
    }

    func testPropertiesOfSeveralTracksHaveTheEnclosingSizeAndTheHighestFrameRate() throws {
        let fixture = try CompositionFixture()
        let wideAsset = try fixture.movie("a.mov", red: 200, green: 0, blue: 0, width: 320, height: 120)
        let fastAsset = try fixture.numberedMovie("b.mov", 60, framesPerSecond: 60)
        let asset = try fixture.composition(of: [wideAsset, fastAsset])
        let composition = fixture.system.run { AVVideoComposition(propertiesOf: asset) }
        XCTAssertEqual(composition.sourceTrackIDForFrameTiming, kCMPersistentTrackID_Invalid)
        XCTAssertEqual(composition.frameDuration, Fixture.time(1, 60))
        XCTAssertEqual(composition.renderSize, CGSize(width: 320, height: 120))
        let instructions = composition.instructions.compactMap { $0 as? AVVideoCompositionInstruction }
        XCTAssertEqual(instructions.map(\.timeRange), [Fixture.range(0, 10), Fixture.range(10, 30)])
        XCTAssertEqual(instructions.map { $0.layerInstructions.map(\.trackID) }, [[1, 2], [2]])
        XCTAssertTrue(
            composition.isValid(
                for: asset, timeRange: CMTimeRange(start: .zero, duration: .positiveInfinity), validationDelegate: nil))
        XCTAssertEqual(asset.unusedTrackID(), 3)
        let prototype = AVMutableVideoCompositionInstruction()
        prototype.backgroundColor = .white
        let colored = AVMutableVideoComposition(propertiesOf: asset, prototypeInstruction: prototype)
        XCTAssertEqual(
            colored.instructions.map { ($0 as? AVVideoCompositionInstruction)?.backgroundColor }, [.white, .white])
        XCTAssertEqual([wideAsset.tracks[0], fastAsset.tracks[0]].enclosingSize, CGSize(width: 320, height: 240))
    }
}
