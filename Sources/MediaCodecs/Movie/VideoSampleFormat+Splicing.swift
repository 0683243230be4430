package import Foundation

extension VideoSampleFormat {
    /// Returns a key frame as the first frame of a sequence that follows another one in the same track.
    ///
    /// A clean random access picture of HEVC continues the picture order of the sequence before it. As a broken link
    /// picture it begins a new one, and decoders skip the pictures that depend on frames before it (ITU-T H.265, 7.4.2.2).
    /// Other key frames are returned unchanged.
    package func splicing(_ sample: Data) -> Data {
        guard codec == .hevc, configuration.count > 21 else { return sample }
        // ISO/IEC 14496-15, 8.3.3.1
        let lengthByteCount = Int(configuration[configuration.startIndex + 21] & 3) + 1
        var bytes = Array(sample)
        let (cleanRandomAccess, brokenLink): (UInt8, UInt8) = (21, 16)
        var offsets: [Int] = []
        CompressedFrame.units(bytes, lengthByteCount) { offset in
            if bytes[offset] >> 1 & 63 == cleanRandomAccess { offsets.append(offset) }
        }
        guard !offsets.isEmpty else { return sample }
        for offset in offsets { bytes[offset] = bytes[offset] & 0x81 | brokenLink << 1 }
        return Data(bytes)
    }
}
