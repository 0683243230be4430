import Dispatch
public import Foundation
public import MediaTypes

/// Called for each time that was asked for: that time, the picture, its own time, what came out, and why not.
public typealias AVAssetImageGeneratorCompletionHandler =
    @Sendable (
        CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?
    ) -> Void

/// Makes pictures of an asset's first enabled video track.
///
/// - Important: Thread-safe; requests wait for each other.
public final class AVAssetImageGenerator: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `options`, `generation` and `maker`.

    /// What came of a request.
    public enum Result: Int, Sendable {
        case succeeded = 0
        case failed = 1
        case cancelled = 2
    }

    /// Which part of the coded picture is shown, and whether its pixels are made square.
    public struct ApertureMode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The clean aperture, with square pixels.
        public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
        /// All of it, with square pixels.
        public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
        /// All of it, with pixels as they are coded.
        public static let encodedPixels = ApertureMode(rawValue: "EncodedPixels")
    }

    struct Options {
        var appliesTransform = false
        var maximumSize = CGSize.zero
        var apertureMode = ApertureMode.cleanAperture
        var toleranceBefore = CMTime.positiveInfinity
        var toleranceAfter = CMTime.positiveInfinity
    }

    public let asset: AVAsset
    private let options = Lock(Options())
    /// Goes up when all requests are called off.
    private let generation = Lock(0)
    private let maker: Lock<ImageMaker?> = Lock(nil, order: .imageGenerator)
    private let queue = DispatchQueue(label: "obscura.images")

    public init(asset: AVAsset) {
        self.asset = asset
    }

    /// Whether pictures stand upright by the track's transform; false by default.
    public var appliesPreferredTrackTransform: Bool {
        get { options.withLock { $0.appliesTransform } }
        set { options.withLock { $0.appliesTransform = newValue } }
    }

    /// Pictures are made smaller to fit in, in their shape; a side of 0, the default, does not limit.
    public var maximumSize: CGSize {
        get { options.withLock { $0.maximumSize } }
        set { options.withLock { $0.maximumSize = newValue } }
    }

    /// The clean aperture by default.
    public var apertureMode: ApertureMode? {
        get { options.withLock { $0.apertureMode } }
        set { options.withLock { $0.apertureMode = newValue ?? .cleanAperture } }
    }

    /// How much earlier than asked for a picture may be; any by default, so that key frames are taken.
    public var requestedTimeToleranceBefore: CMTime {
        get { options.withLock { $0.toleranceBefore } }
        set { options.withLock { $0.toleranceBefore = newValue } }
    }

    /// How much later than asked for a picture may be; any by default.
    public var requestedTimeToleranceAfter: CMTime {
        get { options.withLock { $0.toleranceAfter } }
        set { options.withLock { $0.toleranceAfter = newValue } }
    }

    /// The picture at a time; with tolerances of zero the frame that is shown then.
    ///
    /// - Parameter actualTime: Receives when the picture begins to be shown.
    /// - Throws: An `AVError`: `.noImageAtTime` outside the track, `.noSourceTrack` without video.
    public func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> CGImage {
        let (image, time) = try make(requestedTime).get()
        actualTime?.pointee = time
        return image
    }

    /// The picture at a time, and when it begins to be shown.
    ///
    /// - Throws: As `copyCGImage(at:actualTime:)`.
    public func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
        let (image, actualTime) = try make(time).get()
        return (image, actualTime)
    }

    /// The pictures at times, in their order, each made when it is asked for.
    public func images(for times: [CMTime]) -> Images { Images(self, times, generation.withLock { $0 }) }

    /// Makes pictures one after the other; the handler runs once for each time, on a queue of the generator's.
    public func generateCGImagesAsynchronously(
        forTimes requestedTimes: [NSValue], completionHandler handler: @escaping AVAssetImageGeneratorCompletionHandler
    ) {
        let present = generation.withLock { $0 }
        for time in requestedTimes.map(\.timeValue) {
            asset.system.clock.deliver(on: queue) {
                switch self.make(time, present) {
                case .success(let (image, actualTime)): handler(time, image, actualTime, .succeeded, nil)
                case .failure(let error) where error.code == .operationCancelled:
                    handler(time, nil, .invalid, .cancelled, error)
                case .failure(let error): handler(time, nil, .invalid, .failed, error)
                }
            }
        }
    }

    /// Makes one picture; the handler runs once, on a queue of the generator's.
    public func generateCGImageAsynchronously(
        for requestedTime: CMTime,
        completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
    ) {
        generateCGImagesAsynchronously(forTimes: [NSValue(time: requestedTime)]) { _, image, time, _, error in
            handler(image, time, error)
        }
    }

    /// Calls off all requests that are not done.
    public func cancelAllCGImageGeneration() { generation.withLock { $0 += 1 } }

    /// - Parameter request: The generation of the request; nil for one that cannot be called off.
    fileprivate func make(_ time: CMTime, _ request: Int? = nil) -> Swift.Result<(CGImage, CMTime), AVError> {
        if let request, generation.withLock({ $0 }) != request {
            return .failure(AVError(.operationCancelled, "the making of pictures was called off"))
        }
        let options = options.withLock { $0 }
        do throws(AVError) {
            return .success(
                try maker.withLock { (maker: inout ImageMaker?) throws(AVError) -> (CGImage, CMTime) in
                    if let maker { return try maker.image(at: time, options) }
                    let fresh = try ImageMaker(asset)
                    maker = fresh
                    return try fresh.image(at: time, options)
                })
        } catch {
            return .failure(error)
        }
    }
}

extension AVAssetImageGenerator {
    /// The pictures that a generator makes, as an asynchronous sequence.
    public struct Images: AsyncSequence, AsyncIteratorProtocol, Sendable {
        /// What came of one time.
        public enum Element: Sendable {
            case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
            case failure(requestedTime: CMTime, error: any Error)

            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }

            /// - Throws: Why there is none.
            public var image: CGImage {
                get throws {
                    switch self {
                    case .success(_, let image, _): image
                    case .failure(_, let error): throw error
                    }
                }
            }

            /// - Throws: Why there is none.
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
        private let generation: Int
        private var times: ArraySlice<CMTime>

        init(_ generator: AVAssetImageGenerator, _ times: [CMTime], _ generation: Int) {
            self.generator = generator
            self.times = times[...]
            self.generation = generation
        }

        public func makeAsyncIterator() -> Images { self }

        public mutating func next() async -> Element? {
            guard let time = times.popFirst() else { return nil }
            switch generator.make(time, Task.isCancelled ? -1 : generation) {
            case .success(let (image, actualTime)):
                return .success(requestedTime: time, image: image, actualTime: actualTime)
            case .failure(let error): return .failure(requestedTime: time, error: error)
            }
        }
    }
}
