import Foundation
import SimDevices
import StrictYAML

extension ScenarioDocument {
    /// Checks that the objects that steps name are in the scene at the time of the step.
    ///
    /// - Parameters:
    ///   - layers: The lists of steps of included files and of the scenario. Their scenes must be readable.
    ///   - firstScene: The name of the scene at the start.
    ///   - folder: The folder of scene files with relative paths.
    static func checkSceneObjects(
        in layers: [YAMLValue], firstScene: String, in folder: URL
    ) throws(YAMLError) {
        var steps: [(time: Double, step: YAMLMapping)] = []
        for layer in layers {
            for step in try layer.list() {
                let step = try step.mapping(keys: ["at", "do"] + ActionDeclaration.keyNames)
                guard step["object"] != nil || step["scene"] != nil else { continue }
                steps.append((try step.required("at").time(from: 0).seconds, step))
            }
        }
        // A scene that is set at the time of a step is current for the step, even if it is listed after the step.
        let scenes = try steps.filter { $0.step["scene"] != nil }.map { (entry) throws(YAMLError) in
            (time: entry.time, name: try entry.step.required("scene").string())
        }
        for (time, step) in steps {
            guard let object = step["object"] else { continue }
            let earlier = scenes.filter { $0.time <= time }
            let last = earlier.indices.max { (earlier[$0].time, $0) < (earlier[$1].time, $1) }
            let name = last.map { earlier[$0].name } ?? firstScene
            guard let scene = try? SimScene.named(ScenarioPlayer.path(name, in: folder)) else { continue }
            try check(object, step, in: scene)
        }
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
