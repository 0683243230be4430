import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// The corruption of a video frame or audio chunk by faults.
struct EventCorruption {
    var isTorn: Bool
    var isGreen: Bool
    var isFrozen: Bool
    var isResized: Bool
    // The ends of noise, silence and lost audio: times on the clock of the capture system, in nanoseconds.
    var noisyUntil: Int64
    var silentUntil: Int64
    var lostUntil: Int64

    /// Root mean square of an audio noise burst: -12 dBFS.
    private static let noiseAmplitude = 0.25

    /// Returns the corrupted event.
    ///
    /// - Parameters:
    ///   - time: The event's time in nanoseconds.
    ///   - previous: The previous frame, if available.
    ///   - seed: Seed of the noise and of the position of a tear.
    func applied(to event: StreamEvent, time: Int64, previous: VideoFrame?, seed: UInt64) -> StreamEvent {
        // All images of a frame have the same damage: each starts with the same random numbers.
        func random() -> SplitMix64 { SplitMix64(seed: seed ^ UInt64(bitPattern: time)) }
        switch event {
        case .video(var frame):
            guard isTorn || isGreen || isFrozen || isResized || time < noisyUntil else { return event }
            frame.payload = applied(to: frame.payload, time: time, previous: previous?.payload, random())
            for (mode, image) in frame.stabilized {
                let previous = previous?.stabilized[mode]?.payload
                frame.stabilized[mode]?.payload = applied(
                    to: image.payload, time: time, previous: previous, random())
            }
            for (index, still) in frame.stills.enumerated() {
                guard let payload = still.payload else { continue }
                frame.stills[index].payload = applied(
                    to: payload, time: time, previous: previous?.payload, random())
            }
            return .video(frame)
        case .audio(let chunk):
            guard time < max(noisyUntil, silentUntil, lostUntil) else { return event }
            var random = random()
            return .audio(applied(to: chunk, time: time, &random))
        case .dropped, .failed, .ended:
            return event
        }
    }

    // MARK: Video

    private func applied(
        to payload: VideoFrame.Payload, time: Int64, previous: VideoFrame.Payload?, _ random: SplitMix64
    ) -> VideoFrame.Payload {
        var random = random
        switch payload {
        case .pixels(let buffer):
            var last: CVPixelBuffer?
            if case .pixels(let buffer)? = previous { last = buffer }
            return .pixels(applied(to: buffer, time: time, previous: last, &random))
        case .compressed(let data, let codec):
            var last: CMBlockBuffer?
            if case .compressed(let data, _)? = previous { last = data }
            return .compressed(applied(to: data, time: time, previous: last, &random), codec: codec)
        }
    }

    private func applied(
        to buffer: CVPixelBuffer, time: Int64, previous: CVPixelBuffer?, _ random: inout SplitMix64
    ) -> CVPixelBuffer {
        let isSameSize = previous.map { $0.width == buffer.width && $0.height == buffer.height } ?? false
        var result = buffer
        if isFrozen, let previous, isSameSize { result = previous }
        if isTorn, let previous, isSameSize, !isFrozen {
            Self.copyBelow(random.number(in: 0.25...0.75), from: previous, to: buffer)
        }
        if isGreen {
            guard let copied = Self.copy(buffer, isHalf: false) else { return buffer }
            Self.fillGreen(copied)
            result = copied
        }
        if time < noisyUntil, !isGreen {
            guard let copied = Self.copy(result, isHalf: false) else { return result }
            Self.addNoise(to: copied, &random)
            result = copied
        }
        return isResized ? Self.copy(result, isHalf: true) ?? result : result
    }

    /// Returns a copy of a buffer, or of its top left quarter; nil if memory cannot be allocated.
    private static func copy(_ buffer: CVPixelBuffer, isHalf: Bool) -> CVPixelBuffer? {
        let divisor = isHalf ? 2 : 1
        guard
            let copy = CVPixelBuffer(
                width: buffer.width / divisor / 2 * 2, height: buffer.height / divisor / 2 * 2,
                pixelFormat: CVPixelBufferGetPixelFormatType(buffer))
        else { return nil }
        CVBufferPropagateAttachments(buffer, copy)
        for (from, to) in zip(buffer.planes, copy.planes) {
            let byteCount = min(from.bytesPerRow, to.bytesPerRow)
            for row in 0..<min(from.height, to.height) {
                (to.baseAddress + row * to.bytesPerRow)
                    .copyMemory(from: from.baseAddress + row * from.bytesPerRow, byteCount: byteCount)
            }
        }
        return copy
    }

