import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// Logs what happens to an app in a scenario: the events of all sessions, outputs and devices of its system.
///
/// Recordings and photos have the names of the steps that asked for them, in this order; further ones have those of
/// their files. Copies with these names are kept in the scenario's folder.
final class AppEventLogger: Sendable {
    private struct State {
        /// The names of recordings and photos that the scenario asked for and that have not begun.
        var expectedRecordings: [String] = []
        var expectedPhotos: [String] = []
        var recordings: [URL: String] = [:]
        var photos: [Int64: String] = [:]
        var photoCount = 0
    }

    private let log: EventLog
    private let folder: URL
    private let readsMarkers: Bool
    private let state = Lock(State())

    init(log: EventLog, folder: URL, readsMarkers: Bool) {
        (self.log, self.folder, self.readsMarkers) = (log, folder, readsMarkers)
    }

    /// Announces a step that starts a recording or captures a photo.
    func willPerform(_ action: Scenario.Action) {
        state.withLock { state in
            switch action {
            case .record(let name, _, _): state.expectedRecordings.append(name)
            case .photo(let name, _): state.expectedPhotos.append(name)
            default: break
            }
        }
    }

    /// Logs a call of a delegate.
    func note(_ call: DelegateCall) {
        switch call {
        case .didOutputVideo(let sample): log.noteFrame(sample, readsMarker: readsMarkers)
        case .didDropVideo(let sample): log.noteDrop(sample)
        case .didOutputAudio(let sample): log.noteSound(sample)
        case .didStartRecording(let url): log.note("recording did start \(name(of: url))")
        case .didPauseRecording(let url): log.note("recording did pause \(name(of: url))")
        case .didResumeRecording(let url): log.note("recording did resume \(name(of: url))")
        case .didFinishRecording(let url, let error):
            let name = name(of: url)
            log.note("recording did finish \(name) \(error.map(describe) ?? "without an error")")
            keep(url, as: name)
            // The app may record to the same file again.
            state.withLock { $0.recordings[url] = nil }
        case .willBeginPhoto(let id):
            begin(id)
            log.note("photo will begin")
        case .willCapturePhoto: log.note("photo will capture")
        case .didProcessPhoto(let id, let photo, let error): note(photo, id, error)
        case .didFinishPhoto(_, let error):
            log.note("photo did finish" + (error.map { " " + describe($0) } ?? ""))
        }
    }

    private func name(of url: URL) -> String {
        state.withLock { state in
            if let name = state.recordings[url] { return name }
            let name =
                state.expectedRecordings.isEmpty ? url.lastPathComponent : state.expectedRecordings.removeFirst()
            state.recordings[url] = name
            return name
        }
    }

    private func begin(_ id: Int64) {
        state.withLock { state in
            state.photoCount += 1
            state.photos[id] =
                state.expectedPhotos.isEmpty ? "photo-\(state.photoCount).jpg" : state.expectedPhotos.removeFirst()
        }
    }

    private func note(_ photo: AVCapturePhoto, _ id: Int64, _ error: (any Error)?) {
        if let error { return log.note("photo failed \(describe(error))") }
        guard let data = photo.fileDataRepresentation() else { return log.note("photo without data") }
        let name = state.withLock { $0.photos.removeValue(forKey: id) } ?? "photo"
        do {
            try data.write(to: folder.appendingPathComponent(name))
            log.note("photo \(name)")
        } catch {
            log.note("photo cannot be kept: \(error.localizedDescription)")
        }
    }

    /// Copies a movie into the folder of the scenario, before the app moves or removes it. A file that was not written
    /// is not there.
    private func keep(_ url: URL, as name: String) {
        let target = folder.appendingPathComponent(name)
        guard target.standardizedFileURL != url.standardizedFileURL, FileManager.default.fileExists(atPath: url.path)
        else { return }
        do {
            try Data(contentsOf: url).write(to: target)
        } catch {
            log.note("recording \(name) cannot be kept: \(error.localizedDescription)")
        }
    }
}
