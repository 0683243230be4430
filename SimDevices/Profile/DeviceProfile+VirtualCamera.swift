import CaptureHAL
import StrictYAML

extension DeviceProfile {
    /// Reads a virtual camera.
    ///
    /// - Parameter known: The preceding devices of the profile.
    static func readVirtualCamera(
        _ value: YAMLValue, among known: [Device]
    ) throws(YAMLError) -> VirtualCameraProfile {
        let map = try value.mapping(keys: [
            "id", "name", "model", "kind", "constituents", "switchOver", "maximumZoom", "depth", "faults",
        ])
        let kinds: [DeviceKind] = [.builtInDualCamera, .builtInDualWideCamera, .builtInTripleCamera]
        let list = try map.required("constituents")
        let constituents = try readConstituents(list, among: known)
        let entries = try map.required("switchOver").list()
        guard entries.count == constituents.count - 1 else {
            throw try map.required("switchOver").error(
                "there are \(entries.count) zoom factors for \(constituents.count) cameras",
                "write one for each camera but the first")
        }
        var factors: [Double] = []
        for (entry, narrow) in zip(entries, constituents.dropFirst()) {
            let factor = try entry.quantity(.none, in: 1...100)
            guard factor > factors.last ?? 1 else {
                throw entry.error("\(factor) is not greater than the previous factor", "write them in ascending order")
            }
            // Below this factor, the narrower camera's field of view would be too small.
            let least =
                narrow.lens.equivalentFocalLengthMillimeters / constituents[0].lens.equivalentFocalLengthMillimeters
            guard factor >= least * 0.999 else {
                throw entry.error(
                    "at zoom factor \(factor), the field of view of \(narrow.id) is too small",
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
            throw list.error("these cameras have no format in common", "add one of the same size and frame rates")
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
                guard camera.lens.equivalentFocalLengthMillimeters > wider.lens.equivalentFocalLengthMillimeters else {
                    throw entry.error(
                        "the field of view of \(camera.id) is not smaller than that of \(wider.id)",
                        "write the wider camera first")
                }
                guard camera.position == wider.position, camera.mountingAngle == wider.mountingAngle else {
                    throw entry.error(
                        "\(camera.id) and \(wider.id) have different orientations",
                        "use cameras with the same position and mounting angle")
                }
            }
            cameras.append(camera)
        }
        return cameras
    }
}
