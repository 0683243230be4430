extension CMFormatDescription {
    /// The tags of each layer of HEVC video with a layer for each eye; nil for other media.
    ///
    /// The first layer is that of the hero eye, or of the left eye if there is no hero eye.
    public var tagCollections: [[CMTag]]? {
        func flag(_ key: CFString) -> Bool { entries[key] as? Bool ?? false }
        guard rawMediaType == kCMMediaType_Video, rawMediaSubType == kCMVideoCodecType_HEVC,
            flag(kCMFormatDescriptionExtension_HasLeftStereoEyeView),
            flag(kCMFormatDescriptionExtension_HasRightStereoEyeView)
        else { return nil }
        let isRightFirst =
            entries[kCMFormatDescriptionExtension_HeroEye] as? String == kCMFormatDescriptionHeroEye_Right
        let eyes: [CMStereoViewComponents] = isRightFirst ? [.rightEye, .leftEye] : [.leftEye, .rightEye]
        return eyes.enumerated().map { layer, eye in [.videoLayerID(Int64(layer)), .stereoView(eye)] }
    }
}
