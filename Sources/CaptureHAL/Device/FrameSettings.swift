public import Foundation
public import MediaTypes

/// The camera settings in effect during the exposure of a frame. A property is nil if the device does not report it.
///
/// Stored by reference: copies of a value share one allocation, and setters allocate a new one.
public struct FrameSettings: Sendable, Hashable {
    private struct Values: Sendable, Hashable {
        var exposureDuration: CMTime?
        var iso: Double?
        var aperture: Double?
        var lensPosition: Double?
        var zoomFactor: Double?
        var flashFired: Bool
        var whiteBalanceKelvin: Double?
        var exposureMode: ControlMode?
        var exposureBias: Double?
        var meteringPoint: Point?
        var whiteBalanceMode: ControlMode?
        var constituent: Int?
        var date: Date?
    }

    /// A point in the unrotated frame, from (0,0) at the top left to (1,1) at the bottom right.
    public struct Point: Sendable, Hashable {
        public var x: Double
        public var y: Double

        /// Creates a point.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    private final class Storage: Sendable {
        /// Shared by all settings without values.
        static let unreported = Storage(Values(flashFired: false))
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    private var storage: Storage

    /// Creates settings; omitted values are not reported.
    public init(
        exposureDuration: CMTime? = nil, iso: Double? = nil, aperture: Double? = nil, lensPosition: Double? = nil,
        zoomFactor: Double? = nil, flashFired: Bool = false, whiteBalanceKelvin: Double? = nil,
        exposureMode: ControlMode? = nil, exposureBias: Double? = nil, meteringPoint: Point? = nil,
        whiteBalanceMode: ControlMode? = nil, constituent: Int? = nil, date: Date? = nil
    ) {
        let values = Values(
            exposureDuration: exposureDuration, iso: iso, aperture: aperture, lensPosition: lensPosition,
            zoomFactor: zoomFactor, flashFired: flashFired, whiteBalanceKelvin: whiteBalanceKelvin,
            exposureMode: exposureMode, exposureBias: exposureBias, meteringPoint: meteringPoint,
            whiteBalanceMode: whiteBalanceMode, constituent: constituent, date: date)
        storage = values == Storage.unreported.values ? .unreported : Storage(values)
    }

    /// The exposure time.
    public var exposureDuration: CMTime? {
        get { storage.values.exposureDuration }
        set { change { $0.exposureDuration = newValue } }
    }
    /// The ISO sensitivity (ISO 12232).
    public var iso: Double? {
        get { storage.values.iso }
        set { change { $0.iso = newValue } }
    }
    /// The f-number.
    public var aperture: Double? {
        get { storage.values.aperture }
        set { change { $0.aperture = newValue } }
    }
    /// The focus position of the lens, from 0, the nearest, to 1, the farthest.
    public var lensPosition: Double? {
        get { storage.values.lensPosition }
        set { change { $0.lensPosition = newValue } }
    }
    /// The zoom factor; 1 is the full field of view.
    public var zoomFactor: Double? {
        get { storage.values.zoomFactor }
        set { change { $0.zoomFactor = newValue } }
    }
    /// Whether the flash fired for this frame; false also if the device does not report it.
    public var flashFired: Bool {
        get { storage.values.flashFired }
        set { change { $0.flashFired = newValue } }
    }
    /// The correlated color temperature, in kelvin, of the white balance.
    public var whiteBalanceKelvin: Double? {
        get { storage.values.whiteBalanceKelvin }
        set { change { $0.whiteBalanceKelvin = newValue } }
    }
    /// The mode of the exposure.
    public var exposureMode: ControlMode? {
        get { storage.values.exposureMode }
        set { change { $0.exposureMode = newValue } }
    }
    /// The exposure compensation in EV that the exposure has; 0 with custom exposure.
    public var exposureBias: Double? {
        get { storage.values.exposureBias }
        set { change { $0.exposureBias = newValue } }
    }
    /// The point at which the exposure is metered; (0.5, 0.5) meters the whole frame.
    public var meteringPoint: Point? {
        get { storage.values.meteringPoint }
        set { change { $0.meteringPoint = newValue } }
    }
    /// The mode of the white balance.
    public var whiteBalanceMode: ControlMode? {
        get { storage.values.whiteBalanceMode }
        set { change { $0.whiteBalanceMode = newValue } }
    }
    /// The index of the constituent that captured the frame of a virtual camera, in `DeviceDescriptor.constituentIDs`.
    public var constituent: Int? {
        get { storage.values.constituent }
        set { change { $0.constituent = newValue } }
    }
    /// The capture date of recorded frames; nil for live frames: the clock of the capture system determines their date.
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
