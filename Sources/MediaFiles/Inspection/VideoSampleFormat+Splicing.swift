package import Foundation
package import MediaCodecs

extension VideoSampleFormat {
    /// Converts a key frame for use as the first frame after a splice, where its sequence follows another one in the
    /// same track.
    ///
    /// A clean random access (CRA) picture of HEVC continues the picture order of the preceding sequence. It is
    /// converted to a broken link access (BLA) picture, which begins a new one, and decoders skip the pictures that
    /// depend on earlier frames (ITU-T H.265, 7.4.2.2). Other key frames are returned unchanged.
    package func splicing(_ sample: Data) -> Data {
        guard codec == .hevc, configuration.count > 21 else { return sample }
        // The size of the length field before each NAL unit (ISO/IEC 14496-15, 8.3.3.1).
        let lengthByteCount = Int(configuration[configuration.startIndex + 21] & 3) + 1
        var bytes = Array(sample)
        let (cleanRandomAccess, brokenLink): (UInt8, UInt8) = (21, 16)
        var offsets: [Int] = []
        CompressedFrame.forEachUnit(bytes, lengthByteCount) { offset in
            if bytes[offset] >> 1 & 63 == cleanRandomAccess { offsets.append(offset) }
        }
        guard !offsets.isEmpty else { return sample }
        for offset in offsets { bytes[offset] = bytes[offset] & 0x81 | brokenLink << 1 }
        return Data(bytes)
    }
}
