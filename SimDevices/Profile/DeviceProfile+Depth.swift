import CaptureHAL
import MediaTypes
import StrictYAML

extension DeviceProfile {
    /// Reads the `depth` section of a camera; nil if there is none.
    ///
    /// - Parameter methods: The methods of measuring depth that this kind of camera supports, by their names in YAML.
    static func readDepth(
        _ value: YAMLValue?, methods: [(name: String, value: DepthProfile.Method)]
    ) throws(YAMLError) -> DepthProfile? {
        guard let value else { return nil }
        let map = try value.mapping(keys: ["method", "range", "noise", "baseline", "formats"])
        let method = try map.required("method").choice(methods)
        if !method.triangulates, let baseline = map["baseline"] {
            throw baseline.error("timeOfFlight has no baseline", "remove it")
        }
        let millimeters = try map.required("range").quantityRange(.millimeters, in: 1...1_000_000)
        var formats: [DepthStreamFormat] = []
        for entry in try map.required("formats").list() { formats += try readDepthFormats(entry) }
        return DepthProfile(
            method: method, range: millimeters.lowerBound / 1000...millimeters.upperBound / 1000,
            noiseMeters: try map.required("noise").quantity(.millimeters, in: 0...1000) / 1000,
            baselineMeters: method.triangulates
                ? try map.required("baseline").quantity(.millimeters, in: 0.1...10000) / 1000 : 0,
            formats: formats)
    }

    /// Reads an entry of `formats`, and returns one format for each of its pixel formats.
    private static func readDepthFormats(_ value: YAMLValue) throws(YAMLError) -> [DepthStreamFormat] {
        let map = try value.mapping(keys: ["size", "pixelFormats", "frameRates"])
        let size = try map.required("size").size()
        // Each rate or range of rates is read as a range of frame durations.
        let durations = try readDistinct(map.required("frameRates"), readRates)
        let pixelFormats = try readDistinct(map.required("pixelFormats")) { entry throws(YAMLError) -> OSType in
            try entry.choice([
                ("hdis", kCVPixelFormatType_DisparityFloat16), ("fdis", kCVPixelFormatType_DisparityFloat32),
                ("hdep", kCVPixelFormatType_DepthFloat16), ("fdep", kCVPixelFormatType_DepthFloat32),
            ])
        }
        var formats: [DepthStreamFormat] = []
        for pixelFormat in pixelFormats {
            formats.append(
                DepthStreamFormat(
                    dimensions: CMVideoDimensions(width: Int32(size.width), height: Int32(size.height)),
                    pixelFormat: pixelFormat, frameDurations: durations))
        }
        return formats
    }
}
