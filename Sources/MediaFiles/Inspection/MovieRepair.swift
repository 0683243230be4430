package import Foundation
package import MediaCodecs
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
        /// The number of samples that were left out because they are incomplete in the file. If a sample of the last
        /// fragment is damaged, later ones of its track are left out too.
        package var lostSampleCount: Int64 = 0
        /// The number of samples with changed decode times: they were not later than the previous one.
        package var retimedSampleCount: Int64 = 0
        /// Descriptions of everything else that the movie does not contain: media that could not be read, tracks without
        /// samples, and boxes.
        package var omissions: [String] = []
        /// Descriptions of encrypted tracks, which were copied without decryption.
        package var protectedTracks: [String] = []
    }

    /// The movie to repair.
    let url: URL
    let file: any StorageFile
    /// The contents of `file`, without the samples that are not copied.
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
    ///
    /// The frames are read up to the first error.
    package static func isComplete(_ url: URL, in storage: any CaptureStorage) throws(MovieError) -> Bool {
        do throws(StorageError) {
            let file = try storage.open(url, for: .reading)
            let map = try MovieMap(reading: file)
            guard map.fragments.isEmpty, !map.isFragmented, map.tracks.contains(where: { !$0.samples.isEmpty }) else {
                return false
            }
            return try !MovieChecker.hasErrors(map, in: file)
        } catch {
            throw MovieError(error)
        }
    }

    /// Writes the repaired movie.
    ///
    /// All tracks are copied with their descriptions byte for byte, whatever their codecs.
    ///
    /// - Parameters:
    ///   - destination: A file that does not exist.
    ///   - acceptsLosses: Whether to write a movie without tracks and samples that cannot be read because the boxes that
    ///     describe them are damaged; `Summary.omissions` lists them. Must be false if the movie replaces its source.
    /// - Throws: `.empty` if there is no complete sample, `.unsupportedFormat` if a track cannot be copied, `.incomplete`
    ///   if media cannot be read and losses are not accepted, or `.storage`; then `destination` does not exist.
    package static func repair(
        _ source: URL, to destination: URL, in storage: any CaptureStorage, acceptsLosses: Bool = false
    ) throws(MovieError) -> Summary {
        var repair = try MovieRepair(source, storage)
        try repair.removeLostSamples()
        repair.makeDecodeTimesIncrease()
        let losses = repair.map.losses
        guard repair.map.tracks.contains(where: { !$0.samples.isEmpty }) else {
            let reason =
                repair.map.missingIndexReason ?? losses.first
                ?? repair.map.problems.first { $0.severity == .error }?.message ?? "no track has samples"
            throw MovieError(.empty, "\(source.path) contains nothing that can be repaired: \(reason)")
        }
        guard acceptsLosses || losses.isEmpty else {
            throw MovieError(
                .incomplete, "not all media of \(source.path) can be read: \(losses.joined(separator: "; "))")
        }
        repair.summary.omissions += losses
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
        let lastFragment = UInt32(map.fragments.count)
        let damaged: Set<Int64>
        do throws(StorageError) {
            damaged = try MovieChecker.damagedFrames(of: map, inFragment: lastFragment, in: file)
            if !damaged.isEmpty { try reportWrongOffsets(beforeFragment: lastFragment) }
        } catch {
            throw MovieError(error)
        }
        for index in map.tracks.indices {
            summary.lostSampleCount += map.tracks[index].missingSampleCount
            let lostCount = removeLostSamples(ofTrackAt: index, lastFragment, damaged)
            summary.lostSampleCount += lostCount
            // Only a truncated file lacks samples. In others the offsets are wrong.
            if lostCount > 0, lastFragment == 0, !map.isTruncated {
                map.losses.append(
                    "\(lostCount) samples of track \(map.tracks[index].number) are beyond the end of the file, which is "
                        + "not truncated")
            }
        }
    }

    /// Adds a loss if most frames of the second-to-last fragment are damaged as well. An interruption damages only the
    /// last fragment; damage in both means that the samples are at other offsets than the index specifies.
    ///
    /// - Parameter number: The number of the last fragment.
    private mutating func reportWrongOffsets(beforeFragment number: UInt32) throws(StorageError) {
        let damaged = try MovieChecker.damagedFrames(of: map, inFragment: number - 1, in: file)
        for track in map.tracks where track.isVideo {
            let offsets = track.samples.runs.lazy.filter { $0.fragment == number - 1 }.map(\.offset)
            let damagedCount = offsets.count { damaged.contains($0) }
            if damagedCount * 2 > offsets.count {
                map.losses.append(
                    "\(damagedCount) of \(offsets.count) frames of track \(track.number) in fragment \(number - 1) are not "
                        + "at their offsets")
            }
        }
    }

    /// Removes the samples of a track that are beyond the end of the file, and those from the first damaged one on.
    ///
    /// - Parameters:
    ///   - lastFragment: The number of the last fragment.
    ///   - damaged: The file offsets of the damaged samples of the last fragment.
    /// - Returns: The number of removed samples.
    private mutating func removeLostSamples(
        ofTrackAt trackIndex: Int, _ lastFragment: UInt32, _ damaged: Set<Int64>
    ) -> Int64 {
        let samples = map.tracks[trackIndex].samples
        let firstDamaged = samples.runs.firstIndex {
            $0.fragment > 0 && $0.fragment == lastFragment && damaged.contains($0.offset)
        }
        let completeRuns = samples.runs[..<(firstDamaged ?? samples.runs.count)]
        guard firstDamaged != nil || completeRuns.contains(where: { $0.end > map.byteCount }) else { return 0 }
        var kept = SampleMap()
        /// The ranges of the indices of the kept samples.
        var keptRanges: [Range<Int>] = []
        var sampleIndex = 0
        for run in completeRuns {
            var run = run
            let count = Int(run.count)
            if run.end > map.byteCount {
                let available = max(0, map.byteCount - run.offset)
                run.count = run.size > 0 ? UInt32(clamping: available / Int64(run.size)) : 0
            }
            if run.count > 0 {
                kept.append(run)
                let range = sampleIndex..<sampleIndex + Int(run.count)
                if keptRanges.last?.upperBound == range.lowerBound {
                    keptRanges[keptRanges.count - 1] = keptRanges[keptRanges.count - 1].lowerBound..<range.upperBound
                } else {
                    keptRanges.append(range)
                }
            }
            sampleIndex += count
        }
        map.tracks[trackIndex].samples = kept
        let removed = map.tracks[trackIndex].storedBoxes?.selectSamples(keptRanges) ?? []
        let number = map.tracks[trackIndex].number
        map.tracks[trackIndex].omittedBoxes += removed.map { "the '\($0)' box of track \(number)" }
        return samples.sampleCount - kept.sampleCount
    }

    /// Moves the decode time of a sample in a fragment to one tick after that of the previous sample if it is not later.
    ///
    /// Fragments can have overlapping times, for example after parts of a stream were joined. In a movie without
    /// fragments, decode times are sums of durations, so they must increase. Video keeps its presentation times, except
    /// that a frame with the time of the previous one is moved by one tick; audio moves with its decode times.
    private mutating func makeDecodeTimesIncrease() {
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
