/// The identity and fixed properties of a device, apart from its formats and controls.
public struct DeviceDescriptor: Sendable, Hashable {
    /// A persistent identifier: unchanged after reconnection and, if the host can determine it, across runs.
    public var uniqueID: String
    /// The model identifier, shared by all devices of one model.
    public var modelID: String
    /// The display name.
    public var localizedName: String
    /// The manufacturer's name.
    public var manufacturer: String
    /// The device's role.
    public var kind: DeviceKind
    /// The side of the machine on which the camera is mounted.
    public var position: DevicePosition
    /// The media types that the device delivers. One device may deliver video and audio, such as a capture card.
    public var media: Set<DeviceMedia>
    /// The optics; nil if unknown.
    public var lens: LensDescriptor?
    /// The sensor's color response; nil if unknown.
    public var color: ColorResponse?
    /// Clockwise degrees by which a frame must be rotated to be upright when the device is upright.
    ///
    /// 0 for webcams and files; 90 for phone sensors, which are mounted in landscape.
    public var mountingAngle: Int
    /// Whether the content was captured in the past, as in a file. The date of a virtual clock does not apply to such
    /// content.
    public var isPrerecorded: Bool
    /// Whether the camera detects the faces in its frames; see `VideoFrame.faces`.
    public var detectsFaces: Bool
    /// The codec in which the machine encodes the camera's movies if the client selects none.
    public var movieCodec: MovieCodec
    /// Whether the machine encodes the camera's photos with HEVC (HEIF files) if the client requests it.
    public var encodesHEVCPhotos: Bool
    /// The stills that the camera captures beside the frames of its stream; nil if a photo is a frame of the stream.
    public var stills: StillCapabilities?
    /// The connection between device and machine.
    public var transport: DeviceTransport
    /// An identifier shared by a camera and a microphone in one housing; nil if unknown or if the housing is not
    /// shared.
    public var housing: String?
    /// For a virtual camera: the unique IDs of its constituents, from the widest view to the narrowest.
    public var constituentIDs: [String]
    /// The zoom factors from which each constituent except the first delivers, ascending.
    public var switchOverZoomFactors: [Double]

    /// Creates a descriptor.
    public init(
        uniqueID: String, modelID: String, localizedName: String, manufacturer: String, kind: DeviceKind,
        position: DevicePosition = .unspecified, media: Set<DeviceMedia>, lens: LensDescriptor? = nil,
        color: ColorResponse? = nil, mountingAngle: Int = 0,
        isPrerecorded: Bool = false, detectsFaces: Bool = false, movieCodec: MovieCodec = .h264,
        encodesHEVCPhotos: Bool = false, stills: StillCapabilities? = nil,
        transport: DeviceTransport = .unknown, housing: String? = nil, constituentIDs: [String] = [],
        switchOverZoomFactors: [Double] = []
    ) {
        self.uniqueID = uniqueID
        self.modelID = modelID
        self.localizedName = localizedName
        self.manufacturer = manufacturer
        self.kind = kind
        self.position = position
        self.media = media
        self.lens = lens
        self.color = color
        self.mountingAngle = mountingAngle
        self.isPrerecorded = isPrerecorded
        self.detectsFaces = detectsFaces
        self.movieCodec = movieCodec
        self.encodesHEVCPhotos = encodesHEVCPhotos
        self.stills = stills
        self.transport = transport
        self.housing = housing
        self.constituentIDs = constituentIDs
        self.switchOverZoomFactors = switchOverZoomFactors
    }
}

extension DeviceDescriptor {
    /// Returns the index of the constituent that delivers at a zoom factor.
    package func constituentIndex(at zoom: Double) -> Int { switchOverZoomFactors.prefix { $0 <= zoom }.count }

    /// Returns the zoom factor from which a constituent delivers; 1 for the first.
    package func firstZoomFactor(ofConstituent index: Int) -> Double {
        index == 0 ? 1 : switchOverZoomFactors[index - 1]
    }
}

/// A video codec of movies.
public enum MovieCodec: String, Sendable, Hashable, CaseIterable {
    case h264, hevc
}

/// A media type that a device delivers.
public enum DeviceMedia: String, Sendable, Hashable, CaseIterable {
    case video, audio, depth
}

/// The role of a device, by which capture clients select it.
public enum DeviceKind: String, Sendable, Hashable, CaseIterable {
    case builtInWideAngleCamera, builtInUltraWideCamera, builtInTelephotoCamera
    case builtInDualCamera, builtInDualWideCamera, builtInTripleCamera
    case builtInTrueDepthCamera, builtInLiDARDepthCamera
    case builtInInnerUltraWideCamera, builtInOuterUltraWideCamera
    case continuityCamera, deskViewCamera, external, microphone
}

extension DeviceKind {
    /// The kind in tables and in selections of phones.
    package var shortName: String {
        switch self {
        case .builtInWideAngleCamera: "wide-angle"
        case .builtInUltraWideCamera: "ultra-wide"
        case .builtInTelephotoCamera: "telephoto"
        case .builtInDualCamera: "dual"
        case .builtInDualWideCamera: "dual-wide"
        case .builtInTripleCamera: "triple"
        case .builtInTrueDepthCamera: "true-depth"
        case .builtInLiDARDepthCamera: "lidar"
        case .builtInInnerUltraWideCamera: "inner-ultra-wide"
        case .builtInOuterUltraWideCamera: "outer-ultra-wide"
        case .continuityCamera: "continuity"
        case .deskViewCamera: "desk-view"
        case .external: "external"
        case .microphone: "microphone"
        }
    }
}

/// The side of the machine on which a camera is mounted.
public enum DevicePosition: String, Sendable, Hashable, CaseIterable {
    case unspecified, back, front
}

/// The optics of a camera.
public struct LensDescriptor: Sendable, Hashable {
    /// The f-number N of the aperture, as in f/N; of a variable aperture, the default.
    public var aperture: Double
    /// The recommended f-numbers of a variable aperture, ascending: the first is the smallest possible one, the last is
    /// the largest. Empty for a fixed aperture.
    public var apertureStops: [Double]
    /// The focal length in millimeters.
    public var focalLengthMillimeters: Double
    /// The focal length, in millimeters, of a lens with the same field of view on a 36 mm wide frame.
    public var equivalentFocalLengthMillimeters: Double
    /// The minimum focus distance in millimeters; nil if unknown.
    public var minimumFocusDistanceMillimeters: Double?

    /// Creates a lens.
    public init(
        aperture: Double, apertureStops: [Double] = [], focalLengthMillimeters: Double,
        equivalentFocalLengthMillimeters: Double,
        minimumFocusDistanceMillimeters: Double? = nil
    ) {
        self.aperture = aperture
        self.apertureStops = apertureStops
        self.focalLengthMillimeters = focalLengthMillimeters
        self.equivalentFocalLengthMillimeters = equivalentFocalLengthMillimeters
        self.minimumFocusDistanceMillimeters = minimumFocusDistanceMillimeters
    }
}

/// The sensitivity of a sensor to red and blue light of equal energy, relative to green.
public struct ColorResponse: Sendable, Hashable {
    /// Above 0.
    public var red: Double
    /// Above 0.
    public var blue: Double

    /// Creates a response.
    public init(red: Double, blue: Double) {
        self.red = red
        self.blue = blue
    }
}
