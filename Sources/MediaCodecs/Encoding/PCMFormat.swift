package import MediaTypes

/// How a sample of linear PCM is written; frames are interleaved and packed.
package struct PCMFormat: Sendable, Hashable {
    /// Of one sample of one channel: 16, 24 or 32 for integers, which are signed, and 32 or 64 for floating point.
    package var bitsPerSample: Int
    package var isFloat: Bool
    package var isBigEndian: Bool

    package static let int16 = PCMFormat(bitsPerSample: 16)
    package static let int24 = PCMFormat(bitsPerSample: 24)
    package static let int32 = PCMFormat(bitsPerSample: 32)
    package static let float32 = PCMFormat(bitsPerSample: 32, isFloat: true)
    package static let float64 = PCMFormat(bitsPerSample: 64, isFloat: true)

    package init(bitsPerSample: Int, isFloat: Bool = false, isBigEndian: Bool = false) {
        self.bitsPerSample = bitsPerSample
        self.isFloat = isFloat
        self.isBigEndian = isBigEndian
    }

    /// What a device delivers.
    package init(_ sample: AudioStreamFormat.Sample) {
        self =
            switch sample {
            case .int16: .int16
            case .int32: .int32
            case .float32: .float32
            }
    }

    package var byteCount: Int { bitsPerSample / 8 }

    /// Whether such samples exist.
    package var isValid: Bool {
        isFloat ? [32, 64].contains(bitsPerSample) : [16, 24, 32].contains(bitsPerSample)
    }

    /// The same in the other byte order.
    package func withByteOrder(isBigEndian: Bool) -> PCMFormat {
        PCMFormat(bitsPerSample: bitsPerSample, isFloat: isFloat, isBigEndian: isBigEndian)
    }
}
