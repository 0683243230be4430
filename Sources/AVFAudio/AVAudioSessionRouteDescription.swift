public import Foundation
public import MediaTypes

/// The inputs and outputs in use.
public final class AVAudioSessionRouteDescription: NSObject, Sendable {
    public let inputs: [AVAudioSessionPortDescription]
    public let outputs: [AVAudioSessionPortDescription]

    init(inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription]) {
        self.inputs = inputs
        self.outputs = outputs
    }
}

/// One channel of a port.
public final class AVAudioSessionChannelDescription: NSObject, Sendable {
    public let channelName: String
    public let owningPortUID: String
    /// From 1.
    public let channelNumber: Int
    public let channelLabel: AudioChannelLabel

    init(number: Int, of count: Int, portName: String, portUID: String) {
        channelName = count == 1 ? portName : "\(portName) \(number)"
        owningPortUID = portUID
        channelNumber = number
        channelLabel =
            switch (count, number) {
            case (1, _): kAudioChannelLabel_Mono
            case (2, 1): kAudioChannelLabel_Left
            case (2, 2): kAudioChannelLabel_Right
            default: kAudioChannelLabel_Unknown
            }
    }
}

/// One of several microphones of a port.
public final class AVAudioSessionDataSourceDescription: NSObject, Sendable {
    public let dataSourceID: NSNumber
    public let dataSourceName: String
    public let location: AVAudioSession.Location?
    public let orientation: AVAudioSession.Orientation?
    /// Always nil: microphones have no selectable patterns.
    public var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { nil }
    public var selectedPolarPattern: AVAudioSession.PolarPattern? { nil }
    public var preferredPolarPattern: AVAudioSession.PolarPattern? { nil }
    /// The unique ID of the microphone.
    let deviceID: String

    init(id: Int, name: String, orientation: AVAudioSession.Orientation?, deviceID: String) {
        dataSourceID = NSNumber(value: id)
        dataSourceName = name
        location = nil
        self.orientation = orientation
        self.deviceID = deviceID
    }

    /// Throws `badParam` unless the pattern is nil.
    public func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
        if pattern != nil { throw AVAudioSession.error(.badParam) }
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAudioSessionDataSourceDescription)?.deviceID == deviceID
    }

    public override var hash: Int { deviceID.hash }
}

/// A microphone, or the built-in microphones of the machine, or an output.
public final class AVAudioSessionPortDescription: NSObject, Sendable {
    public let portType: AVAudioSession.Port
    public let portName: String
    public let uid: String
    public var hasHardwareVoiceCallProcessing: Bool { false }
    public var isSpatialAudioEnabled: Bool { false }
    public let channels: [AVAudioSessionChannelDescription]?
    /// The built-in microphones if there are several, else nil.
    public let dataSources: [AVAudioSessionDataSourceDescription]?
    /// The preferred data sources of the session by the unique IDs of ports.
    private let preferences: Lock<[String: String]>

    init(
        _ type: AVAudioSession.Port, name: String, uid: String, channelCount: Int,
        dataSources: [AVAudioSessionDataSourceDescription]? = nil, preferences: Lock<[String: String]>
    ) {
        portType = type
        portName = name
        self.uid = uid
        channels =
            channelCount == 0
            ? nil
            : (1...channelCount).map {
                AVAudioSessionChannelDescription(number: $0, of: channelCount, portName: name, portUID: uid)
            }
        self.dataSources = dataSources
        self.preferences = preferences
    }

    /// The data source in use.
    public var selectedDataSource: AVAudioSessionDataSourceDescription? { preferredDataSource ?? dataSources?.first }

    public var preferredDataSource: AVAudioSessionDataSourceDescription? {
        let preferred = preferences.withLock { $0[uid] }
        return dataSources?.first { $0.deviceID == preferred }
    }

    /// Throws `badParam` if the data source does not belong to the port.
    public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        if let dataSource, dataSources?.contains(dataSource) != true { throw AVAudioSession.error(.badParam) }
        preferences.withLock { $0[uid] = dataSource?.deviceID }
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAudioSessionPortDescription)?.uid == uid
    }

    public override var hash: Int { uid.hash }
}
