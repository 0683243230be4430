import AssetTypes
import CaptureHAL
import MediaTypes

/// A capture of a photo output that waits for its exposures.
struct PhotoRequest: @unchecked Sendable {
    // SAFETY: the delegate is only called on the output's callback queue; the settings are not changed after their
    // creation.
    let settings: AVCapturePhotoSettings
    /// The number of the request in the log: the first request of the output has number 1. The identifiers of settings
    /// are those of the process, so that they depend on what ran before.
    let logNumber: Int
    let resolved: AVCaptureResolvedPhotoSettings
    weak let delegate: (any AVCapturePhotoCaptureDelegate)?
    /// The type of the delegate, for the warning after its release.
    let delegateType: String
    let connection: AVCaptureConnection
    /// The criteria for the frame of a photo from the stream.
    let selection: FrameSelection
    /// The still that the camera captures; nil if the photo is a frame of the stream.
    var still: StillRequest?
    /// The number of exposures that have arrived.
    var exposureCount = 0

    /// Creates the photos of an exposure that failed: one for each that the settings request.
    func failedPhotos(exposureIndex: Int) -> [AVCapturePhoto] {
        settings.requestedKinds.map { isRAW in
            photo(EncodedPhoto(isRAW: isRAW), exposureIndex: exposureIndex)
        }
    }

    /// Creates a photo of an exposure.
    func photo(
        _ contents: EncodedPhoto, exposureIndex: Int, at timestamp: CMTime = .invalid,
        _ deviceType: AVCaptureDevice.DeviceType? = nil
    ) -> AVCapturePhoto {
        let kinds = settings.requestedKinds
        let index = exposureIndex * kinds.count + (kinds.firstIndex(of: contents.isRAW) ?? 0)
        let type: AVCapturePhoto.Type =
            resolved.isDeferred ? AVCaptureDeferredPhotoProxy.self : AVCapturePhoto.self
        return type.init(
            contents, resolvedSettings: resolved, timestamp: timestamp, sourceDeviceType: deviceType,
            photoCount: index + 1, bracketSettings: bracket.isEmpty ? nil : bracket[exposureIndex],
            sequenceCount: bracket.isEmpty ? 0 : exposureIndex + 1)
    }

    /// The exposures of a bracket; empty for other captures.
    var bracket: [AVCaptureBracketedStillImageSettings] {
        (settings as? AVCapturePhotoBracketSettings)?.bracketedSettings ?? []
    }
}

/// An exposure of a capture that has arrived.
struct PhotoExposure: Sendable {
    let request: PhotoRequest
    /// The index of the exposure in its capture.
    let index: Int
    /// The frame with the image of the exposure.
    let frame: CapturedFrame
    /// The exposure, if the camera captured it beside its stream.
    let still: StillFrame?

    /// Whether the exposure is the last one of its capture.
    var isLast: Bool { still?.error != nil || index + 1 == max(1, request.bracket.count) }
}

/// The captures of a photo output that wait for their exposures, in the order of the requests.
struct PhotoRequestQueue: Sendable {
    /// The results of a capture that are not delivered yet.
    private struct PendingResults {
        var count: Int
        /// The first error.
        var error: AVError?
    }

    /// The end of a capture.
    struct Outcome {
        /// The first error of its results; nil if it succeeded.
        let error: AVError?
    }

    private var waiting: [PhotoRequest] = []
    /// The pending results of each capture, by the `number` of its settings.
    private var pendingResults: [Int64: PendingResults] = [:]
    /// The longest processing time of each capture that has not ended, by the `number` of its settings.
    private var processingTimes: [Int64: CMTime] = [:]
    /// The time at which the last photo that was processed is delivered.
    private var lastDelivery = CMTime.negativeInfinity

