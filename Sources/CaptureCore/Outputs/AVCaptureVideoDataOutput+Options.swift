import MediaTypes

// Options without effect here.
extension AVCaptureVideoDataOutput {
    /// Whether the cellular radio is prepared for requests that result from the frames; false by default. A machine
    /// with Linux has no such radio.
    public var preparesCellularRadioForNetworkConnection: Bool {
        get {
            observedProperties.access()
            return settings.withLock { $0.preparesRadio }
        }
        set {
            settings.withLock { $0.preparesRadio = newValue }
            observedProperties.changed()
        }
    }

    /// Whether frames keep the metadata of dynamic HDR; false by default. The devices here deliver none.
    public var preservesDynamicHDRMetadata: Bool {
        get {
            observedProperties.access()
            return settings.withLock { $0.preservesHDRMetadata }
        }
        set {
            settings.withLock { $0.preservesHDRMetadata = newValue }
            observedProperties.changed()
        }
    }
}
