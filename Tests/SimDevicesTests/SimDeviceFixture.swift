import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import SimDevices

/// A simulated host on a virtual clock, with an opened camera or microphone and its delivered events.
final class SimDeviceFixture: @unchecked Sendable {
    // SAFETY: tests use a fixture on one thread; events from the clock's thread are protected by a lock.
    let clock = SimClock()
    let host: SimHost
    private(set) var device: any OpenDevice
    private(set) var stream: any DeviceStream
    private let received = Lock<[StreamEvent]>([])

    init(
        profile: String = "phone", device: String = "phone.back-wide", scene: SimScene = .grey,
        light: SceneLight? = nil, shake: HandShake? = nil, seed: UInt64 = 1,
        size: (Int32, Int32) = (640, 480), pixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
        frameDuration: CMTime = CMTime(value: 1, timescale: 30), bufferCount: Int = 16,
        orientation: DeviceOrientation = .landscapeLeft
    ) throws {
        host = try SimHost(
            profile: profile, scene: scene, light: light, shake: shake, hasMarker: true, seed: seed,
            orientation: orientation, clock: clock)
        let hardware = try XCTUnwrap(host.devices.first { $0.descriptor.uniqueID == device })
        self.device = try hardware.open()
        let format = try XCTUnwrap(
            hardware.formats.first { format in
                switch format {
                case .video(let video):
                    video.size == PixelSize(width: size.0, height: size.1)
                        && video.encoding == .pixels(pixelFormat) && video.supports(frameDuration: frameDuration)
                case .audio: true
                }
            })
        stream = try self.device.makeStream(
            StreamConfiguration(format: format, frameDuration: frameDuration, bufferCount: bufferCount))
    }

    /// Starts the stream. Each event is passed to `onEvent`, and stored in `events` unless `keeping` is false.
    func start(keeping: Bool = true, _ onEvent: @escaping @Sendable (StreamEvent) -> Void = { _ in }) throws {
        try stream.start { [received] event in
            if keeping { received.withLock { $0.append(event) } }
            onEvent(event)
        }
    }

    var events: [StreamEvent] { received.withLock { $0 } }

    func clear() { received.withLock { $0 = [] } }

    var frames: [VideoFrame] {
        events.compactMap { if case .video(let frame) = $0 { frame } else { nil } }
    }

    var chunks: [AudioChunk] {
        events.compactMap { if case .audio(let chunk) = $0 { chunk } else { nil } }
    }

    /// A description of each event with its sequence number or reason.
    var eventLog: [String] {
        events.map { event in
            switch event {
            case .video(let frame): "frame \(frame.sequenceNumber)"
            case .audio(let chunk): "sound \(chunk.samplePosition)\(chunk.followsDiscontinuity ? " after a gap" : "")"
            case .dropped(let drop): "dropped \(drop.sequenceNumber) \(drop.reason)"
            case .failed(let error, _): "failed \(error.code)"
            case .ended: "ended"
            }
        }
    }
}

extension VideoFrame {
    var buffer: CVPixelBuffer {
        get throws {
            guard case .pixels(let buffer) = payload else { throw MissingRequirement("a compressed frame") }
            return buffer
        }
    }
}

extension CVPixelBuffer {
    /// A hash of the visible bytes of an 8-bit buffer with a luma and a chroma plane: FNV-1a over groups of eight
    /// bytes. If fewer than eight bytes remain at the end of a row, they are left out.
    var checksum: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for (index, plane) in planes.enumerated() {
            let bytes = plane.width * (index == 0 ? 1 : 2)
            for y in 0..<plane.height {
                let row = plane.baseAddress + y * plane.bytesPerRow
                for x in stride(from: 0, to: bytes & ~7, by: 8) {
                    hash = (hash ^ row.loadUnaligned(fromByteOffset: x, as: UInt64.self)) &* 0x100_0000_01b3
                }
            }
        }
        return hash
    }

    /// Returns the mean of Y, and the means of Cb and Cr minus 128, of an area in fractions of the frame's width and
    /// height.
    func mean(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> (y: Double, cb: Double, cr: Double) {
        let (luma, chroma) = (planes[0], planes[1])
        var sums = (0, 0, 0)
        var count = 0
        for row in Int(y * Double(chroma.height))..<Int((y + height) * Double(chroma.height)) {
            for column in Int(x * Double(chroma.width))..<Int((x + width) * Double(chroma.width)) {
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let lumaOffset = (2 * row + dy) * luma.bytesPerRow + 2 * column + dx
                    sums.0 += Int(luma.baseAddress.load(fromByteOffset: lumaOffset, as: UInt8.self))
                }
                let chromaOffset = row * chroma.bytesPerRow + 2 * column
                sums.1 += Int(chroma.baseAddress.load(fromByteOffset: chromaOffset, as: UInt8.self))
                sums.2 += Int(chroma.baseAddress.load(fromByteOffset: chromaOffset + 1, as: UInt8.self))
                count += 1
            }
        }
        let n = Double(count)
        return (Double(sums.0) / n / 4, Double(sums.1) / n - 128, Double(sums.2) / n - 128)
    }
}

/// Converts a video-range luma code to linear light by the inverse of BT.709's transfer function; 1 is white.
func linear(_ luma: Double) -> Double {
    let v = (luma - 16) / 219
    if v < 0.081 { return v / 4.5 }
    return pow((v + 0.099) / 1.099, 1 / 0.45)
}
