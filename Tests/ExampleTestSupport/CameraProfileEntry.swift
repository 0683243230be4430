/// Returns the YAML entry of a camera in a device profile.
///
/// - Parameters:
///   - exposure: Additional keys of the exposure, such as `, lock: false`.
///   - additionalLines: Additional keys of the camera, one line each.
package func cameraProfileEntry(
    id: String, name: String, model: String, position: String, size: String, exposure: String = "",
    additionalLines: [String] = []
) -> String {
    let lines =
        [
            "id: \(id)", "name: \(name)", "model: \(model)", "kind: builtInWideAngleCamera", "position: \(position)",
            "mountingAngle: 90", "lens: {aperture: 2.2, focalLength: 3.6 mm, equivalentFocalLength: 28 mm}",
            "sensor:", "  fullWell: 5000 e", "  readNoise: 3 e", "  redResponse: 0.55", "  blueResponse: 0.6",
            "  crosstalkA: [[0.72, 0.25, 0.03], [0.25, 0.65, 0.10], [0.07, 0.32, 0.61]]",
            "  crosstalkD65: [[0.68, 0.27, 0.05], [0.20, 0.64, 0.16], [0.04, 0.28, 0.68]]",
            "exposure: {durations: [1/10000 s, 1/15 s], iso: [100, 1600], bias: [-2, 2]\(exposure)}",
            "whiteBalance: {temperatures: [2800 K, 6500 K], maximumGain: 4}",
        ] + additionalLines + ["formats:", "  - {size: \(size), pixelFormats: [420v], frameRates: [[5 fps, 30 fps]]}"]
    return (["  - camera:"] + lines.map { "      \($0)" }).joined(separator: "\n") + "\n"
}
