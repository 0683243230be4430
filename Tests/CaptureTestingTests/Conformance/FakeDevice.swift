import CaptureHAL
import MediaTypes

/// A camera or microphone of `FakeHost`.
final class FakeDevice: HardwareDevice {
    private struct State {
        var isConnected = true
        var isOpen = false
        weak var opened: FakeOpenDevice?
        /// A flaw: what should have been let go.
        var kept: [any AnyObject & Sendable] = []
    }

    let media: DeviceMedia
    let descriptor: DeviceDescriptor
    let formats: [StreamFormat]
    let flaw: FakeHost.Flaw?
    let clock: SimClock
    private let state = Lock(State())

    init(_ media: DeviceMedia, _ flaw: FakeHost.Flaw?, clock: SimClock) {
        self.media = media
        self.flaw = flaw
        self.clock = clock
        let id = flaw == .givesOneIDTwice ? "fake" : "fake.\(media.rawValue)"
        descriptor = DeviceDescriptor(
            uniqueID: id, modelID: "fake", localizedName: "Fake \(media.rawValue)", manufacturer: "Fake",
            kind: media == .audio ? .microphone : .external, media: [media],
            mountingAngle: flaw == .turnsByAnOddAngle ? 45 : 0)
        formats = media == .audio ? Self.soundFormats : Self.pictureFormats(flaw)
    }

    private static let soundFormats = [1, 2].map { count in
        StreamFormat.audio(AudioStreamFormat(sampleRate: 48_000, channelCount: count, sample: .int16))
    }

    private static func pictureFormats(_ flaw: FakeHost.Flaw?) -> [StreamFormat] {
        [Int32(64), 32].map { width in
            let size = CMVideoDimensions(width: width, height: 16)
            let (short, long) = (CMTime(value: 1, timescale: 60), CMTime(value: 1, timescale: 10))
            let isReversed = flaw == .reversesARange && width == 64
            let larger = CMVideoDimensions(width: width * 2, height: 32)
            return .video(
                VideoStreamFormat(
                    dimensions: size, encoding: .pixels(kCVPixelFormatType_32BGRA),
                    frameDurations: [
                        isReversed
                            ? FrameDurationRange(minimum: long, maximum: short)
                            : FrameDurationRange(minimum: short, maximum: long)
                    ], photoDimensions: flaw == .listsDescendingPhotos ? [larger, size] : [size, larger]))
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
            return !state.isOpen || flaw == .opensTwice
        }
        guard isFree else { throw error(.busy, "the device is open already") }
        let opened = FakeOpenDevice(self)
        state.withLock { state in
            state.opened = opened
            if flaw == .keepsClientsAlive { state.kept.append(opened) }
        }
        return opened
    }

    func check() throws(DeviceError) {
        guard isConnected else { throw error(.disconnected, "the device was unplugged") }
    }

    func error(_ code: DeviceError.Code, _ message: String) -> DeviceError {
        DeviceError(code, device: descriptor.uniqueID, message)
    }

    func didClose() {
        if flaw != .staysBusyWhenClosed { state.withLock { $0.isOpen = false } }
    }

    func keep(_ object: any AnyObject & Sendable) { state.withLock { $0.kept.append(object) } }

    func disconnect() {
        state.withLock { $0.isConnected = false }
        stream?.fail(.disconnected)
    }

    /// A flaw: gone is for good.
    func reconnect() {
        state.withLock { state in
            state.isConnected = true
            state.isOpen = false
        }
    }
}
