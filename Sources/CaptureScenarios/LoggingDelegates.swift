import CaptureCore
import CaptureHAL
import CapturePreview
import Foundation
import MediaStorage
import MediaTypes
import PixelKernels
import SimDevices

/// Logs video frames and the events of recordings, or forwards them to an observer. Pauses of recordings are always
/// logged.
final class LoggingOutputDelegate: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureFileOutputRecordingDelegate {
    let audio: LoggingAudioDelegate
    let metadata: LoggingMetadataDelegate
    let depth: LoggingDepthDelegate
    private let log: EventLog
    private let observer: (any ScenarioObserver)?
    private let readsMarkers: Bool
    private let camera: String?

    /// The virtual time that each callback of the video output takes.
    private let callbackDuration = Lock(CMTime.zero)

    /// Sets the virtual time that each callback of the video output takes.
    func setCallbackDuration(_ duration: CMTime) { callbackDuration.withLock { $0 = duration } }

    /// Creates the delegate, and the delegates of the other outputs.
    ///
    /// - Parameters:
    ///   - readsMarkers: Whether frames contain a marker. If so, the counter in the marker is logged, or a question
    ///     mark if the marker is unreadable.
    ///   - camera: The ID of the camera in a session with several cameras; nil otherwise.
    init(log: EventLog, observer: (any ScenarioObserver)?, readsMarkers: Bool, camera: String?) {
        self.camera = camera
        self.log = log
        self.observer = observer
        self.readsMarkers = readsMarkers
        audio = LoggingAudioDelegate(log: log, observer: observer)
        metadata = LoggingMetadataDelegate(log: log, camera: camera)
        depth = LoggingDepthDelegate(log: log, camera: camera)
    }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        if let observer { return observer.received(sampleBuffer, from: connection) }
        log.spend(callbackDuration.withLock { $0 })
        if let pictures = log.pictures, let pixels = sampleBuffer.imageBuffer {
            pictures.storeFrame(pixels, rotation: Self.uprightRotation(of: connection))
        }
        log.noteFrame(sampleBuffer, readsMarker: readsMarkers, of: camera)
    }

    /// Returns the clockwise rotation after which the frames of a connection are upright.
    private static func uprightRotation(of connection: AVCaptureConnection) -> PixelRotation {
        guard let camera = (connection.inputPorts.first?.input as? AVCaptureDeviceInput)?.device else { return .none }
        let angle =
            AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
            .videoRotationAngleForHorizonLevelCapture - connection.videoRotationAngle
        return PixelRotation(degrees: Int(angle)) ?? .none
    }

    func captureOutput(
        _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        if let observer { return observer.received(sampleBuffer, from: connection) }
        log.noteDrop(sampleBuffer, of: camera)
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {
        if let observer { return observer.recordingStarted(fileURL.lastPathComponent) }
        log.note("recording did start \(fileURL.lastPathComponent)")
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        if let observer { return observer.recordingFinished(outputFileURL.lastPathComponent, error: error) }
        log.note("recording did finish \(outputFileURL.lastPathComponent) \(error.map(describe) ?? "without an error")")
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {
        log.note("recording did pause \(fileURL.lastPathComponent)")
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {
        log.note("recording did resume \(fileURL.lastPathComponent)")
    }
}

/// Logs audio, or forwards it to an observer.
final class LoggingAudioDelegate: AVCaptureAudioDataOutputSampleBufferDelegate {
    private let log: EventLog
    private let observer: (any ScenarioObserver)?

    init(log: EventLog, observer: (any ScenarioObserver)?) {
        self.log = log
        self.observer = observer
    }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        if let observer { return observer.received(sampleBuffer, from: connection) }
        log.noteAudio(sampleBuffer)
    }
}

/// Logs the events of a photo capture and writes the photo to a file, or forwards the events to an observer.
final class LoggingPhotoDelegate: AVCapturePhotoCaptureDelegate {
    private let log: EventLog
    private let storage: any CaptureStorage
    private let url: URL
    private let observer: (any ScenarioObserver)?

    init(log: EventLog, storage: any CaptureStorage, url: URL, observer: (any ScenarioObserver)?) {
        self.observer = observer
        self.log = log
        self.storage = storage
        self.url = url
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {
        if let observer { return observer.receivedPhotoEvent("will begin", name: url.lastPathComponent) }
        log.note("photo will begin")
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {
        if let observer { return observer.receivedPhotoEvent("will capture", name: url.lastPathComponent) }
        log.note("photo will capture")
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        if let observer { return observer.receivedPhotoEvent("photo", name: url.lastPathComponent) }
        if let error { return log.note("photo failed \(describe(error))") }
        guard let data = photo.fileDataRepresentation() else { return log.note("photo without data") }
        let name = Scenario.PhotoSettings.photoName(
            url.lastPathComponent, isRAW: photo.isRawPhoto, sequenceCount: photo.sequenceCount)
        do {
            let file = try storage.create(url.deletingLastPathComponent().appendingPathComponent(name))
            try file.write(data, at: 0)
            try file.flush()
            try file.close()
            let depth = photo.depthData.map { LogEntry.depthWords + LoggingDepthDelegate.text($0) } ?? ""
            log.note("photo \(name)\(depth)")
        } catch {
            log.note("photo cannot be kept: \(error.code)")
        }
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput,
        didFinishRecordingLivePhotoMovieForEventualFileAt outputFileURL: URL,
        resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {
        if observer == nil { log.note("live photo did record") }
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
        duration: CMTime, photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) {
        guard observer == nil else { return }
        log.noteLivePhoto(
            outputFileURL.lastPathComponent, duration: duration, displayTime: photoDisplayTime, error)
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) {
        if let observer { return observer.receivedPhotoEvent("did finish", name: url.lastPathComponent) }
        log.note("photo did finish" + (error.map { " " + describe($0) } ?? ""))
    }
}
