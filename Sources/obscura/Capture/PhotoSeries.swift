import AssetTypes
import CaptureCore
import CaptureHAL
import CaptureScenarios
import Foundation
import MediaTypes

/// Takes the photos of `obscura photo` with a session that runs.
struct PhotoSeries {
    /// The photos of one exposure, and the movie of a Live Photo.
    struct Result {
        /// The processed photo; nil if none was requested.
        var photo: AVCapturePhoto?
        /// The RAW photo; nil if none was requested.
        var raw: AVCapturePhoto?
        var movie: Movie?
    }

    /// The formats of a capture.
    struct Request {
        /// 0 for no RAW photo.
        var rawPixelFormat: OSType = 0
        /// Nil for no processed photo.
        var processedFormat: [String: Any]?
    }

    /// The movie of a Live Photo.
    struct Movie: Encodable {
        var file: String
        var seconds: Double
        /// The time of the photo in the movie.
        var photoTime: Double
    }

    let setup: CaptureSetup
    let command: CommandSystem
    let output: AVCapturePhotoOutput
    let options: PhotoOptions
    let failure: SessionFailure

    /// Enables the features of the output that the options require, before the session starts.
    static func prepare(_ output: AVCapturePhotoOutput, _ options: PhotoOptions, _ setup: CaptureSetup) throws {
        let name = setup.camera?.localizedName ?? "the source"
        if options.live {
            guard output.isLivePhotoCaptureSupported else { throw CommandFailure("\(name) takes no Live Photos") }
            output.isLivePhotoCaptureEnabled = true
        }
        if let quality = options.quality { output.maxPhotoQualityPrioritization = quality.prioritization }
        if let size = options.maxSize {
            let sizes = setup.camera?.activeFormat.supportedMaxPhotoDimensions.map(\.pixelSize) ?? []
            guard sizes.contains(size) else {
                let known = sizes.map { "\($0.width)x\($0.height)" }.joined(separator: ", ")
                throw CommandFailure(
                    "\(name) takes no photos of \(size.width)x\(size.height) in this format; its sizes are \(known)")
            }
            output.maxPhotoDimensions = size.dimensions
        }
        if let bracket = options.bracket, output.maxBracketedCapturePhotoCount < bracket.count {
            let maximum = output.maxBracketedCapturePhotoCount
            throw CommandFailure(
                maximum == 0
                    ? "\(name) takes no brackets" : "\(name) takes brackets of at most \(maximum) photos")
        }
    }

    /// Takes all photos.
    ///
    /// - Parameters:
    ///   - request: The formats of the photos.
    ///   - change: Sets further settings of each capture.
    ///   - movieName: The file of the movie for the number of a photo.
    func take(
        _ request: Request, _ change: (AVCapturePhotoSettings) throws -> Void, movieName: (Int) -> String
    ) throws -> [Result] {
        let clock = command.system.clock
        let begin = clock.now
        var results: [Result] = []
        for index in 0..<options.burst {
            if index > 0, let interval = options.interval {
                let next = begin + CMTimeMultiply(interval.time, multiplier: Int32(index))
                command.run { clock.now >= next || failure.hasOccurred || setup.endTime != nil }
            }
            let settings = makeSettings(request)
            try change(settings)
            if options.live {
                settings.livePhotoMovieFileURL = URL(fileURLWithPath: movieName(index + 1))
                settings.livePhotoVideoCodecType = output.availableLivePhotoVideoCodecTypes.first ?? .h264
            }
            results += try take(settings)
        }
        return results
    }

    private func makeSettings(_ request: Request) -> AVCapturePhotoSettings {
        let settings: AVCapturePhotoSettings
        if let bracket = options.bracket {
            settings = AVCapturePhotoBracketSettings(
                rawPixelFormatType: request.rawPixelFormat, processedFormat: request.processedFormat,
                bracketedSettings: bracket.map {
                    AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
                })
        } else if request.rawPixelFormat != 0 {
            settings = AVCapturePhotoSettings(
                rawPixelFormatType: request.rawPixelFormat, processedFormat: request.processedFormat)
        } else {
            settings = AVCapturePhotoSettings(format: request.processedFormat)
        }
        if let quality = options.quality { settings.photoQualityPrioritization = quality.prioritization }
        if let size = options.maxSize { settings.maxPhotoDimensions = size.dimensions }
        return settings
    }

    private func take(_ settings: AVCapturePhotoSettings) throws -> [Result] {
        let delegate = PhotoDelegate()
        output.capturePhoto(with: settings, delegate: delegate)
        command.run(limit: .seconds(StallDetector.timeout.seconds)) { delegate.result != nil }
        guard let result = delegate.result else {
            try failure.check(setup)
            throw CommandFailure(setup.noFrameMessage(within: StallDetector.timeout))
        }
        do {
            let photos = try result.get()
            let (raw, processed) = (photos.filter(\.isRawPhoto), photos.filter { !$0.isRawPhoto })
            return (0..<max(raw.count, processed.count)).map { index in
                Result(
                    photo: processed.indices.contains(index) ? processed[index] : nil,
                    raw: raw.indices.contains(index) ? raw[index] : nil, movie: delegate.movie)
            }
        } catch {
            throw CommandFailure(failure.message(setup) ?? errorReason(error))
        }
    }

    /// Stores the results of a capture. Thread-safe.
    private final class PhotoDelegate: AVCapturePhotoCaptureDelegate, Sendable {
        private struct State {
            var photos: [AVCapturePhoto] = []
            var movie: Movie?
            var error: AVError?
            var isFinished = false
        }

        private let state = Lock(State())

        /// The photos after the capture has finished.
        var result: Swift.Result<[AVCapturePhoto], AVError>? {
            state.withLock { state in
                state.isFinished ? state.error.map { .failure($0) } ?? .success(state.photos) : nil
            }
        }

        var movie: Movie? { state.withLock { $0.movie } }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) {
            state.withLock { state in
                if let error = error as? AVError { state.error = error } else { state.photos.append(photo) }
            }
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
            duration: CMTime, photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings,
            error: (any Error)?
        ) {
            let movie = Movie(
                file: outputFileURL.relativePath, seconds: duration.seconds, photoTime: photoDisplayTime.seconds)
            state.withLock { state in
                if let error = error as? AVError { state.error = state.error ?? error } else { state.movie = movie }
            }
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
            error: (any Error)?
        ) {
            state.withLock { $0.isFinished = true }
        }
    }
}
