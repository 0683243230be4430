import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import SimDevices
public import StrictYAML

/// A scenario file with the files that it includes, its variables and its matrix.
struct ScenarioDocument {
    /// A value for each variable of the matrix, in the order of the file.
    typealias Combination = [(name: String, value: String)]

    /// The names of the keys of a scenario file.
    static let keys = Scenario.keys.map(\.name)
    /// The name of the matrix variable that selects phones by its values.
    static let phonesName = "phones"
    /// The maximum number of scenarios of a matrix.
    static let maximumCount = 1000

    /// The mapping of the file, which overrides the mappings of the included files.
    private let root: YAMLValue
    private let variables: [(key: String, value: YAMLValue)]
    /// One element for each scenario. Without a matrix, the only element is empty.
    let combinations: [Combination]
    /// The matrix; nil if there is none.
    let matrix: YAMLValue?

    /// Parses a file, and the files that it includes.
    ///
    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - file: The path of the file. Paths of included files are relative to its folder.
    init(text: String, file: String) throws(YAMLError) {
        let main = try YAMLValue.parseWithVariables(text, file: file)
        try main.checkVersion("scenario", supported: Scenario.version)
        root = try Self.resolvingIncludes(main, paths: [file])
        let map = try root.mapping(keys: Self.keys)
        variables = try map["variables"]?.entries() ?? []
        for (_, value) in variables { _ = try value.string() }
        matrix = map["matrix"]
        combinations = try Self.combinations(matrix)
    }

    /// Returns the scenario of a combination.
    ///
    /// - Parameters:
    ///   - combination: The values of the variables of the matrix.
    ///   - checksNames: Whether to read the profile and to check that the scenario's devices and outputs exist.
    /// - Throws: `YAMLError`, also for a variable that is not used.
    func scenario(_ combination: Combination, checksNames: Bool = false) throws(YAMLError) -> Scenario {
        let root = try root(of: combination)
        let scenario = try Scenario(root)
        guard checksNames else { return scenario }
        if let error = Self.deviceErrors(in: root, scenario.devices).first { throw error }
        let map = try root.mapping(keys: Self.keys)
        let timeline = try Scenario.timeline(
            map.required("timeline"), map["session"] == nil ? nil : scenario.session)
        if let error = timeline.outputErrors().first { throw error }
        return scenario
    }

    /// Returns the mapping of the file with the values of the variables for a combination.
    ///
    /// - Throws: `YAMLError`, also for a variable that is not used.
    func root(of combination: Combination) throws(YAMLError) -> YAMLValue {
        var values: [String: String] = [:]
        for (name, value) in variables { values[name] = try value.substituting([:]).string() }
        for (name, value) in combination { values[name] = value }
        var unused = Set(values.keys)
        var substituted = try root.substituting(values) { unused.remove($0) }
        if let phone = combination.first(where: { $0.name == Self.phonesName })?.value {
            // The phone is the profile of a scenario that names none.
            let devices = try root.mapping(keys: Self.keys)["devices"]?.mapping(keys: Scenario.Devices.keys.map(\.name))
            if devices?["profile"] == nil { unused.remove(Self.phonesName) }
            let defaults = try YAMLValue.parse("devices: {profile: \(phone)}", file: root.file)
            substituted = substituted.overriding([defaults])
        }
        for (name, value) in variables + (try matrix?.entries() ?? []) where unused.contains(name) {
            throw value.error(
                "the variable \"\(name)\" is not used", "write ${\(name)} in place of a value, or remove the variable")
        }
        return substituted
    }

    /// Returns the errors of a profile or a scene that cannot be read, and of devices and objects that do not exist.
    static func deviceErrors(in root: YAMLValue, _ scenario: Scenario.Devices) -> [YAMLError] {
        var errors: [YAMLError] = []
        func attempt(_ body: () throws(YAMLError) -> Void) {
            do throws(YAMLError) { try body() } catch { errors.append(error) }
        }
        /// Returns the entries of a mapping that can be read.
        func map(_ value: YAMLValue?, _ keys: [String]) -> YAMLMapping? { try? value?.mapping(keys: keys) }
        let folder = URL(fileURLWithPath: root.file).deletingLastPathComponent()
        let file = map(root, keys)
        let devices = map(file?["devices"], Scenario.Devices.keys.map(\.name))
        let host: SimHost
        do {
            let profile = ScenarioPlayer.path(scenario.profile, in: folder)
            host = try SimHost(profile: profile, scene: .grey, clock: SimClock())
        } catch {
            return [
                (devices?["profile"] ?? root).error(
                    "the profile \"\(scenario.profile)\" cannot be read: \(error)", "correct it")
            ]
        }
        if let scene = devices?["scene"] { attempt { () throws(YAMLError) in try checkScene(scene, in: folder) } }
        let ids = host.devices.map(\.descriptor.uniqueID)
        func check(_ value: YAMLValue?) {
            guard let value, let id = try? value.string(), !ids.contains(id) else { return }
            errors.append(value.error("there is no device \"\(id)\"", suggestion(for: id, among: ids)))
        }
        let session = map(file?["session"], Scenario.Session.keys.map(\.name))
        check(session?["camera"])
        for entry in (try? session?["cameras"]?.list()) ?? [] {
            check(map(entry, Scenario.Session.cameraKeys.map(\.name))?["device"])
        }
        for entry in (try? devices?["faults"]?.list(minimumCount: 0)) ?? [] {
            check(map(entry, ["at", "frame", "rate", "do", "device"] + SimFault.keys)?["device"])
        }
        let layers = file?["timeline"]?.layers ?? []
        for layer in layers {
            for step in (try? layer.list()) ?? [] {
                let step = map(step, ["at", "do"] + ActionDeclaration.keyNames)
                check(step?["device"])
                check(step?["camera"])
                if let scene = step?["scene"] { attempt { () throws(YAMLError) in try checkScene(scene, in: folder) } }
            }
        }
        errors += sceneObjectErrors(in: layers, firstScene: scenario.scene, in: folder)
        for layer in file?["expect"]?.layers ?? [] {
            for entry in (try? layer.list()) ?? [] { check(map(entry, Scenario.Expectation.keys)?["device"]) }
        }
        return errors
    }

