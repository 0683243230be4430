extension CMFormatDescription {
    /// The description of time codes as 32-bit frame numbers.
    package static let timeCode = CMFormatDescription(
        mediaType: kCMMediaType_TimeCode, mediaSubType: kCMTimeCodeFormatType_TimeCode32, entries: [:])
}
