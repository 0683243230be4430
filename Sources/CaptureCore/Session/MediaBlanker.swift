import CaptureHAL
import Foundation
import MediaTypes

/// Creates the black frames and the silent audio that replace media if the user has not authorized the capture.
///
/// `blacken` is confined to the thread of the device's video stream; `makeSilence` is thread-safe.
final class MediaBlanker: @unchecked Sendable {
    // SAFETY: `pool` is only used for the events of the device's one video stream, which never overlap.
    private var pool: (width: Int, height: Int, pixelFormat: OSType, pool: CVPixelBufferPool)?

    /// Replaces the images of a frame with black.
    ///
    /// - Returns: False if all buffers are in use, or if the size of a compressed frame is unknown.
    func blacken(_ frame: inout VideoFrame, of port: AVCaptureInput.Port) -> Bool {
        guard let black = blackened(frame.payload, port) else { return false }
        frame.payload = black
        for index in frame.stills.indices {
            frame.stills[index].raw = nil
            guard let payload = frame.stills[index].payload else { continue }
            guard let black = blackened(payload, port) else { return false }
            frame.stills[index].payload = black
        }
        for mode in frame.stabilized.keys { frame.stabilized[mode]?.payload = black }
        frame.faces = []
        return true
    }

    /// Returns a black image with the size and format of an image; nil if all buffers are in use, or the size of a
    /// compressed image is unknown.
    private func blackened(_ payload: VideoFrame.Payload, _ port: AVCaptureInput.Port) -> VideoFrame.Payload? {
        let shape: (width: Int, height: Int, pixelFormat: OSType)
        switch payload {
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
        return .pixels(black)
    }

    /// Creates silence with the properties of an audio chunk.
    func makeSilence(for chunk: AudioChunk) -> AudioChunk {
        var result = chunk
        result.data = CMBlockBuffer(
            copying: [UInt8](repeating: 0, count: chunk.frameCount * chunk.format.bytesPerFrame))
        return result
    }

    /// Returns the pool of black images of a size and format.
    private func pool(_ width: Int, _ height: Int, _ pixelFormat: OSType) -> CVPixelBufferPool {
        if let pool, pool.width == width, pool.height == height, pool.pixelFormat == pixelFormat { return pool.pool }
        let new = CVPixelBufferPool(
            width: width, height: height, pixelFormat: pixelFormat,
            maximumBufferCount: FrameConverter.bufferCount, name: "of black frames")
        pool = (width, height, pixelFormat, new)
        return new
    }
}

extension CVPixelBuffer {
    /// Sets all pixels to black.
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
