import MediaTypes
import SimDevices
import StrictYAML

extension ActionDeclaration {
    private static let object = Field.text("object", "the name of an object of the scene")
    private static let x = Field.number("x", "as `30 cm`, to the right of the middle", .meters, in: -1000...1000)
    private static let y = Field.number("y", "as `10 cm`, above the middle", .meters, in: -1000...1000)
    private static let visible = Field.flag("visible")
    private static let over = Field.time("over", "as `1 s`", from: 0.001)

    /// The action `scene-object`.
    static let sceneObject = ActionDeclaration(
        "scene-object", .environment,
        [
            object.required, x.optional("default the current"), y.optional("default the current"),
            over.optional("default immediately"), visible.optional("default the current"),
        ], "An object of the scene moves, appears or disappears."
    ) { (map) throws(YAMLError) in
        var change = SceneObjectChange(
            try map.required(object), x: try map[x], y: try map[y], isVisible: try map[visible])
        let moves = change.x != nil || change.y != nil
        if let duration = map["over"] {
            guard moves else { throw duration.error("an object appears or disappears at once", "remove \"over\"") }
            change.duration = try map.required(over)
        }
        guard moves || change.isVisible != nil else {
            throw map.value.error("the object does not change", "add \"x: 30 cm\", \"y: 10 cm\" or \"visible: false\"")
        }
        return .changeSceneObject(change)
    }
}

extension SceneObjectChange {
    /// The keys and values in a scenario file.
    var fields: [KeyedValue] {
        [KeyedValue("object", text: name)]
            + [("x", x), ("y", y)].compactMap { key, meters in meters.map { KeyedValue(key, "\($0) m") } }
            + (duration > .zero ? [KeyedValue("over", duration)] : [])
            + (isVisible.map { [KeyedValue("visible", $0)] } ?? [])
    }

    /// The change in the format of the log, with a leading space.
    var summary: String {
        (x.map { " x \($0) m" } ?? "") + (y.map { " y \($0) m" } ?? "")
            + (duration > .zero ? " over \(duration.seconds) s" : "")
            + (isVisible.map { $0 ? " visible" : " hidden" } ?? "")
    }
}
