import MediaTypes

// Options without effect here.
extension AVCaptureVideoDataOutput {
    /// Whether the cellular radio is prepared for requests that result from the frames; false by default. A machine
    /// with Linux has no such radio.
    public var preparesCellularRadioForNetworkConnection: Bool {
        get { observedProperties.value(\.preparesRadio, in: settings) }
        set { observedProperties.set(\.preparesRadio, in: settings, to: newValue) }
    }

    /// Whether frames keep the metadata of dynamic HDR; false by default. The devices here deliver none.
    public var preservesDynamicHDRMetadata: Bool {
        get { observedProperties.value(\.preservesHDRMetadata, in: settings) }
        set { observedProperties.set(\.preservesHDRMetadata, in: settings, to: newValue) }
    }
}
