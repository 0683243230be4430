import CaptureHAL
import Foundation
import MediaTypes

/// Makes black pictures and silence of what the user has not allowed, or not yet.
///
/// Confined to the device's thread.
final class Blackout: @unchecked Sendable {
    // SAFETY: a stream's events never overlap, and only they come in here; a device with two streams delivers both on
    // one thread or has one medium only in `pool`.
    private var pool: (width: Int, height: Int, pixelFormat: OSType, pool: CVPixelBufferPool)?

    /// A black picture in the frame's place, nil where clients hold too many.
    func conceal(_ frame: VideoFrame, of port: AVCaptureInput.Port) -> VideoFrame? {
        let shape: (width: Int, height: Int, pixelFormat: OSType)
        switch frame.payload {
        case .pixels(let buffer):
            shape = (
                CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer), CVPixelBufferGetPixelFormatType(buffer)
            )
        case .compressed:
            guard let size = port.formatDescription?.dimensions else { return nil }
            shape = (Int(size.width), Int(size.height), kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        }
        guard let black = pool(shape.width, shape.height, shape.pixelFormat).makeBuffer() else { return nil }
        black.fillWithBlack()
        var concealed = frame
        concealed.payload = .pixels(black)
        return concealed
    }

    /// Silence in the sound's place.
    func conceal(_ chunk: AudioChunk) -> AudioChunk {
        var concealed = chunk
        concealed.data = CMBlockBuffer(
            copying: [UInt8](repeating: 0, count: chunk.frameCount * chunk.format.bytesPerFrame))
        return concealed
    }

    private func pool(_ width: Int, _ height: Int, _ pixelFormat: OSType) -> CVPixelBufferPool {
        if let pool, pool.width == width, pool.height == height, pool.pixelFormat == pixelFormat { return pool.pool }
        let new = CVPixelBufferPool(
            width: width, height: height, pixelFormat: pixelFormat,
            maximumBufferCount: FrameConverter.bufferCount)
        pool = (width, height, pixelFormat, new)
        return new
    }
}

extension CVPixelBuffer {
    /// Makes all pixels black.
    fileprivate func fillWithBlack() {
        for (index, plane) in format.planes.enumerated() {
            withPlane(index) { target in
                let block = plane.blackBlock
                guard !block.isEmpty else { return }
                let byteCount = plane.byteCount(ofColumns: target.width)
                let row = (0..<byteCount).map { block[$0 % block.count] }
                row.withUnsafeBytes { source in
                    for y in 0..<target.height {
                        let destination = UnsafeMutableRawBufferPointer(
                            start: target.baseAddress + y * target.bytesPerRow, count: byteCount)
                        destination.copyMemory(from: source)
                    }
                }
            }
        }
    }
}
