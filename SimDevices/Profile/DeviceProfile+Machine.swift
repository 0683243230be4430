import CaptureHAL
import MediaTypes
import StrictYAML

extension DeviceProfile {
    /// Reads the properties of the machine; a missing one has the default of `MachineDescriptor`.
    ///
    /// - Parameters:
    ///   - document: The profile.
    ///   - name: The name of the profile, the first part of the unique IDs.
    ///   - devices: The devices of the profile.
    static func readMachine(
        _ document: ProfileDocument, _ name: String, _ devices: [Device]
    ) throws(YAMLError) -> MachineDescriptor {
        let map = document.map
        var machine = MachineDescriptor()
        if let form = map["form"] {
            machine.form = try form.choice(MachineDescriptor.Form.allCases.map { ($0.rawValue, $0) })
        }
        if let screen = try map["screen"]?.mapping(keys: ["width", "height", "scale"]) {
            machine.screen = MachineDescriptor.Screen(
                width: try screen.required("width").integer(in: 100...10_000),
                height: try screen.required("height").integer(in: 100...10_000),
                scale: try screen.required("scale").integer(in: 1...4))
        }
        // Computers run several cameras only if their profile says so.
        if machine.form == .computer { machine.multiCamera = MultiCameraCapacity(peak: 0, sustained: 0) }
        if let value = map["multiCamera"] {
            machine.multiCamera = try readMultiCamera(value, name, devices, removedIDs: document.removedIDs)
        }
        return machine
    }

    /// Reads the cameras that run together. A device of a base that the machine does not have leaves the sets.
    private static func readMultiCamera(
        _ value: YAMLValue, _ name: String, _ devices: [Device], removedIDs: Set<String>
    ) throws(YAMLError) -> MultiCameraCapacity {
        var capacity = MultiCameraCapacity()
        let map = try value.mapping(keys: ["capacity", "sustained", "sets"])
        if let peak = try map["capacity"]?.quantity(.none, in: 0...100) {
            (capacity.peak, capacity.sustained) = (peak, peak)
        }
        if let sustained = try map["sustained"]?.quantity(.none, in: 0...100) { capacity.sustained = sustained }
        guard let sets = map["sets"] else { return capacity }
        let cameras = devices.filter { $0.kind != .microphone }.map { ($0.id, "\(name).\($0.id)") }
        var ids: [Set<String>] = []
        for entry in try sets.list() {
            let set = try readDistinct(entry) { id throws(YAMLError) -> String in
                let text = try id.string()
                return removedIDs.contains(text) ? text : try id.choice(cameras)
            }
            guard set.count > 1 else { throw entry.error("the set has one camera", "write two or more") }
            let present = Set(set).subtracting(removedIDs)
            if present.count > 1 { ids.append(present) }
        }
        capacity.sets = ids
        return capacity
    }
}
