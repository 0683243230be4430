/// The properties of the machine that cameras are built into, apart from its devices.
public struct MachineDescriptor: Sendable, Hashable {
    /// The form of the machine.
    public enum Form: String, Sendable, Hashable, CaseIterable {
        case phone, tablet, computer
    }

    /// The screen of the machine in portrait, or in landscape if the machine is a computer.
    public struct Screen: Sendable, Hashable {
        /// In points.
        public var width: Int
        /// In points.
        public var height: Int
        /// The number of pixels per point.
        public var scale: Int

        /// Creates a screen.
        public init(width: Int, height: Int, scale: Int) {
            (self.width, self.height, self.scale) = (width, height, scale)
        }
    }

    /// The form of the machine.
    public var form: Form
    /// The screen of the machine.
    public var screen: Screen
    /// The cameras that the machine can run together.
    public var multiCamera: MultiCameraCapacity

    /// Creates a descriptor, by default that of a phone with a screen of 390x844 points.
    public init(
        form: Form = .phone, screen: Screen = Screen(width: 390, height: 844, scale: 3),
        multiCamera: MultiCameraCapacity = MultiCameraCapacity()
    ) {
        self.form = form
        self.screen = screen
        self.multiCamera = multiCamera
    }
}

/// The cameras that a machine can run together.
///
/// The unit of the capacities is the pixel rate of one camera with 1920x1080 at 60 frames per second.
public struct MultiCameraCapacity: Sendable, Hashable {
    /// The pixel rate that the hardware supports; 0 if it cannot run several cameras.
    public var peak: Double
    /// The pixel rate that the hardware supports without getting too hot.
    public var sustained: Double
    /// The sets of cameras that can run together, by their unique IDs; so can all parts of a set. Nil if all cameras can.
    public var sets: [Set<String>]?

    /// Creates a capacity, by default for two cameras with 1920x1080 at 60 frames per second.
    public init(peak: Double = 2, sustained: Double = 2, sets: [Set<String>]? = nil) {
        self.peak = peak
        self.sustained = sustained
        self.sets = sets
    }

    /// Whether the hardware can run cameras together.
    ///
    /// - Parameter ids: The unique IDs of the cameras.
    public func supports(_ ids: Set<String>) -> Bool {
        ids.count < 2 || peak > 0 && sets.map { $0.contains { ids.isSubset(of: $0) } } ?? true
    }
}
