package import Foundation

/// The sample groups of a track with fragments, collected into boxes of one sample table (ISO/IEC 14496-12, 8.9).
package struct SampleGroups {
    /// The types of the boxes with sample groups.
    package static let boxTypes: Set<String> = ["sgpd", "sbgp", "csgp"]
    /// Fragments number their own descriptions from this number plus one (8.9.4).
    private static let localBase: UInt32 = 0x1_0000

    /// The descriptions of the groups of a type.
    private struct Descriptions {
        let type: String
        /// The descriptions in the order of their numbers.
        private(set) var entries: [Data] = []
        /// The number of each description, from 1; the lowest if several are equal.
        private var numbers: [Data: UInt32] = [:]

        init(type: String, entries: [Data] = []) {
            self.type = type
            for entry in entries { append(entry) }
        }

        /// Returns the number of a description; adds it if it is new.
        mutating func number(of entry: Data) -> UInt32 {
            if let known = numbers[entry] { return known }
            append(entry)
            return UInt32(entries.count)
        }

        private mutating func append(_ entry: Data) {
            entries.append(entry)
            if numbers[entry] == nil { numbers[entry] = UInt32(entries.count) }
        }
    }

    /// The groups of the samples.
    private struct Assignment {
        let type: String
        /// The parameter of the grouping type in version 1 of `sbgp`; nil in version 0.
        let parameter: UInt32?
        /// The numbers of samples with the same group: the number of its description from 1, or 0 for none.
        var runs: [(count: Int64, group: UInt32)]

        var sampleCount: Int64 { runs.reduce(0) { $0 + $1.count } }

        mutating func append(_ count: Int64, _ group: UInt32) {
            guard count > 0 else { return }
            if runs.last?.group == group {
                runs[runs.count - 1].count += count
            } else {
                runs.append((count, group))
            }
        }
    }

    private var descriptions: [Descriptions] = []
    private var assignments: [Assignment] = []
    /// The types of the groups that cannot be collected, for example because they are in a compact form (`csgp`).
    package private(set) var rejectedTypes: [String] = []

    /// Creates the groups of the samples before the first fragment.
    ///
    /// - Parameter sampleBoxes: The boxes of the sample table.
    package init(_ sampleBoxes: [Data]) {
        let boxes = sampleBoxes.compactMap { bytes -> MemoryBox? in
            var reader = ByteReader([UInt8](bytes))
            // The boxes were written from complete ones.
            return try? reader.box()
        }
        for box in boxes where box.type == "sgpd" {
            // Fragments refer to these descriptions by their numbers.
            if let group = Self.descriptions(box) { descriptions.append(group) } else { reject(box) }
        }
        add(boxes.filter { $0.type != "sgpd" }, ofSamples: 0..<Int64.max)
    }

    /// Adds the groups of a track fragment.
    ///
    /// - Parameters:
    ///   - boxes: The boxes of the track fragment.
    ///   - samples: The indices of its samples in the track.
    package mutating func add(_ boxes: [MemoryBox], ofSamples samples: Range<Int64>) {
        /// The numbers of the fragment's own descriptions in `descriptions`.
        var localNumbers: [String: [UInt32]] = [:]
        for box in boxes where box.type == "sgpd" {
            guard let group = Self.descriptions(box) else {
                reject(box)
                continue
            }
            localNumbers[group.type] = group.entries.map { number(of: $0, group.type) }
        }
        for box in boxes where box.type == "sbgp" {
            guard var part = Self.assignment(box) else {
                reject(box)
                continue
            }
            let numbers = localNumbers[part.type] ?? []
            for index in part.runs.indices where part.runs[index].group > Self.localBase {
                let local = Int(part.runs[index].group - Self.localBase - 1)
                if !numbers.indices.contains(local) { reject(box) }
                part.runs[index].group = numbers.indices.contains(local) ? numbers[local] : 0
            }
            append(part, samples)
        }
        for box in boxes where box.type == "csgp" { reject(box) }
    }

    /// The `sgpd` and `sbgp` boxes of the collected groups.
    package var boxes: [Data] {
        let kept = assignments.filter { !rejectedTypes.contains($0.type) }
        return descriptions.filter { !rejectedTypes.contains($0.type) }.map { Self.box($0) } + kept.map { Self.box($0) }
    }

    private mutating func append(_ part: Assignment, _ samples: Range<Int64>) {
        let index =
            assignments.firstIndex { $0.type == part.type && $0.parameter == part.parameter } ?? assignments.count
        if index == assignments.count {
            assignments.append(Assignment(type: part.type, parameter: part.parameter, runs: []))
        }
        // Samples of earlier fragments without the box are in no group.
        assignments[index].append(samples.lowerBound - assignments[index].sampleCount, 0)
        var remaining = Int64(samples.count)
        for run in part.runs {
            let count = min(remaining, run.count)
            assignments[index].append(count, run.group)
            remaining -= count
        }
    }

    /// Returns the number of a description, from 1; adds it if it is new.
    private mutating func number(of entry: Data, _ type: String) -> UInt32 {
        let index = descriptions.firstIndex { $0.type == type } ?? descriptions.count
        if index == descriptions.count { descriptions.append(Descriptions(type: type)) }
        return descriptions[index].number(of: entry)
    }

    private mutating func reject(_ box: MemoryBox) {
        var (body, type) = (box.body, box.type)
        // In these boxes, the type follows the version and the flags. A shorter box has no type.
        if (try? body.skip(4)) != nil, let code = try? body.code() { type = code }
        if !rejectedTypes.contains(type) { rejectedTypes.append(type) }
    }

    // MARK: Boxes

    /// Reads `sgpd`; nil if the lengths of its entries are unknown.
    private static func descriptions(_ box: MemoryBox) -> Descriptions? {
        // An incomplete box is not copied.
        try? readDescriptions(box)
    }

    private static func readDescriptions(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) -> Descriptions? {
        var box = box
        let version = try box.versionAndFlags().version
        let type = try box.body.code()
        // Version 2 has a default group for all other samples, and two forms.
        guard version < 2 else { return nil }
        let commonLength = version == 1 ? try box.body.unsigned32() : 0
        let count = Int(try box.body.unsigned32())
        // Version 0 has no lengths. Entries of the types in use are all of the same length, at least one byte; the size of
        // the box then limits their number.
        guard version == 1 || count > 0 && box.body.remaining >= count && box.body.remaining % count == 0 else {
            return nil
        }
        let length = version == 1 ? Int(commonLength) : box.body.remaining / count
        var entries: [Data] = []
        for _ in 0..<count {
            let entryLength = version == 1 && commonLength == 0 ? Int(try box.body.unsigned32()) : length
            entries.append(try box.body.data(entryLength))
        }
        return Descriptions(type: type, entries: entries)
    }

    /// Reads `sbgp`; nil if it is incomplete.
    private static func assignment(_ box: MemoryBox) -> Assignment? {
        // An incomplete box is not copied.
        try? readAssignment(box)
    }

    private static func readAssignment(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) -> Assignment {
        var box = box
        let version = try box.versionAndFlags().version
        var assignment = Assignment(
            type: try box.body.code(), parameter: version == 1 ? try box.body.unsigned32() : nil, runs: [])
        for _ in 0..<(try box.body.unsigned32()) {
            assignment.runs.append((Int64(try box.body.unsigned32()), try box.body.unsigned32()))
        }
        return assignment
    }

    private static func box(_ descriptions: Descriptions) -> Data {
        let lengths = Set(descriptions.entries.map(\.count))
        let commonLength = lengths.count == 1 ? lengths.first ?? 0 : 0
        var builder = BoxBuilder()
        builder.fullBox("sgpd", version: 1) { box in
            box.code(descriptions.type)
            box.unsigned32(UInt32(commonLength))
            box.unsigned32(UInt32(descriptions.entries.count))
            for entry in descriptions.entries {
                if commonLength == 0 { box.unsigned32(UInt32(entry.count)) }
                box.data(entry)
            }
        }
        return Data(builder.bytes)
    }

    private static func box(_ assignment: Assignment) -> Data {
        var builder = BoxBuilder()
        builder.fullBox("sbgp", version: assignment.parameter == nil ? 0 : 1) { box in
            box.code(assignment.type)
            if let parameter = assignment.parameter { box.unsigned32(parameter) }
            box.unsigned32(UInt32(assignment.runs.count))
            for run in assignment.runs {
                box.unsigned32(UInt32(clamping: run.count))
                box.unsigned32(run.group)
            }
        }
        return Data(builder.bytes)
    }
}
