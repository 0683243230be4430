package import SimDevices

extension Scenario {
    /// Returns the light over the time of the scenario; nil if it is that of the scene.
    package func light(of scene: SimScene) -> SceneLight? {
        var light = scene.light
        if let start = devices.light { (light.lux, light.kelvin) = (start.lux, start.kelvin) }
        var current = (lux: light.lux, kelvin: light.kelvin)
        // The end of the last change: one that starts earlier ends there.
        for step in timeline {
            guard case .setLight(let lux, let kelvin, let duration) = step.action else { continue }
            let time = step.time.seconds
            if let last = light.changes.last, last.seconds > time {
                let before = light.changes.dropLast().last
                let (start, from) = (before?.seconds ?? 0, (before?.lux ?? light.lux, before?.kelvin ?? light.kelvin))
                let part = (time - start) / (last.seconds - start)
                current = (from.0 + (last.lux - from.0) * part, from.1 + (last.kelvin - from.1) * part)
                light.changes.removeLast()
            }
            light.changes.append(SceneLight.Change(seconds: time, lux: current.lux, kelvin: current.kelvin))
            current = (lux ?? current.lux, kelvin ?? current.kelvin)
            let end = time + (duration?.seconds ?? 0)
            light.changes.append(SceneLight.Change(seconds: end, lux: current.lux, kelvin: current.kelvin))
        }
        return devices.light == nil && light.changes.isEmpty ? nil : light
    }
}
