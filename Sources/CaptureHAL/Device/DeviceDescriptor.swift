/// What a device is, apart from what it can do.
public struct DeviceDescriptor: Sendable, Hashable {
    /// The same after the device was plugged in again, and in every run where the host can tell.
    public var uniqueID: String
    /// The model, the same for two devices of one make.
    public var modelID: String
    /// The name that a person reads.
    public var localizedName: String
    public var manufacturer: String
    public var kind: DeviceKind
    public var position: DevicePosition
    /// What the device delivers; one device may give both, as a capture card or a media file.
    public var media: Set<DeviceMedia>
    /// The optics, where known.
    public var lens: LensDescriptor?
    /// The sensor's colours, where known.
    public var color: ColorResponse?
    /// Clockwise degrees by which the delivered picture must be turned to stand upright when the device does.
    ///
    /// 0 for webcams and files; 90 for phone sensors, which are mounted in landscape.
    public var mountingAngle: Int
    /// Whether what the device shows happened before, as in a file: a virtual clock's date means nothing for it.
    public var showsThePast: Bool
    public var transport: DeviceTransport
    /// The same for a camera and a microphone in one housing; nil for a device that is part of none, or where unknown.
    public var housing: String?
    /// Of a camera that is several: the unique IDs of its constituents, from the widest view to the narrowest.
    public var constituentIDs: [String]
    /// The zoom factors from which each constituent but the first delivers, ascending.
    public var switchOverZoomFactors: [Double]

    public init(
        uniqueID: String, modelID: String, localizedName: String, manufacturer: String, kind: DeviceKind,
        position: DevicePosition = .unspecified, media: Set<DeviceMedia>, lens: LensDescriptor? = nil,
        color: ColorResponse? = nil, mountingAngle: Int = 0,
        showsThePast: Bool = false, transport: DeviceTransport = .unknown, housing: String? = nil,
        constituentIDs: [String] = [], switchOverZoomFactors: [Double] = []
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
        self.showsThePast = showsThePast
        self.transport = transport
        self.housing = housing
        self.constituentIDs = constituentIDs
        self.switchOverZoomFactors = switchOverZoomFactors
    }
}

extension DeviceDescriptor {
    /// Which constituent delivers at a zoom factor.
    package func constituentIndex(at zoom: Double) -> Int { switchOverZoomFactors.prefix { $0 <= zoom }.count }

    /// The zoom factor from which a constituent delivers; 1 for the first.
    package func firstZoomFactor(ofConstituent index: Int) -> Double {
        index == 0 ? 1 : switchOverZoomFactors[index - 1]
    }
}

/// A kind of medium that a device delivers.
public enum DeviceMedia: String, Sendable, Hashable, CaseIterable {
    case video, audio, depth
}

/// The role of a device, as capture clients ask for it.
public enum DeviceKind: String, Sendable, Hashable, CaseIterable {
    case builtInWideAngleCamera, builtInUltraWideCamera, builtInTelephotoCamera
    case builtInDualCamera, builtInDualWideCamera, builtInTripleCamera
    case builtInTrueDepthCamera, builtInLiDARDepthCamera
    case continuityCamera, external, microphone
}

/// The side of the machine on which a camera sits.
public enum DevicePosition: String, Sendable, Hashable, CaseIterable {
    case unspecified, back, front
}

/// The optics of a camera.
public struct LensDescriptor: Sendable, Hashable {
    /// The f-number N of the aperture, as in f/N.
    public var aperture: Double
    /// The focal length in millimetres.
    public var focalLengthMillimetres: Double
    /// The focal length, in millimetres, that gives the same field of view on a 36 mm wide frame.
    public var equivalentFocalLengthMillimetres: Double
    /// The nearest distance in millimetres at which the lens can focus, where known.
    public var minimumFocusDistanceMillimetres: Double?

    public init(
        aperture: Double, focalLengthMillimetres: Double, equivalentFocalLengthMillimetres: Double,
        minimumFocusDistanceMillimetres: Double? = nil
    ) {
        self.aperture = aperture
        self.focalLengthMillimetres = focalLengthMillimetres
        self.equivalentFocalLengthMillimetres = equivalentFocalLengthMillimetres
        self.minimumFocusDistanceMillimetres = minimumFocusDistanceMillimetres
    }
}

/// How strongly a sensor answers to light of equal energy, in proportion to green.
public struct ColorResponse: Sendable, Hashable {
    /// Above 0.
    public var red: Double
    /// Above 0.
    public var blue: Double

    public init(red: Double, blue: Double) {
        self.red = red
        self.blue = blue
    }
}
