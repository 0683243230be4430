/// Builds the `moof` box of the chunks written since the last one (ISO/IEC 14496-12, 8.8).
struct MovieFragment {
    let sequenceNumber: UInt32
    let tracks: [MovieTrack]

    /// Returns an upper bound of the bytes around the runs of `trackCount` tracks.
    static func overhead(trackCount: Int) -> Int { 8 + 16 + trackCount * (8 + 32 + 20) }

    /// Returns an upper bound of the bytes for the run of one chunk.
    static func byteCount(of runs: [SampleRun]) -> Int {
        isUniform(runs) ? 20 : 20 + 16 * runs.reduce(0) { $0 + Int($1.count) }
    }

    /// Builds the box.
    ///
    /// - Parameter offset: The file offset of the box; data offsets are relative to it.
    func build(at offset: Int64) -> [UInt8] {
        var builder = BoxBuilder()
        builder.box("moof") { moof in
            moof.fullBox("mfhd") { $0.unsigned32(sequenceNumber) }
            for track in tracks {
                guard let first = track.fragmentChunks.first, let run = commonRun(of: track) else { continue }
                moof.box("traf") { traf in
                    // Data offsets from the moof; default duration, size and flags.
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

    /// Returns the run with the most frequent values, to use as defaults.
    private func commonRun(of track: MovieTrack) -> SampleRun? {
        var common: SampleRun?
        for run in track.fragmentChunks.lazy.flatMap(\.runs) where run.count > common?.count ?? 0 { common = run }
        return common
    }

    private func appendRun(
        _ chunk: MovieTrack.Chunk, defaults: SampleRun, moofOffset: Int64, to builder: inout BoxBuilder
    ) {
        let runs = chunk.runs
        let count = runs.reduce(0) { $0 + $1.count }
        let hasDurations = runs.contains { $0.duration != defaults.duration }
        let hasSizes = runs.contains { $0.size != defaults.size }
        let hasFlags = runs.contains { Self.flags(of: $0) != Self.flags(of: defaults) }
        let hasOffsets = runs.contains { $0.compositionOffset != 0 }
        let flags: UInt32 =
            1 | (hasDurations ? 0x100 : 0) | (hasSizes ? 0x200 : 0) | (hasFlags ? 0x400 : 0) | (hasOffsets ? 0x800 : 0)
        builder.fullBox("trun", flags: flags) { box in
            box.unsigned32(count)
            box.signed32(Int32(clamping: chunk.offset - moofOffset))
            guard flags != 1 else { return }
            for run in runs {
                for _ in 0..<run.count {
                    if hasDurations { box.unsigned32(run.duration) }
                    if hasSizes { box.unsigned32(run.size) }
                    if hasFlags { box.unsigned32(Self.flags(of: run)) }
                    if hasOffsets { box.unsigned32(run.compositionOffset) }
                }
            }
        }
    }

    /// Returns the sample flags: dependencies, and whether it is a sync sample (ISO/IEC 14496-12, 8.8.3.1).
    private static func flags(of run: SampleRun) -> UInt32 {
        let dependsOn: UInt32 = run.isKeyFrame ? 2 << 24 : 1 << 24 | 1 << 16
        return dependsOn | (run.isDroppable ? 2 << 22 : 0)
    }

    /// Whether the fragment's defaults apply to all samples of a chunk.
    private static func isUniform(_ runs: [SampleRun]) -> Bool {
        runs.count == 1 && runs[0].compositionOffset == 0 && runs[0].count > 1
    }
}
