import CaptureHAL
import MediaTypes

/// The mattes that a photo output is prepared to deliver.
struct MatteOptions: Sendable {
    var deliversPortraitEffects = false
    var semanticTypes: [AVSemanticSegmentationMatte.MatteType] = []
}

/// Mattes of the people in photos.
///
/// The cameras with depth deliver them. A photo has a matte if it shows what the matte covers: without a person in the
/// foreground, up to 2.5 m from the camera, there is no portrait effects matte, and without teeth no matte of teeth.
extension AVCapturePhotoOutput {
    /// Whether photos can have a portrait effects matte: if the camera delivers it, and depth in its active format. Can be
    /// observed.
    public var isPortraitEffectsMatteDeliverySupported: Bool {
        observedProperties.access()
        return supportedMattes.contains(.portraitEffects)
    }

    /// Whether settings can request portrait effects mattes; setting it to true if that is not supported is misuse.
    ///
    /// It becomes false when it is no longer supported after a commit or with a new format.
    public var isPortraitEffectsMatteDeliveryEnabled: Bool {
        get {
            observedProperties.access()
            return matteOptions.withLock { $0.deliversPortraitEffects } && supportedMattes.contains(.portraitEffects)
        }
        set {
            guard !newValue || supportedMattes.contains(.portraitEffects) else {
                return rejectEnabling(
                    newValue, "setPortraitEffectsMatteDeliveryEnabled:", "Portrait effects matte delivery")
            }
            matteOptions.withLock { $0.deliversPortraitEffects = newValue }
            observedProperties.changed()
        }
    }

    /// The types of mattes that photos can have; none if the camera delivers no depth in its active format. Can be
    /// observed.
    public var availableSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
        observedProperties.access()
        return availableMatteTypes
    }

    /// The types that settings can request; other than available types are misuse. Types that are no longer available are
    /// removed.
    public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
        get {
            observedProperties.access()
            return matteOptions.withLock { $0.semanticTypes }
        }
        set {
            let available = availableMatteTypes
            guard newValue.allSatisfy(available.contains) else {
                return rejectEnabling(
                    true, "setEnabledSemanticSegmentationMatteTypes:", "Semantic segmentation matte delivery")
            }
            matteOptions.withLock { $0.semanticTypes = newValue }
            observedProperties.changed()
        }
    }

    var availableMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
        let supported = supportedMattes
        return AVSemanticSegmentationMatte.MatteType.stillMattes.filter { supported.contains($0.matte) }.map(\.type)
    }

    /// The mattes that the camera delivers with its active format.
    var supportedMattes: Set<StillMatte> {
        guard let camera, camera.activeDepthDataFormat != nil else { return [] }
        return camera.hardware.descriptor.stills?.mattes ?? []
    }

    /// Disables mattes that are no longer supported.
    func disableUnsupportedMattes() {
        let (supported, types) = (supportedMattes, availableMatteTypes)
        matteOptions.withLock { options in
            if !supported.contains(.portraitEffects) { options.deliversPortraitEffects = false }
            options.semanticTypes.removeAll { !types.contains($0) }
        }
    }

    /// Returns the reason why settings cannot request their mattes; nil if they can.
    func matteRejectionReason(for settings: AVCapturePhotoSettings) -> String? {
        if settings.isPortraitEffectsMatteDeliveryEnabled {
            guard isPortraitEffectsMatteDeliveryEnabled else {
                return "isPortraitEffectsMatteDeliveryEnabled may not be set unless the output's "
                    + "isPortraitEffectsMatteDeliveryEnabled is YES"
            }
            guard settings.isDepthDataDeliveryEnabled else {
                return "isPortraitEffectsMatteDeliveryEnabled requires isDepthDataDeliveryEnabled"
            }
        }
        let enabled = enabledSemanticSegmentationMatteTypes
        guard settings.enabledSemanticSegmentationMatteTypes.allSatisfy(enabled.contains) else {
            return "enabledSemanticSegmentationMatteTypes must be contained in the output's"
        }
        return nil
    }
}

extension AVCapturePhotoSettings {
    /// The mattes for the camera; RAW photos have none.
    var stillMattes: Set<StillMatte> {
        guard deliversProcessedPhoto else { return [] }
        let types = enabledSemanticSegmentationMatteTypes
        var mattes = Set(
            AVSemanticSegmentationMatte.MatteType.stillMattes.filter { types.contains($0.type) }.map(\.matte))
        if isPortraitEffectsMatteDeliveryEnabled { mattes.insert(.portraitEffects) }
        return mattes
    }
}

extension AVSemanticSegmentationMatte.MatteType {
    /// The types with the mattes of cameras.
    static let stillMattes: [(type: Self, matte: StillMatte)] = [
        (.hair, .hair), (.skin, .skin), (.teeth, .teeth), (.glasses, .glasses),
    ]
}
