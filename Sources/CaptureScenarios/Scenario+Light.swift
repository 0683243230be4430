import Foundation
import MediaTypes
package import SimDevices

extension Scenario {
    /// Returns the light of the first scene over the time of the scenario; nil if the scenario keeps the original
    /// light of the scene.
    package func light(of scene: SimScene) -> SceneLight? {
        let steps = timeline.prefix { if case .setScene = $0.action { false } else { true } }
        let light = light(of: scene, start: devices.light, during: steps)
        return devices.light == nil && light.changes.isEmpty ? nil : light
    }

    /// Returns the scenes that replace the first one, with their light over time.
    ///
    /// - Parameter folder: The folder of files with relative paths.
    func laterScenes(in folder: URL?) throws -> [(time: CMTime, scene: SimScene, light: SceneLight)] {
        try timeline.indices.compactMap { index in
            guard case .setScene(let name) = timeline[index].action else { return nil }
            let scene = try SimScene.named(ScenarioPlayer.path(name, in: folder))
            let steps = timeline[(index + 1)...].prefix { if case .setScene = $0.action { false } else { true } }
            return (timeline[index].time, scene, light(of: scene, start: nil, during: steps))
        }
    }

    /// Returns the light of a scene with the changes of some steps.
    ///
    /// - Parameter start: The light at the start; nil for the original light of the scene.
    private func light(of scene: SimScene, start: Light?, during steps: ArraySlice<Step>) -> SceneLight {
        var light = scene.light
        if let start { (light.lux, light.kelvin) = (start.lux, start.kelvin) }
        var current = (lux: light.lux, kelvin: light.kelvin)
        for step in steps {
            guard case .setLight(let lux, let kelvin, let duration) = step.action else { continue }
            let time = step.time.seconds
            if let last = light.changes.last, last.seconds > time {
                // The previous change is still in progress: it ends here, with the light that it has reached.
                let previous =
                    light.changes.dropLast().last ?? SceneLight.Change(seconds: 0, lux: light.lux, kelvin: light.kelvin)
                let fraction = (time - previous.seconds) / (last.seconds - previous.seconds)
                current.lux = previous.lux + (last.lux - previous.lux) * fraction
                current.kelvin = previous.kelvin + (last.kelvin - previous.kelvin) * fraction
                light.changes.removeLast()
            }
            light.changes.append(SceneLight.Change(seconds: time, lux: current.lux, kelvin: current.kelvin))
            current = (lux ?? current.lux, kelvin ?? current.kelvin)
            let end = time + (duration?.seconds ?? 0)
            light.changes.append(SceneLight.Change(seconds: end, lux: current.lux, kelvin: current.kelvin))
        }
        return light
    }
}
