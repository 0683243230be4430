import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import CapturePreview

final class AVSampleBufferDisplayLayerTests: XCTestCase {
    /// Returns a sample with a gray image of 8x4 pixels and a presentation time.
    private func sample(_ level: UInt8, at time: CMTime) throws -> CMSampleBuffer {
        let pixels = try XCTUnwrap(CVPixelBuffer(width: 8, height: 4, pixelFormat: kCVPixelFormatType_32BGRA))
        pixels.withPlane(0) { plane in
            for y in 0..<4 {
                UnsafeMutableRawBufferPointer(start: plane.baseAddress + y * plane.bytesPerRow, count: 8 * 4)
                    .initializeMemory(as: UInt8.self, repeating: level)
            }
        }
        return CMSampleBuffer(
            imageBuffer: pixels, formatDescription: .shared(by: pixels),
            timing: CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid))
    }

    private func makeLayer(_ fixture: CaptureFixture) -> AVSampleBufferDisplayLayer {
        let layer = fixture.inSystem { AVSampleBufferDisplayLayer() }
        layer.bounds = CGRect(x: 0, y: 0, width: 8, height: 8)
        return layer
    }

    /// Returns the level in the middle of a row of the rendered image; nil if nothing is displayed.
    private func displayedLevel(of layer: AVSampleBufferDisplayLayer, row: Int = 4) -> UInt8? {
        layer.renderedImage().flatMap { image in image.dataProvider?.data?[row * image.bytesPerRow + 16] }
    }

    func testEachImageIsShownAtItsPresentationTime() throws {
        let fixture = try CaptureFixture()
        let layer = makeLayer(fixture)
        XCTAssertNil(displayedLevel(of: layer))
        XCTAssertFalse(layer.isReadyForDisplay)
        let reported = Lock<[AVQueuedSampleBufferRenderingStatus]>([], order: .client)
        let observation = layer.observe(\.status) { layer, _ in reported.withLock { $0.append(layer.status) } }
        layer.enqueue(try sample(50, at: .zero))
        layer.enqueue(try sample(100, at: .milliseconds(40)))
        layer.enqueue(try sample(150, at: .milliseconds(80)))
        XCTAssertEqual(layer.status, .rendering)
        XCTAssertEqual(displayedLevel(of: layer), 50)
        XCTAssertEqual(displayedLevel(of: layer, row: 0), 0, "an 8x4 image is letterboxed in an 8x8 layer")
        layer.videoGravity = .resize
        XCTAssertEqual(displayedLevel(of: layer, row: 0), 50)
        fixture.advance(milliseconds: 40)
        XCTAssertEqual(displayedLevel(of: layer), 100)
        fixture.advance(milliseconds: 30)
        XCTAssertEqual(displayedLevel(of: layer), 100)
        fixture.advance(milliseconds: 10)
        XCTAssertEqual(displayedLevel(of: layer), 150)
        layer.isHidden = true
        XCTAssertNil(displayedLevel(of: layer))
        XCTAssertEqual(reported.withLock { $0 }, [.rendering])
        observation.invalidate()
    }

    func testTheReadinessOfTheLayerIsReported() throws {
        let fixture = try CaptureFixture()
        let layer = makeLayer(fixture)
        let (display, data) = (Lock<[Bool]>([]), Lock<[Bool]>([]))
        let observations = [
            layer.observe(\.isReadyForDisplay, options: .new) { _, change in
                display.withLock { $0.append(change.newValue ?? false) }
            },
            layer.observe(\.isReadyForMoreMediaData, options: .new) { _, change in
                data.withLock { $0.append(change.newValue ?? false) }
            },
        ]
        for number in 0...8 { layer.enqueue(try sample(50, at: .milliseconds(Int64(number) * 10))) }
        XCTAssertEqual(display.withLock { $0 }, [true])
        XCTAssertEqual(data.withLock { $0 }, [false])
        fixture.advance(milliseconds: 20)
        layer.flushAndRemoveImage()
        XCTAssertEqual(display.withLock { $0 }, [true, false])
        XCTAssertEqual(data.withLock { $0 }, [false, true])
        for observation in observations { observation.invalidate() }
    }

    func testFlushedImagesAreNotShown() throws {
        let fixture = try CaptureFixture()
        let layer = makeLayer(fixture)
        layer.enqueue(try sample(50, at: .zero))
        layer.enqueue(try sample(100, at: .milliseconds(40)))
        layer.flush()
        fixture.advance(milliseconds: 50)
        XCTAssertEqual(displayedLevel(of: layer), 50)
        layer.enqueue(try sample(150, at: .milliseconds(90)))
        let now = try sample(200, at: .milliseconds(500))
        now.sampleAttachments[0][.displayImmediately] = true
        layer.enqueue(now)
        XCTAssertEqual(displayedLevel(of: layer), 200)
        fixture.advance(milliseconds: 50)
        XCTAssertEqual(displayedLevel(of: layer), 200)
        let hidden = try sample(250, at: .zero)
        hidden.sampleAttachments[0][.doNotDisplay] = true
        layer.enqueue(hidden)
        XCTAssertEqual(displayedLevel(of: layer), 200)
        layer.flushAndRemoveImage()
        XCTAssertNil(displayedLevel(of: layer))
    }

    func testASampleWithoutPixelsFailsTheLayerUntilItIsFlushed() throws {
        let fixture = try CaptureFixture()
        let layer = makeLayer(fixture)
        let data = CMBlockBuffer(copying: [1, 2, 3])
        layer.enqueue(
            CMSampleBuffer(
                compressedFrame: data,
                formatDescription: CMFormatDescription(
                    deviceVideo: kCMVideoCodecType_H264, dimensions: CMVideoDimensions(width: 8, height: 4)),
                timing: CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid))
        )
        XCTAssertEqual(layer.status, .failed)
        XCTAssertEqual((layer.error as? AVError)?.code, .decoderNotFound)
        layer.enqueue(try sample(50, at: .zero))
        XCTAssertNil(displayedLevel(of: layer))
        layer.flush()
        XCTAssertNil(layer.error)
        layer.enqueue(try sample(50, at: .zero))
        XCTAssertEqual(displayedLevel(of: layer), 50)
    }

    func testMoreDataIsRequestedAsImagesAreShown() throws {
        let fixture = try CaptureFixture()
        let layer = makeLayer(fixture)
        // The samples are in reverse order, so that `popLast` returns them in the order of their times.
        let samples = Lock(try (1...20).reversed().map { try sample(UInt8($0), at: .milliseconds(Int64($0) * 10)) })
        let requests = Lock(0)
        layer.requestMediaDataWhenReady(on: DispatchQueue(label: "test.more")) { [weak layer] in
            requests.withLock { $0 += 1 }
            while let layer, layer.isReadyForMoreMediaData, let next = samples.withLock({ $0.popLast() }) {
                layer.enqueue(next)
            }
        }
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(samples.withLock { $0.count }, 12)
        XCTAssertFalse(layer.isReadyForMoreMediaData)
        fixture.advance(milliseconds: 205)
        XCTAssertEqual(samples.withLock { $0.count }, 0)
        XCTAssertEqual(displayedLevel(of: layer), 20)
        layer.stopRequestingMediaData()
        let count = requests.withLock { $0 }
        layer.enqueue(try sample(9, at: .milliseconds(210)))
        fixture.advance(milliseconds: 20)
        XCTAssertEqual(requests.withLock { $0 }, count)
    }

    func testMoreDataIsRequestedWhenWaitingImagesAreDiscarded() throws {
        for discard in [
            { layer, _ in layer.flush() }, { layer, _ in layer.flushAndRemoveImage() },
            { layer, immediate in layer.enqueue(immediate) },
        ] as [(AVSampleBufferDisplayLayer, CMSampleBuffer) -> Void] {
            let fixture = try CaptureFixture()
            let layer = makeLayer(fixture)
            let samples = Lock(try (1...16).reversed().map { try sample(UInt8($0), at: .milliseconds(Int64($0) * 10)) })
            layer.requestMediaDataWhenReady(on: DispatchQueue(label: "test.more")) { [weak layer] in
                while let layer, layer.isReadyForMoreMediaData, let next = samples.withLock({ $0.popLast() }) {
                    layer.enqueue(next)
                }
            }
            fixture.advance(milliseconds: 0)
            XCTAssertEqual(samples.withLock { $0.count }, 8)
            let immediate = try sample(200, at: .milliseconds(500))
            immediate.sampleAttachments[0][.displayImmediately] = true
            discard(layer, immediate)
            fixture.advance(milliseconds: 0)
            XCTAssertEqual(samples.withLock { $0.count }, 0)
            fixture.advance(milliseconds: 165)
            XCTAssertEqual(displayedLevel(of: layer), 16)
            layer.stopRequestingMediaData()
        }
    }

    func testMoreDataIsRequestedWhenAFailureIsReset() throws {
        let fixture = try CaptureFixture()
        let layer = makeLayer(fixture)
        let requests = Lock(0)
        layer.requestMediaDataWhenReady(on: DispatchQueue(label: "test.more")) { requests.withLock { $0 += 1 } }
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(requests.withLock { $0 }, 1)
        layer.flush()
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(requests.withLock { $0 }, 1, "the layer was empty before")
        let compressed = CMSampleBuffer(
            compressedFrame: CMBlockBuffer(copying: [1, 2, 3]),
            formatDescription: CMFormatDescription(
                deviceVideo: kCMVideoCodecType_H264, dimensions: CMVideoDimensions(width: 8, height: 4)),
            timing: CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid))
        layer.enqueue(compressed)
        XCTAssertEqual(layer.status, .failed)
        layer.flush()
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(requests.withLock { $0 }, 2)
        layer.stopRequestingMediaData()
    }
}
