/// A key of the options of a `CIContext`.
public struct CIContextOption: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let outputColorSpace = CIContextOption(rawValue: "output_color_space")
    public static let workingColorSpace = CIContextOption(rawValue: "working_color_space")
    public static let workingFormat = CIContextOption(rawValue: "working_format")
    public static let highQualityDownsample = CIContextOption(rawValue: "high_quality_downsample")
    public static let outputPremultiplied = CIContextOption(rawValue: "output_premultiplied")
    public static let cacheIntermediates = CIContextOption(rawValue: "cache_intermediates")
    public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
    public static let priorityRequestLow = CIContextOption(rawValue: "low_priority")
    public static let allowLowPower = CIContextOption(rawValue: "allow_low_power")
    public static let name = CIContextOption(rawValue: "name")
    public static let memoryTarget = CIContextOption(rawValue: "memory_target")
}
