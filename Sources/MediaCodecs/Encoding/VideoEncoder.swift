import CLibAV
import Foundation
package import MediaTypes
import PixelKernels

/// Compresses pictures to H.264, HEVC or JPEG by libavcodec.
///
/// The same pictures with the same settings give the same bytes. Frames go to the encoder under their number, so that
/// jitter of their times does not reach the rate control; samples come out with the frames' own times.
///
/// - Important: Confined.
package final class VideoEncoder {
    private struct FrameTimes {
        let presentation: CMTime
        let duration: CMTime
    }

    package let settings: VideoEncoderSettings
    /// What the samples are, for a movie's track.
    package let format: VideoSampleFormat
    private let codec: CodecContext
    private let picture: EncoderPicture
    /// The times of frames that are in the encoder, by number; those before `oldest` have left it.
    private var times: [Int64: FrameTimes] = [:]
    private var oldest: Int64 = 0
    private var frameCount: Int64 = 0
    private var firstPresentation = CMTime.zero
    private var lastPresentation = CMTime.invalid
    /// When the last key frame came that was asked for; the encoder may make more.
    private var lastForcedKeyFrame = CMTime.invalid
    private var isFinished = false
    /// Nil where frames are not droppable by turns.
    private var alternation: FrameAlternation?

    /// - Throws: `.invalidSettings` or `.codecUnavailable`.
    package init(_ settings: VideoEncoderSettings) throws(EncodingError) {
        try settings.check()
        self.settings = settings
        codec = try Self.openCodec(settings)
        picture = try EncoderPicture(settings)
        let parameterSets = ParameterSets(codec.extraData)
        let configuration =
            switch settings.codec {
            case .h264: try parameterSets.avcConfiguration()
            case .hevc: try parameterSets.hevcConfiguration()
            case .jpeg: Data()
            }
        if settings.alternatesFrames {
            alternation = FrameAlternation(codec: settings.codec, parameterSets: parameterSets)
        }
        var format = VideoSampleFormat(
            codec: settings.codec, dimensions: settings.dimensions, configuration: configuration, color: settings.color)
        format.pixelAspectRatio = settings.pixelAspectRatio.map {
            PixelAspectRatio(horizontalSpacing: UInt32($0.width), verticalSpacing: UInt32($0.height))
        }
        self.format = format
    }

    /// Compresses the next picture.
    ///
    /// - Parameters:
    ///   - buffer: 4:2:0, of the settings' size; it is held until the encoder is done with it.
    ///   - time: After that of the picture before.
    /// - Returns: The samples that came out, of earlier pictures mostly, in decode order.
    /// - Throws: `.formatMismatch` and nothing is changed, or `.codecFailed`.
    package func encode(
        _ buffer: CVPixelBuffer, at time: CMTime, duration: CMTime, forceKeyFrame: Bool = false
    ) throws(EncodingError) -> [EncodedSample] {
        guard !isFinished else { throw EncodingError(.invalidState, "the encoder is finished") }
        guard time.isNumeric, !lastPresentation.isValid || time > lastPresentation else {
            throw EncodingError(.formatMismatch, "frame time \(time) does not follow \(lastPresentation)")
        }
        let frame = try picture.show(buffer)
        defer { picture.release() }
        frame.pointee.pts = frameCount
        frame.pointee.quality = codec.pointer.pointee.global_quality
        let isWanted = forceKeyFrame || isKeyFrameDue(at: time)
        let isKeyFrame = alternation?.admitsKeyFrame(isWanted) ?? isWanted
        if isKeyFrame || frameCount == 0 { lastForcedKeyFrame = time }
        frame.pointee.pict_type = isKeyFrame ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        if frameCount == 0 { firstPresentation = time }
        lastPresentation = time
        times[frameCount] = FrameTimes(presentation: time, duration: duration)
        frameCount += 1
        return try send(frame)
    }

    /// Gives the samples that are still in the encoder; no picture can follow.
    package func finish() throws(EncodingError) -> [EncodedSample] {
        guard !isFinished else { return [] }
        isFinished = true
        let samples = try send(nil)
        return samples + (alternation?.finish() ?? [])
    }

    /// Whether the time between key frames is over.
    private func isKeyFrameDue(at time: CMTime) -> Bool {
        guard let limit = settings.maximumKeyFrameDuration, lastForcedKeyFrame.isValid else { return false }
        return time - lastForcedKeyFrame >= limit
    }

    private func send(_ frame: UnsafeMutablePointer<AVFrame>?) throws(EncodingError) -> [EncodedSample] {
        var samples: [EncodedSample] = []
        try codec.send(frame) { packet throws(EncodingError) in
            let sample = try makeSample(packet)
            if alternation != nil {
                samples += alternation?.take(sample, number: packet.pointee.pts) ?? []
            } else {
                samples.append(sample)
            }
        }
        return samples
    }

    private func makeSample(_ packet: UnsafeMutablePointer<AVPacket>) throws(EncodingError) -> EncodedSample {
        let number = packet.pointee.pts
        guard let bytes = packet.pointee.data, let times = times[number] else {
            throw EncodingError(.codecFailed, "\(codec.name) gave a packet for an unknown frame \(number)")
        }
        let decode = decodeTime(of: packet.pointee.dts)
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(packet.pointee.size))
        let isKeyFrame = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
        guard settings.codec != .jpeg else {
            return EncodedSample(
                data: Data(buffer), presentationTime: times.presentation, decodeTime: decode,
                duration: times.duration)
        }
        var data = Data(capacity: buffer.count + 16)
        var isDroppable = false
        ByteStream.forEachUnit(in: buffer) { unit in
            withUnsafeBytes(of: UInt32(unit.count).bigEndian) { data.append(contentsOf: $0) }
            data.append(contentsOf: unit)
            if isPicture(unit) { isDroppable = isUnreferenced(unit) }
        }
        return EncodedSample(
            data: data, presentationTime: times.presentation, decodeTime: decode, duration: times.duration,
            isKeyFrame: isKeyFrame, isDroppable: isDroppable)
    }

    /// The time at which a packet is decoded: with reordering, decoding begins as many frames early as needed.
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

    /// Whether a NAL unit is (a slice of) a picture: H.264 Table 7-1, H.265 Table 7-1.
    private func isPicture(_ unit: UnsafeRawBufferPointer) -> Bool {
        settings.codec == .h264 ? (1...5).contains(unit[0] & 0x1f) : unit[0] >> 1 & 0x3f < 32
    }

    /// Whether no other picture refers to it: `nal_ref_idc` is 0, or an HEVC type of the `_N` kind.
    private func isUnreferenced(_ unit: UnsafeRawBufferPointer) -> Bool {
        if settings.codec == .h264 { return unit[0] >> 5 & 3 == 0 }
        let type = unit[0] >> 1 & 0x3f
        return type <= 14 && type % 2 == 0
    }
}
