/// Builds the `moof` box of a fragment from the `fragmentChunks` of its tracks (ISO/IEC 14496-12, 8.8).
struct MovieFragment {
    let sequenceNumber: UInt32
    let tracks: [MovieTrack]

    /// Returns an upper bound of the size in bytes of the `moof` box without the `trun` boxes of its tracks.
    static func headerByteCount(trackCount: Int) -> Int {
        // `moof` and `mfhd`; `traf`, `tfhd` and `tfdt` for each track.
        8 + 16 + trackCount * (8 + 32 + 20)
    }

    /// Returns an upper bound of the size in bytes of a chunk's `trun` box.
    static func runByteCount(of runs: [SampleRun]) -> Int {
        isUniform(runs) ? 20 : 20 + 16 * runs.reduce(0) { $0 + Int($1.count) }
    }

    /// Builds the box.
    ///
    /// - Parameter offset: The file offset of the box. The data offsets in the box are relative to it.
    func build(at offset: Int64) -> [UInt8] {
        var builder = BoxBuilder()
        builder.box("moof") { moof in
            moof.fullBox("mfhd") { $0.unsigned32(sequenceNumber) }
            for track in tracks {
                guard let first = track.fragmentChunks.first, let run = longestRun(of: track) else { continue }
                moof.box("traf") { traf in
                    // default-base-is-moof; default duration, size and flags of the samples are present.
                    traf.fullBox("tfhd", flags: 0x02_0038) { box in
                        box.unsigned32(track.number)
                        box.unsigned32(run.duration)
                        box.unsigned32(run.size)
                        box.unsigned32(Self.flags(of: run))
                    }
                    traf.fullBox("tfdt", version: 1) { box in
                        box.signed64(max(0, first.start + (track.origin ?? 0) - (track.fragmentOrigin ?? 0)))
                    }
                    for chunk in track.fragmentChunks {
                        appendRun(chunk, defaults: run, moofOffset: offset, to: &traf)
                    }
                }
            }
        }
        return builder.bytes
    }

    /// Returns the first of the longest runs. Its values become the defaults of the track's samples.
    private func longestRun(of track: MovieTrack) -> SampleRun? {
        var longest: SampleRun?
        for run in track.fragmentChunks.lazy.flatMap(\.runs) where run.count > longest?.count ?? 0 { longest = run }
        return longest
    }

    /// Appends a chunk as a `trun` box, with the fields of each sample that differ from the defaults.
    private func appendRun(
        _ chunk: MovieTrack.Chunk, defaults: SampleRun, moofOffset: Int64, to builder: inout BoxBuilder
    ) {
        let runs = chunk.runs
        let count = runs.reduce(0) { $0 + $1.count }
        let hasDurations = runs.contains { $0.duration != defaults.duration }
        let hasSizes = runs.contains { $0.size != defaults.size }
        let hasFlags = runs.contains { Self.flags(of: $0) != Self.flags(of: defaults) }
        let hasOffsets = runs.contains { $0.compositionOffset != 0 }
        // The data offset is always present (8.8.8.1).
        let flags: UInt32 =
            1 | (hasDurations ? 0x100 : 0) | (hasSizes ? 0x200 : 0) | (hasFlags ? 0x400 : 0) | (hasOffsets ? 0x800 : 0)
        let hasNegativeOffsets = runs.contains { $0.compositionOffset < 0 }
        builder.fullBox("trun", version: hasNegativeOffsets ? 1 : 0, flags: flags) { box in
            box.unsigned32(count)
            box.signed32(Int32(clamping: chunk.offset - moofOffset))
            guard flags != 1 else { return }
            for run in runs {
                for _ in 0..<run.count {
                    if hasDurations { box.unsigned32(run.duration) }
                    if hasSizes { box.unsigned32(run.size) }
                    if hasFlags { box.unsigned32(Self.flags(of: run)) }
                    if hasOffsets { box.signed32(run.compositionOffset) }
                }
            }
        }
    }

    /// Returns the sample flags (ISO/IEC 14496-12, 8.8.3.1).
    private static func flags(of run: SampleRun) -> UInt32 {
        // A key frame depends on no other sample. Any other depends on others and is not a sync sample.
        let dependencies: UInt32 = run.isKeyFrame ? 2 << 24 : 1 << 24 | 1 << 16
        // No sample depends on a droppable one.
        return dependencies | (run.isDroppable ? 2 << 22 : 0)
    }

    /// Whether the default values apply to all samples of a chunk, as for PCM, so that its `trun` box lists none.
    private static func isUniform(_ runs: [SampleRun]) -> Bool {
        runs.count == 1 && runs[0].compositionOffset == 0 && runs[0].count > 1
    }
}
