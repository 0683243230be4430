import CaptureHAL
import MediaTypes
import PixelKernels
import StrictYAML

extension DeviceProfile {
    static func readCamera(_ value: YAMLValue) throws(YAMLError) -> CameraProfile {
        let map = try value.mapping(keys: [
            "id", "name", "model", "kind", "position", "mountingAngle", "lens", "sensor", "exposure", "whiteBalance",
            "zoom", "stabilization", "torch", "flash", "lowLightBoost", "highlightHeadroom", "colorSpace",
            "faceDetection", "marker", "startLatency", "deliveryLatency", "formats", "additionalFormats", "depth",
            "faults",
        ])
        let kinds: [DeviceKind] = [
            .builtInWideAngleCamera, .builtInUltraWideCamera, .builtInTelephotoCamera, .builtInTrueDepthCamera,
            .builtInLiDARDepthCamera, .builtInInnerUltraWideCamera, .builtInOuterUltraWideCamera, .external,
            .continuityCamera, .deskViewCamera,
        ]
        let exposure = try map.required("exposure").mapping(keys: [
            "durations", "iso", "bias", "manual", "lock", "priorities",
        ])
        let balance = try map.required("whiteBalance").mapping(keys: ["temperatures", "maximumGain"])
        let zoom = try map["zoom"]?.mapping(keys: ["maximum", "upscaleThreshold", "native"])
        let sensor = try map.required("sensor").mapping(keys: [
            "fullWell", "readNoise", "redResponse", "blueResponse", "crosstalkA", "crosstalkD65", "readout",
        ])
        var camera = CameraProfile(
            id: try identifier(map.required("id")), name: try map.required("name").string(),
            model: try map.required("model").string(),
            kind: try map.required("kind").choice(kinds.map { ($0.rawValue, $0) }),
            position: try readPosition(map["position"]),
            mountingAngle: try map["mountingAngle"]?.choice([("0", 0), ("90", 90), ("180", 180), ("270", 270)]) ?? 0,
            lens: try readLens(map.required("lens")),
            sensor: SensorProfile(
                fullWell: try sensor.required("fullWell").quantity(.electrons, in: 500...200_000),
                readNoise: try sensor.required("readNoise").quantity(.electrons, in: 0...100),
                redResponse: try sensor["redResponse"]?.quantity(.none, in: 0.2...2) ?? 0.55,
                blueResponse: try sensor["blueResponse"]?.quantity(.none, in: 0.2...2) ?? 0.65,
                crosstalkA: try readCrosstalk(sensor["crosstalkA"]),
                crosstalkD65: try readCrosstalk(sensor["crosstalkD65"] ?? sensor["crosstalkA"]),
                readoutSeconds: try sensor["readout"]?.quantity(.seconds, in: 0...0.1) ?? 0.01),
            formats: [], hasManualExposure: try exposure["manual"]?.flag() ?? true,
            hasExposureLock: try exposure["lock"]?.flag() ?? true,
            exposureBias: try exposure["bias"]?.quantityRange(.none, in: -10...10) ?? (-3...3),
            exposureDurations: try exposure.required("durations").quantityRange(.seconds, in: 0.000001...10),
            isoRange: try exposure.required("iso").quantityRange(.none, in: 1...1_000_000),
            maximumWhiteBalanceGain: try balance["maximumGain"]?.quantity(.none, in: 1...16) ?? 4,
            whiteBalanceTemperatures: try balance.required("temperatures").quantityRange(.kelvin, in: 1700...25000),
            maximumZoom: try zoom?.required("maximum").quantity(.none, in: 1...200) ?? 1,
            stabilization: try readStabilization(map["stabilization"]),
            torchLux: try map["torch"]?.quantity(.lux, in: 0...10000) ?? 0,
            flashLuxSeconds: try map["flash"]?.quantity(.luxSeconds, in: 0...10000) ?? 0,
            lowLightBoost: try map["lowLightBoost"]?.quantity(.none, in: 1...16) ?? 1,
            highlightHeadroom: try map["highlightHeadroom"]?.quantity(.none, in: 1...16) ?? 1,
            detectsFaces: try map["faceDetection"]?.flag() ?? false,
            startLatencyNanoseconds: try nanoseconds(map["startLatency"]),
            deliveryLatencyNanoseconds: try nanoseconds(map["deliveryLatency"]),
            hasMarker: try map["marker"]?.flag() ?? false,
            depth: try readDepth(
                map["depth"], methods: [("structuredLight", .structuredLight), ("timeOfFlight", .timeOfFlight)]))
        camera.hasWideColor = try map["colorSpace"]?.choice([("sRGB", false), ("p3", true)]) ?? false
        if let list = exposure["priorities"] {
            guard camera.hasManualExposure else {
                throw list.error("the client cannot set the exposure of the camera", "remove \"manual: false\"")
            }
            camera.exposurePriorities = try readDistinct(list) { entry throws(YAMLError) in
                try entry.choice(ExposurePriority.allCases.map { ($0.rawValue, $0) })
            }
        }
        camera.apertureBladeCount = try readBladeCount(map.required("lens"), camera.lens)
        camera.faults = try readFaults(map["faults"], .video, camera.controls)
        guard camera.exposureBias.contains(0) else {
            throw exposure.value.error(
                "the range of the exposure bias does not contain 0", "write a range such as [-3, 3]")
        }
        if let list = zoom?["native"] {
            camera.nativeZoomFactors = try readDistinct(list) { factor throws(YAMLError) in
                try factor.quantity(.none, in: 1...camera.maximumZoom)
            }.sorted()
        }
        let threshold = try zoom?["upscaleThreshold"]?.quantity(.none, in: 1...camera.maximumZoom) ?? 1
        for entry in try map.required("formats").list() + (map["additionalFormats"]?.list() ?? []) {
            camera.formats += try readFormats(entry, of: camera, upscaleThreshold: threshold)
        }
        return camera
    }

