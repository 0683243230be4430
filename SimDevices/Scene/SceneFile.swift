import StrictYAML

/// A scene described by a YAML file: a built-in scene or a wall, with codes, images and movies in front of it.
///
/// The keys are documented in `docs/scenes.md`.
public struct SceneFile: Sendable, Hashable {
    /// The supported schema version.
    public static let version = 1

    /// The name of the scene.
    public let name: String
    /// The light of the scene.
    public let light: SceneLight
    /// The hand shake of the cameras; nil for none.
    public let shake: HandShake?
    /// All codes in the scene.
    public let codes: [SceneCode]
    /// The scene behind the layers; nil for a wall.
    let base: SimScene?
    let layers: [SceneLayer]
    /// Distance of the cameras' initial focus in meters.
    let subjectDistance: Double
    /// The objects with a name, and those of the base.
    let objects: [SceneObject]

    /// Reads a scene with its images and movies. Unknown keys are errors.
    ///
    /// - Parameters:
    ///   - yaml: The text of the scene.
    ///   - file: The file name for error messages. Paths in the scene are relative to its folder.
    /// - Throws: `ProfileError` with line and column, for example if an image or movie cannot be read.
    public init(yaml: String, file: String) throws(ProfileError) {
        do throws(YAMLError) {
            try self.init(YAMLValue.parse(yaml, file: file))
        } catch {
            throw ProfileError(error)
        }
    }

    private init(_ root: YAMLValue) throws(YAMLError) {
        try root.checkVersion("scene", supported: Self.version)
        let map = try root.mapping(keys: ["scene", "name", "base", "light", "focus", "shake", "codes", "layers"])
        name = try map.required("name").string()
        base = try map["base"]?.choice(SimScene.allCases.map { ($0.name, $0) })
        var codes = base?.codes ?? []
        if let entries = map["codes"] {
            codes = []
            for entry in try entries.list(minimumCount: 0) { codes.append(try SceneCode(entry)) }
        }
        self.codes = codes
        var layers: [SceneLayer] = []
        for entry in try map["layers"]?.list(minimumCount: 0) ?? [] { layers.append(try SceneLayer(entry)) }
        self.layers = layers
        objects = try Self.objects(layers, codes, base, map)
        light = try SceneLight(map["light"], base: base?.light ?? SceneLight(lux: 500, kelvin: 5000))
        shake = try map["shake"].map { (value) throws(YAMLError) in try HandShake(value) }
        let nearest = (layers.map(\.depth) + codes.map(\.depth)).min()
        subjectDistance =
            try map["focus"]?.quantity(.meters, in: 0.01...10_000) ?? base?.subjectDistance ?? nearest ?? 2
    }
}

extension SceneFile {
    /// Returns the objects with a name, and the people of the base.
    ///
    /// - Throws: An error at the position of the second object if two have the same name.
    private static func objects(
        _ layers: [SceneLayer], _ codes: [SceneCode], _ base: SimScene?, _ map: YAMLMapping
    ) throws(YAMLError) -> [SceneObject] {
        // The codes of the base are among the codes, or are replaced by them.
        var objects = (base?.objects ?? []).filter(\.isStanding)
        func add(_ object: SceneObject?, _ list: String, _ index: Int) throws(YAMLError) {
            guard let object else { return }
            guard !objects.contains(where: { $0.name == object.name }) else {
                let entry = try map.required(list).list()[index]
                throw entry.error("the scene has two objects \"\(object.name)\"", "give each another name")
            }
            objects.append(object)
        }
        for (index, layer) in layers.enumerated() { try add(layer.object, "layers", index) }
        for (index, code) in codes.enumerated() { try add(code.object, "codes", index) }
        return objects
    }
}

extension SceneObject {
    /// Reads the keys `name` and `visible` of an object.
    static func nameAndVisibility(_ map: YAMLMapping) throws(YAMLError) -> (name: String?, isVisible: Bool) {
        let name = try map["name"]?.string()
        guard let visible = map["visible"] else { return (name, true) }
        guard name != nil else {
            throw visible.error("an object without a name cannot be shown or hidden", "add \"name:\"")
        }
        return (name, try visible.flag())
    }
}

extension SceneCode {
    fileprivate init(_ value: YAMLValue) throws(YAMLError) {
        let map = try value.mapping(keys: [
            "kind", "text", "x", "y", "depth", "module", "level", "name", "visible",
        ])
        let kind = try map.required("kind").choice(Kind.allCases.map { ($0.rawValue, $0) })
        let text = try map.required("text")
        if let level = map["level"], kind != .qr {
            throw level.error("a code of kind \(kind.rawValue) has no level", "remove it; only QR codes have a level")
        }
        let level = try map["level"]?.choice(QRCode.Level.allCases.map { ($0.rawValue, $0) }) ?? .m
        let x = try map["x"]?.quantity(.meters, in: -1000...1000) ?? 0
        let y = try map["y"]?.quantity(.meters, in: -1000...1000) ?? 0
        let depth = try map.required("depth").quantity(.meters, in: 0.05...1000)
        let module = try map.required("module").quantity(.meters, in: 0.0001...10)
        let string = try text.string()
        do throws(CodeError) {
            try self.init(kind, string, x: x, y: y, depth: depth, module: module, level: level)
        } catch {
            throw text.error(error.problem, error.remedy)
        }
        (name, isVisible) = try SceneObject.nameAndVisibility(map)
    }
}

extension SceneLight {
    fileprivate init(_ value: YAMLValue?, base: SceneLight) throws(YAMLError) {
        guard let map = try value?.mapping(keys: ["illuminance", "temperature", "mains", "flicker"]) else {
            self = base
            return
        }
        self = base
        lux = try map["illuminance"]?.quantity(.lux, in: 0.001...200_000) ?? base.lux
        kelvin = try map["temperature"]?.quantity(.kelvin, in: 1667...25_000) ?? base.kelvin
        guard map["mains"] != nil || map["flicker"] != nil else { return }
        let depth = try map["flicker"]?.quantity(.none, in: 0...1) ?? base.flicker?.depth ?? 0.1
        let mains = try map["mains"]?.choice([("50 Hz", 50), ("60 Hz", 60)])
        flicker = depth > 0 ? Flicker(mainsHertz: mains ?? base.flicker?.mainsHertz ?? 50, depth: depth) : nil
    }
}
