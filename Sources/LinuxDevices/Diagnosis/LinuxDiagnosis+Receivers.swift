import CLinuxDevices

extension LinuxDiagnosis {
    /// Returns the findings about the signal of a receiver's input; none for a sensor.
    func receiver(_ path: String, _ node: V4L2Node, _ input: V4L2Input) throws(KernelError) -> [Finding] {
        let name = input.name.isEmpty ? "input \(input.index)" : input.name
        if let tuner = try V4L2Tuner(node) { return [try station(path, node, tuner, name, input)] }
        guard input.isDigital || input.isAnalog else { return [] }
        if input.isDigital, try node.edidBlockCount(input) == 0 {
            return [
                Finding(
                    level: .problem, subject: path,
                    message: "\(name) has no EDID, so its source sends nothing",
                    advice: "Obscura sets one when it finds the camera. If the driver refused it, set one yourself: "
                        + "'v4l2-ctl -d \(path) --set-edid=pad=\(input.index),type=hdmi'.")
            ]
        }
        guard input.hasNoSignal else {
            return [Finding(level: .fine, subject: path, message: "\(name) has a signal", advice: "")]
        }
        return [
            Finding(
                level: .problem, subject: path, message: "\(name) has no signal",
                advice: "Check that its source is switched on and connected. To list other inputs, use "
                    + "'v4l2-ctl -d \(path) --list-inputs'.")
        ]
    }

    private func station(
        _ path: String, _ node: V4L2Node, _ tuner: V4L2Tuner, _ name: String, _ input: V4L2Input
    ) throws(KernelError) -> Finding {
        let megahertz = try tuner.frequency(node) / 1_000_000
        return Finding(
            level: input.hasNoSignal ? .problem : .fine, subject: path,
            message: "\(name) is tuned to \(megahertz) MHz\(input.hasNoSignal ? " and receives no station" : "")",
            advice: input.hasNoSignal ? "Set another frequency: 'v4l2-ctl -d \(path) --set-freq=MEGAHERTZ'." : "")
    }
}
