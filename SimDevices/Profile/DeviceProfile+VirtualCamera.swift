import CaptureHAL
import StrictYAML

extension DeviceProfile {
    /// Reads a virtual camera.
    ///
    /// - Parameter precedingDevices: The devices that precede it in the profile; its constituents are among them.
    static func readVirtualCamera(
        _ value: YAMLValue, precedingDevices: [Device]
    ) throws(YAMLError) -> VirtualCameraProfile {
        let map = try value.mapping(keys: [
            "id", "name", "model", "kind", "constituents", "switchOver", "maximumZoom", "depth", "faults",
        ])
        let kinds: [DeviceKind] = [.builtInDualCamera, .builtInDualWideCamera, .builtInTripleCamera]
        let list = try map.required("constituents")
        let constituents = try readConstituents(list, precedingDevices: precedingDevices)
        let entries = try map.required("switchOver").list()
        guard entries.count == constituents.count - 1 else {
            throw try map.required("switchOver").error(
                "there are \(entries.count) zoom factors for \(constituents.count) cameras",
                "write one for each camera but the first")
        }
        var factors: [Double] = []
        for (entry, narrower) in zip(entries, constituents.dropFirst()) {
            let factor = try entry.quantity(.none, in: 1...100)
            guard factor > factors.last ?? 1 else {
                throw entry.error("\(factor) is not greater than the previous factor", "write them in ascending order")
            }
            // Below this factor, the narrower camera does not cover the entire frame.
            let minimumFactor =
                narrower.lens.equivalentFocalLengthMillimeters / constituents[0].lens.equivalentFocalLengthMillimeters
            // Profiles contain rounded factors.
            guard factor >= minimumFactor * 0.999 else {
                throw entry.error(
                    "at zoom factor \(factor), the field of view of \(narrower.id) is too small",
                    "write \((minimumFactor * 100).rounded(.up) / 100) or more")
            }
            factors.append(factor)
        }
        let maximumZoom = try map.required("maximumZoom").quantity(.none, in: (factors.last ?? 1)...1000)
        let camera = VirtualCameraProfile(
            id: try identifier(map.required("id")), name: try map.required("name").string(),
            model: try map.required("model").string(),
            kind: try map.required("kind").choice(kinds.map { ($0.rawValue, $0) }), constituents: constituents,
            switchOverZoomFactors: factors, maximumZoom: maximumZoom,
            depth: try readDepth(map["depth"], methods: [("stereo", .stereo)]),
            faults: try readFaults(
                map["faults"], .video,
                SimVirtualCamera.controls(of: constituents.map(\.controls), maximumZoom: maximumZoom)))
        guard !camera.formats.isEmpty else {
            throw list.error("these cameras have no format in common", "add one of the same size and frame rates")
        }
        return camera
    }

    /// Reads the cameras of a virtual camera, from the widest view to the narrowest.
    private static func readConstituents(
        _ list: YAMLValue, precedingDevices: [Device]
    ) throws(YAMLError) -> [CameraProfile] {
        var cameras: [CameraProfile] = []
        for entry in try list.list(minimumCount: 2) {
            let options = precedingDevices.compactMap { device -> (name: String, value: CameraProfile)? in
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
