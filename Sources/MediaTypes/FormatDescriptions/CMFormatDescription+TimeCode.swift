extension CMFormatDescription {
    /// The description of time codes that are 32-bit frame numbers.
    package static let timeCode = CMFormatDescription(
        mediaType: kCMMediaType_TimeCode, mediaSubType: 0x746d_6364, entries: [:])
}
