package import MediaTypes

/// The format of linear PCM samples; frames are interleaved and packed.
package struct PCMFormat: Sendable, Hashable {
    /// The bits of one sample of one channel: 16, 24 or 32 for signed integers, 32 or 64 for floating point.
    package var bitsPerSample: Int
    /// Whether the samples are floating point.
    package var isFloat: Bool
    /// Whether the samples are big endian.
    package var isBigEndian: Bool

    /// 16-bit integers in little-endian byte order.
    package static let int16 = PCMFormat(bitsPerSample: 16)
    /// 24-bit integers in little-endian byte order.
    package static let int24 = PCMFormat(bitsPerSample: 24)
    /// 32-bit integers in little-endian byte order.
    package static let int32 = PCMFormat(bitsPerSample: 32)
    /// 32-bit floating point in little-endian byte order.
    package static let float32 = PCMFormat(bitsPerSample: 32, isFloat: true)
    /// 64-bit floating point in little-endian byte order.
    package static let float64 = PCMFormat(bitsPerSample: 64, isFloat: true)

    /// Creates a format.
    package init(bitsPerSample: Int, isFloat: Bool = false, isBigEndian: Bool = false) {
        self.bitsPerSample = bitsPerSample
        self.isFloat = isFloat
        self.isBigEndian = isBigEndian
    }

    /// Creates the format of an audio stream's samples.
    package init(_ sample: AudioStreamFormat.Sample) {
        self =
            switch sample {
            case .int16: .int16
            case .int32: .int32
            case .float32: .float32
            }
    }

    /// The bytes of one sample of one channel.
    package var byteCount: Int { bitsPerSample / 8 }

    /// Whether the bit depth is supported.
    package var isValid: Bool {
        isFloat ? [32, 64].contains(bitsPerSample) : [16, 24, 32].contains(bitsPerSample)
    }
}
