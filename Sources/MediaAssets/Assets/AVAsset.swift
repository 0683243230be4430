package import AssetTypes
package import CaptureHAL
public import Foundation
import MediaCodecs
package import MediaFiles
public import MediaTypes

/// A movie or audio file: its tracks, duration and metadata.
///
/// The file is read on first access. If it cannot be read, synchronous properties are empty, and `load` throws the
/// reason.
///
/// - Important: Thread-safe.
open class AVAsset: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // SAFETY: the constants are thread-safe; mutable state is behind `contents`.

    /// The contents of the file, or of an asset without a file.
    package struct Contents {
        /// Nil for an asset without a file, such as a composition.
        package let file: MovieFile?
        package let tracks: [AVAssetTrack]
    }

    private enum Source: Sendable {
        /// A file, which can be remote.
        case file(URL)
        /// A composition; returns its present tracks.
        case tracks(@Sendable () -> [AVAssetTrack])
    }

    package let system: CaptureSystem
    private let source: Source
    /// The path in the URL, for messages; "the composition" for a composition.
    package var path: String {
        switch source {
        case .file(let url): url.path
        case .tracks: "the composition"
        }
    }
    private let contents = Lock<Result<Contents, AVError>?>(nil)

    /// Creates an asset that reads a file.
    init(fileURL: URL, system: CaptureSystem) {
        source = .file(fileURL)
        self.system = system
    }

    /// Creates an asset without a file.
    ///
    /// - Parameter tracks: Returns the present tracks.
    package init(system: CaptureSystem, tracks: @escaping @Sendable () -> [AVAssetTrack]) {
        source = .tracks(tracks)
        self.system = system
    }

    /// Returns an asset for the file at a URL.
    public class func asset(with url: URL) -> AVAsset { AVURLAsset(url: url, options: nil) }

    /// Returns the contents; the first call reads the file.
    package func open() throws(AVError) -> Contents {
        if case .tracks(let tracks) = source { return Contents(file: nil, tracks: tracks()) }
        if let existing = contents.withLock({ $0 }) { return try existing.get() }
        let new = read()
        return try contents.withLock { contents in
            if contents == nil { contents = new }
            return contents ?? new
        }.get()
    }

    private func read() -> Result<Contents, AVError> {
        Result { () throws(AVError) in
            guard let file = try openFile() else { return Contents(file: nil, tracks: []) }
            let tracks = file.map.tracks.map { AVAssetTrack(MediaSource($0, in: file), of: self) }
            return Contents(file: file, tracks: tracks)
        }
    }

    /// Opens the file of the asset; returns nil for a composition. `AVURLAsset` overrides it for remote files.
    func openFile() throws(AVError) -> MovieFile? {
        guard case .file(let fileURL) = source else { return nil }
        do throws(MediaFileError) {
            return try MovieFile.open(fileURL, in: system.storage)
        } catch {
            throw AVError(error)
        }
    }

    public func loadValues() throws { _ = try open() }

    public var valueStatus: AVKeyValueStatus {
        if case .tracks = source { return .loaded }
        return switch contents.withLock({ $0 }) {
        case nil: .unknown
        case .success: .loaded
        case .failure: .failed
        }
    }

    public var valueError: (any Error)? {
        if case .failure(let error) = contents.withLock({ $0 }) { error } else { nil }
    }

    /// The parsed boxes of the file; nil for a composition or if the file cannot be read.
    private var map: MovieMap? { (try? open())?.file?.map }

    /// The end of the longest track; zero without tracks.
    open var duration: CMTime { map?.duration ?? .zero }
    public var preferredRate: Float { Float(map?.preferredRate ?? 1) }
    public var preferredVolume: Float { Float(map?.preferredVolume ?? 1) }
    /// The transform of the movie itself; tracks have their own.
    public var preferredTransform: CGAffineTransform { .identity }
    /// The size of the first video track.
    open var naturalSize: CGSize { tracks(withMediaType: .video).first?.naturalSize ?? .zero }
    /// Always true: the index of a movie is exact.
    public var providesPreciseDurationAndTiming: Bool { true }
    public var minimumTimeOffsetFromLive: CMTime { .invalid }

    /// All tracks, in the file's order.
    ///
    /// Compositions overload this property and the following methods with their own track classes; see `TypedTracks`.
    @_disfavoredOverload
    public var tracks: [AVAssetTrack] { (try? open())?.tracks ?? [] }

    open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        tracks.first { $0.trackID == trackID }
    }

    @_disfavoredOverload
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    @_disfavoredOverload
    public func tracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
        tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    @_disfavoredOverload
    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
        try open().tracks.first { $0.trackID == trackID }
    }

    @_disfavoredOverload
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try open().tracks.filter { $0.mediaType == mediaType }
    }

    @_disfavoredOverload
    public func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVAssetTrack] {
        try open().tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// Whether fragments follow the file's index, as in a recording that is in progress or was interrupted.
    public var containsFragments: Bool { map.map { !$0.fragments.isEmpty } ?? false }
    public var canContainFragments: Bool { map?.isFragmented ?? false }
    public var overallDurationHint: CMTime { .invalid }
    /// Whether any track is encrypted. There is no decryption.
    public var hasProtectedContent: Bool {
        map?.tracks.contains { $0.sampleEntries.contains(where: \.isProtected) } ?? false
    }
    /// Whether a decoder is available for any track.
    public var isPlayable: Bool { tracks.contains { $0.isPlayable } }
    public var isReadable: Bool { !tracks.isEmpty }
    public var isExportable: Bool { isReadable }
    public var isComposable: Bool { isReadable }

    /// Does nothing: loading is synchronous. `AVURLAsset` cancels the pending requests of its resource loader.
    public func cancelLoading() {}
}

/// Provides `AVAsset(url:)`, which returns an `AVURLAsset`.
public protocol AssetURLInitializable {}

extension AVAsset: AssetURLInitializable {}

extension AssetURLInitializable where Self: AVAsset {
    /// Creates an asset for the file at a URL: an `AVURLAsset`.
    public init(url: URL) {
        guard let asset = AVURLAsset(url: url, options: nil) as? Self else {
            preconditionFailure("only AVAsset and AVURLAsset can be created from a URL")
        }
        self = asset
    }
}
