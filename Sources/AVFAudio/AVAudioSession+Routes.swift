import CaptureHAL
public import Foundation
import MediaTypes

extension AVAudioSession {
    private static let builtInID = "Built-In Microphone"

    /// The connected microphones, except those that play a file.
    var microphones: [any HardwareDevice] {
        hosts.flatMap { $0.devices(with: .audio) }.filter { !$0.descriptor.isPrerecorded }
    }

    private func formats(of device: any HardwareDevice) -> [AudioStreamFormat] {
        device.formats.compactMap { format in
            if case .audio(let audio) = format { audio } else { nil }
        }
    }

    private func channelCount(of device: any HardwareDevice) -> Int {
        formats(of: device).map(\.channelCount).max() ?? 0
    }

    private static func port(of descriptor: DeviceDescriptor) -> Port {
        switch descriptor.transport {
        case .builtIn: .builtInMic
        case .usb: .usbAudio
        case .pci: .PCI
        case .fireWire: .fireWire
        case .virtual: .virtual
        case .unknown: descriptor.kind == .microphone ? .builtInMic : .lineIn
        }
    }

    /// The ports of all microphones; the built-in ones share one port.
    private var ports: [AVAudioSessionPortDescription] {
        let microphones = microphones
        let builtIn = microphones.filter { Self.port(of: $0.descriptor) == .builtInMic }
        var ports: [AVAudioSessionPortDescription] = []
        if let first = builtIn.first {
            let sources = builtIn.enumerated().map { index, device in
                AVAudioSessionDataSourceDescription(
                    id: index + 1, name: device.descriptor.localizedName,
                    orientation: Self.orientation(device.descriptor.position), deviceID: device.descriptor.uniqueID)
            }
            ports.append(
                AVAudioSessionPortDescription(
                    .builtInMic, name: sources.count == 1 ? first.descriptor.localizedName : "Built-in Microphone",
                    uid: Self.builtInID, channelCount: channelCount(of: first),
                    dataSources: sources.count == 1 ? nil : sources, preferences: dataSourceIDs))
        }
        for device in microphones where Self.port(of: device.descriptor) != .builtInMic {
            ports.append(
                AVAudioSessionPortDescription(
                    Self.port(of: device.descriptor), name: device.descriptor.localizedName,
                    uid: device.descriptor.uniqueID, channelCount: channelCount(of: device), preferences: dataSourceIDs)
            )
        }
        return ports
    }

    private static func orientation(_ position: DevicePosition) -> Orientation? {
        switch position {
        case .front: .front
        case .back: .back
        case .unspecified: nil
        }
    }

    /// The device that delivers the audio of the route; nil if the category does not record.
    private var inputDevice: (any HardwareDevice)? {
        guard let port = currentRoute.inputs.first else { return nil }
        let id = port.selectedDataSource?.deviceID ?? port.uid
        return microphones.first { $0.descriptor.uniqueID == id }
            ?? microphones.first { Self.port(of: $0.descriptor) == .builtInMic }
    }

    /// The microphones; nil if the category does not record.
    public var availableInputs: [AVAudioSessionPortDescription]? { category.records ? ports : nil }

    /// The inputs and outputs of the category: the preferred input, else an external one, else the built-in
    /// microphones.
    ///
    /// Machines with an orientation sensor have a speaker and a receiver, like phones; others have no outputs.
    public var currentRoute: AVAudioSessionRouteDescription {
        let settings = settings
        let ports = settings.category.records ? ports : []
        let input =
            ports.first { $0.uid == settings.inputID } ?? ports.last { $0.portType != .builtInMic } ?? ports.first
        return AVAudioSessionRouteDescription(inputs: input.map { [$0] } ?? [], outputs: outputs(settings))
    }

    private func outputs(_ settings: Settings) -> [AVAudioSessionPortDescription] {
        guard settings.category.plays, hosts.contains(where: { $0.orientation != nil }) else { return [] }
        let speakerModes: Set<Mode> = [.videoChat, .videoRecording]
        let isReceiver =
            settings.category == .playAndRecord && settings.output == .none
            && !settings.options.contains(.defaultToSpeaker) && !speakerModes.contains(settings.mode)
        return [
            AVAudioSessionPortDescription(
                isReceiver ? .builtInReceiver : .builtInSpeaker, name: isReceiver ? "Receiver" : "Speaker",
                uid: isReceiver ? "Built-In Receiver" : "Speaker", channelCount: isReceiver ? 1 : 2,
                preferences: dataSourceIDs)
        ]
    }

    public var preferredInput: AVAudioSessionPortDescription? {
        let id = settings.inputID
        return id.flatMap { id in ports.first { $0.uid == id } }
    }

