// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A set of channels, one per bit.
public struct AudioChannelBitmap: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Creates a bitmap from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Front left.
    public static let bit_Left = AudioChannelBitmap(rawValue: 1 << 0)
    /// Front right.
    public static let bit_Right = AudioChannelBitmap(rawValue: 1 << 1)
    /// Front center.
    public static let bit_Center = AudioChannelBitmap(rawValue: 1 << 2)
    /// Low-frequency effects.
    public static let bit_LFEScreen = AudioChannelBitmap(rawValue: 1 << 3)
    /// Surround left.
    public static let bit_LeftSurround = AudioChannelBitmap(rawValue: 1 << 4)
    /// Surround right.
    public static let bit_RightSurround = AudioChannelBitmap(rawValue: 1 << 5)
}

/// The interpretation of a channel's coordinates.
public struct AudioChannelFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Creates flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The coordinates are left/right, back/front, down/up.
    public static let rectangularCoordinates = AudioChannelFlags(rawValue: 1 << 0)
    /// The coordinates are azimuth, elevation, distance.
    public static let sphericalCoordinates = AudioChannelFlags(rawValue: 1 << 1)
    /// The coordinates are in meters instead of fractions of a unit cube.
    public static let meters = AudioChannelFlags(rawValue: 1 << 2)
}

/// The description of a channel.
public struct AudioChannelDescription: Hashable, Sendable {
    /// The label.
    public var mChannelLabel: AudioChannelLabel
    /// The interpretation of the coordinates.
    public var mChannelFlags: AudioChannelFlags
    /// The loudspeaker's position, if the label refers to coordinates.
    public var mCoordinates: (Float, Float, Float)

    /// Creates the description of an unknown channel.
    public init() { self.init(mChannelLabel: kAudioChannelLabel_Unknown, mChannelFlags: [], mCoordinates: (0, 0, 0)) }

    /// Creates a description from its fields.
    public init(
        mChannelLabel: AudioChannelLabel, mChannelFlags: AudioChannelFlags, mCoordinates: (Float, Float, Float)
    ) {
        self.mChannelLabel = mChannelLabel
        self.mChannelFlags = mChannelFlags
        self.mCoordinates = mCoordinates
    }

    /// Whether all fields are equal.
    public static func == (lhs: AudioChannelDescription, rhs: AudioChannelDescription) -> Bool {
        lhs.mChannelLabel == rhs.mChannelLabel && lhs.mChannelFlags == rhs.mChannelFlags
            && lhs.mCoordinates == rhs.mCoordinates
    }

    /// Hashes the label and the flags.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mChannelLabel)
        hasher.combine(mChannelFlags)
    }
}

/// The channels of a stream in order, given by a tag, a bitmap or descriptions.
///
/// - Note: Unlike Apple, this struct stores at most one description, like the C struct's fixed-size part.
public struct AudioChannelLayout: Hashable, Sendable {
    /// The layout tag; `kAudioChannelLayoutTag_UseChannelDescriptions` and `…UseChannelBitmap` refer to the other
    /// fields.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// The bitmap.
    public var mChannelBitmap: AudioChannelBitmap
    /// The number of descriptions.
    public var mNumberChannelDescriptions: UInt32
    /// The first description.
    public var mChannelDescriptions: AudioChannelDescription

    /// Creates an empty layout.
    public init() {
        self.init(
            mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0,
            mChannelDescriptions: AudioChannelDescription())
    }

    /// Creates a layout from its fields.
    public init(
        mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap,
        mNumberChannelDescriptions: UInt32, mChannelDescriptions: AudioChannelDescription
    ) {
        self.mChannelLayoutTag = mChannelLayoutTag
        self.mChannelBitmap = mChannelBitmap
        self.mNumberChannelDescriptions = mNumberChannelDescriptions
        self.mChannelDescriptions = mChannelDescriptions
    }

    /// Creates a layout from its tag.
    package init(tag: AudioChannelLayoutTag) {
        self.init()
        mChannelLayoutTag = tag
    }
}
