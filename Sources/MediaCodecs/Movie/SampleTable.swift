/// A run of samples with the same properties.
struct SampleRun: Equatable {
    /// The number of samples: PCM frames share one run; every other sample has its own.
    var count: UInt32
    /// The size of one sample in bytes.
    var size: UInt32
    /// The decode duration of one sample, in ticks of the track's timescale.
    var duration: UInt32
    /// Presentation time minus decode time, in ticks.
    var compositionOffset: Int32
    var isKeyFrame: Bool
    var isDroppable: Bool

    /// Whether the samples of another run have the same properties.
    func hasProperties(of other: SampleRun) -> Bool {
        var run = other
        run.count = count
        return self == run
    }
}

/// The index of a track's samples in the file. It uses a few bytes of memory per sample.
///
/// Invariant: it describes exactly the samples whose bytes are in the file. Times are in ticks of the track's time
/// scale since the decode time of the first sample.
struct SampleTable {
    private struct Run<Value> {
        var count: UInt32
        var value: Value
    }

    private(set) var sampleCount: UInt32 = 0
    /// The sum of all decode durations.
    private(set) var duration: Int64 = 0
    /// The earliest presentation time.
    private(set) var presentationStart: Int64 = .max
    /// The end of the last presented sample. The delay between decoding and presentation is the same at the start and
    /// at the end of the track.
    var presentationEnd: Int64 { duration + presentationStart }

    /// The number of ticks that are added to all composition offsets in the file, so that no sample is presented before
    /// the start of the media, which edit lists cannot address.
    var compositionShift: Int64 { isEmpty ? 0 : max(0, -presentationStart) }

    private var commonSize: UInt32 = 0
    /// Empty if all sizes are `commonSize`.
    private var sizes: [UInt32] = []
    private var durations: [Run<UInt32>] = []
    private var compositionOffsets: [Run<Int32>] = []
    private var hasCompositionOffsets = false
    /// The numbers of the key frames, from 1; empty if there are only key frames.
    private var keyFrames: [UInt32] = []
    private var hasOnlyKeyFrames = true
    /// The entries of `sdtp`; empty if no sample is droppable.
    private var dependencies: [UInt8] = []
    private var chunkOffsets: [Int64] = []
    /// The contents of the chunks in order, as runs of chunks with equal contents.
    private var chunkContents: [Run<ChunkContents>] = []

    /// The number of samples in a chunk, and the index of their format.
    private struct ChunkContents: Equatable {
        var sampleCount: UInt32
        var formatIndex: Int
    }

    var isEmpty: Bool { sampleCount == 0 }
    /// The decode duration of the last sample; 0 if there is none.
    var lastDuration: UInt32 { durations.last?.value ?? 0 }

    /// Appends a chunk of contiguous samples of one format at `offset`.
    mutating func appendChunk(at offset: Int64, _ runs: [SampleRun], formatIndex: Int = 0) {
        var count: UInt32 = 0
        for run in runs {
            append(run)
            count += run.count
        }
        chunkOffsets.append(offset)
        Self.extend(&chunkContents, by: 1, ChunkContents(sampleCount: count, formatIndex: formatIndex))
    }

    /// Sets the decode duration of the last sample, which is known when the next one is appended.
    mutating func replaceLastDuration(with newDuration: UInt32) {
        guard var last = durations.popLast() else { return }
        duration += Int64(newDuration) - Int64(last.value)
        last.count -= 1
        if last.count > 0 { durations.append(last) }
        Self.extend(&durations, by: 1, newDuration)
    }

    /// The presentation time of the last sample in decode order; nil if there is none.
    var lastPresentation: Int64? {
        compositionOffsets.last.map { duration - Int64(lastDuration) + Int64($0.value) }
    }

    /// Removes the last sample; its bytes remain in the file.
    mutating func removeLast() {
        guard sampleCount > 0, let chunk = chunkContents.last else { return }
        duration -= Int64(lastDuration)
        if keyFrames.last == sampleCount { keyFrames.removeLast() }
        sampleCount -= 1
        _ = sizes.popLast()
        _ = dependencies.popLast()
        Self.shorten(&durations)
        Self.shorten(&compositionOffsets)
        Self.shorten(&chunkContents)
        if chunk.value.sampleCount > 1 {
            var rest = chunk.value
            rest.sampleCount -= 1
            Self.extend(&chunkContents, by: 1, rest)
        } else {
            chunkOffsets.removeLast()
        }
    }

    private static func shorten<Value>(_ runs: inout [Run<Value>]) {
        guard var last = runs.popLast() else { return }
        last.count -= 1
        if last.count > 0 { runs.append(last) }
    }

    private mutating func append(_ run: SampleRun) {
        if sampleCount == 0 { commonSize = run.size }
        // A common size of 0 stands for a list of sizes.
        if !sizes.isEmpty || run.size != commonSize || run.size == 0 {
            if sizes.isEmpty { sizes = Array(repeating: commonSize, count: Int(sampleCount)) }
            sizes.append(contentsOf: repeatElement(run.size, count: Int(run.count)))
        }
        Self.extend(&durations, by: run.count, run.duration)
        Self.extend(&compositionOffsets, by: run.count, run.compositionOffset)
        hasCompositionOffsets = hasCompositionOffsets || run.compositionOffset != 0
        appendDependencies(of: run)
        appendSync(run)
        presentationStart = min(presentationStart, duration + Int64(run.compositionOffset))
        duration += Int64(run.duration) * Int64(run.count)
        sampleCount += run.count
    }