    /// Reads a 3x3 matrix; returns the identity matrix if it is missing.
    private static func readCrosstalk(_ value: YAMLValue?) throws(YAMLError) -> ColorMatrix {
        guard let value else { return .identity }
        var entries: [Double] = []
        let rows = try value.list(minimumCount: 3)
        guard rows.count == 3 else {
            throw value.error("a matrix has three rows", "write one for each of red, green, blue")
        }
        for (index, row) in rows.enumerated() {
            var sum = 0.0
            let numbers = try row.list(minimumCount: 3)
            guard numbers.count == 3 else { throw row.error("a row has three numbers", "write [0.7, 0.25, 0.05]") }
            for number in numbers {
                entries.append(try number.quantity(.none, in: 0...1))
                sum += entries[entries.count - 1]
            }
            guard abs(sum - 1) < 0.0005 else {
                throw row.error("the row sums to \(sum)", "write numbers whose sum is 1")
            }
            guard entries[4 * index] >= 0.6 else {
                throw row.error("the crosstalk is too strong", "write at least 0.6 on the diagonal")
            }
        }
        return ColorMatrix(entries)
    }

    private static func readStabilization(
        _ value: YAMLValue?
    ) throws(YAMLError) -> [VideoStabilization: Double] {
        let modes: [(String, VideoStabilization)] = [
            ("standard", .standard), ("cinematic", .cinematic), ("cinematicExtended", .cinematicExtended),
        ]
        let map = try value?.mapping(keys: modes.map(\.0))
        var margins: [VideoStabilization: Double] = [:]
        for (name, mode) in modes {
            if let margin = map?[name] { margins[mode] = try margin.quantity(.none, in: 0.01...0.25) }
        }
        return margins
    }

    private static let lensKeys = [
        "aperture", "apertureStops", "apertureBlades", "focalLength", "equivalentFocalLength", "minimumFocusDistance",
    ]

    /// Reads the number of blades of a variable aperture; returns 0 for a round one.
    private static func readBladeCount(_ value: YAMLValue, _ lens: LensDescriptor) throws(YAMLError) -> Int {
        guard let count = try value.mapping(keys: lensKeys)["apertureBlades"] else { return 0 }
        guard !lens.apertureStops.isEmpty else {
            throw count.error("a fixed aperture is round", "remove it, or add \"apertureStops\"")
        }
        return try count.choice([("0", 0), ("6", 6), ("8", 8)])
    }

    private static func readLens(_ value: YAMLValue) throws(YAMLError) -> LensDescriptor {
        let map = try value.mapping(keys: lensKeys)
        let apertures = 0.7...32.0
        let aperture = try map.required("aperture").quantity(.none, in: apertures)
        var stops: [Double] = []
        if let list = map["apertureStops"] {
            stops = try readDistinct(list) { stop throws(YAMLError) in try stop.quantity(.none, in: apertures) }
                .sorted()
            guard stops.count > 1, (stops[0]...stops[stops.count - 1]).contains(aperture) else {
                throw list.error(
                    "the aperture \(aperture) is not between the stops", "write two stops or more, and the aperture")
            }
        }
        return LensDescriptor(
            aperture: aperture, apertureStops: stops,
            focalLengthMillimeters: try map.required("focalLength").quantity(.millimeters, in: 0.5...1000),
            equivalentFocalLengthMillimeters: try map.required("equivalentFocalLength")
                .quantity(.millimeters, in: 8...2000),
            minimumFocusDistanceMillimeters: try map["minimumFocusDistance"]?.quantity(.millimeters, in: 1...100_000))
    }