    mutating func add(_ request: PhotoRequest) {
        waiting.append(request)
        let hasMovie = request.settings.livePhotoMovieFileURL != nil
        pendingResults[request.settings.number] = PendingResults(count: hasMovie ? 2 : 1)
        processingTimes[request.settings.number] = request.resolved.photoProcessingTimeRange.end
    }

    /// Records the error of a photo of a capture. The capture ends with the first one.
    mutating func add(_ error: AVError, to request: PhotoRequest) {
        guard self.error(of: request) == nil else { return }
        pendingResults[request.settings.number]?.error = error
    }

    /// Returns the first error of a capture in progress; nil if there is none.
    func error(of request: PhotoRequest) -> AVError? { pendingResults[request.settings.number]?.error }

    /// Records the end of a capture.
    mutating func end(_ request: PhotoRequest) { processingTimes[request.settings.number] = nil }

    /// Records the delivery of the photos of a capture, or of the movie of a Live Photo.
    ///
    /// - Returns: The first error of all results, if this was the last one; otherwise nil.
    mutating func removeResult(of request: PhotoRequest, _ error: AVError?) -> Outcome? {
        let number = request.settings.number
        guard var results = pendingResults[number] else { return nil }
        results.count -= 1
        results.error = results.error ?? error
        pendingResults[number] = results.count > 0 ? results : nil
        return results.count > 0 ? nil : Outcome(error: results.error)
    }

    /// The longest processing time of the captures in progress; zero if there are none.
    var longestProcessingTime: CMTime { processingTimes.values.max() ?? .zero }

    /// Returns the time at which to deliver a photo. Photos are processed in parallel and delivered in the order of their
    /// captures.
    ///
    /// - Parameter time: The time at which the photo is processed.
    mutating func deliveryTime(ofPhotoProcessedAt time: CMTime) -> CMTime {
        lastDelivery = max(lastDelivery, time)
        return lastDelivery
    }

    /// Removes and returns all captures.
    mutating func removeAll() -> [PhotoRequest] {
        defer { waiting = [] }
        return waiting
    }

    /// Removes and returns the captures from a connection.
    mutating func removeAll(of connection: AVCaptureConnection) -> [PhotoRequest] {
        let removed = waiting.filter { $0.connection === connection }
        waiting.removeAll { $0.connection === connection }
        return removed
    }

    /// Removes the capture of settings; returns whether it was waiting.
    mutating func remove(_ number: Int64) -> Bool {
        let count = waiting.count
        waiting.removeAll { $0.settings.number == number }
        return waiting.count < count
    }

    /// Returns the exposures that a frame of a connection delivers. A frame of the stream is the photo of one capture
    /// only, so that each capture has an exposure of its own.
    mutating func takeExposures(of frame: CapturedFrame, from connection: AVCaptureConnection) -> [PhotoExposure] {
        var exposures: [PhotoExposure] = []
        for still in frame.content.stills {
            guard let index = waiting.firstIndex(where: { $0.still?.id == still.requestID }) else { continue }
            if still.error == nil { waiting[index].exposureCount += 1 }
            exposures.append(
                PhotoExposure(
                    request: waiting[index], index: still.exposureIndex, frame: frame.replacingContent(with: still),
                    still: still))
        }
        let fromStream = waiting.first {
            $0.still == nil && $0.connection === connection && $0.selection.accepts(frame.content)
        }
        if let fromStream {
            exposures.append(PhotoExposure(request: fromStream, index: 0, frame: frame, still: nil))
        }
        let complete = Set(exposures.filter(\.isLast).map(\.request.settings.number))
        waiting.removeAll { complete.contains($0.settings.number) }
        return exposures
    }
}

extension CapturedFrame {
    /// Returns a frame with the image, time and settings of a still.
    func replacingContent(with still: StillFrame) -> CapturedFrame {
        var content = content
        content.stills = [still]
        content.payload = still.payload ?? content.payload
        content.presentationTime = still.presentationTime
        content.settings = still.settings
        content.depth = still.depth
        return replacingContent(content)
    }
}
