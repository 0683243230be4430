public import CaptureHAL
import MediaTypes

/// Several cameras of a profile that act as one: the zoom factor chooses which of them delivers.
public struct VirtualCameraProfile: Sendable, Hashable {
    public var id: String
    public var name: String
    public var model: String
    public var kind: DeviceKind
    /// From the widest view to the narrowest; at least two.
    public var constituents: [CameraProfile]
    /// The zoom factor from which each constituent but the first delivers, ascending; 1 is the first one's whole view.
    public var switchOverZoomFactors: [Double]
    public var maximumZoom: Double
    /// How the cameras measure depth together; nil where they do not.
    public var depth: DepthProfile?
    /// What goes wrong, from the making of the host on.
    public var faults: [ScheduledFault] = []

    /// The formats that all constituents have, with the whole zoom; in the first one's order.
    public var formats: [VideoStreamFormat] {
        guard let widest = constituents.first else { return [] }
        return widest.formats.compactMap { format in
            guard constituents.allSatisfy({ $0.format(like: format) != nil }) else { return nil }
            var format = format
            format.maximumZoomFactor = maximumZoom
            if let depth {
                format.depthFormats = depth.formats(for: format)
                format.depthZoomFactors = commonZoom...maximumZoom
            }
            return format
        }
    }

    /// The zoom factor from which on all constituents see all that is shown.
    var commonZoom: Double {
        let focalLengths = constituents.map(\.lens.equivalentFocalLengthMillimetres)
        return min(max(1, (focalLengths.last ?? 1) / (focalLengths.first ?? 1)), maximumZoom)
    }

    /// Which constituent delivers at a zoom factor.
    func index(at zoom: Double) -> Int { switchOverZoomFactors.prefix { $0 <= zoom }.count }

    /// The zoom of a constituent that shows what the virtual camera's zoom factor asks for, at least 1.
    func zoom(of index: Int, at zoom: Double) -> Double {
        let focalLengths = constituents.map(\.lens.equivalentFocalLengthMillimetres)
        return min(max(1, zoom * focalLengths[0] / focalLengths[index]), constituents[index].maximumZoom)
    }
}

extension CameraProfile {
    /// The camera's own format of that size, encoding and rate.
    func format(like other: VideoStreamFormat) -> VideoStreamFormat? {
        formats.first {
            $0.dimensions == other.dimensions && $0.encoding == other.encoding && $0.isBinned == other.isBinned
                && $0.frameDurations == other.frameDurations
        }
    }
}
