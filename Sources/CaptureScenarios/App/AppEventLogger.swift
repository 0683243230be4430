import AssetTypes
import CaptureCore
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

/// Logs the calls that an app's delegates receive in a scenario: the events of all sessions, outputs and devices of its
/// system.
///
/// A recording or photo gets the file name in the step that requested it, in the order of the steps. Without a pending
/// request, a recording keeps the name of its file and a photo gets a numbered name. Copies of the files with these
/// names are written to the scenario's folder.
final class AppEventLogger: Sendable {
    /// A step that requested a recording or a photo.
    private struct Request {
        /// The index of the step in the timeline.
        var stepIndex: Int
        /// The file name in the step.
        var name: String
        /// The time of the step.
        var time: CMTime
        /// Whether the app's action for the step has returned.
        var hasReturned = false
    }

    /// The requested recordings or photos that have not begun, in the order of the steps.
    private struct Requests {
        private var pending: [Request] = []

        /// Adds a request, and removes earlier requests that had no effect: the action has returned, and no recording
        /// or photo has begun within one second of the step. A later recording or photo must not get their names.
        mutating func add(_ request: Request) {
            let limit = request.time - CMTime(value: 1, timescale: 1)
            pending.removeAll { $0.hasReturned && $0.time <= limit }
            pending.append(request)
        }

        /// Updates the request of a step whose action has returned. The request of a failed action is removed.
        mutating func didReturn(stepIndex: Int, failed: Bool) {
            guard let index = pending.firstIndex(where: { $0.stepIndex == stepIndex }) else { return }
            if failed { pending.remove(at: index) } else { pending[index].hasReturned = true }
        }

        /// Removes the first request and returns its name; nil if there is none.
        mutating func popFirstName() -> String? { pending.isEmpty ? nil : pending.removeFirst().name }
    }

    /// A photo of a photo output, or an image of a still image output.
    private enum PhotoID: Hashable {
        case photo(Int64)
        case stillImage(DelegateCall.StillImage)
    }

    /// The name of the file of a photo.
    private enum PhotoName {
        /// The name in the step.
        case requested(String)
        /// The number of a photo without a step; its type determines the extension.
        case numbered(Int)

        /// - Parameter photo: Nil for an image of a still image output.
        func fileName(of data: Data, _ photo: AVCapturePhoto?) -> String {
            let name =
                switch self {
                case .requested(let name): name
                case .numbered(let number): "photo-\(number).\(PhotoFile(data)?.format == .heic ? "heic" : "jpg")"
                }
            return Scenario.PhotoSettings.photoName(
                name, isRAW: photo?.isRawPhoto ?? false, sequenceCount: photo?.sequenceCount ?? 0)
        }

        var movieName: String {
            switch self {
            case .requested(let name): Scenario.PhotoSettings.movieName(name)
            case .numbered(let number): "photo-\(number).mov"
            }
        }
    }

    private struct State {
        var requestedRecordings = Requests()
        var requestedPhotos = Requests()
        /// The names of current recordings by the location of the file.
        var recordings: [URL: String] = [:]
        /// The names of the photos of captures that have begun and have not finished.
        var photos: [PhotoID: PhotoName] = [:]
        var photoCount = 0
    }

    private let log: EventLog
    private let folder: URL
    private let readsMarkers: Bool
    private let logsPixels: Bool
    private let state = Lock(State())

    /// - Parameter logsPixels: Whether frames and sound are logged with their checksums.
    init(log: EventLog, folder: URL, readsMarkers: Bool, logsPixels: Bool = true) {
        (self.log, self.folder, self.readsMarkers, self.logsPixels) = (log, folder, readsMarkers, logsPixels)
    }

    /// Adds the request of a step that starts a recording or captures a photo. Ignores other steps.
    func willPerform(_ step: Scenario.Step, index: Int) {
        state.withLock { state in
            switch step.action {
            case .record(let name, _, _):
                state.requestedRecordings.add(Request(stepIndex: index, name: name, time: step.time))
            case .photo(let name, _):
                state.requestedPhotos.add(Request(stepIndex: index, name: name, time: step.time))
            default: break
            }
        }
    }

    /// Updates the request of a step after the app's action has returned.
    func didReturn(stepIndex: Int, failed: Bool) {
        state.withLock { state in
            state.requestedRecordings.didReturn(stepIndex: stepIndex, failed: failed)
            state.requestedPhotos.didReturn(stepIndex: stepIndex, failed: failed)
        }
    }

