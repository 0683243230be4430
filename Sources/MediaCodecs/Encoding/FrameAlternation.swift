import Foundation

/// Makes every second frame of a stream droppable.
///
/// The encoder alternates between reference frames and non-reference B-frames. At the end of a group of pictures and of
/// the stream there is no later frame that a B-frame could refer to, so the encoder creates a P-frame. No frame refers
/// to that P-frame, so marking it as a non-reference frame makes it droppable.
///
/// - Important: Confined to one thread at a time.
struct FrameAlternation {
    private let codec: VideoSampleFormat.Codec
    private let sliceEditor: AVCSliceEditor?
    /// The number of input frames so far.
    private var frameCount: Int64 = 0
    private var isKeyFramePending = false
    /// The number of the last key frame in the output.
    private var keyFrameNumber: Int64 = 0
    /// The last sample, which is not returned until the next sample shows whether it is the last of its group.
    private var pending: (sample: EncodedSample, number: Int64)?

    init(codec: VideoSampleFormat.Codec, parameterSets: ParameterSets) {
        self.codec = codec
        sliceEditor = codec == .h264 ? AVCSliceEditor(parameterSets) : nil
    }

    /// Advances to the next frame and returns whether to encode it as a key frame.
    ///
    /// A key frame that is requested for a frame with an odd number is delayed by one frame.
    mutating func nextFrameIsKeyFrame(isRequested: Bool) -> Bool {
        defer { frameCount += 1 }
        isKeyFramePending = isKeyFramePending || isRequested
        guard frameCount % 2 == 0 else { return false }
        defer { isKeyFramePending = false }
        return isKeyFramePending
    }

    /// Accepts the next sample in decode order and returns the previous one.
    mutating func process(_ sample: EncodedSample, number: Int64) -> [EncodedSample] {
        let previous = pending.map { sample.isKeyFrame ? finalized($0) : $0.sample }
        if sample.isKeyFrame { keyFrameNumber = number }
        pending = (sample, number)
        return previous.map { [$0] } ?? []
    }

    /// Returns the last sample.
    mutating func finish() -> [EncodedSample] {
        defer { pending = nil }
        return pending.map { [finalized($0)] } ?? []
    }

    /// Returns the last sample of a group, marked as droppable if its position in the group is odd.
    private func finalized(_ last: (sample: EncodedSample, number: Int64)) -> EncodedSample {
        guard (last.number - keyFrameNumber) % 2 == 1, !last.sample.isDroppable,
            let data = markedAsNonReference(last.sample.data)
        else { return last.sample }
        var sample = last.sample
        sample.data = data
        sample.isDroppable = true
        return sample
    }

    /// Returns the length-prefixed NAL units with all slices marked as non-reference; nil if one cannot be changed.
    private func markedAsNonReference(_ data: Data) -> Data? {
        let bytes = [UInt8](data)
        var result = Data(capacity: bytes.count + 16)
        var offset = 0
        while offset + 4 < bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length > 0, offset + 4 + length <= bytes.count else { return nil }
            var unit = Array(bytes[offset + 4..<offset + 4 + length])
            if codec == .hevc {
                // TRAIL_R (1) becomes TRAIL_N (0): no picture of the same sub-layer refers to it (H.265, Table 7-1).
                if unit[0] >> 1 & 0x3f == 1 { unit[0] &= 0x81 }
            } else if (1...5).contains(unit[0] & 0x1f) {
                guard let edited = sliceEditor?.markedAsNonReference(unit) else { return nil }
                unit = edited
            }
            withUnsafeBytes(of: UInt32(unit.count).bigEndian) { result.append(contentsOf: $0) }
            result.append(contentsOf: unit)
            offset += 4 + length
        }
        return result
    }
}
