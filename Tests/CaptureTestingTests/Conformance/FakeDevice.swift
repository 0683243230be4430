import CaptureHAL
import MediaTypes

/// A camera or microphone of `FakeHost`.
final class FakeDevice: HardwareDevice {
    private struct State {
        var isConnected = true
        var isOpen = false
        weak var opened: FakeOpenDevice?
        /// Objects that a defect retains, although they must be released.
        var kept: [any AnyObject & Sendable] = []
    }

    let media: DeviceMedia
    let descriptor: DeviceDescriptor
    let formats: [StreamFormat]
    let defect: FakeHost.Defect?
    let clock: SimClock
    /// The values of the controls; they stay when the device is closed.
    let values: Lock<[DeviceControl: ControlValue]>
    private let state = Lock(State())

    init(
        _ media: DeviceMedia, _ defect: FakeHost.Defect?, clock: SimClock, frameDurations: FrameDurationRange
    ) {
        self.media = media
        self.defect = defect
        self.clock = clock
        values = Lock(Self.defaultValues(media))
        let id = defect == .listsDuplicateIDs ? "fake" : "fake.\(media.rawValue)"
        descriptor = DeviceDescriptor(
            uniqueID: id, modelID: "fake", localizedName: "Fake \(media.rawValue)", manufacturer: "Fake",
            kind: media == .audio ? .microphone : .external, media: [media],
            mountingAngle: defect == .hasInvalidMountingAngle ? 45 : 0)
        formats = media == .audio ? Self.audioFormats : Self.videoFormats(defect, frameDurations)
    }

    static func defaultValues(_ media: DeviceMedia) -> [DeviceControl: ControlValue] {
        if media == .audio { return [.mute: .flag(false), .brightness: .number(0.5)] }
        return [
            .brightness: .number(0.5), .zoomFactor: .number(1), .focusMode: .integer(2),
            .focusPoint: .point(x: 0.5, y: 0.5),
        ]
    }

    private static let audioFormats = [1, 2].map { count in
        StreamFormat.audio(AudioStreamFormat(sampleRate: 48_000, channelCount: count, sample: .int16))
    }

    private static func videoFormats(
        _ defect: FakeHost.Defect?, _ durations: FrameDurationRange
    ) -> [StreamFormat] {
        [Int32(64), 32].map { width in
            let size = CMVideoDimensions(width: width, height: 16)
            let isReversed = defect == .hasReversedRange && width == 64
            let larger = CMVideoDimensions(width: width * 2, height: 32)
            return .video(
                VideoStreamFormat(
                    dimensions: size, encoding: .pixels(kCVPixelFormatType_32BGRA),
                    frameDurations: [
                        isReversed
                            ? FrameDurationRange(minimum: durations.maximum, maximum: durations.minimum)
                            : durations
                    ], photoDimensions: defect == .listsDescendingPhotoSizes ? [larger, size] : [size, larger]))
        }
    }

    var isConnected: Bool { state.withLock { $0.isConnected } }
    var isInUseByAnotherApplication: Bool { false }
    var opened: FakeOpenDevice? { state.withLock { $0.opened } }
    var stream: FakeStream? { opened?.stream }

    func open() throws(DeviceError) -> any OpenDevice {
        try check()
        let isFree = state.withLock { state in
            defer { state.isOpen = true }
            return !state.isOpen || defect == .opensTwice
        }
        guard isFree else { throw error(.busy, "the device is open already") }
        let opened = FakeOpenDevice(self)
        state.withLock { state in
            state.opened = opened
            if defect == .keepsClientsAlive { state.kept.append(opened) }
        }
        return opened
    }

    func check() throws(DeviceError) {
        guard isConnected else { throw error(.disconnected, "the device is disconnected") }
    }

    func error(_ code: DeviceError.Code, _ message: String) -> DeviceError {
        DeviceError(code, device: descriptor.uniqueID, message)
    }

    func didClose() {
        if defect != .staysBusyWhenClosed { state.withLock { $0.isOpen = false } }
    }

    func keep(_ object: any AnyObject & Sendable) { state.withLock { $0.kept.append(object) } }

    func disconnect() {
        state.withLock { $0.isConnected = false }
        stream?.fail(.disconnected)
    }

    /// Reconnects this instance, which is a defect: a reconnected device must be a new instance.
    func reconnect() {
        state.withLock { state in
            state.isConnected = true
            state.isOpen = false
        }
    }
}
