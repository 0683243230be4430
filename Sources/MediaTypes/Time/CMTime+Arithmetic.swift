// All intermediate results are exact in `Int128`. A numerator has at most 95 bits (the sum of two 63-bit values, each
// times a 31-bit timescale), a denominator at most 62 bits, and a numerator times a timescale at most 126 bits.

extension CMTime {
    /// The rank of numeric times.
    static let numericRank = 1
    /// The rank of invalid times.
    static let invalidRank = 4

    /// The rank of the state in the order of `CMTimeCompare`: 0 for −∞, 1 for numeric, 2 for indefinite, 3 for +∞, 4
    /// for invalid. A time with a timescale that is not positive is invalid.
    var rank: Int {
        if !isValid { return CMTime.invalidRank }
        if isPositiveInfinity { return 3 }
        if isNegativeInfinity { return 0 }
        if isIndefinite { return 2 }
        return timescale > 0 ? CMTime.numericRank : CMTime.invalidRank
    }

    /// Whether the time is numeric and has a positive timescale.
    var isComputable: Bool { rank == CMTime.numericRank }

    /// Returns −1, 0 or 1, as `CMTimeCompare` does.
    @usableFromInline
    func order(_ other: CMTime) -> Int32 {
        if sharesScale(with: other) { return value == other.value ? 0 : (value < other.value ? -1 : 1) }
        let (rank, otherRank) = (rank, other.rank)
        if rank != otherRank { return rank < otherRank ? -1 : 1 }
        guard rank == CMTime.numericRank else { return 0 }
        if epoch != other.epoch { return epoch < other.epoch ? -1 : 1 }
        let left = Int128(value) * Int128(other.timescale)
        let right = Int128(other.value) * Int128(timescale)
        return left == right ? 0 : (left < right ? -1 : 1)
    }

    /// Returns the sum of two times or, with `sign` −1, their difference.
    func adding(_ other: CMTime, sign: Int128) -> CMTime {
        if sharesScale(with: other) {
            let (sum, hasOverflowed) =
                sign > 0
                ? value.addingReportingOverflow(other.value) : value.subtractingReportingOverflow(other.value)
            if !hasOverflowed { return CMTime(value: sum, timescale: timescale, flags: .valid, epoch: 0) }
        }
        if rank == CMTime.invalidRank || other.rank == CMTime.invalidRank { return .invalid }
        let infinity = infiniteSign
        let otherInfinity = other.infiniteSign * Int(sign)
        if infinity != 0 || otherInfinity != 0 {
            if infinity * otherInfinity < 0 { return .invalid }
            return infinity + otherInfinity > 0 ? .positiveInfinity : .negativeInfinity
        }
        if isIndefinite || other.isIndefinite { return .indefinite }

        var resultEpoch: CMTimeEpoch = 0
        if epoch != other.epoch {
            if epoch != 0 && other.epoch != 0 { return .invalid }
            resultEpoch = epoch == 0 ? other.epoch : epoch
        }
        let wasRounded = hasBeenRounded || other.hasBeenRounded
        let (scale, otherScale) = (Int128(timescale), Int128(other.timescale))
        let divisor = Int128(greatestCommonDivisor(UInt64(timescale), UInt64(other.timescale)))
        let common = scale / divisor * otherScale
        let numerator = Int128(value) * (common / scale) + sign * Int128(other.value) * (common / otherScale)
        return CMTime(
            numerator, over: common, timescale: CMTimeScale(clamping: common), wasRounded: wasRounded,
            epoch: resultEpoch)
    }

    /// Creates the time nearest to `numerator / denominator` seconds. The timescale is halved until the value fits.
    ///
    /// - Parameter denominator: Positive, at most 62 bits; `numerator` at most 95 bits.
    init(
        _ numerator: Int128, over denominator: Int128, timescale: CMTimeScale, wasRounded: Bool, epoch: CMTimeEpoch
    ) {
        var scale = timescale
        while true {
            let (value, isExact) = divide(numerator * Int128(scale), by: denominator, .default)
            if let value = CMTimeValue(exactly: value) {
                let flags: CMTimeFlags = wasRounded || !isExact ? [.valid, .hasBeenRounded] : .valid
                self.init(value: value, timescale: scale, flags: flags, epoch: epoch)
                return
            }
            guard scale > 1 else {
                self = numerator > 0 ? .positiveInfinity : .negativeInfinity
                return
            }
            scale /= 2
        }
    }

    /// 1 for +∞, −1 for −∞, otherwise 0.
    var infiniteSign: Int {
        isPositiveInfinity ? 1 : (isNegativeInfinity ? -1 : 0)
    }

    /// Creates the infinity with a sign; `.invalid` for 0, because infinity times 0 is undefined.
    init(infiniteOfSign sign: Int) {
        self = sign == 0 ? .invalid : (sign > 0 ? .positiveInfinity : .negativeInfinity)
    }

