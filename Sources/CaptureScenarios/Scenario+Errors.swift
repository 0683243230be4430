import Foundation
import MediaTypes
import StrictYAML

extension ScenarioFile {
    /// Returns all errors of a scenario file: the errors of sections, steps and expectations, names of devices, scenes
    /// and objects that do not exist, steps that have no effect in their place, and the error of `checkDevices()`.
    ///
    /// - Returns: `YAMLError`, `FileError`, or the errors of profiles and scenes; empty if the file has none.
    public static func errors(path: String) -> [any Error] {
        let files: Result<[ScenarioFile], any Error>
        files = Result { try load(path: path) }
        if case .failure(let error) = files, !(error is YAMLError) { return [error] }
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let errors: [any Error] = (try? ScenarioDocument(text: text, file: path))?.errors ?? []
        if !errors.isEmpty { return errors }
        do {
            for file in try files.get() { try file.checkDevices() }
            return []
        } catch {
            return [error]
        }
    }
}

extension ScenarioDocument {
    /// The errors of all scenarios of the file, each once.
    fileprivate var errors: [YAMLError] {
        var errors: [YAMLError] = []
        for combination in combinations {
            do throws(YAMLError) {
                let root = try root(of: combination)
                for error in Scenario.errors(in: root) where !errors.contains(error) { errors.append(error) }
            } catch {
                if !errors.contains(error) { errors.append(error) }
            }
        }
        return errors.sorted { $0.file == $1.file && $0.line < $1.line }
    }
}

extension Scenario {
    /// Returns the errors of a file.
    ///
    /// - Parameter root: The mapping at the root of the file, with variables replaced by their values.
    fileprivate static func errors(in root: YAMLValue) -> [YAMLError] {
        var errors = YAMLErrorList()
        guard
            let map = errors.read(
                root, isPartial: true, { (value) throws(YAMLError) in try value.mapping(keys: ScenarioDocument.keys) })
        else { return errors.all }
        // A misspelled key is not also a missing one.
        let hasInvalidKey = !errors.all.isEmpty
        func isRead(_ key: String) -> Bool { map[key] != nil || !hasInvalidKey }
        if isRead("name") { _ = errors.attempt { () throws(YAMLError) in try map.required("name").string() } }
        _ = errors.attempt { () throws(YAMLError) in try map["seed"]?.unsignedInteger() }
        let devices =
            map["devices"] == nil
            ? try? Devices(nil) : errors.read(map["devices"]) { (value) throws(YAMLError) in try Devices(value) }
        let session = errors.read(map["session"]) { (value) throws(YAMLError) in try Session(value) }
        let end = isRead("end") ? errors.attempt { () throws(YAMLError) in try map.required("end").time() } : nil
        let hasSession = map["session"] != nil
        var timeline = TimelineReader(session: session, drivesApp: !hasSession)
        if isRead("timeline") { _ = errors.attempt { () throws(YAMLError) in try map.required("timeline") } }
        for layer in map["timeline"]?.layers ?? [] {
            timeline.beginLayer()
            for value in errors.attempt({ () throws(YAMLError) in try layer.list() }) ?? [] {
                guard let step = errors.read(value, { (value) throws(YAMLError) in try Step(value, session) }) else {
                    timeline.addInvalidStep(value)
                    continue
                }
                _ = errors.attempt { () throws(YAMLError) in try timeline.add(step, value) }
            }
        }
        for error in timeline.fileErrors() + timeline.outputErrors() { errors.add(error) }
        for error in timeline.stateErrors(devices) { errors.add(error) }
        if let end, let faults = map["devices"] { errors.addFaults(after: end, in: faults) }
        if session != nil,
            let types = try? map["session"]?.mapping(keys: Session.keys.map(\.name))["metadata-object-types"],
            !timeline.canHaveOutput(.metadata)
        {
            errors.add(
                types.error(
                    "the session has no metadata output", "add \"metadata\" to its outputs, or remove the types"))
        }
        if let end, let last = timeline.steps.last?.step {
            _ = errors.attempt { () throws(YAMLError) in try checkEnd(end, last, map.required("end")) }
        }
        // Without the cameras of a session, expectations about several cameras cannot be read.
        let hasCameras = (try? map["session"]?.mapping(keys: Session.keys.map(\.name))["cameras"]) != nil
        if session != nil || !hasCameras {
            let names = timeline.names(cameras: session?.cameras ?? [])
            for layer in map["expect"]?.layers ?? [] {
                for value in errors.attempt({ () throws(YAMLError) in try layer.list() }) ?? [] {
                    _ = errors.read(value) { (value) throws(YAMLError) in
                        try Expectation(value, end: end.map { ($0.nanoseconds + 500) / 1000 } ?? .max, names: names)
                    }
                }
            }
        }
        // The devices of another profile are not those of the scenario.
        if let devices, !hasInvalidKey {
            for error in ScenarioDocument.deviceErrors(in: root, devices) { errors.add(error) }
        }
        if errors.all.isEmpty { _ = errors.attempt { () throws(YAMLError) in try Scenario(root) } }
        return errors.all
    }
}

