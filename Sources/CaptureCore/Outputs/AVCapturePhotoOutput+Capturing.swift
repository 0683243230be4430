import AssetTypes
import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

/// The course of a capture, from the request to the last callback.
extension AVCapturePhotoOutput {
    /// Creates the request of a capture.
    func makeRequest(
        _ settings: AVCapturePhotoSettings, logNumber: Int, _ delegate: any AVCapturePhotoCaptureDelegate,
        _ connection: AVCaptureConnection
    ) -> PhotoRequest {
        let device = camera(of: connection)
        let bracket = (settings as? AVCapturePhotoBracketSettings)?.bracketedSettings ?? []
        // Evaluated only if needed: it reads controls of the device.
        func isDim() -> Bool { device?.isSceneDim ?? false }
        let requestsFlash = settings.flashMode == .on || (settings.flashMode == .auto && isDim())
        // The flash cannot light several exposures equally.
        let usesFlash = requestsFlash && bracket.isEmpty && device?.isFlashAvailable ?? false
        let size = photoSize(settings, connection)
        let isFast = isFastCapturePrioritizationEnabled && withReadiness { $0.isBusy }
        let merged = device?.hardware.descriptor.stills.map { stills in
            let count = settings.mergedFrameCount(limit: stills.maximumMergedFrameCount)
            return count > 1 && bracket.isEmpty && !usesFlash && !isFast && isDim() ? count : 1
        }
        let isDeferred = defersPhoto(settings, mergedFrameCount: merged ?? 1)
        let reducesRedEye =
            usesFlash && settings.isAutoRedEyeReductionEnabled && isAutoRedEyeReductionSupported
        let resolved = AVCaptureResolvedPhotoSettings(
            settings: settings, photoDimensions: size, frameDimensions: frameSize(of: connection),
            isFlashEnabled: usesFlash, expectedPhotoCount: max(1, bracket.count) * settings.requestedKinds.count,
            isStabilized: merged ?? 1 > 1, isFast: isFast, reducesRedEye: reducesRedEye,
            isDeferred: isDeferred, processingTime: processingTimes(mergedFrameCount: isDeferred ? 1 : merged ?? 1))
        let now = system.clock.now
        var request = PhotoRequest(
            settings: settings, logNumber: logNumber, resolved: resolved, delegate: delegate,
            delegateType: "\(type(of: delegate))", connection: connection,
            selection: FrameSelection(
                notBefore: now, needsFlash: usesFlash, needsDepth: settings.isDepthDataDeliveryEnabled))
        if let merged {
            let isRecent =
                isZeroShutterLagEnabled && settings.photoQualityPrioritization != .speed && !usesFlash
                && bracket.isEmpty && device?.exposureMode != .custom
            request.still = StillRequest(
                id: system.nextStillID(), dimensions: size,
                exposures: bracket.isEmpty ? [.metered] : bracket.map(\.stillExposure), mergedFrameCount: merged,
                deliversRAW: settings.rawPhotoPixelFormatType != 0, firesFlash: usesFlash,
                needsDepth: settings.isDepthDataDeliveryEnabled, mattes: settings.stillMattes,
                reducesRedEye: reducesRedEye, timing: isRecent ? .recent(now) : .next(notBefore: now))
        }
        return request
    }

    /// Begins a capture after its request was accepted.
    func begin(_ request: PhotoRequest) {
        let resolved = request.resolved
        CaptureLog.write(
            .photo, .info, system.clock,
            "request \(request.logNumber): \(resolved.logSize), "
                + "flash \(resolved.isFlashEnabled ? "on" : "off")")
        let device = camera(of: request.connection)
        if resolved.isFlashEnabled, request.still == nil { device?.set(.flash, to: .flag(true)) }
        // This callback must be the first, so it is scheduled before the request can receive a frame.
        callDelegate(of: request, .willBeginPhoto(resolved.uniqueID)) {
            $1.photoOutput($0, willBeginCaptureFor: resolved)
        }
        beginLivePhoto(of: request)
        withReadiness {
            $0.begin(
                request.settings.number, takesLong: request.settings.takesLong(usesFlash: resolved.isFlashEnabled))
        }
        withCaptures { $0.add(request) }
        requestDidArrive(request.settings.uniqueID)
        guard let still = request.still else { return }
        do throws(DeviceError) {
            guard let device else {
                throw DeviceError(.disconnected, device: "camera", "the input of the camera was released")
            }
            try device.captureStill(still)
        } catch {
            guard withCaptures({ $0.remove(request.settings.number) }) else { return }
            fail(request, AVError(error, device: device))
        }
    }

