import Foundation
import MediaTypes

extension ScenarioFile {
    /// Checks, without playing the scenario, that its profile and scene can be read and that its devices exist.
    ///
    /// - Throws: `FileError` for a missing device, or the error of the profile or scene.
    public func checkDevices() throws {
        let player = try ScenarioPlayer(
            scenario, folder: FileManager.default.temporaryDirectory, profiles: url.deletingLastPathComponent())
        let ids = player.host.devices.map(\.descriptor.uniqueID)
        func check(_ id: String?, line: Int?) throws {
            guard let id, !ids.contains(id) else { return }
            throw FileError(
                description: url.relativePath + (line.map { ":\($0)" } ?? "")
                    + ": there is no device \"\(id)\"; \(suggestion(for: id, among: ids))")
        }
        try check(scenario.session.camera, line: nil)
        for camera in scenario.session.cameras { try check(camera.device, line: nil) }
        for fault in scenario.devices.faults { try check(fault.device, line: fault.line) }
        for step in scenario.timeline {
            try check(step.action.deviceID, line: step.line)
            try check(step.camera, line: step.line)
        }
        for expectation in scenario.expectations {
            if case .state(.device(let id), _, _) = expectation.kind { try check(id, line: expectation.line) }
        }
    }
}

extension Scenario.Action {
    /// The ID of the device that the action names; nil if it names none.
    fileprivate var deviceID: String? {
        switch self {
        case .disconnect(let id), .reconnect(let id), .switchCamera(let id), .fault(_, device: let id),
            .change(.addInput(let id)), .change(.removeInput(let id)), .change(.setInUse(let id, _)),
            .change(.setSuspended(let id, _)):
            id
        default: nil
        }
    }
}
