package import Foundation

/// Writes linear PCM in another form of sample; rate and channels stay.
///
/// Integers widen by zeros below and narrow to the nearest; floating point is full at ±1 and clipped there.
package struct PCMConverter {
    package let source: PCMFormat
    package let destination: PCMFormat

    package init(from source: PCMFormat, to destination: PCMFormat) {
        self.source = source
        self.destination = destination
    }

    /// The same samples in the destination's form.
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

    /// An integer sample in the upper bits of 32.
    private func integer(at index: Int, of bytes: UnsafeRawBufferPointer) -> Int32 {
        Int32(truncatingIfNeeded: pattern(at: index, of: bytes) << UInt64(32 - source.bitsPerSample))
    }

    private func real(at index: Int, of bytes: UnsafeRawBufferPointer) -> Double {
        let pattern = pattern(at: index, of: bytes)
        switch (source.isFloat, source.bitsPerSample) {
        case (true, 64): return Double(bitPattern: pattern)
        case (true, _): return Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
        case (false, _): return Double(integer(at: index, of: bytes)) / 0x1p31
        }
    }

    /// A sample's bytes as one number.
    private func pattern(at index: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
        let width = source.byteCount
        var value: UInt64 = 0
        for offset in 0..<width {
            let place = source.isBigEndian ? width - 1 - offset : offset
            value |= UInt64(bytes[index * width + offset]) << UInt64(8 * place)
        }
        return value
    }

    /// An integer of 32 bits, rounded to the destination's and not past its ends.
    private func narrowed(_ value: Int32) -> UInt64 {
        let shift = 32 - destination.bitsPerSample
        guard shift > 0 else { return UInt64(UInt32(bitPattern: value)) }
        let rounded = (Int64(value) + Int64(1) << Int64(shift - 1)) >> Int64(shift)
        return UInt64(bitPattern: min(rounded, Int64(1) << Int64(destination.bitsPerSample - 1) - 1))
    }

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

    /// Writes the lower bytes of a number.
    private func write(_ pattern: UInt64, at index: Int, to target: UnsafeMutableRawBufferPointer) {
        let width = destination.byteCount
        for offset in 0..<width {
            let place = destination.isBigEndian ? width - 1 - offset : offset
            target[index * width + offset] = UInt8(truncatingIfNeeded: pattern >> UInt64(8 * place))
        }
    }
}
