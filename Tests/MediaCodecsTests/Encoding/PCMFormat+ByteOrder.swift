import MediaCodecs

extension PCMFormat {
    /// Returns the format with another byte order.
    func withByteOrder(isBigEndian: Bool) -> PCMFormat {
        PCMFormat(bitsPerSample: bitsPerSample, isFloat: isFloat, isBigEndian: isBigEndian)
    }
}
