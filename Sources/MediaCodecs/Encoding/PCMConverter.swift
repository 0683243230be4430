package import Foundation

/// Converts linear PCM to another sample format, at the same sample rate and channel count.
///
/// Integers are widened by appending zero bits and narrowed by rounding. Floating point is clipped at ±1 when converted
/// to integers.
package struct PCMConverter {
    /// The format of the input.
    package let source: PCMFormat
    /// The format of the output.
    package let destination: PCMFormat

    /// Creates a converter.
    package init(from source: PCMFormat, to destination: PCMFormat) {
        self.source = source
        self.destination = destination
    }

    /// Returns the samples in the destination's format.
    package func convert(_ bytes: UnsafeRawBufferPointer) -> Data {
        guard source != destination else { return Data(bytes) }
        let count = bytes.count / source.byteCount
        var result = Data(count: count * destination.byteCount)
        result.withUnsafeMutableBytes { target in
            if !source.isFloat, !destination.isFloat {
                for index in 0..<count { write(narrowed(integer(at: index, of: bytes)), at: index, to: target) }
            } else {
                for index in 0..<count { write(real(at: index, of: bytes), at: index, to: target) }
            }
        }
        return result
    }

    /// Returns an integer sample, left-aligned in 32 bits.
    private func integer(at index: Int, of bytes: UnsafeRawBufferPointer) -> Int32 {
        Int32(truncatingIfNeeded: pattern(at: index, of: bytes) << UInt64(32 - source.bitsPerSample))
    }

    /// Returns a sample as floating point with the full scale ±1.
    private func real(at index: Int, of bytes: UnsafeRawBufferPointer) -> Double {
        let pattern = pattern(at: index, of: bytes)
        switch (source.isFloat, source.bitsPerSample) {
        case (true, 64): return Double(bitPattern: pattern)
        case (true, _): return Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
        case (false, _): return Double(integer(at: index, of: bytes)) / 0x1p31
        }
    }

    /// Returns the bit pattern of a sample.
    private func pattern(at index: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
        let width = source.byteCount
        var value: UInt64 = 0
        for offset in 0..<width {
            let significance = source.isBigEndian ? width - 1 - offset : offset
            value |= UInt64(bytes[index * width + offset]) << UInt64(8 * significance)
        }
        return value
    }

    /// Rounds a 32-bit integer to the destination's width and clamps it.
    private func narrowed(_ value: Int32) -> UInt64 {
        let shift = 32 - destination.bitsPerSample
        guard shift > 0 else { return UInt64(UInt32(bitPattern: value)) }
        let rounded = (Int64(value) + Int64(1) << Int64(shift - 1)) >> Int64(shift)
        return UInt64(bitPattern: min(rounded, Int64(1) << Int64(destination.bitsPerSample - 1) - 1))
    }

    /// Writes a sample with the full scale ±1; NaN is written as 0 to integers.
    private func write(_ value: Double, at index: Int, to target: UnsafeMutableRawBufferPointer) {
        switch (destination.isFloat, destination.bitsPerSample) {
        case (true, 64): write(value.bitPattern, at: index, to: target)
        case (true, _): write(UInt64(Float(value).bitPattern), at: index, to: target)
        case (false, let bits):
            let scale = Double(Int64(1) << Int64(bits - 1))
            let scaled = value.isNaN ? 0 : (value * scale).rounded()
            write(UInt64(bitPattern: Int64(min(max(scaled, -scale), scale - 1))), at: index, to: target)
        }
    }

    /// Writes the lower bytes of an integer.
    private func write(_ pattern: UInt64, at index: Int, to target: UnsafeMutableRawBufferPointer) {
        let width = destination.byteCount
        for offset in 0..<width {
            let significance = destination.isBigEndian ? width - 1 - offset : offset
            target[index * width + offset] = UInt8(truncatingIfNeeded: pattern >> UInt64(8 * significance))
        }
    }
}
