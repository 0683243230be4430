import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Movies of one color and of numbered frames, and compositions of them.
struct CompositionFixture {
    let base: AssetWriterFixture

    init() throws { base = try AssetWriterFixture() }

    var system: CaptureSystem { base.system }

    static func time(_ value: Int64, _ timescale: CMTimeScale = 30) -> CMTime {
        CMTime(value: value, timescale: timescale)
    }

    static func range(_ start: Int64, _ end: Int64, _ timescale: CMTimeScale = 30) -> CMTimeRange {
        CMTimeRange(start: time(start, timescale), end: time(end, timescale))
    }

    /// Writes a movie of the pixel buffers that `frame` returns for the frame numbers.
    private func write(
        _ name: String, _ frameCount: Int, width: Int, height: Int, framesPerSecond: CMTimeScale = 30,
        _ transform: CGAffineTransform = .identity, _ frame: (Int) throws -> CVPixelBuffer
    ) throws -> AVAsset {
        let writer = try base.makeWriter(name)
        let input = base.makeVideoInput(width: width, height: height)
        input.transform = transform
        writer.add(input)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        for number in 0..<frameCount {
            let pixels = try frame(number)
            let timing = CMSampleTimingInfo(
                duration: Self.time(1, framesPerSecond),
                presentationTimeStamp: Self.time(Int64(number), framesPerSecond), decodeTimeStamp: .invalid)
            input.append(
                try CMSampleBuffer(
                    imageBuffer: pixels, formatDescription: CMFormatDescription(imageBuffer: pixels),
                    sampleTiming: timing))
        }
        base.finish(writer)
        return system.run { AVURLAsset(url: base.url(name)) }
    }

