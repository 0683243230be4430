/// A key of the options of a `CIImage`.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let colorSpace = CIImageOption(rawValue: "CIImageColorSpace")
    public static let properties = CIImageOption(rawValue: "CIImageProperties")
    public static let applyOrientationProperty = CIImageOption(rawValue: "CIImageApplyOrientationProperty")
    public static let nearestSampling = CIImageOption(rawValue: "CIImageNearestSampling")
    public static let toneMapHDRtoSDR = CIImageOption(rawValue: "CIImageToneMapHDRtoSDR")
}
