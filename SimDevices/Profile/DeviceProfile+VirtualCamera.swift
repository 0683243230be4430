import CaptureHAL
import StrictYAML

extension DeviceProfile {
    /// - Parameter known: The devices that stand before it in the profile.
    static func readVirtualCamera(
        _ value: YAMLValue, among known: [Device]
    ) throws(YAMLError) -> VirtualCameraProfile {
        let map = try value.mapping(keys: [
            "id", "name", "model", "kind", "constituents", "switchOver", "maximumZoom", "depth", "faults",
        ])
        let kinds: [DeviceKind] = [.builtInDualCamera, .builtInDualWideCamera, .builtInTripleCamera]
        let list = try map.required("constituents")
        let constituents = try readConstituents(list, among: known)
        let places = try map.required("switchOver").list()
        guard places.count == constituents.count - 1 else {
            throw try map.required("switchOver").error(
                "there are \(places.count) zoom factors for \(constituents.count) cameras",
                "write one for each camera but the first")
        }
        var factors: [Double] = []
        for (place, narrow) in zip(places, constituents.dropFirst()) {
            let factor = try place.quantity(.none, in: 1...100)
            guard factor > factors.last ?? 1 else {
                throw place.error("\(factor) does not lie above the factor before it", "write them in rising order")
            }
            // Below it the narrower camera would have to show more than it sees.
            let least =
                narrow.lens.equivalentFocalLengthMillimetres / constituents[0].lens.equivalentFocalLengthMillimetres
            guard factor >= least * 0.999 else {
                throw place.error(
                    "from \(factor) on \(narrow.id) does not see enough",
                    "write \((least * 100).rounded(.up) / 100) or more")
            }
            factors.append(factor)
        }
        let most = try map.required("maximumZoom").quantity(.none, in: (factors.last ?? 1)...1000)
        let camera = VirtualCameraProfile(
            id: try identifier(map.required("id")), name: try map.required("name").string(),
            model: try map.required("model").string(),
            kind: try map.required("kind").choice(kinds.map { ($0.rawValue, $0) }), constituents: constituents,
            switchOverZoomFactors: factors,
            maximumZoom: most,
            depth: try readDepth(map["depth"], [("stereo", .stereo)]),
            faults: try readFaults(
                map["faults"], .video, SimVirtualCamera.controls(of: constituents.map(\.controls), maximumZoom: most)))
        guard !camera.formats.isEmpty else {
            throw list.error("these cameras have no format in common", "give them one of the same size and rates")
        }
        return camera
    }

    private static func readConstituents(
        _ list: YAMLValue, among known: [Device]
    ) throws(YAMLError) -> [CameraProfile] {
        var cameras: [CameraProfile] = []
        for entry in try list.list(minimumCount: 2) {
            let options = known.compactMap { device -> (name: String, value: CameraProfile)? in
                if case .camera(let camera) = device { (camera.id, camera) } else { nil }
            }
            let camera = try entry.choice(options)
            if let wider = cameras.last {
                guard camera.lens.equivalentFocalLengthMillimetres > wider.lens.equivalentFocalLengthMillimetres else {
                    throw entry.error("\(camera.id) does not see less than \(wider.id)", "write the wider camera first")
                }
                guard camera.position == wider.position, camera.mountingAngle == wider.mountingAngle else {
                    throw entry.error(
                        "\(camera.id) does not look the way that \(wider.id) does",
                        "take cameras of one position and mounting angle")
                }
            }
            cameras.append(camera)
        }
        return cameras
    }
}
