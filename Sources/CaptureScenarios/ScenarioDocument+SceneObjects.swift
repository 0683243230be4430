import Foundation
import MediaTypes
import SimDevices
import StrictYAML

extension ScenarioDocument {
    /// Returns the errors of steps that name an object that is not in the scene at the time of the step.
    ///
    /// - Parameters:
    ///   - layers: The lists of steps of included files and of the scenario. Steps that cannot be read are ignored.
    ///   - firstScene: The name of the scene at the start.
    ///   - folder: The folder of scene files with relative paths.
    static func sceneObjectErrors(in layers: [YAMLValue], firstScene: String, in folder: URL) -> [YAMLError] {
        var steps: [(time: Double, step: YAMLMapping)] = []
        for layer in layers {
            for value in (try? layer.list()) ?? [] {
                guard let step = try? value.mapping(keys: ["at", "do"] + ActionDeclaration.keyNames),
                    step["object"] != nil || step["scene"] != nil, let time = try? step.required("at").time(from: 0)
                else { continue }
                steps.append((time.seconds, step))
            }
        }
        // A scene that is set at the time of a step is current for the step, even if it is listed after the step.
        let scenes = steps.compactMap { entry in
            (try? entry.step["scene"]?.string()).map { (time: entry.time, name: $0) }
        }
        var errors: [YAMLError] = []
        for (time, step) in steps {
            guard let object = step["object"] else { continue }
            let earlier = scenes.filter { $0.time <= time }
            let last = earlier.indices.max { (earlier[$0].time, $0) < (earlier[$1].time, $1) }
            let name = last.map { earlier[$0].name } ?? firstScene
            guard let scene = try? SimScene.named(ScenarioPlayer.path(name, in: folder)) else { continue }
            do throws(YAMLError) { try check(object, step, in: scene) } catch { errors.append(error) }
        }
        return errors
    }

    /// Checks that a scene has an object, and that the object supports the movement of the step.
    private static func check(_ value: YAMLValue, _ step: YAMLMapping, in scene: SimScene) throws(YAMLError) {
        let name = try value.string()
        let names = scene.objects.map(\.name)
        guard let object = scene.objects.first(where: { $0.name == name }) else {
            throw value.error(
                "the scene \(scene.name) has no object \"\(name)\"",
                names.isEmpty
                    ? "it has none with a name; choose another scene" : suggestion(for: name, among: names))
        }
        if let y = step["y"], object.isStanding {
            throw y.error("\(name) stands on the floor", "remove \"y\"; people move sideways only")
        }
    }
}
