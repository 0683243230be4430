import AssetTypes
import Dispatch
public import Foundation
public import MediaTypes

/// Called for each requested time with that time, the image, its actual time, the result and the error.
public typealias AVAssetImageGeneratorCompletionHandler =
    @Sendable (
        CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?
    ) -> Void

/// Creates images of an asset's first enabled video track.
///
/// - Important: Thread-safe; requests are processed one at a time.
public final class AVAssetImageGenerator: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind locks.

    /// The result of a request.
    public enum Result: Int, Sendable {
        case succeeded = 0
        case failed = 1
        case cancelled = 2
    }

    /// The part of the encoded image that is used, and whether it is scaled to square pixels.
    public struct ApertureMode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The clean aperture, with square pixels.
        public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
        /// The whole image, with square pixels.
        public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
        /// The whole image, with pixels as encoded.
        public static let encodedPixels = ApertureMode(rawValue: "EncodedPixels")
    }

    /// How images of HDR video are created.
    public struct DynamicRangePolicy: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// All images are SDR.
        public static let forceSDR = DynamicRangePolicy(rawValue: "ForceSDR")
        /// Images have the dynamic range of the video.
        public static let matchSource = DynamicRangePolicy(rawValue: "MatchSource")
    }

    package struct Options {
        var appliesTransform = false
        var maximumSize = CGSize.zero
        var apertureMode = ApertureMode.cleanAperture
        var dynamicRangePolicy = DynamicRangePolicy.forceSDR
        package var toleranceBefore = CMTime.positiveInfinity
        var toleranceAfter = CMTime.positiveInfinity
    }

    public let asset: AVAsset
    private let options = Lock(Options())
    /// The number of calls of `cancelAllCGImageGeneration()`. A request is canceled if the number has changed since.
    private let cancellationCount = Lock(0)
    private let renderer: Lock<(any ImageRenderer)?> = Lock(nil, order: .imageGenerator)
    private let imageComposition = Lock<(any ImageComposition)?>(nil)
    private let queue = DispatchQueue(label: "obscura.images")

    public init(asset: AVAsset) {
        self.asset = asset
    }

    /// Whether the track's transform is applied to images; false by default.
    public var appliesPreferredTrackTransform: Bool {
        get { options.withLock { $0.appliesTransform } }
        set { options.withLock { $0.appliesTransform = newValue } }
    }

    /// The maximum size of images, which keep their aspect ratio; a side of 0, the default, is not limited.
    public var maximumSize: CGSize {
        get { options.withLock { $0.maximumSize } }
        set { options.withLock { $0.maximumSize = newValue } }
    }

    /// The visible part of images; the clean aperture by default.
    public var apertureMode: ApertureMode? {
        get { options.withLock { $0.apertureMode } }
        set { options.withLock { $0.apertureMode = newValue ?? .cleanAperture } }
    }

    /// The dynamic range of images; `forceSDR` by default.
    ///
    /// - Note: Unlike Apple, images always have 8 bits per component: the policy has no effect.
    public var dynamicRangePolicy: DynamicRangePolicy {
        get { options.withLock { $0.dynamicRangePolicy } }
        set { options.withLock { $0.dynamicRangePolicy = newValue } }
    }

    /// Creates the renderer of images that are composed from the video tracks; nil for images of a single track.
    package var composition: (any ImageComposition)? {
        get { imageComposition.withLock { $0 } }
        set {
            imageComposition.withLock { $0 = newValue }
            renderer.withLock { $0 = nil }
        }
    }

    /// How much earlier than requested an image may be; unlimited by default, so that key frames are used.
    public var requestedTimeToleranceBefore: CMTime {
        get { options.withLock { $0.toleranceBefore } }
        set { options.withLock { $0.toleranceBefore = newValue } }
    }

    /// How much later than requested an image may be; unlimited by default.
    public var requestedTimeToleranceAfter: CMTime {
        get { options.withLock { $0.toleranceAfter } }
        set { options.withLock { $0.toleranceAfter = newValue } }
    }

    /// Returns the image at a time; with tolerances of zero, the frame that is shown at that time.
    ///
    /// - Parameter actualTime: Receives the start of the image's presentation.
    /// - Throws: An `AVError`: `.noImageAtTime` outside the track, `.noSourceTrack` without video.
    public func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> CGImage {
        let (image, time) = try render(requestedTime).get()
        actualTime?.pointee = time
        return image
    }

    /// Returns the image at a time and the start of its presentation.
    ///
    /// - Throws: As `copyCGImage(at:actualTime:)`.
    public func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
        let (image, actualTime) = try render(time).get()
        return (image, actualTime)
    }

    /// Returns an asynchronous sequence of the images at times, in the order of the times. Each image is rendered when
    /// it is requested from the sequence.
    public func images(for times: [CMTime]) -> Images { Images(self, times, cancellationCount.withLock { $0 }) }

    /// Renders images one after the other. The handler is called once for each time, on a private queue of the
    /// generator.
    @preconcurrency
    public func generateCGImagesAsynchronously(
        forTimes requestedTimes: [NSValue], completionHandler handler: @escaping AVAssetImageGeneratorCompletionHandler
    ) {
        let current = cancellationCount.withLock { $0 }
        for time in requestedTimes.map(\.timeValue) {
            asset.system.deliver(on: queue) {
                switch self.render(time, current) {
                case .success(let (image, actualTime)): handler(time, image, actualTime, .succeeded, nil)
                case .failure(let error) where error.code == .operationCancelled:
                    handler(time, nil, .invalid, .cancelled, error)
                case .failure(let error): handler(time, nil, .invalid, .failed, error)
                }
            }
        }
    }

    /// Renders one image. The handler is called once, on a private queue of the generator.
    @preconcurrency
    public func generateCGImageAsynchronously(
        for requestedTime: CMTime,
        completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
    ) {
        generateCGImagesAsynchronously(forTimes: [NSValue(time: requestedTime)]) { _, image, time, _, error in
            handler(image, time, error)
        }
    }

    /// Cancels all pending requests.
    public func cancelAllCGImageGeneration() { cancellationCount.withLock { $0 += 1 } }

    /// Renders an image.
    ///
    /// - Parameter countAtRequest: The `cancellationCount` at the time of the request; nil if it cannot be canceled.
    fileprivate func render(_ time: CMTime, _ countAtRequest: Int? = nil) -> Swift.Result<(CGImage, CMTime), AVError> {
        if let countAtRequest, cancellationCount.withLock({ $0 }) != countAtRequest {
            return .failure(AVError(.operationCancelled, "the image generation was cancelled"))
        }
        let options = options.withLock { $0 }
        do throws(AVError) {
            return .success(
                try withRenderer { (renderer) throws(AVError) in try renderer.image(at: time, options) })
        } catch {
            return .failure(error)
        }
    }

    /// Returns the start of the presentation of the image at a time, without decoding it.
    ///
    /// - Throws: As `copyCGImage(at:actualTime:)`.
    package func presentationTime(ofImageAt time: CMTime) throws(AVError) -> CMTime {
        let options = options.withLock { $0 }
        return try withRenderer { (renderer) throws(AVError) in try renderer.presentationTime(at: time, options) }
    }

    private func withRenderer<Value>(
        _ body: (any ImageRenderer) throws(AVError) -> Value
    ) throws(AVError) -> Value {
        try renderer.withLock { (renderer: inout (any ImageRenderer)?) throws(AVError) -> Value in
            if let renderer { return try body(renderer) }
            let new: any ImageRenderer =
                if let composition {
                    try composition.makeRenderer(of: asset)
                } else {
                    try AssetImageRenderer(asset)
                }
            renderer = new
            return try body(new)
        }
    }
}

