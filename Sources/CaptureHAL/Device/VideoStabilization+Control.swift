/// The representation of modes as a value of `DeviceControl.videoStabilization`.
extension VideoStabilization {
    /// Returns the option set of modes: bit n is set for the mode with the raw value n. `off` has no bit.
    public static func mask(of modes: some Sequence<VideoStabilization>) -> Int64 {
        modes.reduce(0) { mask, mode in mode == .off ? mask : mask | 1 << mode.rawValue }
    }

    /// Returns the modes of an option set, in the order of their raw values.
    public static func modes(in mask: Int64) -> [VideoStabilization] {
        allCases.filter { $0 != .off && mask & 1 << $0.rawValue != 0 }
    }

    /// Returns the control range of a camera that supports the modes: each combination of them.
    public static func controlRange(of modes: some Sequence<VideoStabilization>) -> ControlRange {
        let masks = modes.reduce(into: Set<Int64>([0])) { masks, mode in
            masks.formUnion(masks.map { $0 | mask(of: [mode]) })
        }
        return .options(masks, default: 0)
    }
}