    /// Processes the exposures that a frame delivers.
    func takeExposures(of frame: CapturedFrame, from connection: AVCaptureConnection) {
        let exposures = withCaptures { $0.takeExposures(of: frame, from: connection) }
        guard !exposures.isEmpty else { return }
        withReadiness { readiness in
            for exposure in exposures where exposure.isLast {
                readiness.didCapture(exposure.request.settings.number)
            }
        }
        for exposure in exposures {
            let (request, resolved) = (exposure.request, exposure.request.resolved)
            if let error = exposure.still?.error {
                fail(request, AVError(error, device: camera(of: request.connection)))
                continue
            }
            CaptureLog.write(
                .photo, .info, system.clock,
                "request \(request.logNumber): takes the frame of \(exposure.frame.presentationTime.seconds) s")
            if exposure.index == 0 {
                exposeLivePhoto(of: request, at: exposure.frame.presentationTime)
                callDelegate(of: request, .willCapturePhoto(resolved.uniqueID)) {
                    $1.photoOutput($0, willCapturePhotoFor: resolved)
                }
            }
            if exposure.isLast {
                callDelegate(of: request) { $1.photoOutput($0, didCapturePhotoFor: resolved) }
            }
            worker.submit { self.process(exposure) }
        }
        scheduleReadinessUpdate()
    }

    /// Finishes, with an error, all captures that wait for exposures.
    func fail(_ error: AVError) {
        for request in withCaptures({ $0.removeAll() }) { fail(request, error) }
    }

    /// Finishes, with an error, the captures that wait for exposures of a connection.
    func fail(_ error: AVError, of connection: AVCaptureConnection) {
        for request in withCaptures({ $0.removeAll(of: connection) }) { fail(request, error) }
    }

    private func fail(_ request: PhotoRequest, _ error: AVError) {
        finish(request, error)
        livePhotoRecorder.abort(request.settings.number, error)
    }

    private func process(_ exposure: PhotoExposure) {
        let request = exposure.request
        let device = camera(of: request.connection)
        let encoder = PhotoEncoder(
            settings: request.settings, device: device,
            transform: request.connection.pixelTransform,
            scaleAndCropFactor: request.connection.activeScaleAndCropFactor, clock: system.clock,
            misuse: system.misuse)
        var encoded = encoder.encodeAll(exposure.frame)
        let isDeferred = request.resolved.isDeferred
        if isDeferred {
            encoded = encoded.map {
                encoder.proxy(of: $0, exposure.frame, request.resolved.deferredPhotoProxyDimensions)
            }
        }
        let results = encoded.map {
            let photo = request.photo(
                $0, exposureIndex: exposure.index, at: exposure.frame.presentationTime, device?.deviceType)
            return (photo, $0.error)
        }
        let count = isDeferred ? 1 : exposure.still?.mergedFrameCount ?? 1
        runAfterProcessing(count) { self.deliver(results, exposure) }
    }

    /// Delivers a photo after the virtual time that its processing takes.
    private func runAfterProcessing(_ mergedFrameCount: Int, _ deliver: @escaping @Sendable () -> Void) {
        let duration = system.processingDurations.photo * mergedFrameCount
        guard duration > .zero else { return deliver() }
        let processed = system.clock.now + CMTime(nanoseconds: duration.nanoseconds)
        let time = withCaptures { $0.deliveryTime(ofPhotoProcessedAt: processed) }
        system.clock.schedule(at: time, deliver)
    }

    /// Delivers the photos of an exposure, each with the error that prevented it.
    private func deliver(_ results: [(photo: AVCapturePhoto, error: AVError?)], _ exposure: PhotoExposure) {
        let request = exposure.request
        if let error = results.lazy.compactMap(\.error).first { withCaptures { $0.add(error, to: request) } }
        if exposure.isLast { end(request, withCaptures { $0.error(of: request) }) }
        for (photo, error) in results { callPhotoDelegate(of: request, photo, error) }
        if exposure.isLast { resultWasDelivered(of: request, nil) }
    }

