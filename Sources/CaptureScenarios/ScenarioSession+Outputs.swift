import CaptureCore
import Foundation

extension ScenarioSession {
    /// Changes a setting of an output's video connection.
    func set(_ setting: Scenario.ConnectionSetting) {
        guard let output = createdOutput(setting.output) else {
            return log.note("there is no output \(setting.output.rawValue)")
        }
        guard let connection = output.connection(with: .video) else {
            return log.note("the output \(setting.output.rawValue) has no video connection")
        }
        if case .videoRotationAngle = setting { rotatedOutputs.insert(setting.output) }
        setting.apply(to: connection)
    }

    /// Selects the types of objects that the metadata output detects: those of the scenario, or all that are available.
    func selectMetadataTypes() {
        guard let metadata = createdOutput(.metadata) as? AVCaptureMetadataOutput else { return }
        let available = metadata.availableMetadataObjectTypes
        let wanted = metadataObjectTypes ?? available
        for type in wanted where !available.contains(type) && !available.isEmpty {
            log.note("cannot detect \(LoggingMetadataDelegate.types.first { $0.value == type }?.name ?? type.rawValue)")
        }
        metadata.metadataObjectTypes = wanted.filter(available.contains)
    }

    /// Logs substantial changes of the subject area, which cameras report while they are monitored.
    func observeSubjectArea(_ center: NotificationCenter) -> any NSObjectProtocol {
        let log = log
        return center.addObserver(forName: .AVCaptureDeviceSubjectAreaDidChange, object: nil, queue: nil) {
            log.note("subject area did change \(($0.object as? AVCaptureDevice)?.uniqueID ?? "")")
        }
    }
}
