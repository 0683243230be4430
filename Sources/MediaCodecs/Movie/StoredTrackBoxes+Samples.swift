package import Foundation

// The boxes of the sample table in a copy of a part of the samples.
extension StoredTrackBoxes {
    /// Changes the boxes of the sample table to those of a copy of a part of the samples.
    ///
    /// Sample groups (`sbgp`, ISO/IEC 14496-12, 8.9.2), dependencies (`sdtp`, 8.6.4) and partial sync samples (`stps`, QTFF)
    /// are changed; the descriptions of the groups stay. Other boxes are removed.
    ///
    /// - Parameter samples: The indices of the samples of the copy, in its order; empty if they are unknown.
    /// - Returns: The types of the removed boxes.
    package mutating func selectSamples(_ samples: [Range<Int>]) -> [String] {
        var removed: [String] = []
        sampleBoxes = sampleBoxes.compactMap { bytes in
            var reader = ByteReader([UInt8](bytes))
            // A box that cannot be read is removed.
            guard let box = try? reader.box() else { return nil }
            let changed: Data?
            switch box.type {
            case _ where samples.isEmpty: changed = nil
            case "sgpd": changed = bytes
            case "sbgp": changed = try? Self.groups(box, of: samples)
            case "sdtp": changed = try? Self.dependencies(box, of: samples)
            case "stps": changed = try? Self.syncSamples(box, of: samples)
            default: changed = nil
            }
            if changed == nil { removed.append(box.type) }
            return changed
        }
        return removed
    }

    /// Whether the boxes describe the dependencies between samples.
    var hasDependencies: Bool { sampleBoxes.contains { Self.type(of: $0) == "sdtp" } }

    /// Replaces the boxes of the sample groups.
    package mutating func replaceSampleGroups(with boxes: [Data]) {
        sampleBoxes.removeAll { SampleGroups.boxTypes.contains(Self.type(of: $0)) }
        sampleBoxes += boxes
    }

    /// Returns the type of a box.
    private static func type(of box: Data) -> String {
        String(decoding: box.dropFirst(4).prefix(4), as: UTF8.self)
    }

    /// Returns an `sdtp` box: a byte for each sample.
    private static func dependencies(
        _ box: MemoryBox, of samples: [Range<Int>]
    ) throws(ByteReader.UnexpectedEnd) -> Data {
        var box = box
        _ = try box.versionAndFlags()
        let flags = box.body.rest()
        var builder = BoxBuilder()
        builder.fullBox("sdtp") { box in
            for range in samples {
                let known = flags.dropFirst(range.lowerBound).prefix(range.count)
                box.data(known)
                // All bits are 0 if the dependencies are unknown.
                box.zeros(range.count - known.count)
            }
        }
        return Data(builder.bytes)
    }

    /// Returns an `sbgp` box: runs of samples that belong to a group, or to none (0).
    private static func groups(_ box: MemoryBox, of samples: [Range<Int>]) throws(ByteReader.UnexpectedEnd) -> Data {
        var box = box
        let version = try box.versionAndFlags().version
        // The type of the groups, and in version 1 its parameter.
        let type = try box.body.data(version == 1 ? 8 : 4)
        var runs: [(count: Int, group: UInt32)] = []
        for _ in 0..<(try box.body.unsigned32()) {
            runs.append((Int(try box.body.unsigned32()), try box.body.unsigned32()))
        }
        var copied: [(count: Int, group: UInt32)] = []
        func append(_ count: Int, _ group: UInt32) {
            guard count > 0 else { return }
            if copied.last?.group == group {
                copied[copied.count - 1].count += count
            } else {
                copied.append((count, group))
            }
        }
        for range in samples {
            var start = 0
            for run in runs where start < range.upperBound {
                append(range.clamped(to: start..<start + run.count).count, run.group)
                start += run.count
            }
            append(range.upperBound - max(range.lowerBound, start), 0)
        }
        var builder = BoxBuilder()
        builder.fullBox("sbgp", version: version) { box in
            box.data(type)
            box.unsigned32(UInt32(copied.count))
            for run in copied {
                box.unsigned32(UInt32(clamping: run.count))
                box.unsigned32(run.group)
            }
        }
        return Data(builder.bytes)
    }

    /// Returns an `stps` box: the numbers of samples, from 1.
    private static func syncSamples(
        _ box: MemoryBox, of samples: [Range<Int>]
    ) throws(ByteReader.UnexpectedEnd) -> Data {
        var box = box
        _ = try box.versionAndFlags()
        var indices: [Int] = []
        for _ in 0..<(try box.body.unsigned32()) { indices.append(Int(try box.body.unsigned32()) - 1) }
        var (numbers, start): ([UInt32], Int) = ([], 0)
        for range in samples {
            numbers += indices.filter(range.contains).map { UInt32(clamping: start + $0 - range.lowerBound + 1) }
            start += range.count
        }
        var builder = BoxBuilder()
        builder.fullBox("stps") { box in
            box.unsigned32(UInt32(numbers.count))
            for number in numbers { box.unsigned32(number) }
        }
        return Data(builder.bytes)
    }
}
