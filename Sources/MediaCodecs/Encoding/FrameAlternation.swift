import Foundation

/// Makes every second frame of a stream one that no other needs.
///
/// The encoder codes frames by turns as references and as B-frames that are none. At the end of a group of frames,
/// and of the stream, it has no later frame for a B-frame to lean on and codes a P-frame; nothing refers to it there,
/// so it only remains to say so in its header.
///
/// - Important: Confined.
struct FrameAlternation {
    private let codec: VideoSampleFormat.Codec
    private let slices: AVCSliceEditor?
    /// Frames that went in.
    private var frameCount: Int64 = 0
    private var owesKeyFrame = false
    /// The number of the last key frame that came out.
    private var keyFrameNumber: Int64 = 0
    /// The last sample that came out: what it is shows with the next.
    private var held: (sample: EncodedSample, number: Int64)?

    init(codec: VideoSampleFormat.Codec, parameterSets: ParameterSets) {
        self.codec = codec
        slices = codec == .h264 ? AVCSliceEditor(parameterSets) : nil
    }

    /// Whether the next frame is to be a key frame: where one is asked for at an odd place, the frame after it is.
    mutating func admitsKeyFrame(_ isForced: Bool) -> Bool {
        defer { frameCount += 1 }
        owesKeyFrame = owesKeyFrame || isForced
        guard frameCount % 2 == 0 else { return false }
        defer { owesKeyFrame = false }
        return owesKeyFrame
    }

    /// Takes the next sample in decode order; gives the one before it.
    mutating func take(_ sample: EncodedSample, number: Int64) -> [EncodedSample] {
        let previous = held.map { sample.isKeyFrame ? closing($0) : $0.sample }
        if sample.isKeyFrame { keyFrameNumber = number }
        held = (sample, number)
        return previous.map { [$0] } ?? []
    }

    /// Gives the last sample.
    mutating func finish() -> [EncodedSample] {
        defer { held = nil }
        return held.map { [closing($0)] } ?? []
    }

    /// The last sample of a group: where it stands at an odd place, it is marked as one that no other needs.
    private func closing(_ last: (sample: EncodedSample, number: Int64)) -> EncodedSample {
        guard (last.number - keyFrameNumber) % 2 == 1, !last.sample.isDroppable,
            let data = markedAsNoReference(last.sample.data)
        else { return last.sample }
        var sample = last.sample
        sample.data = data
        sample.isDroppable = true
        return sample
    }

    /// The NAL units with their lengths, slices of pictures changed; nil where one cannot be.
    private func markedAsNoReference(_ data: Data) -> Data? {
        let bytes = [UInt8](data)
        var result = Data(capacity: bytes.count + 16)
        var offset = 0
        while offset + 4 < bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length > 0, offset + 4 + length <= bytes.count else { return nil }
            var unit = Array(bytes[offset + 4..<offset + 4 + length])
            if codec == .hevc {
                // TRAIL_R, 1, is TRAIL_N, 0, where no picture of the layer refers to it (H.265, Table 7-1).
                if unit[0] >> 1 & 0x3f == 1 { unit[0] &= 0x81 }
            } else if (1...5).contains(unit[0] & 0x1f) {
                guard let edited = slices?.markedAsNoReference(unit) else { return nil }
                unit = edited
            }
            withUnsafeBytes(of: UInt32(unit.count).bigEndian) { result.append(contentsOf: $0) }
            result.append(contentsOf: unit)
            offset += 4 + length
        }
        return result
    }
}
