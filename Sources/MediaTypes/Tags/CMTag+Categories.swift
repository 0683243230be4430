// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and codes are Apple's, from `CMTag.h`.

/// The views of stereo video in a buffer.
public struct CMStereoViewComponents: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let leftEye = CMStereoViewComponents(rawValue: 1 << 0)
    public static let rightEye = CMStereoViewComponents(rawValue: 1 << 1)
}

/// Options for the interpretation of the views of stereo video.
public struct CMStereoViewInterpretationOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The right eye precedes the left one.
    public static let stereoOrderReversed = CMStereoViewInterpretationOptions(rawValue: 1 << 0)
    /// There are views besides those of the eyes.
    public static let additionalViews = CMStereoViewInterpretationOptions(rawValue: 1 << 1)
}

/// How video is projected for display.
public enum CMProjectionType: UInt64, Sendable {
    /// Onto a plane.
    case rectangular = 0x7265_6374
    /// Onto a sphere, 360 degrees wide.
    case equirectangular = 0x6571_7569
    /// Onto half a sphere, 180 degrees wide.
    case halfEquirectangular = 0x6865_7175
    case fisheye = 0x6669_7368
    /// Defined by the parameters of the lens.
    case parametricImmersive = 0x7072_696d
}

/// The arrangement of several views in a frame.
public enum CMPackingType: UInt64, Sendable {
    /// Each frame has one view.
    case none = 0x6e6f_6e65
    /// The view of the left eye is on the left.
    case sideBySide = 0x7369_6465
    /// The view of the left eye is at the top.
    case overUnder = 0x6f76_6572
}

/// Categories of values that are four-character codes.
extension CMTypedTag.Category where TypedValue: RawRepresentable, TypedValue.RawValue: FixedWidthInteger {
    fileprivate init(code rawCategory: RawCategory) {
        self.init(
            rawCategory: rawCategory,
            valueForTagValue: { value in
                guard case .osType(let code) = value else { return nil }
                return TypedValue(rawValue: TypedValue.RawValue(truncatingIfNeeded: code))
            },
            tagValueForValue: { .osType(OSType(truncatingIfNeeded: $0.rawValue)) })
    }
}

/// Categories of values that are sets of flags.
extension CMTypedTag.Category where TypedValue: OptionSet, TypedValue.RawValue == UInt64 {
    fileprivate init(flags rawCategory: RawCategory) {
        self.init(
            rawCategory: rawCategory,
            valueForTagValue: { value in
                guard case .flags(let flags) = value else { return nil }
                return TypedValue(rawValue: flags)
            },
            tagValueForValue: { .flags($0.rawValue) })
    }
}

/// Categories of values that are integers.
extension CMTypedTag.Category where TypedValue: FixedWidthInteger {
    fileprivate init(integer rawCategory: RawCategory) {
        self.init(
            rawCategory: rawCategory,
            valueForTagValue: { value in
                guard case .int64(let number) = value else { return nil }
                return TypedValue(exactly: number)
            },
            tagValueForValue: { .int64(Int64(truncatingIfNeeded: $0)) })
    }
}

/// The known categories.
extension CMTypedTag.Category {
    public static var mediaType: CMTypedTag<CMFormatDescription.MediaType>.Category { .init(code: 0x6d64_6961) }
    public static var mediaSubType: CMTypedTag<CMFormatDescription.MediaSubType>.Category { .init(code: 0x6d73_7562) }
    public static var projectionType: CMTypedTag<CMProjectionType>.Category { .init(code: 0x7072_6f6a) }
    public static var packingType: CMTypedTag<CMPackingType>.Category { .init(code: 0x7061_636b) }
    public static var stereoView: CMTypedTag<CMStereoViewComponents>.Category { .init(flags: 0x6579_6573) }
    public static var stereoViewInterpretation: CMTypedTag<CMStereoViewInterpretationOptions>.Category {
        .init(flags: 0x6579_6970)
    }
    public static var trackID: CMTypedTag<CMPersistentTrackID>.Category { .init(integer: 0x7472_616b) }
    public static var channelID: CMTypedTag<Int64>.Category { .init(integer: 0x7663_686e) }
    public static var videoLayerID: CMTypedTag<Int64>.Category { .init(integer: 0x766c_6179) }
    public static var pixelFormat: CMTypedTag<OSType>.Category {
        .init(
            rawCategory: 0x7069_7866,
            valueForTagValue: { value in
                guard case .osType(let code) = value else { return nil }
                return code
            },
            tagValueForValue: { .osType($0) })
    }
}

/// Tags of the known categories.
extension CMTag {
    public static func mediaType(_ value: CMFormatDescription.MediaType) -> CMTypedTag<CMFormatDescription.MediaType> {
        CMTypedTag(category: .mediaType, value: value)
    }

    public static func mediaSubType(_ value: CMFormatDescription.MediaSubType) -> CMTypedTag<
        CMFormatDescription.MediaSubType
    > {
        CMTypedTag(category: .mediaSubType, value: value)
    }

    public static func projectionType(_ value: CMProjectionType) -> CMTypedTag<CMProjectionType> {
        CMTypedTag(category: .projectionType, value: value)
    }

    public static func packingType(_ value: CMPackingType) -> CMTypedTag<CMPackingType> {
        CMTypedTag(category: .packingType, value: value)
    }

    public static func stereoView(_ value: CMStereoViewComponents) -> CMTypedTag<CMStereoViewComponents> {
        CMTypedTag(category: .stereoView, value: value)
    }

    public static func stereoViewInterpretation(_ value: CMStereoViewInterpretationOptions) -> CMTypedTag<
        CMStereoViewInterpretationOptions
    > {
        CMTypedTag(category: .stereoViewInterpretation, value: value)
    }

    public static func trackID(_ value: CMPersistentTrackID) -> CMTypedTag<CMPersistentTrackID> {
        CMTypedTag(category: .trackID, value: value)
    }

    public static func channelID(_ value: Int64) -> CMTypedTag<Int64> {
        CMTypedTag(category: .channelID, value: value)
    }

    public static func videoLayerID(_ value: Int64) -> CMTypedTag<Int64> {
        CMTypedTag(category: .videoLayerID, value: value)
    }

    public static func pixelFormat(_ value: OSType) -> CMTypedTag<OSType> {
        CMTypedTag(category: .pixelFormat, value: value)
    }
}