    /// Throws `badParam` if the port is not one of `availableInputs`.
    public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        if let inPort, availableInputs?.contains(inPort) != true { throw Self.error(.badParam) }
        change(.override) { $0.inputID = inPort?.uid }
    }

    /// Selects the speaker, or with `none` the default output, until the category changes; throws `badParam` unless the
    /// category is `playAndRecord`.
    public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        guard category == .playAndRecord else { throw Self.error(.badParam) }
        change(.override) { $0.output = portOverride }
    }

    public var inputDataSources: [AVAudioSessionDataSourceDescription]? { currentRoute.inputs.first?.dataSources }
    public var inputDataSource: AVAudioSessionDataSourceDescription? { currentRoute.inputs.first?.selectedDataSource }

    /// Throws `badParam` if the data source does not belong to the input in use, and `resourceNotAvailable` without an
    /// input.
    public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        guard let port = currentRoute.inputs.first else { throw Self.error(.resourceNotAvailable) }
        try port.setPreferredDataSource(dataSource)
    }

    public var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
    public var outputDataSource: AVAudioSessionDataSourceDescription? { nil }

    public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        if dataSource != nil { throw Self.error(.badParam) }
    }

    /// Whether a microphone is connected.
    public var isInputAvailable: Bool { !microphones.isEmpty }

    // MARK: Format

    /// The preferred sample rate if the input in use supports it, else the first one of the input. Without an input,
    /// the preferred sample rate, else 48 kHz.
    public var sampleRate: Double {
        let preferred = preferredSampleRate
        guard let device = inputDevice else { return preferred > 0 ? preferred : 48_000 }
        let rates = formats(of: device).map(\.sampleRate)
        return rates.contains(preferred) ? preferred : rates.first ?? 48_000
    }

    public var preferredSampleRate: Double { settings.sampleRate }

    public func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard sampleRate >= 0 else { throw Self.error(.badParam) }
        update { $0.sampleRate = sampleRate }
    }

    /// The preferred duration, else the duration of 1024 frames.
    public var ioBufferDuration: TimeInterval {
        let preferred = preferredIOBufferDuration
        return preferred > 0 ? preferred : 1024 / sampleRate
    }

    public var preferredIOBufferDuration: TimeInterval { settings.bufferDuration }

    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        guard duration >= 0 else { throw Self.error(.badParam) }
        update { $0.bufferDuration = duration }
    }

    public var maximumInputNumberOfChannels: Int { currentRoute.inputs.first?.channels?.count ?? 0 }
    public var maximumOutputNumberOfChannels: Int { currentRoute.outputs.first?.channels?.count ?? 0 }

    public var inputNumberOfChannels: Int {
        let (maximum, preferred) = (maximumInputNumberOfChannels, preferredInputNumberOfChannels)
        return preferred > 0 ? min(preferred, maximum) : maximum
    }

    public var outputNumberOfChannels: Int {
        let (maximum, preferred) = (maximumOutputNumberOfChannels, preferredOutputNumberOfChannels)
        return preferred > 0 ? min(preferred, maximum) : maximum
    }

    public var preferredInputNumberOfChannels: Int { settings.inputChannels }
    public var preferredOutputNumberOfChannels: Int { settings.outputChannels }

    /// Throws `badParam` if the input in use has fewer channels.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        guard (0...maximumInputNumberOfChannels).contains(count) else { throw Self.error(.badParam) }
        update { $0.inputChannels = count }
    }

    /// Throws `badParam` if the output in use has fewer channels.
    public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        guard (0...maximumOutputNumberOfChannels).contains(count) else { throw Self.error(.badParam) }
        update { $0.outputChannels = count }
    }

    public var isInputGainSettable: Bool { false }
    public var inputGain: Float { settings.inputGain }

    /// Throws `badParam`: the gain is fixed.
    public func setInputGain(_ gain: Float) throws { throw Self.error(.badParam) }

    public var outputVolume: Float { 1 }
    public var inputLatency: TimeInterval { 0 }
    public var outputLatency: TimeInterval { 0 }

    // MARK: Other preferences

    /// Always none: microphones record no stereo field that depends on the orientation.
    public var inputOrientation: StereoOrientation { .none }
    public var preferredInputOrientation: StereoOrientation { settings.orientation }

    public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws {
        update { $0.orientation = orientation }
    }

    public var allowHapticsAndSystemSoundsDuringRecording: Bool { settings.allowsHaptics }

    public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        update { $0.allowsHaptics = inValue }
    }

    public var prefersNoInterruptionsFromSystemAlerts: Bool { settings.prefersNoInterruptions }

    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        update { $0.prefersNoInterruptions = inValue }
    }

    public func setAggregatedIOPreference(_ inIOType: IOType) throws {}
    public var supportsMultichannelContent: Bool { false }

    public func setSupportsMultichannelContent(_ inValue: Bool) throws {
        if inValue { throw Self.error(.badParam) }
    }
}
