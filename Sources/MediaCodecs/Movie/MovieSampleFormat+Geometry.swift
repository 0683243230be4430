import Foundation
import MediaTypes

extension PixelAspectRatio {
    /// Creates the ratio in a format description; nil if there is none, if it is invalid, or if pixels are square.
    init?(_ description: CMFormatDescription) {
        let entries =
            CMFormatDescriptionGetExtension(
                description, extensionKey: kCMFormatDescriptionExtension_PixelAspectRatio) as? [String: Any]
        func spacing(_ key: CFString) -> UInt32? { (entries?[key] as? NSNumber).flatMap { UInt32(exactly: $0) } }
        guard let horizontal = spacing(kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing),
            let vertical = spacing(kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing), horizontal > 0,
            vertical > 0, horizontal != vertical
        else { return nil }
        self.init(horizontalSpacing: horizontal, verticalSpacing: vertical)
    }

    /// The value of the extension of a format description.
    package var extensionValue: [String: Any] {
        [
            kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: Int(horizontalSpacing),
            kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: Int(verticalSpacing),
        ]
    }
}

extension CleanAperture {
    /// The keys of a value in the extension of a format description: of the number, and of the fraction.
    private typealias Keys = (number: CFString, fraction: CFString)
    private static let widthKeys: Keys = (
        kCMFormatDescriptionKey_CleanApertureWidth, kCMFormatDescriptionKey_CleanApertureWidthRational
    )
    private static let heightKeys: Keys = (
        kCMFormatDescriptionKey_CleanApertureHeight, kCMFormatDescriptionKey_CleanApertureHeightRational
    )
    private static let horizontalOffsetKeys: Keys = (
        kCMFormatDescriptionKey_CleanApertureHorizontalOffset,
        kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational
    )
    private static let verticalOffsetKeys: Keys = (
        kCMFormatDescriptionKey_CleanApertureVerticalOffset,
        kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational
    )

    /// Creates the aperture in a format description; nil if there is none, or if its size is missing or not positive.
    init?(_ description: CMFormatDescription) {
        let entries =
            CMFormatDescriptionGetExtension(
                description, extensionKey: kCMFormatDescriptionExtension_CleanAperture) as? [String: Any]
        /// Returns the fraction, or the number if there is no valid fraction.
        func value(_ keys: Keys) -> Fraction? {
            let parts = (entries?[keys.fraction] as? [Any])?.compactMap { part in
                (part as? NSNumber).flatMap { Int32(exactly: $0) }
            }
            if let parts, parts.count == 2, parts[1] > 0 { return Fraction(parts[0], parts[1]) }
            return (entries?[keys.number] as? NSNumber).flatMap { Fraction(rounding: $0.doubleValue) }
        }
        guard let width = value(Self.widthKeys), let height = value(Self.heightKeys), width.doubleValue > 0,
            height.doubleValue > 0
        else { return nil }
        self.init(
            width: width, height: height, horizontalOffset: value(Self.horizontalOffsetKeys) ?? Fraction(0),
            verticalOffset: value(Self.verticalOffsetKeys) ?? Fraction(0))
    }

    /// The value of the extension of a format description.
    package var extensionValue: [String: Any] {
        let values = [
            (Self.widthKeys, width), (Self.heightKeys, height), (Self.horizontalOffsetKeys, horizontalOffset),
            (Self.verticalOffsetKeys, verticalOffset),
        ]
        return values.reduce(into: [:]) { entries, value in
            let (keys, fraction) = value
            entries[keys.number] = fraction.doubleValue
            entries[keys.fraction] = [Int(fraction.numerator), Int(fraction.denominator)]
        }
    }
}

extension CleanAperture.Fraction {
    /// Creates the fraction of a number, rounded to thousandths; nil if it does not fit.
    package init?(rounding number: Double) {
        if let integer = Int32(exactly: number) {
            self.init(integer)
        } else if let thousandths = Int32(exactly: (number * 1000).rounded()) {
            self.init(thousandths, 1000)
        } else {
            return nil
        }
    }

    /// The quotient; infinite or not a number if the denominator is 0.
    package var doubleValue: Double { Double(numerator) / Double(denominator) }
}