    /// Reads an entry of `formats`, and returns one format for each of its pixel formats.
    private static func readFormats(
        _ value: YAMLValue, of camera: CameraProfile, upscaleThreshold: Double
    ) throws(YAMLError) -> [VideoStreamFormat] {
        let map = try value.mapping(keys: ["size", "pixelFormats", "frameRates", "photoSizes", "binned", "hdr"])
        let size = try map.required("size").size()
        let durations = try readDistinct(map.required("frameRates"), readRates)
        var photos: [PixelSize] = []
        if let list = map["photoSizes"] {
            photos = try readDistinct(list) { photo throws(YAMLError) -> PixelSize in
                let size = try photo.size()
                return PixelSize(width: Int32(size.width), height: Int32(size.height))
            }
        }
        let encodings: [(name: String, value: VideoStreamFormat.Encoding)] = [
            ("420v", .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)),
            ("420f", .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)),
            ("x420", .pixels(kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)),
            ("xf20", .pixels(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange)),
            ("x422", .pixels(kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange)),
            ("xf22", .pixels(kCVPixelFormatType_422YpCbCr10BiPlanarFullRange)),
            ("2vuy", .pixels(kCVPixelFormatType_422YpCbCr8)),
            ("yuvs", .pixels(kCVPixelFormatType_422YpCbCr8_yuvs)),
            ("BGRA", .pixels(kCVPixelFormatType_32BGRA)),
            ("jpeg", .compressed(kCMVideoCodecType_JPEG)),
        ]
        // Formats above 60 frames per second do not support stabilization.
        let supportsStabilization = durations.allSatisfy { $0.minimum >= CMTime(value: 1, timescale: 60) }
        let isBinned = try map["binned"]?.flag() ?? false
        let hasHDR = try map["hdr"]?.flag() ?? false
        if hasHDR, camera.highlightHeadroom == 1 {
            throw value.error("the camera does not support HDR", "set its highlightHeadroom above 1, or remove hdr")
        }
        var formats: [VideoStreamFormat] = []
        let selected = try readDistinct(map.required("pixelFormats")) {
            entry throws(YAMLError) -> VideoStreamFormat.Encoding in
            try entry.choice(encodings)
        }
        for encoding in selected {
            formats.append(
                VideoStreamFormat(
                    dimensions: CMVideoDimensions(width: Int32(size.width), height: Int32(size.height)),
                    encoding: encoding, frameDurations: durations,
                    horizontalFieldOfView: Optics.horizontalFieldOfView(of: camera.lens), isBinned: isBinned,
                    photoDimensions: photos.sorted { Int($0.width) * Int($0.height) < Int($1.width) * Int($1.height) }
                        .map(\.dimensions),
                    maximumZoomFactor: camera.maximumZoom,
                    zoomUpscaleThreshold: min(upscaleThreshold, camera.maximumZoom),
                    secondaryNativeZoomFactors: isBinned ? [] : camera.nativeZoomFactors,
                    exposureDurations: camera.hasManualExposure ? camera.exposureDurations : nil,
                    isoRange: camera.hasManualExposure ? camera.isoRange : nil,
                    isHDRSupported: hasHDR,
                    colorSpaces: [.bt709] + (camera.hasWideColor ? [.p3D65] : [])
                        + (hasHDR && encoding.hasTenBits ? [.hlgBT2020] : []),
                    stabilizationModes: supportsStabilization ? Set(camera.stabilization.keys) : []))
        }
        if let depth = camera.depth {
            for index in formats.indices { formats[index].depthFormats = depth.formats(for: formats[index]) }
        }
        return formats
    }

    /// Reads `30 fps` or `[1 fps, 60 fps]`. Rates such as `30000/1001 fps` stay exact.
    static func readRates(_ value: YAMLValue) throws(YAMLError) -> FrameDurationRange {
        // A single rate is not a list; `readRate` reports its errors.
        if let ends = try? value.list(minimumCount: 2) {
            guard ends.count == 2 else { throw value.error("a range has two ends", "write [1 fps, 60 fps]") }
            let slow = try readRate(ends[0])
            let fast = try readRate(ends[1])
            guard fast <= slow else {
                throw value.error("the range ends before it begins", "write the lower rate first")
            }
            return FrameDurationRange(minimum: fast, maximum: slow)
        }
        return FrameDurationRange(try readRate(value))
    }

    private static func readRate(_ value: YAMLValue) throws(YAMLError) -> CMTime {
        let rate = try value.quantity(.framesPerSecond, in: 0.1...1000)
        let text = try value.string()
        let parts = text.prefix { $0.isNumber || "+-./".contains($0) }.split(separator: "/")
        let fraction = parts.compactMap { Int32($0) }.filter { $0 > 0 }
        // Other numbers, such as 1e2 or 29.97, are rounded to a thousandth.
        switch (parts.count, fraction.count) {
        case (1, 1): return CMTime(value: 1, timescale: fraction[0])
        case (2, 2): return CMTime(value: CMTimeValue(fraction[1]), timescale: fraction[0])
        default:
            return CMTime(value: 1000, timescale: CMTimeScale((rate * 1000).rounded()))
        }
    }
}

extension CameraProfile {
    /// The controls of the camera with their ranges.
    var controls: [DeviceControl: ControlRange] {
        CameraState(profile: self, light: SceneLight(lux: 500, kelvin: 5500), subjectDistance: 1).ranges
    }
}

extension VideoStreamFormat.Encoding {
    fileprivate var hasTenBits: Bool {
        guard case .pixels(let code) = self else { return false }
        return PixelLayout.tenBitPixelFormats.contains(code)
    }
}
