// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The channels that a bitmap can name, by bit.
public struct AudioChannelBitmap: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Makes a bitmap from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Front left.
    public static let bit_Left = AudioChannelBitmap(rawValue: 1 << 0)
    /// Front right.
    public static let bit_Right = AudioChannelBitmap(rawValue: 1 << 1)
    /// Front centre.
    public static let bit_Center = AudioChannelBitmap(rawValue: 1 << 2)
    /// Low frequencies.
    public static let bit_LFEScreen = AudioChannelBitmap(rawValue: 1 << 3)
    /// Surround left.
    public static let bit_LeftSurround = AudioChannelBitmap(rawValue: 1 << 4)
    /// Surround right.
    public static let bit_RightSurround = AudioChannelBitmap(rawValue: 1 << 5)
}

/// How a channel's coordinates are meant.
public struct AudioChannelFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Makes flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The coordinates are left/right, back/front, down/up.
    public static let rectangularCoordinates = AudioChannelFlags(rawValue: 1 << 0)
    /// The coordinates are azimuth, elevation, distance.
    public static let sphericalCoordinates = AudioChannelFlags(rawValue: 1 << 1)
    /// The coordinates are metres and not parts of a unit cube.
    public static let meters = AudioChannelFlags(rawValue: 1 << 2)
}

/// What one channel is.
public struct AudioChannelDescription: Hashable, Sendable {
    /// The label.
    public var mChannelLabel: AudioChannelLabel
    /// How the coordinates are meant.
    public var mChannelFlags: AudioChannelFlags
    /// Where the loudspeaker stands, where the label says so.
    public var mCoordinates: (Float, Float, Float)

    /// Makes an unknown channel.
    public init() { self.init(mChannelLabel: kAudioChannelLabel_Unknown, mChannelFlags: [], mCoordinates: (0, 0, 0)) }

    /// Makes a description.
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

    /// Feeds label and flags.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mChannelLabel)
        hasher.combine(mChannelFlags)
    }
}

/// What the channels of a stream are, in order: by a tag, a bitmap, or descriptions.
///
/// - Note: Unlike Apple's, this struct carries one description at most, as a C struct of fixed size does; more than one
///   is not kept.
public struct AudioChannelLayout: Hashable, Sendable {
    /// The tag; `kAudioChannelLayoutTag_UseChannelDescriptions` or `…UseChannelBitmap` send to the other fields.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// The bitmap.
    public var mChannelBitmap: AudioChannelBitmap
    /// How many descriptions there are.
    public var mNumberChannelDescriptions: UInt32
    /// The first description.
    public var mChannelDescriptions: AudioChannelDescription

    /// Makes a layout that says nothing.
    public init() {
        self.init(
            mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0,
            mChannelDescriptions: AudioChannelDescription())
    }

    /// Makes a layout from its fields.
    public init(
        mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap,
        mNumberChannelDescriptions: UInt32, mChannelDescriptions: AudioChannelDescription
    ) {
        self.mChannelLayoutTag = mChannelLayoutTag
        self.mChannelBitmap = mChannelBitmap
        self.mNumberChannelDescriptions = mNumberChannelDescriptions
        self.mChannelDescriptions = mChannelDescriptions
    }

    /// Makes a layout from its tag.
    package init(tag: AudioChannelLayoutTag) {
        self.init()
        mChannelLayoutTag = tag
    }
}
