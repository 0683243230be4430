import CLibAV
import Foundation
package import MediaTypes
import PixelKernels

/// Compresses frames to H.264, HEVC, JPEG or ProRes with libavcodec.
///
/// The same frames with the same settings result in the same bytes. The encoder receives frame numbers as timestamps,
/// so that jitter does not affect rate control; encoded samples have the original timestamps of the frames.
///
/// - Important: Confined to one thread at a time.
package final class VideoEncoder {
    private struct FrameTiming {
        let presentation: CMTime
        let duration: CMTime
    }

    /// The settings of the encoder.
    package let settings: VideoEncoderSettings
    /// The format of the encoded samples, for a movie's track.
    package let format: VideoSampleFormat
    private let codec: CodecContext
    private let inputFrame: EncoderFrame
    /// The times of the frames in the encoder, by frame number; those before `oldest` are removed.
    private var times: [Int64: FrameTiming] = [:]
    private var oldest: Int64 = 0
    private var frameCount: Int64 = 0
    private var firstPresentation = CMTime.zero
    private var lastPresentation = CMTime.invalid
    /// The time of the last requested key frame; the encoder may create additional ones.
    private var lastForcedKeyFrame = CMTime.invalid
    private var isFinished = false
    /// Makes every second frame droppable; nil if no frame is droppable.
    private var alternation: FrameAlternation?

    /// Creates an encoder.
    ///
    /// - Throws: `.invalidSettings`, `.codecUnavailable` or `.codecFailed`.
    package init(_ settings: VideoEncoderSettings) throws(EncodingError) {
        try settings.check()
        var settings = settings
        // JFIF 1.02: decoders ignore other descriptions.
        if settings.codec == .jpeg { (settings.color.matrix, settings.color.isFullRange) = (6, true) }
        self.settings = settings
        codec = try Self.openCodec(settings)
        inputFrame = try EncoderFrame(settings)
        let parameterSets = ParameterSets(codec.extraData)
        let configuration =
            switch settings.codec {
            case .h264: try parameterSets.avcConfiguration()
            case .hevc:
                try parameterSets.hevcConfiguration(
                    bitsPerComponent: settings.bitsPerComponent, isMonochrome: settings.isMonochrome)
            case .jpeg, .proRes422Proxy, .proRes422LT, .proRes422, .proRes422HQ, .proRes4444: Data()
            }
        if settings.alternatesFrames {
            alternation = FrameAlternation(codec: settings.codec, parameterSets: parameterSets)
        }
        var format = VideoSampleFormat(
            codec: settings.codec, dimensions: settings.dimensions, configuration: configuration, color: settings.color)
        format.pixelAspectRatio = settings.pixelAspectRatio
        self.format = format
    }

    /// Encodes the next frame.
    ///
    /// - Parameters:
    ///   - buffer: A frame of the settings' size; retained until the encoder has finished with it.
    ///   - time: The presentation time, later than that of the previous frame.
    /// - Returns: The samples that are complete, in decode order; usually those of earlier frames.
    /// - Throws: `.formatMismatch` without any effect, or `.codecFailed`.
    package func encode(
        _ buffer: CVPixelBuffer, at time: CMTime, duration: CMTime, forceKeyFrame: Bool = false
    ) throws(EncodingError) -> [EncodedSample] {
        guard !isFinished else { throw EncodingError(.invalidState, "the encoder is finished") }
        guard time.isNumeric, !lastPresentation.isValid || time > lastPresentation else {
            throw EncodingError(.formatMismatch, "frame time \(time) does not follow \(lastPresentation)")
        }
        let frame = try inputFrame.wrap(buffer)
        defer { inputFrame.release() }
        frame.pointee.pts = frameCount
        frame.pointee.quality = codec.pointer.pointee.global_quality
        let isRequested = forceKeyFrame || isKeyFrameDue(at: time, duration)
        let isKeyFrame = alternation?.nextFrameIsKeyFrame(isRequested: isRequested) ?? isRequested
        if isKeyFrame || frameCount == 0 { lastForcedKeyFrame = time }
        frame.pointee.pict_type = isKeyFrame ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        if frameCount == 0 { firstPresentation = time }
        lastPresentation = time
        times[frameCount] = FrameTiming(presentation: time, duration: duration)
        frameCount += 1
        return try send(frame)
    }

    /// Returns the remaining samples. No frames can be encoded afterwards.
    package func finish() throws(EncodingError) -> [EncodedSample] {
        guard !isFinished else { return [] }
        isFinished = true
        let samples = try send(nil)
        return samples + (alternation?.finish() ?? [])
    }

    /// Whether a frame must be a key frame because the next possible one would exceed the maximum time between key
    /// frames.
    private func isKeyFrameDue(at time: CMTime, _ duration: CMTime) -> Bool {
        guard let limit = settings.maximumKeyFrameDuration, lastForcedKeyFrame.isValid else { return false }
        let frameDuration = duration.isNumeric ? duration : settings.expectedFrameDuration
        // With alternation, only every second frame can be a key frame.
        let next = time + CMTimeMultiply(frameDuration, multiplier: alternation == nil ? 1 : 2)
        return next - lastForcedKeyFrame > limit
    }

    private func send(_ frame: UnsafeMutablePointer<AVFrame>?) throws(EncodingError) -> [EncodedSample] {
        var samples: [EncodedSample] = []
        try codec.send(frame) { packet throws(EncodingError) in
            let sample = try makeSample(packet)
            if alternation != nil {
                samples += alternation?.process(sample, number: packet.pointee.pts) ?? []
            } else {
                samples.append(sample)
            }
        }
        return samples
    }

    private func makeSample(_ packet: UnsafeMutablePointer<AVPacket>) throws(EncodingError) -> EncodedSample {
        let number = packet.pointee.pts
        guard let bytes = packet.pointee.data, let times = times[number] else {
            throw EncodingError(.codecFailed, "\(codec.name) returned a packet for an unknown frame \(number)")
        }
        let decode = decodeTime(of: packet.pointee.dts)
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(packet.pointee.size))
        let isKeyFrame = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
        guard !settings.codec.isIntraOnly else {
            return EncodedSample(
                data: Data(buffer), presentationTime: times.presentation, decodeTime: decode,
                duration: times.duration)
        }
        var data = Data(capacity: buffer.count + 16)
        var isDroppable = false
        ByteStream.forEachUnit(in: buffer) { unit in
            guard !isEncoderDescription(unit) else { return }
            withUnsafeBytes(of: UInt32(unit.count).bigEndian) { data.append(contentsOf: $0) }
            data.append(contentsOf: unit)
            if isSlice(unit) { isDroppable = isUnreferenced(unit) }
        }
        return EncodedSample(
            data: data, presentationTime: times.presentation, decodeTime: decode, duration: times.duration,
            isKeyFrame: isKeyFrame, isDroppable: isDroppable)
    }

    /// Returns the decode time of the packet with a decode timestamp of `number`, and removes times that are no longer
    /// needed. With reordering, decoding starts several frame durations before presentation.
    private func decodeTime(of number: Int64) -> CMTime {
        defer {
            while oldest < number {
                times[oldest] = nil
                oldest += 1
            }
        }
        if number >= 0, let times = times[number] { return times.presentation }
        return firstPresentation
            - CMTimeMultiply(settings.expectedFrameDuration, multiplier: Int32(clamping: -number))
    }

    /// Whether a NAL unit is x264's description of itself: a message of unregistered user data (H.264, 7.3.2.3.1 and
    /// D.1.7). Its bytes differ between versions with the same pictures.
    private func isEncoderDescription(_ unit: UnsafeRawBufferPointer) -> Bool {
        settings.codec == .h264 && unit.count > 2 && unit[0] & 0x1f == 6 && unit[1] == 5
    }

    /// Whether a NAL unit is a coded slice: H.264 Table 7-1, H.265 Table 7-1.
    private func isSlice(_ unit: UnsafeRawBufferPointer) -> Bool {
        settings.codec == .h264 ? (1...5).contains(unit[0] & 0x1f) : unit[0] >> 1 & 0x3f < 32
    }

    /// Whether no other picture refers to a slice's picture: `nal_ref_idc` is 0, or an HEVC type `…_N`.
    private func isUnreferenced(_ unit: UnsafeRawBufferPointer) -> Bool {
        if settings.codec == .h264 { return unit[0] >> 5 & 3 == 0 }
        let type = unit[0] >> 1 & 0x3f
        return type <= 14 && type % 2 == 0
    }
}