/// The errors of a file, each once.
private struct YAMLErrorList {
    private(set) var all: [YAMLError] = []

    mutating func add(_ error: YAMLError) {
        if !all.contains(error) { all.append(error) }
    }

    /// Adds an error for each fault of the section `devices` that begins after the end of the scenario.
    mutating func addFaults(after end: CMTime, in devices: YAMLValue) {
        let map = try? devices.mapping(keys: Scenario.Devices.keys.map(\.name))
        for entry in (try? map?["faults"]?.list(minimumCount: 0)) ?? [] {
            guard let value = try? entry.entries().first(where: { $0.key == "at" })?.value,
                let time = try? value.time(), time > end
            else { continue }
            add(
                value.error(
                    "the scenario ends before, at \(end.seconds) s", "write an earlier time, or extend the scenario"))
        }
    }

    /// Returns the result of a closure; if it throws, adds the error and returns nil.
    mutating func attempt<Value>(_ body: () throws(YAMLError) -> Value) -> Value? {
        do throws(YAMLError) {
            return try body()
        } catch {
            add(error)
            return nil
        }
    }

    /// Reads a value. After an error, reads it again with the entry that has the error taken for valid, or without this
    /// entry, to find all errors.
    ///
    /// - Parameter isPartial: Whether to return the result without the entries that have errors.
    /// - Returns: nil if the value is nil or has errors.
    mutating func read<Value>(
        _ value: YAMLValue?, isPartial: Bool = false, _ read: (YAMLValue) throws(YAMLError) -> Value
    ) -> Value? {
        guard var rest = value else { return nil }
        var reportedKeys: [String] = []
        var removedKeys: [String] = []
        while true {
            do throws(YAMLError) {
                let result = try read(rest)
                return reportedKeys.isEmpty && removedKeys.isEmpty || isPartial ? result : nil
            } catch {
                // A mapping without a removed entry can be incomplete, and a value that is taken for valid can contradict
                // others; these are not other errors.
                let key = error.missingKey.map { error.key.isEmpty ? $0 : "\(error.key).\($0)" } ?? error.key
                let isConsequence =
                    reportedKeys.contains(key) || removedKeys.contains { Self.parent(of: $0) == error.key }
                if !isConsequence { add(error) }
                if !reportedKeys.contains(key), !isConsequence, let next = rest.reporting(error) {
                    reportedKeys.append(key)
                    rest = next
                } else if let shorter = rest.removing(error) {
                    removedKeys.append(error.key)
                    rest = shorter
                } else {
                    return nil
                }
            }
        }
    }

    /// Returns the key path of the mapping or list that contains the entry with a key path.
    private static func parent(of path: String) -> String {
        path.lastIndex { ".[".contains($0) }.map { String(path[..<$0]) } ?? ""
    }
}
