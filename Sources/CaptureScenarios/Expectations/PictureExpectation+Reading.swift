import MediaMeasurements
import StrictYAML

extension PictureExpectation {
    static let keys = [
        "exists", "size", "region", "brightness", "sharpness", "mean-color", "color-tolerance", "neutral", "codes",
        "faces", "golden", "psnr", "ssim",
    ]
    /// The keys for the metadata of a photo.
    static let exifKeys = NumericTag.allCases.map(\.rawValue) + ["make", "model", "flash-fired", "live-movie"]

    /// Reads an expectation.
    ///
    /// - Parameters:
    ///   - value: The value of its key `photo` or `frame`.
    ///   - map: All its keys.
    init(_ value: YAMLValue, _ map: YAMLMapping, isFrame: Bool) throws(YAMLError) {
        self.init(photo: try value.string())
        if isFrame { time = try map.required("time").quantity(.seconds, in: 0...1e6) }
        exists = try map["exists"]?.flag() ?? true
        func bounds(_ key: String) throws(YAMLError) -> Bounds? {
            try map[key].map { (value) throws(YAMLError) in try Bounds(value, .none, in: 0...1e6) }
        }
        func fraction(_ value: YAMLValue) throws(YAMLError) -> Double { try value.quantity(.none, in: 0...1) }
        size = try map["size"].map { (value) throws(YAMLError) in
            let size = try value.size()
            return [size.width, size.height]
        }
        region = try map["region"].map { (value) throws(YAMLError) in
            let parts = try value.list().map { (value) throws(YAMLError) in try fraction(value) }
            guard parts.count == 4, parts[2] > 0, parts[3] > 0, parts[0] + parts[2] <= 1, parts[1] + parts[3] <= 1
            else {
                throw value.error("this is not a region of the picture", "write [x, y, width, height] from 0 to 1")
            }
            return parts
        }
        brightness = try bounds("brightness")
        sharpness = try bounds("sharpness")
        meanColor = try map["mean-color"].map { (value) throws(YAMLError) in
            let parts = try value.list().map { (value) throws(YAMLError) in try fraction(value) }
            guard parts.count == 3 else {
                throw value.error(
                    "a color has three parts, not \(parts.count)", "write [red, green, blue] from 0 to 1")
            }
            return parts
        }
        if let tolerance = map["color-tolerance"] {
            guard meanColor != nil else { throw tolerance.error("there is no mean-color", "add it or remove this") }
            colorTolerance = try fraction(tolerance)
        }
        neutral = try map["neutral"].map { (value) throws(YAMLError) in try fraction(value) }
        codes = try map["codes"]?.list(minimumCount: 0).map { (value) throws(YAMLError) in try value.string() }
        faces = try bounds("faces")
        golden = try map["golden"]?.string()
        minimumPSNR = try map["psnr"]?.quantity(YAMLUnit(names: [("dB", 1)]), in: 1...100)
        minimumSSIM = try map["ssim"].map { (value) throws(YAMLError) in try fraction(value) }
        if golden == nil, let extra = map["psnr"] ?? map["ssim"] {
            throw extra.error("there is no picture to compare with", "add \"golden:\" with its file name")
        }
        guard !isFrame else { return }
        for tag in NumericTag.allCases {
            if let value = map[tag.rawValue] { tags[tag] = try Bounds(value, tag.unit, in: -1e6...1e6) }
        }
        make = try map["make"]?.string()
        model = try map["model"]?.string()
        flashFired = try map["flash-fired"]?.flag()
        livePhotoMovie = try map["live-movie"]?.string()
    }
}

extension NumericTag {
    /// The unit of the value in scenario files.
    var unit: YAMLUnit {
        switch self {
        case .iso, .aperture, .exposureBias: .none
        case .exposureTime: .seconds
        case .focalLength, .equivalentFocalLength: .millimeters
        }
    }
}
