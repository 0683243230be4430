public import Foundation
public import MediaTypes

/// The camera settings in effect during the exposure of a frame; nil if the device does not report them.
///
/// Values are shared copy-on-write: frames with equal settings cost one reference each.
public struct FrameSettings: Sendable, Hashable {
    private struct Values: Sendable, Hashable {
        var exposureDuration: CMTime?
        var iso: Double?
        var aperture: Double?
        var lensPosition: Double?
        var zoomFactor: Double?
        var flashFired: Bool
        var whiteBalanceKelvin: Double?
        var date: Date?
    }

    private final class Storage: Sendable {
        /// The settings of devices that report none.
        static let nothing = Storage(Values(flashFired: false))
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    private var storage: Storage

    /// Creates settings; omitted values are unknown.
    public init(
        exposureDuration: CMTime? = nil, iso: Double? = nil, aperture: Double? = nil, lensPosition: Double? = nil,
        zoomFactor: Double? = nil, flashFired: Bool = false, whiteBalanceKelvin: Double? = nil,
        date: Date? = nil
    ) {
        let values = Values(
            exposureDuration: exposureDuration, iso: iso, aperture: aperture, lensPosition: lensPosition,
            zoomFactor: zoomFactor, flashFired: flashFired, whiteBalanceKelvin: whiteBalanceKelvin, date: date)
        storage = values == Storage.nothing.values ? .nothing : Storage(values)
    }

    /// The exposure time.
    public var exposureDuration: CMTime? {
        get { storage.values.exposureDuration }
        set { change { $0.exposureDuration = newValue } }
    }
    /// Sensitivity by ISO 12232.
    public var iso: Double? {
        get { storage.values.iso }
        set { change { $0.iso = newValue } }
    }
    /// The f-number.
    public var aperture: Double? {
        get { storage.values.aperture }
        set { change { $0.aperture = newValue } }
    }
    /// 0 nearest … 1 farthest.
    public var lensPosition: Double? {
        get { storage.values.lensPosition }
        set { change { $0.lensPosition = newValue } }
    }
    /// 1 is the whole field of view.
    public var zoomFactor: Double? {
        get { storage.values.zoomFactor }
        set { change { $0.zoomFactor = newValue } }
    }
    /// Whether the flash fired for this frame.
    public var flashFired: Bool {
        get { storage.values.flashFired }
        set { change { $0.flashFired = newValue } }
    }
    /// The correlated color temperature, in kelvin, of the white balance.
    public var whiteBalanceKelvin: Double? {
        get { storage.values.whiteBalanceKelvin }
        set { change { $0.whiteBalanceKelvin = newValue } }
    }
    /// The capture date; nil if the system's clock determines it.
    public var date: Date? {
        get { storage.values.date }
        set { change { $0.date = newValue } }
    }

    public static func == (left: FrameSettings, right: FrameSettings) -> Bool {
        left.storage === right.storage || left.storage.values == right.storage.values
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(storage.values) }

    private mutating func change(_ body: (inout Values) -> Void) {
        var values = storage.values
        body(&values)
        storage = Storage(values)
    }
}