    /// Checks that a scene can be read.
    private static func checkScene(_ value: YAMLValue, in folder: URL) throws(YAMLError) {
        let name = try value.string()
        do {
            _ = try SimScene.named(ScenarioPlayer.path(name, in: folder))
        } catch {
            throw value.error("the scene \"\(name)\" cannot be read: \(error)", "correct it")
        }
    }

    /// Returns the mapping of a file, which overrides the mappings of the files that it includes. A later included file
    /// overrides an earlier one.
    ///
    /// - Parameter paths: The paths of the including files, followed by the path of this file.
    private static func resolvingIncludes(_ value: YAMLValue, paths: [String]) throws(YAMLError) -> YAMLValue {
        guard let include = try value.mapping(keys: keys)["include"] else { return value }
        var entries = [include]
        if (try? include.string()) == nil { entries = try include.list() }
        var includedValues: [YAMLValue] = []
        for entry in entries {
            let name = try entry.substituting([:]).string()
            let folder = URL(fileURLWithPath: value.file).deletingLastPathComponent()
            let path = URL(fileURLWithPath: name, relativeTo: folder).standardizedFileURL.path
            guard !paths.contains(where: { URL(fileURLWithPath: $0).standardizedFileURL.path == path }) else {
                throw entry.error("the file \"\(name)\" includes itself", "remove one of the includes")
            }
            let text: String
            do {
                text = try String(contentsOfFile: path, encoding: .utf8)
            } catch {
                let parent = name.parentPath
                let siblings = try? FileManager.default.contentsOfDirectory(
                    atPath: path.parentPath)
                let names = (siblings ?? []).sorted()
                    .filter { ScenarioFile.extensions.contains(($0 as NSString).pathExtension) }
                    .map { parent.appending("/", $0) }
                throw entry.error(
                    "the file \"\(name)\" cannot be read",
                    names.isEmpty
                        ? "the folder does not exist or has no YAML files" : suggestion(for: name, among: names))
            }
            let displayedPath =
                name.hasPrefix("/") ? name : value.file.parentPath.appending("/", name)
            let included = try YAMLValue.parseWithVariables(text, file: displayedPath)
            includedValues.insert(try resolvingIncludes(included, paths: paths + [path]), at: 0)
        }
        return value.overriding(includedValues)
    }

    /// Returns all combinations of the values of a matrix; one empty combination if there is no matrix.
    private static func combinations(_ matrix: YAMLValue?) throws(YAMLError) -> [Combination] {
        var combinations: [Combination] = [[]]
        guard let matrix else { return combinations }
        let entries = try matrix.entries()
        guard !entries.isEmpty else { throw matrix.error("the matrix is empty", "write {name: [value, value]}") }
        for (name, value) in entries {
            let values = try name == phonesName ? phones(value) : values(value)
            combinations = combinations.flatMap { combination in values.map { combination + [(name, $0)] } }
            guard combinations.count <= maximumCount else {
                throw matrix.error("the matrix has more than \(maximumCount) scenarios", "write several files")
            }
        }
        return combinations
    }

    /// Returns the values of a variable of the matrix.
    private static func values(_ list: YAMLValue) throws(YAMLError) -> [String] {
        var values: [String] = []
        for value in try list.list() {
            let text = try value.substituting([:]).string()
            guard !values.contains(text) else {
                throw value.error("the value \"\(text)\" is listed twice", "remove one of them")
            }
            values.append(text)
        }
        return values
    }

    /// Returns the names of the phones that a selection, or at least one of a list of selections, selects.
    private static func phones(_ value: YAMLValue) throws(YAMLError) -> [String] {
        var names: [String] = []
        for entry in try (try? value.string()) == nil ? value.list() : [value] {
            let text = try entry.substituting([:]).string()
            guard let selection = PhoneSelection(text) else {
                throw entry.error(
                    "\"\(text)\" selects no phones",
                    suggestion(for: text, among: PhoneSelection.forms + PhoneSelection.allNames))
            }
            guard !selection.names.isEmpty else {
                throw entry.error("no phone is in the selection \"\(text)\"", "write another selection")
            }
            names += selection.names.filter { !names.contains($0) }
        }
        return names
    }
}

extension String {
    /// Returns a path with another component, without a leading separator if this path is empty.
    fileprivate func appending(_ separator: String, _ name: String) -> String {
        isEmpty ? name : self + separator + name
    }
}

extension YAMLValue {
    /// The values of a key in ascending precedence: the values in included files, then the value in the file itself.
    var layers: [YAMLValue] { overridden.reversed().flatMap(\.layers) + [self] }
}

extension Scenario {
    /// Parses a scenario without a matrix.
    ///
    /// - Parameters:
    ///   - yaml: The text of the scenario, in YAML or JSON.
    ///   - file: The path of the file, for errors and for the files that it includes.
    /// - Throws: `YAMLError` with file, line and key, also for an unknown key, action, unit or variable.
    public init(yaml: String, file: String) throws(YAMLError) {
        let document = try ScenarioDocument(text: yaml, file: file)
        if let matrix = document.matrix {
            throw matrix.error(
                "the file describes \(document.combinations.count) scenarios", "read it with ScenarioFile.load")
        }
        self = try document.scenario([])
    }
}
