import Foundation
import StrictYAML

extension ScenarioFile {
    /// Returns all errors of a scenario file: the errors of sections, steps and expectations, and the error of
    /// `checkDevices()`. Expectations are checked only if the timeline has no error, since they depend on the files
    /// that its steps write.
    ///
    /// - Returns: `YAMLError`, `FileError`, or the errors of profiles and scenes; empty if the file can be played.
    public static func errors(path: String) -> [any Error] {
        let files: [ScenarioFile]
        do {
            files = try load(path: path)
        } catch let error as YAMLError {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            guard let document = try? ScenarioDocument(text: text, file: path) else { return [error] }
            let errors = document.errors
            return errors.isEmpty ? [error] : errors
        } catch {
            return [error]
        }
        for file in files {
            do {
                try file.checkDevices()
            } catch {
                return [error]
            }
        }
        return []
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
        var errors: [YAMLError] = []
        func attempt<Value>(_ body: () throws(YAMLError) -> Value) -> Value? {
            do throws(YAMLError) {
                return try body()
            } catch {
                errors.append(error)
                return nil
            }
        }
        guard
            let map = attempt({ () throws(YAMLError) in try root.mapping(keys: ScenarioDocument.keys) })
        else { return errors }
        _ = attempt { () throws(YAMLError) in try map.required("name").string() }
        _ = attempt { () throws(YAMLError) in try map["seed"]?.unsignedInteger() }
        _ = attempt { () throws(YAMLError) in try Devices(map["devices"]) }
        let session = attempt { () throws(YAMLError) in try Session(map["session"]) }
        let declaredSession = map["session"] == nil ? nil : session
        let end = attempt { () throws(YAMLError) in try map.required("end").time() }
        var steps: [Step] = []
        var isTimelineValid = true
        let layers = attempt { () throws(YAMLError) in try map.required("timeline").layers } ?? []
        for layer in layers {
            for value in attempt({ () throws(YAMLError) in try layer.list() }) ?? [] {
                if let step = attempt({ () throws(YAMLError) in try Step(value, declaredSession) }) {
                    steps.append(step)
                } else {
                    isTimelineValid = false
                }
            }
        }
        guard isTimelineValid, let end else { return errors }
        // Without the cameras of a session, expectations about several cameras cannot be read.
        let hasCameras = (try? map["session"]?.mapping(keys: Session.keys.map(\.name))["cameras"]) != nil
        guard session != nil || !hasCameras else { return errors }
        let names = DeclaredNames(steps, cameras: session?.cameras ?? [], drivesApp: map["session"] == nil)
        for layer in map["expect"]?.layers ?? [] {
            for value in attempt({ () throws(YAMLError) in try layer.list() }) ?? [] {
                _ = attempt { () throws(YAMLError) in
                    try Expectation(value, end: (end.nanoseconds + 500) / 1000, names: names)
                }
            }
        }
        // Find errors that concern several parts, such as the order of the steps.
        if errors.isEmpty { _ = attempt { () throws(YAMLError) in try Scenario(root) } }
        return errors
    }
}
