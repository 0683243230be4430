import CLinuxDevices

extension LinuxDiagnosis {
    /// What an input has to receive; nothing for a sensor.
    func receiver(_ path: String, _ node: V4L2Node, _ input: V4L2Input) throws(KernelError) -> [Finding] {
        let name = input.name.isEmpty ? "input \(input.index)" : input.name
        if let tuner = try V4L2Tuner(node) { return [try station(path, node, tuner, name, input)] }
        guard input.isDigital || input.isAnalogue else { return [] }
        if input.isDigital, try node.edidBlockCount(input) == 0 {
            return [
                Finding(
                    level: .problem, subject: path,
                    message: "\(name) shows no EDID to its source, which therefore sends nothing",
                    advice: "Obscura gives it one when the camera is found; where the driver refused that, set one: "
                        + "'v4l2-ctl -d \(path) --set-edid=pad=\(input.index),type=hdmi'.")
            ]
        }
        guard input.isDead else {
            return [Finding(level: .fine, subject: path, message: "\(name) has a signal", advice: "")]
        }
        return [
            Finding(
                level: .problem, subject: path, message: "\(name) has no signal",
                advice: "See whether its source is on and plugged in; other inputs are listed by "
                    + "'v4l2-ctl -d \(path) --list-inputs'.")
        ]
    }

    private func station(
        _ path: String, _ node: V4L2Node, _ tuner: V4L2Tuner, _ name: String, _ input: V4L2Input
    ) throws(KernelError) -> Finding {
        let megahertz = try tuner.frequency(node) / 1_000_000
        return Finding(
            level: input.isDead ? .problem : .fine, subject: path,
            message: "\(name) is tuned to \(megahertz) MHz\(input.isDead ? ", where there is no station" : "")",
            advice: input.isDead ? "Set another frequency: 'v4l2-ctl -d \(path) --set-freq=MEGAHERTZ'." : "")
    }
}
