import AVFoundation
import UIKit

/// Movies.
extension CameraController: AVCaptureFileOutputRecordingDelegate {
    public var isRecording: Bool { movieOutput.isRecording }

    /// The duration of the movie so far; the screen reads it twice per second.
    public var recordedDuration: CMTime { movieOutput.recordedDuration }

    /// Starts recording a movie. Has no effect during a recording.
    public func startRecording() {
        guard !isRecording, let connection = movieOutput.connection(with: .video), connection.isActive,
            let url = uniqueURL()
        else { return }
        // The pixels are not rotated; the matrix of the movie's track makes players rotate them.
        if connection.isVideoOrientationSupported { connection.videoOrientation = currentVideoOrientation }
        if connection.isVideoStabilizationSupported { connection.preferredVideoStabilizationMode = .auto }
        if let camera = activeCamera, camera.isSmoothAutoFocusSupported {
            configure(camera) { $0.isSmoothAutoFocusEnabled = false }
        }
        outputURL = url
        movieOutput.startRecording(to: url, recordingDelegate: self)
    }

    public func stopRecording() {
        if isRecording { movieOutput.stopRecording() }
    }

    /// Returns the URL of a file in a new folder; nil if the folder cannot be created.
    private func uniqueURL() -> URL? {
        let template = FileManager.default.temporaryDirectory.appendingPathComponent("kamera.XXXXXX").path
        var path = template.utf8CString.map { $0 }
        guard mkdtemp(&path) != nil else { return nil }
        let folder = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return URL(fileURLWithPath: folder).appendingPathComponent("kamera_movie.mov")
    }

    /// Saves the movie, and reports the error of the recording.
    public func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection],
        error: (any Error)?
    ) {
        // A recording that reached a limit ends with an error, and its file is playable.
        let isPlayable =
            (error as? AVError)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
        DispatchQueue.main.async {
            if let error { self.delegate?.mediaCaptureFailed(with: error) }
            if isPlayable { self.saveMovie(at: outputFileURL) } else { self.removeFolder(of: outputFileURL) }
            if self.outputURL == outputFileURL { self.outputURL = nil }
        }
    }

    private func saveMovie(at url: URL) {
        guard library.acceptsMovie(at: url) else {
            log("The library does not accept \(url.lastPathComponent).")
            return removeFolder(of: url)
        }
        library.saveMovie(at: url) { [weak self] error in
            guard let self else { return }
            // Decoding takes time, so it is not done on the main thread.
            let thumbnail = error == nil ? thumbnail(of: url) : nil
            DispatchQueue.main.async {
                if let error { self.delegate?.assetLibraryWriteFailed(with: error) }
                if let thumbnail { self.post(thumbnail) }
                self.removeFolder(of: url)
            }
        }
    }

    /// Returns an upright image of a movie's first frame, 100 points wide.
    private func thumbnail(of url: URL) -> UIImage? {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        generator.maximumSize = CGSize(width: 100, height: 0)
        generator.appliesPreferredTrackTransform = true
        do {
            return UIImage(cgImage: try generator.copyCGImage(at: .zero, actualTime: nil))
        } catch {
            log("No thumbnail: \(error)")
            return nil
        }
    }

    private func removeFolder(of movie: URL) {
        do {
            try FileManager.default.removeItem(at: movie.deletingLastPathComponent())
        } catch {
            log("The folder of \(movie.path) was not removed: \(error)")
        }
    }
}