    /// Copies the rows below a fraction of the height.
    private static func copyBelow(_ fraction: Double, from: CVPixelBuffer, to: CVPixelBuffer) {
        for (from, to) in zip(from.planes, to.planes) {
            for row in Int(fraction * Double(to.height))..<to.height {
                (to.baseAddress + row * to.bytesPerRow).copyMemory(
                    from: from.baseAddress + row * from.bytesPerRow, byteCount: min(from.bytesPerRow, to.bytesPerRow))
            }
        }
    }

    /// Sets luma and chroma to zero, which is converted to green.
    private static func fillGreen(_ buffer: CVPixelBuffer) {
        let isBGRA = CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA
        for plane in buffer.planes {
            let bytes = UnsafeMutableRawBufferPointer(
                start: plane.baseAddress, count: plane.bytesPerRow * plane.height)
            guard isBGRA else {
                bytes.initializeMemory(as: UInt8.self, repeating: 0)
                continue
            }
            // Zero luma and chroma are (0, 135, 0) in full-range BT.601.
            for at in stride(from: 0, to: bytes.count - 3, by: 4) {
                bytes.storeBytes(of: UInt32(littleEndian: 0xFF00_8700), toByteOffset: at, as: UInt32.self)
            }
        }
    }

    /// Overwrites a third of the rows with noise.
    private static func addNoise(to buffer: CVPixelBuffer, _ random: inout SplitMix64) {
        let top = random.number(in: 0...0.66)
        for plane in buffer.planes {
            let first = Int(top * Double(plane.height))
            for row in first..<min(plane.height, first + plane.height / 3 + 1) {
                let start = plane.baseAddress + row * plane.bytesPerRow
                for at in stride(from: 0, to: plane.bytesPerRow & ~7, by: 8) {
                    start.storeBytes(of: random.next(), toByteOffset: at, as: UInt64.self)
                }
            }
        }
    }

    // MARK: JPEG

    /// Returns a damaged JPEG. A frozen one has the bytes of the previous one. Noise replaces bytes in the middle, as
    /// errors of the transmission do; the other faults change the pixels.
    private func applied(
        to data: CMBlockBuffer, time: Int64, previous: CMBlockBuffer?, _ random: inout SplitMix64
    ) -> CMBlockBuffer {
        var result = isFrozen ? previous ?? data : data
        if isTorn || isGreen || isResized {
            // A frozen frame with noise may not be decodable. It is repeated as it is.
            result = (try? reencoded(result, time: time, previous: previous, &random)) ?? result
        }
        guard time < noisyUntil else { return result }
        var bytes = result.withUnsafeBytes { Array($0) }
        for at in bytes.count / 3..<bytes.count / 2 { bytes[at] = UInt8(truncatingIfNeeded: random.next()) }
        return Self.block(bytes[...])
    }

    /// Returns a JPEG with damaged pixels, without noise.
    private func reencoded(
        _ data: CMBlockBuffer, time: Int64, previous: CMBlockBuffer?, _ random: inout SplitMix64
    ) throws -> CMBlockBuffer {
        let codec = try JPEGCodec()
        let pixels = try Self.pixels(of: data, codec)
        // A previous frame with noise may not be decodable. The frame is then not torn.
        let previousPixels = isTorn && !isFrozen ? previous.flatMap { try? Self.pixels(of: $0, codec) } : nil
        var damage = self
        damage.noisyUntil = .min
        let damaged = damage.applied(to: pixels, time: time, previous: previousPixels, &random)
        let settings = JPEGCodec.Settings(quality: Int(NativeFrameEncoder.jpegQuality))
        return CMBlockBuffer(copying: try codec.encode(damaged, settings: settings))
    }

