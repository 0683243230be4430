import AssetTypes
import CaptureHAL

/// The rules for adding inputs, outputs and connections to a session.
struct SessionAdmission: Sendable {
    /// Whether the session accepts several cameras and microphones.
    let isMultiCam: Bool
    /// The cameras that the machine can run together.
    var multiCamera = MultiCameraCapacity()

    /// The relation of an input or output to sessions.
    enum Membership: Sendable {
        case none
        case sameSession
        case otherSession
    }

    // MARK: Inputs

    /// The properties of an input that the rules depend on.
    struct Input: Sendable {
        let media: Set<AVMediaType>
        let device: ObjectIdentifier
        /// The unique ID of the device.
        var deviceID = ""
        var isCamera = false
        /// Whether the camera's active format can be used together with other cameras.
        var isFormatMultiCamSupported = false
        /// Whether the camera has a format for the session's preset.
        var supportsPreset = true
    }

    /// Why a session rejects an input.
    enum InputRejection: Equatable, Sendable {
        case alreadyAdded
        case inOtherSession
        case deviceAlreadyAdded
        /// The active format of this camera cannot be used together with other cameras.
        case formatNotMultiCamSupported(camera: ObjectIdentifier)
        /// The machine cannot run these cameras together.
        case camerasNotSupportedTogether
        case mediumAlreadyPresent
        case presetUnsupported
    }

    /// Returns the reason why an input of a device cannot be added; nil if it can.
    ///
    /// - Parameters:
    ///   - isPresent: Whether the session has the input.
    ///   - present: The device inputs that the session has.
    func rejection(
        of input: Input, _ membership: Membership, isPresent: Bool, beside present: [Input]
    ) -> InputRejection? {
        if isPresent { return .alreadyAdded }
        if membership == .otherSession { return .inOtherSession }
        if isMultiCam {
            if present.contains(where: { $0.device == input.device }) { return .deviceAlreadyAdded }
            let cameras = (present + [input]).filter(\.isCamera)
            if cameras.count > 1, let camera = cameras.first(where: { !$0.isFormatMultiCamSupported }) {
                return .formatNotMultiCamSupported(camera: camera.device)
            }
            guard multiCamera.supports(Set(cameras.map(\.deviceID))) else { return .camerasNotSupportedTogether }
        } else if present.contains(where: { !$0.media.isDisjoint(with: input.media) }) {
            return .mediumAlreadyPresent
        }
        return input.isCamera && !input.supportsPreset ? .presetUnsupported : nil
    }

    // MARK: Outputs

    /// The properties of an output that the rules depend on.
    struct Output: Sendable {
        /// The class of the output.
        let type: ObjectIdentifier
        /// Whether every session accepts several outputs of this class.
        var allowsSeveral = false
        /// The class of outputs that cannot belong to the same session; nil for none.
        var incompatibleType: ObjectIdentifier?
    }

    /// Why a session rejects an output.
    enum OutputRejection: Equatable, Sendable {
        case alreadyAdded
        case inOtherSession
        case typeAlreadyPresent
        case incompatibleTypePresent
    }

    /// Returns the reason why an output cannot be added; nil if it can.
    ///
    /// The header of `canAddOutput:` says "a maximum of one output of each type", except video data outputs.
    /// - Parameters:
    ///   - isPresent: Whether the session has the output.
    ///   - present: The classes of the outputs that the session has.
    func rejection(
        of output: Output, _ membership: Membership, isPresent: Bool, beside present: [ObjectIdentifier]
    ) -> OutputRejection? {
        if membership == .otherSession { return .inOtherSession }
        if membership == .sameSession, isPresent { return .alreadyAdded }
        if let type = output.incompatibleType, present.contains(type) { return .incompatibleTypePresent }
        let isSingle = !isMultiCam && !output.allowsSeveral
        return isSingle && present.contains(output.type) ? .typeAlreadyPresent : nil
    }

    // MARK: Connections

    /// The properties of a connection that the rules depend on.
    struct Connection: Sendable {
        /// Whether the output belongs to the session.
        var hasOutput = true
        /// Whether the connection has ports, all of inputs of the session.
        var hasPorts = true
        /// Whether a port belongs to a constituent device or to one direction of a microphone.
        var usesHiddenPort = false
        var isToPhotoOutput = false
        var isPresent = false
        /// Whether the output accepts the medium of the ports.
        var isAccepted = true
        /// Whether the output has another connection for the medium.
        var isMediumConnected = false
    }

    /// Why a session rejects a connection.
    enum ConnectionRejection: Equatable, Sendable {
        case foreignOutput
        case foreignPorts
        case hiddenPortNeedsMultiCam
        case hiddenPortToPhotoOutput
        case alreadyAdded
        case mediumNotAccepted
        case mediumAlreadyConnected
    }

    /// Returns the reason why a connection cannot be added; nil if it can.
    func rejection(of connection: Connection) -> ConnectionRejection? {
        if !connection.hasOutput { return .foreignOutput }
        if !connection.hasPorts { return .foreignPorts }
        if connection.usesHiddenPort, !isMultiCam { return .hiddenPortNeedsMultiCam }
        if connection.usesHiddenPort, connection.isToPhotoOutput { return .hiddenPortToPhotoOutput }
        if connection.isPresent { return .alreadyAdded }
        if !connection.isAccepted { return .mediumNotAccepted }
        return connection.isMediumConnected ? .mediumAlreadyConnected : nil
    }
}
