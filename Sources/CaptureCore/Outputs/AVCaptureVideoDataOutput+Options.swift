import MediaTypes

// Options that have no effect.
extension AVCaptureVideoDataOutput {
    /// Whether the cellular radio is prepared for network requests that result from the frames; false by default. It
    /// has no effect.
    public var preparesCellularRadioForNetworkConnection: Bool {
        get { observedProperties.value(\.preparesRadio, in: settings) }
        set { observedProperties.set(\.preparesRadio, in: settings, to: newValue) }
    }

    /// Whether frames retain dynamic HDR metadata, which describes the brightness of each frame; false by default. It
    /// has no effect, since no backend delivers such metadata.
    public var preservesDynamicHDRMetadata: Bool {
        get { observedProperties.value(\.preservesHDRMetadata, in: settings) }
        set { observedProperties.set(\.preservesHDRMetadata, in: settings, to: newValue) }
    }
}
