public import CaptureHAL
import MediaTypes

/// The profile of a virtual camera. The zoom factor selects one of its constituents.
public struct VirtualCameraProfile: Sendable, Hashable {
    /// The identifier, unique within the device profile.
    public var id: String
    /// The localized name.
    public var name: String
    /// The model ID.
    public var model: String
    public var kind: DeviceKind
    /// From the widest view to the narrowest; at least two.
    public var constituents: [CameraProfile]
    /// The zoom factors at which the device switches to the second and later constituents, ascending. 1 is the full
    /// view of the widest camera.
    public var switchOverZoomFactors: [Double]
    /// The maximum zoom factor; the minimum is 1.
    public var maximumZoom: Double
    /// The depth measurement by the cameras together; nil if not supported.
    public var depth: DepthProfile?
    /// The faults that are scheduled when the host is created.
    public var faults: [ScheduledFault] = []

    /// The formats that all constituents have in common, in the order of the first constituent. Their photos are not
    /// larger than those of any constituent.
    public var formats: [VideoStreamFormat] {
        guard let widest = constituents.first else { return [] }
        return widest.formats.compactMap { format in
            let common = constituents.compactMap { $0.format(like: format) }
            guard common.count == constituents.count else { return nil }
            var format = format
            format.maximumZoomFactor = maximumZoom
            let largest = common.compactMap(\.photoDimensions.last).map(\.pixelCount).min() ?? 0
            // The formats of one sensor differ by a few percent.
            let limit = max(largest * 11 / 10, format.dimensions.pixelCount)
            format.photoDimensions.removeAll { $0.pixelCount > limit }
            format.secondaryNativeZoomFactors = zip([1] + switchOverZoomFactors, common).flatMap { first, constituent in
                constituent.secondaryNativeZoomFactors.map { first * $0 }
            }
            if let depth {
                format.depthFormats = depth.formats(for: format)
                format.depthZoomFactors = commonZoom...maximumZoom
            }
            return format
        }
    }

    /// The minimum zoom factor at which every constituent covers the entire frame.
    var commonZoom: Double {
        let focalLengths = constituents.map(\.lens.equivalentFocalLengthMillimeters)
        return min(max(1, (focalLengths.last ?? 1) / (focalLengths.first ?? 1)), maximumZoom)
    }

    /// Returns the index of the constituent for a zoom factor.
    func index(at zoom: Double) -> Int { switchOverZoomFactors.prefix { $0 <= zoom }.count }

    /// Returns the zoom factor of a constituent for a zoom factor of the virtual camera, limited to the constituent's
    /// range.
    func zoom(of index: Int, at zoom: Double) -> Double {
        let focalLengths = constituents.map(\.lens.equivalentFocalLengthMillimeters)
        return min(max(1, zoom * focalLengths[0] / focalLengths[index]), constituents[index].maximumZoom)
    }
}

extension CameraProfile {
    /// Returns the camera's format with the same size, encoding, binning and frame rates.
    func format(like other: VideoStreamFormat) -> VideoStreamFormat? {
        formats.first {
            $0.size == other.size && $0.encoding == other.encoding && $0.isBinned == other.isBinned
                && $0.frameDurations == other.frameDurations
        }
    }
}

extension CMVideoDimensions {
    fileprivate var pixelCount: Int { Int(width) * Int(height) }
}
