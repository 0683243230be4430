import CaptureHAL
package import MediaTypes

/// The interface of the audio library, which tests replace with a fake.
///
/// - Important: Thread-safe.
package protocol AudioSystem: AnyObject, Sendable {
    /// Returns the current capture endpoints in a stable order.
    func captureEndpoints() -> [AudioEndpoint]
    /// Opens an endpoint without blocking.
    func open(_ endpoint: AudioEndpoint) throws(KernelError) -> any CapturePCM
    /// Returns the mixer of an endpoint's card; nil if it has neither a capture volume nor a capture switch.
    func mixer(_ endpoint: AudioEndpoint) -> (any CaptureMixer)?
}

/// A source of audio.
package struct AudioEndpoint: Sendable, Hashable {
    /// The name for opening the endpoint, such as `hw:CARD=Loopback,DEV=1`. It contains the card's identifier and not
    /// its number, so it does not change when the card is reconnected.
    package var key: String
    package var name: String
    /// The name of the card's driver, which replaces the unknown manufacturer; empty for a sound server.
    package var manufacturer: String
    /// The name of the mixer, such as `hw:CARD=Loopback`; empty if there is none.
    package var mixerKey: String
    /// The index of the endpoint in the list of capture endpoints.
    package var order: Int
    /// The kernel's current number of the card; nil for a sound server.
    package var card: Int?

    /// Creates an endpoint.
    package init(key: String, name: String, manufacturer: String, mixerKey: String, order: Int, card: Int?) {
        self.key = key
        self.name = name
        self.manufacturer = manufacturer
        self.mixerKey = mixerKey
        self.order = order
        self.card = card
    }
}

/// An open capture PCM. The functions correspond to functions of alsa-lib.
///
/// - Important: Only one thread at a time may use it. Call `drop` and `close` when no other call is in progress.
package protocol CapturePCM: AnyObject, Sendable {
    /// Returns the formats that the PCM supports, in order of preference.
    func formats() -> [AudioStreamFormat]
    /// Sets format, period and buffer.
    ///
    /// - Parameter periodFrames: The preferred period, in frames.
    /// - Returns: The actual period, in frames.
    func configure(_ format: AudioStreamFormat, periodFrames: Int) throws(KernelError) -> Int
    /// Starts capture, or restarts it after an overrun.
    ///
    /// - Returns: The time of the first frame, in nanoseconds of the kernel's monotonic clock; nil if the device does
    ///   not report it.
    func start() throws(KernelError) -> Int64?
    /// Waits until a period is available or `wake`, the descriptor of an event, is signaled.
    func wait(_ wake: Int32) throws(KernelError)
    /// Returns the number of available frames and the time at which the last of them was captured.
    ///
    /// - Throws: EPIPE after an overrun, ESTRPIPE after a suspension, ENODEV if the device was disconnected.
    func position() throws(KernelError) -> PCMPosition
    /// Reads at most `frameCount` frames and returns their number.
    func read(into memory: UnsafeMutableRawBufferPointer, frameCount: Int) throws(KernelError) -> Int
    /// Stops capture and discards the available frames.
    func drop()
    /// Closes the PCM.
    func close()
}

/// The capture position of a PCM.
package struct PCMPosition: Sendable, Hashable {
    /// The number of frames that can be read.
    package var available: Int
    /// The time at which the last of them was captured, on the kernel's monotonic clock; nil if the device does not
    /// report it.
    package var nanoseconds: Int64?

    /// Creates a position.
    package init(available: Int, nanoseconds: Int64?) {
        self.available = available
        self.nanoseconds = nanoseconds
    }
}

/// The capture volume and switch of a card.
///
/// - Important: Thread-safe.
package protocol CaptureMixer: AnyObject, Sendable {
    /// Returns the volume from 0 to 1 of the hardware's range; nil if there is no volume.
    func volume() throws(KernelError) -> Double?
    /// Sets the volume from 0 to 1 of the hardware's range.
    func setVolume(_ volume: Double) throws(KernelError)
    /// Returns whether capture is switched on; nil if there is no switch.
    func isOn() throws(KernelError) -> Bool?
    /// Switches capture on or off.
    func setOn(_ isOn: Bool) throws(KernelError)
    /// Waits until any program changes a control of the card, or `wake`, the descriptor of an event, is signaled.
    ///
    /// - Throws: ENODEV if the card was disconnected.
    func waitForChange(_ wake: Int32) throws(KernelError)
}