    /// Writes a movie of one color.
    func movie(
        _ name: String, red: UInt8, green: UInt8, blue: UInt8, frameCount: Int = 10, width: Int = 160,
        height: Int = 120, transform: CGAffineTransform = .identity
    ) throws -> AVAsset {
        try write(name, frameCount, width: width, height: height, transform) { _ in
            let pixels = try XCTUnwrap(
                CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA))
            pixels.fill { _, _ in [blue, green, red, 255] }
            return pixels
        }
    }

    /// Writes a movie of saturated colors that change from pixel to pixel and from frame to frame.
    func colorfulMovie(_ name: String, frameCount: Int) throws -> AVAsset {
        try write(name, frameCount, width: 160, height: 120) { number in
            let pixels = try XCTUnwrap(CVPixelBuffer(width: 160, height: 120, pixelFormat: kCVPixelFormatType_32BGRA))
            pixels.fill { x, y in
                [
                    UInt8(truncatingIfNeeded: 7 * x + 50 * number), UInt8(2 * y), UInt8(truncatingIfNeeded: 3 * x * y),
                    255,
                ]
            }
            return pixels
        }
    }

    /// Writes a movie of numbered frames.
    func numberedMovie(_ name: String, _ count: Int, framesPerSecond: CMTimeScale) throws -> AVAsset {
        try write(
            name, count, width: AssetWriterFixture.width, height: AssetWriterFixture.height,
            framesPerSecond: framesPerSecond
        ) { try AssetWriterFixture.pixelBuffer($0) }
    }

    /// Creates a composition with one video track for each asset, from time zero.
    func composition(of assets: [AVAsset]) throws -> AVMutableComposition {
        let composition = system.run { AVMutableComposition() }
        for asset in assets {
            let track = try XCTUnwrap(
                composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
            let source = try XCTUnwrap(asset.tracks.first)
            try track.insertTimeRange(source.timeRange, of: source, at: .zero)
        }
        return composition
    }

    /// Creates a video composition with one instruction; the first layer is in front.
    static func videoComposition(
        of asset: AVAsset, _ layers: [AVVideoCompositionLayerInstruction], width: Int = 160, height: Int = 120,
        background: CGColor? = nil
    ) -> AVMutableVideoComposition {
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = CMTimeRange(start: .zero, duration: asset.duration)
        instruction.layerInstructions = layers
        instruction.backgroundColor = background
        let composition = AVMutableVideoComposition()
        composition.renderSize = CGSize(width: width, height: height)
        composition.frameDuration = time(1)
        composition.instructions = [instruction]
        return composition
    }

    /// Reads the composed frames of an asset.
    func frames(
        of asset: AVAsset, _ composition: AVVideoComposition, _ range: CMTimeRange? = nil,
        _ settings: [String: Any]? = nil
    ) throws -> [CMSampleBuffer] {
        let (reader, output) = try reader(of: asset, composition, range, settings)
        XCTAssertTrue(reader.startReading(), "\(String(describing: reader.error))")
        let samples = output.drain()
        XCTAssertEqual(reader.status, .completed, "\(String(describing: reader.error))")
        return samples
    }

    func reader(
        of asset: AVAsset, _ composition: AVVideoComposition, _ range: CMTimeRange? = nil,
        _ settings: [String: Any]? = nil
    ) throws -> (AVAssetReader, AVAssetReaderVideoCompositionOutput) {
        let reader = try AVAssetReader(asset: asset)
        if let range { reader.timeRange = range }
        let output = AVAssetReaderVideoCompositionOutput(
            videoTracks: asset.tracks(withMediaType: .video), videoSettings: settings)
        output.videoComposition = composition
        XCTAssertTrue(reader.canAdd(output))
        reader.add(output)
        return (reader, output)
    }

    /// Returns the blue, green, red and alpha of a movie of one color after decoding.
    func color(of asset: AVAsset) throws -> [UInt8] {
        let samples = try asset.samples(.video, [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
        return try XCTUnwrap(samples.first?.imageBuffer).pixel(80, 60)
    }
}

extension CVPixelBuffer {
    /// Sets each pixel of a 32BGRA buffer to the blue, green, red and alpha that `color` returns.
    func fill(_ color: (_ x: Int, _ y: Int) -> [UInt8]) {
        CVPixelBufferLockBaseAddress(self, [])
        defer { CVPixelBufferUnlockBaseAddress(self, []) }
        guard let base = CVPixelBufferGetBaseAddress(self) else { return XCTFail("the buffer has no memory") }
        for y in 0..<CVPixelBufferGetHeight(self) {
            for x in 0..<CVPixelBufferGetWidth(self) {
                let pixel = base + y * CVPixelBufferGetBytesPerRow(self) + 4 * x
                pixel.copyMemory(from: color(x, y), byteCount: 4)
            }
        }
    }

    /// The visible bytes of both planes of an 8-bit biplanar buffer, row by row.
    var bytes: [UInt8] {
        CVPixelBufferLockBaseAddress(self, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
        var bytes: [UInt8] = []
        for plane in 0..<CVPixelBufferGetPlaneCount(self) {
            guard let base = CVPixelBufferGetBaseAddressOfPlane(self, plane) else { return [] }
            let byteCount = CVPixelBufferGetWidthOfPlane(self, plane) * (plane == 0 ? 1 : 2)
            for row in 0..<CVPixelBufferGetHeightOfPlane(self, plane) {
                let start = base + row * CVPixelBufferGetBytesPerRowOfPlane(self, plane)
                bytes += UnsafeRawBufferPointer(start: start, count: byteCount)
            }
        }
        return bytes
    }

    /// Sets all bytes of a planar buffer to zero.
    func clear() {
        CVPixelBufferLockBaseAddress(self, [])
        defer { CVPixelBufferUnlockBaseAddress(self, []) }
        for plane in 0..<CVPixelBufferGetPlaneCount(self) {
            guard let base = CVPixelBufferGetBaseAddressOfPlane(self, plane) else { continue }
            memset(
                base, 0,
                CVPixelBufferGetBytesPerRowOfPlane(self, plane) * CVPixelBufferGetHeightOfPlane(self, plane))
        }
    }

    /// Returns the blue, green, red and alpha of a pixel of a 32BGRA buffer.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(self), kCVPixelFormatType_32BGRA)
        CVPixelBufferLockBaseAddress(self, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddress(self) else { return [] }
        let pixel = base + y * CVPixelBufferGetBytesPerRow(self) + 4 * x
        return [UInt8](UnsafeRawBufferPointer(start: pixel, count: 4))
    }
}