    private mutating func appendSync(_ run: SampleRun) {
        if hasOnlyKeyFrames {
            if run.isKeyFrame { return }
            hasOnlyKeyFrames = false
            if sampleCount > 0 { keyFrames = Array(1...sampleCount) }
        }
        if run.isKeyFrame { keyFrames.append(contentsOf: sampleCount + 1...sampleCount + run.count) }
    }

    /// Appends the dependency flags of samples (ISO/IEC 14496-12, 8.6.4), equivalent to those of a fragment.
    private mutating func appendDependencies(of run: SampleRun) {
        let (independent, dependent): (UInt8, UInt8) = (2 << 4 | 1 << 2, 1 << 4 | 1 << 2)
        if dependencies.isEmpty {
            guard run.isDroppable else { return }
            dependencies = Array(repeating: hasOnlyKeyFrames ? independent : dependent, count: Int(sampleCount))
            for number in keyFrames { dependencies[Int(number) - 1] = independent }
        }
        let entry = (run.isKeyFrame ? independent : dependent) & 0xf0 | (run.isDroppable ? 2 << 2 : 1 << 2)
        dependencies.append(contentsOf: repeatElement(entry, count: Int(run.count)))
    }

    private static func extend<Value: Equatable>(_ runs: inout [Run<Value>], by count: UInt32, _ value: Value) {
        if let last = runs.last, last.value == value {
            runs[runs.count - 1].count += count
        } else {
            runs.append(Run(count: count, value: value))
        }
    }
}

extension SampleTable {
    /// Returns the file ranges of all chunks before the first one that begins at or after `limit`.
    func chunkRanges(before limit: Int64) -> [Range<Int64>] {
        var ranges: [Range<Int64>] = []
        var sample = 0
        for run in chunkContents {
            for _ in 0..<run.count {
                guard ranges.count < chunkOffsets.count, chunkOffsets[ranges.count] < limit else { return ranges }
                let next = sample + Int(run.value.sampleCount)
                let byteCount =
                    sizes.isEmpty
                    ? Int64(commonSize) * Int64(run.value.sampleCount)
                    : sizes[sample..<next].reduce(0) { $0 + Int64($1) }
                let offset = chunkOffsets[ranges.count]
                ranges.append(offset..<offset + byteCount)
                sample = next
            }
        }
        return ranges
    }

    /// Sets the offsets of the first chunks.
    mutating func moveFirstChunks(to offsets: [Int64]) {
        chunkOffsets.replaceSubrange(..<offsets.count, with: offsets)
    }

    /// Appends the boxes of `stbl` that follow `stsd` (ISO/IEC 14496-12, 8.6 and 8.7).
    ///
    /// - Parameter includesDependencies: Whether to append `sdtp` if there are droppable samples.
    func appendBoxes(to builder: inout BoxBuilder, includesDependencies: Bool = true) {
        builder.fullBox("stts") { box in
            box.unsigned32(UInt32(durations.count))
            for run in durations {
                box.unsigned32(run.count)
                box.unsigned32(run.value)
            }
        }
        if hasCompositionOffsets { appendCompositionOffsets(to: &builder) }
        if !hasOnlyKeyFrames {
            builder.fullBox("stss") { box in
                box.unsigned32(UInt32(keyFrames.count))
                for number in keyFrames { box.unsigned32(number) }
            }
        }
        if includesDependencies, !dependencies.isEmpty { builder.fullBox("sdtp") { $0.data(dependencies) } }
        appendChunkBoxes(to: &builder)
    }

    /// Appends `ctts`, in version 1 together with `cslg` if there are negative offsets (ISO/IEC 14496-12, 8.6.1.3 and
    /// 8.6.1.4).
    private func appendCompositionOffsets(to builder: inout BoxBuilder) {
        let shift = compositionShift
        let values = compositionOffsets.map { Int64($0.value) + shift }
        let (least, greatest) = (values.min() ?? 0, values.max() ?? 0)
        builder.fullBox("ctts", version: least < 0 ? 1 : 0) { box in
            box.unsigned32(UInt32(compositionOffsets.count))
            for (run, value) in zip(compositionOffsets, values) {
                box.unsigned32(run.count)
                box.signed32(Int32(clamping: value))
            }
        }
        guard least < 0 else { return }
        let fields = [-least, least, greatest, presentationStart + shift, presentationEnd + shift]
        let isLong = fields.contains { Int32(exactly: $0) == nil }
        builder.fullBox("cslg", version: isLong ? 1 : 0) { box in
            for field in fields { if isLong { box.signed64(field) } else { box.signed32(Int32(field)) } }
        }
    }

    private func appendChunkBoxes(to builder: inout BoxBuilder) {
        builder.fullBox("stsc") { box in
            box.unsigned32(UInt32(chunkContents.count))
            var firstChunk: UInt32 = 1
            for run in chunkContents {
                box.unsigned32(firstChunk)
                box.unsigned32(run.value.sampleCount)
                box.unsigned32(UInt32(run.value.formatIndex + 1))
                firstChunk += run.count
            }
        }
        builder.fullBox("stsz") { box in
            box.unsigned32(sizes.isEmpty ? commonSize : 0)
            box.unsigned32(sampleCount)
            for size in sizes { box.unsigned32(size) }
        }
        let isLarge = (chunkOffsets.max() ?? 0) > Int64(UInt32.max)
        builder.fullBox(isLarge ? "co64" : "stco") { box in
            box.unsigned32(UInt32(chunkOffsets.count))
            for offset in chunkOffsets {
                if isLarge { box.signed64(offset) } else { box.unsigned32(UInt32(offset)) }
            }
        }
    }

    /// Appends the boxes of an empty `stbl` for the header of a fragmented movie.
    static func appendEmptyBoxes(to builder: inout BoxBuilder) {
        SampleTable().appendBoxes(to: &builder)
    }
}
