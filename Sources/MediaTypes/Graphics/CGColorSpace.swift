// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The model of a color space.
public enum CGColorSpaceModel: Int32, Hashable, Sendable {
    case unknown = -1
    case monochrome = 0
    case rgb, cmyk, lab, deviceN, indexed, pattern, XYZ
}

/// The meaning of color components.
///
/// - Note: Unlike Apple, colors are not converted between color spaces: all RGB spaces are drawn as sRGB.
public final class CGColorSpace: Sendable {
    public let name: CFString?
    public let model: CGColorSpaceModel

    private static let knownRGB: Set<String> = [
        sRGB, extendedSRGB, linearSRGB, extendedLinearSRGB, displayP3, "kCGColorSpaceDeviceRGB",
    ]
    private static let knownGray: Set<String> = [genericGrayGamma2_2, linearGray, "kCGColorSpaceDeviceGray"]

    /// Creates a color space; nil if the name is neither one of the constants nor that of a device color space.
    public init?(name: CFString) {
        switch name {
        case _ where Self.knownRGB.contains(name): model = .rgb
        case _ where Self.knownGray.contains(name): model = .monochrome
        default: return nil
        }
        self.name = name
    }

    fileprivate init(device name: String, _ model: CGColorSpaceModel) { (self.name, self.model) = (name, model) }

    /// The number of components without alpha.
    public var numberOfComponents: Int { model == .monochrome ? 1 : 3 }

    public static let sRGB: CFString = "kCGColorSpaceSRGB"
    public static let extendedSRGB: CFString = "kCGColorSpaceExtendedSRGB"
    public static let linearSRGB: CFString = "kCGColorSpaceLinearSRGB"
    public static let extendedLinearSRGB: CFString = "kCGColorSpaceExtendedLinearSRGB"
    public static let displayP3: CFString = "kCGColorSpaceDisplayP3"
    public static let genericGrayGamma2_2: CFString = "kCGColorSpaceGenericGrayGamma2_2"
    public static let linearGray: CFString = "kCGColorSpaceLinearGray"
}

extension CGColorSpace: Hashable {
    /// Whether both have the same name.
    public static func == (lhs: CGColorSpace, rhs: CGColorSpace) -> Bool { lhs.name == rhs.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Returns the device-dependent RGB color space.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(device: "kCGColorSpaceDeviceRGB", .rgb) }

/// Returns the device-dependent gray color space.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace {
    CGColorSpace(device: "kCGColorSpaceDeviceGray", .monochrome)
}
