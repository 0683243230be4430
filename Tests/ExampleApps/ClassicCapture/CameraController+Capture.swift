import AVFoundation

// Photos and movies.
extension CameraController: AVCaptureFileOutputRecordingDelegate {
    /// Takes a photo after a delay in seconds and saves it. Call it on the main queue.
    func takePhoto(after delay: Int = 0) {
        guard delay > 0 else { return capturePhoto() }
        guard selfTimer == nil else { return }
        showCountdown(delay)
        selfTimer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { timer in
            guard let remaining = self.countdown, remaining > 1 else {
                timer.invalidate()
                self.selfTimer = nil
                self.update { $0.countdown = nil }
                return self.capturePhoto()
            }
            self.showCountdown(remaining - 1)
        }
    }

    func cancelSelfTimer() {
        selfTimer?.invalidate()
        selfTimer = nil
        update { $0.countdown = nil }
        log("self-timer cancelled")
    }

    private func showCountdown(_ seconds: Int) {
        update { $0.countdown = seconds }
        log("countdown \(seconds)")
    }

    private func capturePhoto() {
        sessionQueue.async {
            guard self.session.isRunning, self.photoOutput.connection(with: .video)?.isActive == true else {
                return self.log("no photo: the camera is not running")
            }
            let codec = self.photoOutput.availablePhotoCodecTypes.contains(.hevc) ? AVVideoCodecType.hevc : .jpeg
            let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
            let processor = PhotoCaptureProcessor(id: settings.uniqueID) { id, result in
                self.sessionQueue.async { self.photoFinished(id, result) }
            }
            self.captures.enter()
            self.photoProcessors[settings.uniqueID] = processor
            self.photoOutput.capturePhoto(with: settings, delegate: processor)
        }
    }

    private func photoFinished(_ id: Int64, _ result: Result<Data, any Error>) {
        photoProcessors[id] = nil
        switch result {
        case .success(let data):
            log("photo captured")
            library.savePhoto(data) { error in
                if let error { self.show(error) } else { self.log("photo saved") }
                self.captures.leave()
            }
        case .failure(let error):
            show(error)
            captures.leave()
        }
    }

    // MARK: Movies

    /// Starts or stops a recording.
    func toggleRecording() {
        sessionQueue.async {
            if self.movieOutput.isRecording { return self.movieOutput.stopRecording() }
            guard self.session.isRunning, self.movieOutput.connection(with: .video)?.isActive == true else {
                return self.log("no recording: the camera is not running")
            }
            self.captures.enter()
            let url = self.movieFolder.appendingPathComponent(UUID().uuidString).appendingPathExtension("mov")
            self.movieOutput.startRecording(to: url, recordingDelegate: self)
        }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {
        DispatchQueue.main.async { self.startRecordingTimer() }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        DispatchQueue.main.async { self.stopRecordingTimer() }
        let reason = (error as? AVError).map { "\($0.code)" } ?? "stopped"
        log("movie of \(output.recordedDuration.seconds) s, \(reason)")
        if let error { show(error) }
        let isUsable = (error as? AVError)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
        guard isUsable else { return captures.leave() }
        library.saveMovie(outputFileURL) { error in
            if let error { self.show(error) } else { self.log("movie saved") }
            self.captures.leave()
        }
    }

    private func startRecordingTimer() {
        let start = Date()
        showRecordedTime(0)
        recordingTimer = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { _ in
            self.showRecordedTime(Date().timeIntervalSince(start))
        }
    }

    private func stopRecordingTimer() {
        recordingTimer?.invalidate()
        recordingTimer = nil
        update { $0.recordedTime = nil }
    }

    private func showRecordedTime(_ time: TimeInterval) {
        let tenths = Int((time * 10).rounded())
        let text = String(format: "%02d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10)
        update { $0.recordedTime = text }
        log("display \(text)")
    }
}