    /// Finishes a capture with an error for each exposure that did not arrive, after the photos of those that did.
    private func finish(_ request: PhotoRequest, _ error: AVError) {
        guard request.exposureCount > 0 else { return finishNow(request, error) }
        worker.submit { self.runAfterProcessing(1) { self.finishNow(request, error) } }
    }

    private func finishNow(_ request: PhotoRequest, _ error: AVError) {
        end(request, error)
        for index in request.exposureCount..<max(1, request.bracket.count) {
            for photo in request.failedPhotos(exposureIndex: index) { callPhotoDelegate(of: request, photo, error) }
        }
        resultWasDelivered(of: request, error)
    }

    /// Logs the end of a capture, and updates the readiness: the output is ready before the client receives the photo.
    private func end(_ request: PhotoRequest, _ error: AVError?) {
        if let error {
            CaptureLog.write(
                .photo, .error, system.clock, "request \(request.logNumber) failed: \(error.localizedDescription)")
        } else {
            CaptureLog.write(.photo, .info, system.clock, "request \(request.logNumber) finished")
        }
        withCaptures { $0.end(request) }
        withReadiness { $0.finish(request.settings.number) }
        scheduleReadinessUpdate()
    }

    /// Calls the delegate with a photo, or with a proxy in its place.
    private func callPhotoDelegate(of request: PhotoRequest, _ photo: AVCapturePhoto, _ error: AVError?) {
        callDelegate(of: request, .didProcessPhoto(request.resolved.uniqueID, photo, error)) {
            guard photo.resolvedSettings.isDeferred else {
                return $1.photoOutput($0, didFinishProcessingPhoto: photo, error: error)
            }
            $1.photoOutput(
                $0, didFinishCapturingDeferredPhotoProxy: error == nil ? photo as? AVCaptureDeferredPhotoProxy : nil,
                error: error)
        }
    }

    /// Ends a capture after its last result: its photos, and the movie of a Live Photo.
    func resultWasDelivered(of request: PhotoRequest, _ error: AVError?) {
        guard let outcome = withCaptures({ $0.removeResult(of: request, error) }) else { return }
        let (resolved, error) = (request.resolved, outcome.error)
        callDelegate(of: request, .didFinishPhoto(resolved.uniqueID, error)) {
            $1.photoOutput($0, didFinishCaptureFor: resolved, error: error)
        }
    }

    /// Calls the delegate of a request on the callback queue, after the earlier calls.
    func callDelegate(
        of request: PhotoRequest, _ report: DelegateCall? = nil,
        _ call: @escaping @Sendable (AVCapturePhotoOutput, any AVCapturePhotoCaptureDelegate) -> Void
    ) {
        system.deliver(on: callbackQueue) { [self] in
            guard let delegate = request.delegate else {
                return system.warnings.report(
                    "the photo's delegate (\(request.delegateType)) was released before its last callback, so it does "
                        + "not receive the photo; the photo output does not retain the delegate, the app must")
            }
            if let report { delegateCalls.report(report) }
            call(self, delegate)
        }
    }

    /// The time from the end of the exposure to the photo: at least that of one frame, and at most that of all frames
    /// that the camera may merge, for this capture or an earlier one in progress.
    private func processingTimes(mergedFrameCount: Int) -> CMTimeRange {
        let shortest = CMTime(nanoseconds: system.processingDurations.photo.nanoseconds)
        let longest = max(
            CMTime(nanoseconds: (system.processingDurations.photo * mergedFrameCount).nanoseconds),
            withCaptures { $0.longestProcessingTime })
        return CMTimeRange(start: shortest, duration: longest - shortest)
    }
}

extension AVCapturePhotoSettings {
    /// Returns the number of frames to merge in dim light: one for speed, two for balance, and all for quality.
    fileprivate func mergedFrameCount(limit: Int) -> Int {
        switch photoQualityPrioritization {
        case .speed: 1
        case .balanced: min(2, limit)
        case .quality: limit
        }
    }
}