    /// Decodes a JPEG into a new buffer with its encoding, full-range BT.601.
    private static func pixels(of jpeg: CMBlockBuffer, _ codec: JPEGCodec) throws -> CVPixelBuffer {
        let data = jpeg.withUnsafeBytes { Data($0) }
        let header = try codec.header(of: data)
        let pixels = CVPixelBuffer(
            width: header.width, height: header.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        guard let pixels else { throw ImageError(.outOfMemory, "memory ran out while decoding a JPEG") }
        CVBufferSetAttachment(
            pixels, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_601_4, .shouldPropagate)
        try codec.decode(data, into: pixels)
        return pixels
    }

    private static func block(_ bytes: ArraySlice<UInt8>) -> CMBlockBuffer {
        let block = CMBlockBuffer(length: bytes.count)
        // Cannot fail: the new buffer has its whole length from offset 0.
        try? block.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
        return block
    }

    // MARK: Audio

    private func applied(to chunk: AudioChunk, time: Int64, _ random: inout SplitMix64) -> AudioChunk {
        let format = chunk.format
        var chunk = chunk
        var bytes = chunk.data.withUnsafeBytes { Array($0) }
        /// Returns the number of the chunk's frames before a time.
        func frames(before end: Int64) -> Int {
            guard end > time else { return 0 }
            let count = (Double(end - time) * format.sampleRate / 1e9).rounded(.up)
            return min(chunk.frameCount, Int(min(count, 1e9)))
        }
        let silent = frames(before: silentUntil) * format.bytesPerFrame
        for at in 0..<silent { bytes[at] = 0 }
        let noisy = frames(before: noisyUntil) * format.channelCount
        bytes.withUnsafeMutableBytes { bytes in
            for sample in 0..<noisy { Self.store(Self.noise(&random), sample, format.sample, in: bytes) }
        }
        let lost = frames(before: lostUntil)
        if lost > 0 {
            chunk.frameCount -= lost
            chunk.samplePosition += Int64(lost)
            chunk.presentationTime =
                chunk.presentationTime
                + CMTime(nanoseconds: Int64((Double(lost) * 1e9 / format.sampleRate).rounded()))
            chunk.followsDiscontinuity = true
        }
        chunk.data = Self.block(bytes[(lost * format.bytesPerFrame)...])
        return chunk
    }

    /// Returns a sample of approximately normal noise, relative to full scale.
    private static func noise(_ random: inout SplitMix64) -> Double {
        let bits = random.next()
        var sum = -131_070.0
        for part in 0..<4 { sum += Double((bits >> UInt64(part * 16)) & 0xffff) }
        // The sum of four uniform 16-bit values has the standard deviation 65,536 / sqrt(3).
        return max(-1, min(1, sum / 37_837 * noiseAmplitude))
    }

    private static func store(
        _ value: Double, _ index: Int, _ sample: AudioStreamFormat.Sample, in bytes: UnsafeMutableRawBufferPointer
    ) {
        switch sample {
        case .int16:
            bytes.storeBytes(of: Int16((value * 32_767).rounded()), toByteOffset: index * 2, as: Int16.self)
        case .int32:
            bytes.storeBytes(of: Int32((value * 2_147_483_647).rounded()), toByteOffset: index * 4, as: Int32.self)
        case .float32: bytes.storeBytes(of: Float(value), toByteOffset: index * 4, as: Float.self)
        }
    }
}

extension StreamEvent {
    /// A dropped event with the reason `.damaged`; other events do not change.
    var damaged: StreamEvent {
        guard case .dropped(var drop) = self else { return self }
        drop.reason = .damaged
        return .dropped(drop)
    }

    /// Returns the event with its times delayed by `nanoseconds`.
    func delayed(by nanoseconds: Int64) -> StreamEvent {
        guard nanoseconds != 0 else { return self }
        let shift = CMTime(nanoseconds: nanoseconds)
        switch self {
        case .video(var frame):
            frame.shiftTimes(by: shift)
            return .video(frame)
        case .audio(var chunk):
            chunk.presentationTime = chunk.presentationTime + shift
            return .audio(chunk)
        case .dropped(var drop):
            drop.presentationTime = drop.presentationTime + shift
            return .dropped(drop)
        case .failed, .ended: return self
        }
    }
}
