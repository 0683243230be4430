import CaptureHAL
package import MediaTypes

/// The sound library, or a fake one in tests.
///
/// - Important: Thread-safe.
package protocol SoundSystem: AnyObject, Sendable {
    /// What can be captured from now, in a stable order.
    func captureEndpoints() -> [SoundEndpoint]
    /// Opens an endpoint, without blocking.
    func open(_ endpoint: SoundEndpoint) throws(KernelError) -> any CapturePCM
    /// The capture volume and switch of an endpoint's card; nil where it has neither.
    func mixer(_ endpoint: SoundEndpoint) -> (any CaptureMixer)?
}

/// Something that can be captured from.
package struct SoundEndpoint: Sendable, Hashable {
    /// The name by which the library opens it, as `hw:CARD=Loopback,DEV=1`; names cards by identifier, not by number,
    /// and so is the same after a replug.
    package var key: String
    package var name: String
    package var manufacturer: String
    /// The mixer's device, as `hw:CARD=Loopback`; empty where there is none.
    package var mixerKey: String
    /// The place in the list of devices.
    package var order: Int
    /// The kernel's number of the card, as long as it is plugged in; nil for a sound server.
    package var card: Int?

    package init(key: String, name: String, manufacturer: String, mixerKey: String, order: Int, card: Int?) {
        self.key = key
        self.name = name
        self.manufacturer = manufacturer
        self.mixerKey = mixerKey
        self.order = order
        self.card = card
    }
}

/// An open capture PCM; the calls mirror those of alsa-lib.
///
/// - Important: One thread at a time; `drop` and `close` when no other call is under way.
package protocol CapturePCM: AnyObject, Sendable {
    /// What the hardware delivers without conversion, in order of preference.
    func formats() -> [AudioStreamFormat]
    /// Sets format, period and buffer.
    ///
    /// - Parameter periodFrames: A wish.
    /// - Returns: The period that is in force.
    func configure(_ format: AudioStreamFormat, periodFrames: Int) throws(KernelError) -> Int
    /// Begins capture; also after an overrun.
    ///
    /// - Returns: The moment of the first frame on the kernel's monotonic clock; nil where the device does not tell.
    func start() throws(KernelError) -> Int64?
    /// Waits until a period is there or the event is signalled.
    func wait(_ wake: Int32) throws(KernelError)
    /// How many frames are waiting, and when the last of them was captured.
    ///
    /// - Throws: EPIPE after an overrun, ESTRPIPE after a suspend, ENODEV where the device is gone.
    func position() throws(KernelError) -> PCMPosition
    /// Takes at most `frameCount` frames.
    func read(into memory: UnsafeMutableRawBufferPointer, frameCount: Int) throws(KernelError) -> Int
    /// Stops capture and forgets what is waiting.
    func drop()
    func close()
}

/// How far a PCM has got.
package struct PCMPosition: Sendable, Hashable {
    /// Frames that can be read.
    package var available: Int
    /// The kernel's monotonic time at which `available` was true; nil where the device does not tell.
    package var nanoseconds: Int64?

    package init(available: Int, nanoseconds: Int64?) {
        self.available = available
        self.nanoseconds = nanoseconds
    }
}

/// Volume and switch of a card's capture side.
///
/// - Important: Thread-safe.
package protocol CaptureMixer: AnyObject, Sendable {
    /// 0 … 1 over the hardware's range; nil where there is no volume.
    func volume() throws(KernelError) -> Double?
    func setVolume(_ volume: Double) throws(KernelError)
    /// Whether sound is let through; nil where there is no switch.
    func isOn() throws(KernelError) -> Bool?
    func setOn(_ isOn: Bool) throws(KernelError)
    /// Waits until anyone has changed a control of the card, or the event is signalled, and takes the change in.
    ///
    /// - Throws: ENODEV where the card is gone.
    func waitForChange(_ wake: Int32) throws(KernelError)
}
