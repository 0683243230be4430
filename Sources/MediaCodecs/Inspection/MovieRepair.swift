package import Foundation
package import MediaStorage
package import MediaTypes

/// Converts an interrupted recording to a complete movie. The movie contains all complete fragments, and the samples of
/// the unfinished fragment that are in the index written so far.
///
/// The samples are written to a new file by `MovieFileWriter`; the source is not changed.
package struct MovieRepair {
    /// The result of a repair.
    package struct Summary: Sendable, Hashable {
        /// The duration of the movie.
        package var duration = CMTime.zero
        /// The number of samples by track number.
        package var sampleCounts: [UInt32: Int64] = [:]
        /// The number of samples that were left out: those that are incomplete in the file and, in the last fragment,
        /// damaged ones and all later ones of their tracks.
        package var lostSampleCount: Int64 = 0
        /// The number of samples with changed decode times, since they overlapped earlier ones of their tracks.
        package var retimedSampleCount: Int64 = 0
        /// One message for each track without samples and each box that was left out, with the reason.
        package var omissions: [String] = []
    }

    private let url: URL
    let file: any StorageFile
    private(set) var map: MovieMap
    var summary = Summary()

    private init(_ url: URL, _ storage: any CaptureStorage) throws(MovieError) {
        self.url = url
        let isMovie: Bool
        do throws(StorageError) {
            file = try storage.open(url, for: .reading)
            isMovie = try MovieMap.canRead(file)
            map = try isMovie ? MovieMap(reading: file, includesHiddenBoxes: true) : MovieMap()
        } catch {
            throw MovieError(error)
        }
        guard isMovie else {
            throw MovieError(.unsupportedFormat, "\(url.path) is not a QuickTime or MPEG-4 file")
        }
    }

    /// Whether a file is a complete movie: without fragments and without errors.
    package static func isComplete(_ url: URL, in storage: any CaptureStorage) throws(MovieError) -> Bool {
        do throws(StorageError) {
            let file = try storage.open(url, for: .reading)
            let map = try MovieMap(reading: file)
            guard map.fragments.isEmpty, !map.isFragmented, map.tracks.contains(where: { !$0.samples.isEmpty }) else {
                return false
            }
            return try MovieChecker.problems(of: map, in: file).allSatisfy { $0.severity != .error }
        } catch {
            throw MovieError(error)
        }
    }

    /// Writes the repaired movie.
    ///
    /// All tracks are copied with their descriptions byte for byte, whatever their codecs.
    ///
    /// - Parameter destination: A file that does not exist.
    /// - Throws: `.empty` if there is no complete sample, `.unsupportedFormat` if a track cannot be copied, or
    ///   `.storage`; then `destination` does not exist.
    package static func repair(
        _ source: URL, to destination: URL, in storage: any CaptureStorage
    ) throws(MovieError) -> Summary {
        var repair = try MovieRepair(source, storage)
        try repair.removeLostSamples()
        repair.separateSamples()
        guard repair.map.tracks.contains(where: { !$0.samples.isEmpty }) else {
            let errors = repair.map.problems.filter { $0.severity == .error }
            let reason = errors.first { $0.message.hasPrefix("there is no index") } ?? errors.first
            throw MovieError(
                .empty,
                "\(source.path) contains nothing that can be repaired: "
                    + (reason?.message ?? "no track has samples"))
        }
        var configuration = MovieFileWriter.Configuration(
            container: repair.container, fragmentInterval: .invalid, timescale: repair.map.timescale)
        configuration.storedBoxes = try repair.storedBoxes()
        let writer = try MovieFileWriter(
            url: destination, storage: storage, configuration: configuration,
            metadata: MovieMetadata(creationSecondsSince1970: repair.map.creationSecondsSince1970))
        do throws(MovieError) {
            try repair.copy(to: writer)
            try writer.finish()
            try repair.check(destination, storage)
        } catch {
            writer.cancel()
            // A further error is ignored: `error` is the one to report.
            if storage.fileExists(at: destination) { try? storage.remove(destination) }
            throw error
        }
        return repair.summary
    }

    /// Removes the samples that are incomplete in the file and, in the last fragment, the first damaged sample of each
    /// track and all later ones.
    ///
    /// If a recording is interrupted, only the last fragment can have an index but not all of its media. Damaged samples
    /// elsewhere are copied.
    private mutating func removeLostSamples() throws(MovieError) {
        let damaged: Set<Int64>
        do throws(StorageError) {
            damaged = try MovieChecker.damagedFrames(of: map, in: file)
        } catch {
            throw MovieError(error)
        }
        let byteCount = map.byteCount
        for index in map.tracks.indices {
            summary.lostSampleCount += map.tracks[index].missingSampleCount
            let samples = map.tracks[index].samples
            let lastFragment = UInt32(map.fragments.count)
            let firstDamaged = samples.runs.firstIndex {
                $0.fragment > 0 && $0.fragment == lastFragment && damaged.contains($0.offset)
            }
            guard samples.runs.contains(where: { $0.end > byteCount }) || firstDamaged != nil else { continue }
            let isTruncatedOnly = samples.runs.firstIndex { $0.end > byteCount }
                .map { first in samples.runs[first...].allSatisfy { $0.end > byteCount } }
            var position = 0
            map.tracks[index].samples.replaceRuns { run in
                defer { position += 1 }
                if let firstDamaged, position >= firstDamaged { return nil }
                guard run.end > byteCount else { return run }
                var rest = run
                rest.count = run.size > 0 ? UInt32(clamping: max(0, byteCount - run.offset) / Int64(run.size)) : 0
                return rest.count > 0 ? rest : nil
            }
            summary.lostSampleCount += samples.sampleCount - map.tracks[index].samples.sampleCount
            // They describe samples by their numbers.
            if isTruncatedOnly == false { map.tracks[index].storedBoxes?.sampleBoxes = [] }
        }
    }

    /// Changes the decode times of samples that do not follow those of earlier ones of their tracks.
    ///
    /// Fragments can overlap, for example after parts of a stream were put together. In a movie without fragments, decode
    /// times are sums of durations. Video keeps its presentation times, unless two frames in a row have the same one;
    /// sound is presented in order.
    private mutating func separateSamples() {
        for index in map.tracks.indices {
            var last: Int64?
            var lastPresentation: Int64?
            var changedCount: Int64 = 0
            let isAudio = map.tracks[index].isAudio
            map.tracks[index].samples.replaceRuns { run in
                var run = run
                let shift = last.map { $0 + 1 - run.decodeTime } ?? 0
                if shift > 0, run.fragment > 0 {
                    run.decodeTime += shift
                    if !isAudio { run.compositionOffset = Int32(clamping: Int64(run.compositionOffset) - shift) }
                    if run.presentationTime == lastPresentation { run.compositionOffset += 1 }
                    changedCount += Int64(run.count)
                }
                last = run.decodeTime + run.totalDuration - Int64(run.duration)
                lastPresentation = run.presentationTime
                return run
            }
            summary.retimedSampleCount += changedCount
        }
    }

    /// The family of the movie; its `ftyp` box is copied.
    var container: MovieContainer { map.isQuickTime ? .mov : .mp4 }

    /// Returns the boxes other than tracks that are copied.
    private mutating func storedBoxes() throws(MovieError) -> StoredMovieBoxes {
        summary.omissions += map.tracks.flatMap(\.omittedBoxes)
        do throws(StorageError) {
            return try map.copiedBoxes(of: file, omissions: &summary.omissions)
        } catch {
            throw MovieError(error)
        }
    }
}