    /// Logs a call of a delegate.
    func note(_ call: DelegateCall) {
        switch call {
        case .didOutputVideo(let sample, _) where !logsPixels:
            if let pixels = sample.imageBuffer { log.pictures?.storeFrame(pixels, rotation: .none) }
            log.note("frame")
        case .didOutputAudio where !logsPixels: log.note("sound")
        case .didOutputVideo(let sample, let connection):
            if let pixels = sample.imageBuffer { log.pictures?.storeFrame(pixels, rotation: .none) }
            log.noteFrame(sample, readsMarker: readsMarkers, of: connection.cameraInMultiCamSession)
        case .didDropVideo(let sample, let connection): log.noteDrop(sample, of: connection.cameraInMultiCamSession)
        case .didOutputAudio(let sample): log.noteAudio(sample)
        case .didStartRecording(let url): log.note("recording did start \(name(of: url))")
        case .didPauseRecording(let url): log.note("recording did pause \(name(of: url))")
        case .didResumeRecording(let url): log.note("recording did resume \(name(of: url))")
        case .didFinishRecording(let url, let error):
            let name = name(of: url)
            log.note("recording did finish \(name) \(error.map(describe) ?? "without an error")")
            copyMovie(url, as: name)
            // The app may record to the same file again.
            state.withLock { $0.recordings[url] = nil }
        case .willBeginPhoto(let id):
            begin(.photo(id))
            log.note("photo will begin")
        case .willCapturePhoto: log.note("photo will capture")
        case .didProcessPhoto(let id, let photo, let error):
            note(error == nil ? photo.fileDataRepresentation() : nil, .photo(id), photo, error)
        case .didRecordLivePhoto: log.note("live photo did record")
        case .didProcessLivePhoto(let id, let url, let duration, let displayTime, let error):
            note(liveMovie: url, .photo(id), duration, displayTime, error)
        case .didFinishPhoto(let id, let error):
            state.withLock { $0.photos[.photo(id)] = nil }
            log.note("photo did finish" + (error.map { " " + describe($0) } ?? ""))
        case .didChangeSystemPressure(let camera, let pressure): log.noteSystemPressure(pressure, of: camera)
        case .willCaptureStillImage(let image): begin(.stillImage(image))
        case .didCaptureStillImage(let image, let data, let error):
            note(data, .stillImage(image), nil, error)
            state.withLock { $0.photos[.stillImage(image)] = nil }
        }
    }

    /// Returns the name of a recording. The first call for a recording assigns the name.
    private func name(of url: URL) -> String {
        state.withLock { state in
            if let name = state.recordings[url] { return name }
            let name = state.requestedRecordings.popFirstName() ?? url.lastPathComponent
            state.recordings[url] = name
            return name
        }
    }

    /// Assigns the name of a photo.
    private func begin(_ id: PhotoID) {
        state.withLock { state in
            state.photoCount += 1
            state.photos[id] =
                state.requestedPhotos.popFirstName().map { .requested($0) } ?? .numbered(state.photoCount)
        }
    }

    /// Logs a photo and writes it to the folder of the scenario.
    private func note(_ data: Data?, _ id: PhotoID, _ photo: AVCapturePhoto?, _ error: (any Error)?) {
        if let error { return log.note("photo failed \(describe(error))") }
        guard let data else { return log.note("photo without data") }
        let name = name(of: id).fileName(of: data, photo)
        do {
            try data.write(to: folder.appendingPathComponent(name))
            log.note("photo \(name)")
        } catch {
            log.note("photo cannot be kept: \(errorReason(error))")
        }
    }

    private func name(of id: PhotoID) -> PhotoName { state.withLock { $0.photos[id] ?? .numbered($0.photoCount) } }

    /// Logs the movie of a Live Photo and copies it to the folder of the scenario.
    private func note(
        liveMovie url: URL, _ id: PhotoID, _ duration: CMTime, _ displayTime: CMTime, _ error: (any Error)?
    ) {
        let name = name(of: id).movieName
        log.noteLivePhoto(name, duration: duration, displayTime: displayTime, error)
        if error == nil { copyMovie(url, as: name) }
    }

    /// Copies a movie into the folder of the scenario, before the app moves or removes it. Has no effect if the
    /// recording wrote no file.
    private func copyMovie(_ url: URL, as name: String) {
        let target = folder.appendingPathComponent(name)
        guard target.standardizedFileURL != url.standardizedFileURL, FileManager.default.fileExists(atPath: url.path)
        else { return }
        do {
            try Data(contentsOf: url).write(to: target)
        } catch {
            log.note("recording \(name) cannot be kept: \(errorReason(error))")
        }
    }
}

extension AVCaptureConnection {
    /// The ID of the connection's camera if the session has several cameras; nil otherwise.
    fileprivate var cameraInMultiCamSession: String? {
        guard let input = inputPorts.first?.input as? AVCaptureDeviceInput,
            let inputs = output?.owningSession?.inputs
        else { return nil }
        let cameras = inputs.filter { ($0 as? AVCaptureDeviceInput)?.device.hasMediaType(.video) ?? false }
        return cameras.count > 1 ? input.device.uniqueID : nil
    }
}