extension AVAssetImageGenerator {
    /// The images of a generator, as an asynchronous sequence.
    public struct Images: AsyncSequence, AsyncIteratorProtocol, Sendable {
        /// The result for one time.
        public enum Element: Sendable {
            case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
            case failure(requestedTime: CMTime, error: any Error)

            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }

            /// The image.
            ///
            /// - Throws: The error of a failed request.
            public var image: CGImage {
                get throws {
                    switch self {
                    case .success(_, let image, _): image
                    case .failure(_, let error): throw error
                    }
                }
            }

            /// The start of the image's presentation.
            ///
            /// - Throws: The error of a failed request.
            public var actualTime: CMTime {
                get throws {
                    switch self {
                    case .success(_, _, let time): time
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        private let generator: AVAssetImageGenerator
        /// The generator's `cancellationCount` at the time of the request.
        private let cancellationCount: Int
        private var times: ArraySlice<CMTime>

        init(_ generator: AVAssetImageGenerator, _ times: [CMTime], _ cancellationCount: Int) {
            self.generator = generator
            self.times = times[...]
            self.cancellationCount = cancellationCount
        }

        public func makeAsyncIterator() -> Images { self }

        public mutating func next() async -> Element? {
            guard let time = times.popFirst() else { return nil }
            // The count is never -1, so the request is canceled.
            switch generator.render(time, Task.isCancelled ? -1 : cancellationCount) {
            case .success(let (image, actualTime)):
                return .success(requestedTime: time, image: image, actualTime: actualTime)
            case .failure(let error): return .failure(requestedTime: time, error: error)
            }
        }
    }
}
