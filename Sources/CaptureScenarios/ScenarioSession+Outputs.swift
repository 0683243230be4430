import AssetTypes
import CaptureCore
import Foundation

extension ScenarioSession {
    /// Returns an output, created on first use.
    func output(_ id: OutputID) -> AVCaptureOutput {
        if let existing = createdOutputs[id] { return existing }
        let output = makeOutput(id)
        createdOutputs[id] = output
        return output
    }

    private func makeOutput(_ id: OutputID) -> AVCaptureOutput {
        func queue() -> DispatchQueue { DispatchQueue(label: "scenario.\(id)") }
        switch id.kind {
        case .movie: return AVCaptureMovieFileOutput()
        case .photo: return AVCapturePhotoOutput()
        case .metadata:
            let metadata = AVCaptureMetadataOutput()
            metadata.setMetadataObjectsDelegate(delegate(of: id.camera).metadata, queue: queue())
            return metadata
        case .depth:
            let depth = AVCaptureDepthDataOutput()
            depth.setDelegate(delegate(of: id.camera).depth, callbackQueue: queue())
            return depth
        case .video:
            let video = AVCaptureVideoDataOutput()
            video.setSampleBufferDelegate(delegate(of: id.camera), queue: queue())
            return video
        case .audio:
            let audio = AVCaptureAudioDataOutput()
            audio.setSampleBufferDelegate(delegate(of: id.camera).audio, queue: queue())
            return audio
        }
    }

    /// Changes a setting of an output's video connection. After a change of the rotation, recordings and photos no
    /// longer follow the device orientation.
    func set(_ setting: Scenario.ConnectionSetting, of camera: String?) {
        let id = OutputID(kind: setting.output, camera: camera)
        guard let output = createdOutputs[id] else { return log.note("there is no output \(id)") }
        guard let connection = output.connection(with: .video) else {
            return log.note("the output \(id) has no video connection")
        }
        if case .videoRotationAngle = setting { rotatedOutputs.insert(id) }
        setting.apply(to: connection)
    }

    /// Sets the types of objects that metadata outputs detect: those of the scenario, or all that are available.
    ///
    /// Types of the scenario that an output cannot detect are logged.
    func selectMetadataTypes() {
        for camera in cameras.isEmpty ? [nil] : cameras.map({ Optional($0.device) }) {
            guard let metadata = createdOutput(.metadata, of: camera) as? AVCaptureMetadataOutput else { continue }
            let available = metadata.availableMetadataObjectTypes
            let requested = metadataObjectTypes ?? available
            for type in requested where !available.contains(type) && !available.isEmpty {
                let name = LoggingMetadataDelegate.types.first { $0.value == type }?.name ?? type.rawValue
                log.note("cannot detect \(name)")
            }
            metadata.metadataObjectTypes = requested.filter(available.contains)
        }
    }

    /// Logs changes of the subject area, which cameras report if `isSubjectAreaChangeMonitoringEnabled` is true.
    ///
    /// - Returns: The token that removes the observer.
    func observeSubjectArea(_ center: NotificationCenter) -> any NSObjectProtocol {
        let log = log
        return center.addObserver(forName: .AVCaptureDeviceSubjectAreaDidChange, object: nil, queue: nil) {
            log.note("subject area did change \(($0.object as? AVCaptureDevice)?.uniqueID ?? "")")
        }
    }
}