    /// Returns the product with a number, rounded once; see `CMTimeMultiplyByFloat64`.
    func multiplied(by multiplier: Double) -> CMTime {
        guard isComputable else {
            guard rank != CMTime.invalidRank, infiniteSign != 0 else { return isIndefinite ? .indefinite : .invalid }
            if multiplier.isNaN { return .invalid }
            return CMTime(infiniteOfSign: infiniteSign * (multiplier == 0 ? 0 : (multiplier > 0 ? 1 : -1)))
        }
        if multiplier.isNaN { return .invalid }
        let isNegative = (value < 0) != (multiplier.sign == .minus)
        if multiplier.isInfinite {
            return value == 0 ? .invalid : (isNegative ? .negativeInfinity : .positiveInfinity)
        }
        var scale = timescale
        var doublings = 0
        // The minimum timescale of the result; see `CMTimeMultiplyByFloat64`.
        while scale < 65536 {
            scale *= 2
            doublings += 1
        }
        let infinity: CMTime = isNegative ? .negativeInfinity : .positiveInfinity
        // The result is `product` · 2^`exponent`. Trailing zeros of the significand are removed, so that integers have
        // an exponent ≥ 0.
        var significand = UInt128(0)
        var exponent = doublings
        if multiplier != 0 && value != 0 {
            let bits = multiplier.significandBitPattern | (multiplier.isNormal ? 1 << 52 : 0)
            // The multiplier is `bits` · 2^`power`: IEEE 754 binary64 has an exponent bias of 1023 and 52 fraction
            // bits.
            let power = multiplier.isNormal ? Int(multiplier.exponentBitPattern) - 1075 : -1074
            significand = UInt128(bits >> bits.trailingZeroBitCount)
            exponent += power + bits.trailingZeroBitCount
        }
        var product = significand * UInt128(value.magnitude)
        if exponent > 0 && product != 0 {
            // The scale is less than 2^31, so a product of more than 100 bits does not fit even at timescale 1.
            guard 128 - product.leadingZeroBitCount + exponent <= 100 else { return infinity }
            product <<= UInt128(exponent)
        }
        let shift = max(0, -exponent)
        let fullScale = UInt128(scale)
        while true {
            // The quotient is at most `product`, so it fits. If it is shifted, the bits that are shifted out determine
            // the rounding, and the remainder only determines exactness. Otherwise, the remainder determines both.
            let wide = product.multipliedFullWidth(by: UInt128(scale))
            let (quotient, remainder) = fullScale.dividingFullWidth((wide.high, wide.low))
            let (shifted, isExact) = shiftRight(quotient, by: shift)
            let value = shift == 0 && remainder * 2 >= fullScale ? shifted + 1 : shifted
            if value <= UInt128(CMTimeValue.max) {
                let magnitude = CMTimeValue(value)
                let isRounded = hasBeenRounded || !isExact || remainder != 0
                return CMTime(
                    value: isNegative ? -magnitude : magnitude, timescale: scale,
                    flags: isRounded ? [.valid, .hasBeenRounded] : .valid, epoch: epoch)
            }
            guard scale > 1 else { return infinity }
            scale /= 2
        }
    }

    /// Returns the product with `multiplier / divisor`, exact if it can be represented.
    func multiplied(by multiplier: Int32, over divisor: Int32) -> CMTime {
        if rank == CMTime.invalidRank { return .invalid }
        if isIndefinite { return self }
        if infiniteSign != 0 {
            return CMTime(infiniteOfSign: infiniteSign * Int(multiplier.signum()) * (divisor < 0 ? -1 : 1))
        }
        if divisor == 0 {
            if value == 0 || multiplier == 0 { return .invalid }
            return (value < 0) == (multiplier < 0) ? .positiveInfinity : .negativeInfinity
        }
        var numerator = Int128(value) * Int128(multiplier)
        var factor = Int128(divisor)
        if factor < 0 { (numerator, factor) = (-numerator, -factor) }
        let common = greatestCommonDivisor(numerator.magnitude, factor.magnitude)
        numerator /= Int128(common)
        factor /= Int128(common)
        // Use the smallest multiple of the time's timescale that represents the value exactly. If it does not fit, use
        // the reduced fraction.
        var denominator = factor * Int128(timescale)
        if CMTimeScale(exactly: denominator) == nil || CMTimeValue(exactly: numerator) == nil {
            let reduction = Int128(greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
            numerator /= reduction
            denominator /= reduction
        }
        return CMTime(
            numerator, over: denominator, timescale: CMTimeScale(clamping: denominator), wasRounded: hasBeenRounded,
            epoch: epoch)
    }
}

/// Returns the greatest common divisor; `b` if `a` is 0.
func greatestCommonDivisor<Number: FixedWidthInteger & UnsignedInteger>(_ a: Number, _ b: Number) -> Number {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}

/// Divides and rounds.
///
/// `.quickTime` is treated as `.roundTowardZero`; the caller maps it to the direction of the conversion.
///
/// - Parameter denominator: Positive, at most 62 bits.
/// - Returns: The rounded quotient, and whether it is exact.
func divide(
    _ numerator: Int128, by denominator: Int128, _ method: CMTimeRoundingMethod
) -> (value: Int128, isExact: Bool) {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    if remainder == 0 { return (quotient, true) }
    let awayFromZero: Int128 = numerator < 0 ? -1 : 1
    let roundsAwayFromZero =
        switch method {
        case .roundHalfAwayFromZero: remainder.magnitude * 2 >= denominator.magnitude
        case .roundTowardZero, .quickTime: false
        case .roundAwayFromZero: true
        case .roundTowardPositiveInfinity: numerator > 0
        case .roundTowardNegativeInfinity: numerator < 0
        }
    return (roundsAwayFromZero ? quotient + awayFromZero : quotient, false)
}

/// Divides by 2^`count`, rounding halves up; also returns whether the result is exact.
private func shiftRight(_ number: UInt128, by count: Int) -> (value: UInt128, isExact: Bool) {
    if count == 0 || number == 0 { return (number, true) }
    if count > 127 { return (0, false) }
    let unit = UInt128(1) << UInt128(count)
    let lost = number & (unit - 1)
    let value = number >> UInt128(count)
    return (lost >= unit >> 1 ? value + 1 : value, lost == 0)
}
