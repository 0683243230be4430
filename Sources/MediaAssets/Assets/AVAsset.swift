import CaptureHAL
public import Foundation
import MediaCodecs
public import MediaTypes

/// A movie or sound file: its tracks, duration and metadata.
///
/// The file is read when something of it is asked for first. The synchronous properties of a file that cannot be read
/// are empty; `load` throws the reason.
///
/// - Important: Thread-safe.
public class AVAsset: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // SAFETY: the constants are thread-safe, and the rest is behind `contents`.

    /// What was read of the file.
    struct Contents {
        let file: MovieFile
        let tracks: [AVAssetTrack]
    }

    let system: CaptureSystem
    let fileURL: URL
    private let contents = Lock<Result<Contents, AVError>?>(nil)

    init(fileURL: URL, system: CaptureSystem) {
        self.fileURL = fileURL
        self.system = system
    }

    /// The asset at a file's place.
    public class func asset(with url: URL) -> AVAsset { AVURLAsset(url: url, options: nil) }

    /// What the file holds, read where it is not.
    func open() throws(AVError) -> Contents {
        if let present = contents.withLock({ $0 }) { return try present.get() }
        let fresh = read()
        return try contents.withLock { contents in
            if contents == nil { contents = fresh }
            return contents ?? fresh
        }.get()
    }

    private func read() -> Result<Contents, AVError> {
        Result { () throws(AVError) in
            guard fileURL.isFileURL else {
                throw AVError(
                    .operationNotSupportedForAsset, "\(fileURL) is no file; media are read from files only", cause: nil,
                    ["NSURL": fileURL])
            }
            do throws(MediaFileError) {
                let file = try MovieFile.open(fileURL, in: system.storage)
                let tracks = file.map.tracks.map { AVAssetTrack($0, of: self, in: file) }
                return Contents(file: file, tracks: tracks)
            } catch {
                throw AVError(error)
            }
        }
    }

    public func loadValues() throws { _ = try open() }

    public var valueStatus: AVKeyValueStatus {
        switch contents.withLock({ $0 }) {
        case nil: .unknown
        case .success: .loaded
        case .failure: .failed
        }
    }

    public var valueError: (any Error)? {
        if case .failure(let error) = contents.withLock({ $0 }) { error } else { nil }
    }

    /// The map of the file; nil where it cannot be read.
    private var map: MovieMap? { (try? open())?.file.map }

    /// The end of the last track.
    public var duration: CMTime { map?.duration ?? .zero }
    public var preferredRate: Float { Float(map?.preferredRate ?? 1) }
    public var preferredVolume: Float { Float(map?.preferredVolume ?? 1) }
    /// The movie's own transform; tracks have theirs.
    public var preferredTransform: CGAffineTransform { .identity }
    /// The size of the first video track.
    public var naturalSize: CGSize { tracks(withMediaType: .video).first?.naturalSize ?? .zero }
    /// Always true: the index of a movie is exact.
    public var providesPreciseDurationAndTiming: Bool { true }
    public var minimumTimeOffsetFromLive: CMTime { .invalid }

    /// All tracks, in the file's order.
    public var tracks: [AVAssetTrack] { (try? open())?.tracks ?? [] }

    public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        tracks.first { $0.trackID == trackID }
    }

    public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    public func tracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
        tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
        try open().tracks.first { $0.trackID == trackID }
    }

    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try open().tracks.filter { $0.mediaType == mediaType }
    }

    public func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVAssetTrack] {
        try open().tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// Whether fragments follow the file's index, as while it is being recorded or after that broke off.
    public var containsFragments: Bool { map.map { !$0.fragments.isEmpty } ?? false }
    public var canContainFragments: Bool { map?.isFragmented ?? false }
    public var overallDurationHint: CMTime { .invalid }
    public var hasProtectedContent: Bool { false }
    /// Whether a decoder is known for a track.
    public var isPlayable: Bool { tracks.contains { $0.isPlayable } }
    public var isReadable: Bool { !tracks.isEmpty }
    public var isExportable: Bool { isReadable }
    public var isComposable: Bool { isReadable }

    /// Stops loading; what is loaded stays so.
    public func cancelLoading() {}
}

/// What `AVAsset(url:)` needs to give an `AVURLAsset`.
public protocol AssetMaking {}

extension AVAsset: AssetMaking {}

extension AssetMaking where Self: AVAsset {
    /// Makes an asset of the file at a place: an `AVURLAsset`.
    public init(url: URL) {
        guard let asset = AVURLAsset(url: url, options: nil) as? Self else {
            preconditionFailure("an asset is made as AVAsset or AVURLAsset")
        }
        self = asset
    }
}
