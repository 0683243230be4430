import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes

/// Reads the boxes of a movie file. Invalid boxes are reported as problems; reading continues after them.
///
/// Media data is not loaded; only its location is stored. Box names and section numbers are those of ISO/IEC 14496-12
/// and of QTFF, Apple's QuickTime File Format Specification.
struct MovieMapReader {
    /// The maximum size in bytes of a `moov` or `moof` box.
    static let indexByteLimit: Int64 = 1 << 29
    /// The maximum number of sample runs in a file.
    static let runLimit = 1 << 24
    /// The maximum number of top-level boxes in a file.
    private static let boxLimit = 1 << 20
    /// The maximum number of descriptions in `MovieMap.losses`.
    private static let lossLimit = 100

    /// The default sample properties of a track's fragments (`trex`, 8.8.3).
    struct Defaults {
        /// The index of the sample description, from 1.
        var entry: UInt32 = 1
        /// The duration of a sample in ticks of the track.
        var duration: UInt32 = 0
        /// The size of a sample in bytes.
        var size: UInt32 = 0
        var flags: UInt32 = 0
    }

    var map = MovieMap()
    /// The defaults of fragments by track number.
    var defaults: [UInt32: Defaults] = [:]
    /// The sample groups in the fragments of a track by the index of the track.
    var sampleGroups: [Int: SampleGroups] = [:]
    /// The entries of `sdtp` for the samples in fragments by the index of the track.
    var fragmentDependencies: [Int: [UInt8]] = [:]
    /// The number of sample runs read so far.
    private var runCount = 0
    private var problems = MovieProblemList()
    let file: any StorageFile
    private let includesHiddenBoxes: Bool

    /// - Parameter includesHiddenBoxes: Whether to also read the `moov` and `moof` boxes that `MovieFileWriter` has
    ///   written into a `free` box, but has not yet made part of the movie.
    init(_ file: any StorageFile, includesHiddenBoxes: Bool) throws(StorageError) {
        self.file = file
        self.includesHiddenBoxes = includesHiddenBoxes
        map.byteCount = try file.byteCount()
    }

    /// Reads the file and sets the contents of `map`.
    mutating func read() throws(StorageError) {
        let unreadOffset = try readTopLevel()
        try readIndex()
        let hasFragments = try readFragments()
        if let offset = try unreadFragmentOffset() {
            reportLoss(
                at: offset,
                "the fragment at byte \(offset) cannot be read, because the size of a box before it is wrong")
        }
        if let unreadOffset, map.isFragmented || hasFragments {
            reportLoss(at: unreadOffset, "the fragments that may follow byte \(unreadOffset) cannot be found")
        }
        map.problems = problems.all
    }

    /// Reads the `moov` box, and reports why there is none.
    private mutating func readIndex() throws(StorageError) {
        let headers = map.boxes.filter { $0.type == "moov" }
        // Only the last box can be cut off.
        if let header = headers.first, let body = try load(header) {
            if headers.count > 1 {
                report(.warning, at: headers[1].offset, "there are \(headers.count) moov boxes; only the first is used")
            }
            if header.isCutOff {
                reportLoss(
                    at: header.offset,
                    "the file ends within its index (moov box), after \(header.byteCount) bytes of it")
            }
            read("moov", at: header.offset) { reader throws(ByteReader.UnexpectedEnd) in
                try reader.readMovie(MemoryBox(type: "moov", offset: header.offset, body: body))
            }
        }
        let hasSamples = map.tracks.contains { !$0.samples.isEmpty }
        if headers.isEmpty || headers.first?.isCutOff == true && !hasSamples {
            let name = headers.isEmpty ? "there is no index" : "the index is incomplete"
            let reason = "\(name) (moov box): \(Self.missingIndexReason(map))"
            map.missingIndexReason = reason
            report(.error, reason)
        }
    }

    /// Reads the `moof` boxes.
    ///
    /// - Returns: Whether there are any.
    private mutating func readFragments() throws(StorageError) -> Bool {
        let fragments = map.boxes.filter { $0.type == "moof" && !$0.isCutOff }
        for box in fragments {
            guard let body = try load(box) else { continue }
            let isLast = box == fragments.last
            read("moof", at: box.offset) { reader throws(ByteReader.UnexpectedEnd) in
                try reader.readFragment(MemoryBox(type: "moof", offset: box.offset, body: body), box, isLast: isLast)
            }
        }
        keepSampleGroups()
        keepFragmentDependencies()
        return !fragments.isEmpty
    }

    /// Returns the probable reason why a file has no `moov` box.
    private static func missingIndexReason(_ map: MovieMap) -> String {
        if map.boxes.contains(where: { $0.type == "mdat" }) {
            return "the recording ended before its first fragment was complete, or the file is truncated"
        }
        return "this is not a QuickTime or MPEG-4 file"
    }

    /// Adds a problem.
    mutating func report(_ severity: MovieProblem.Severity, at offset: Int64? = nil, _ message: String) {
        problems.append(MovieProblem(severity, at: offset, message))
    }

    /// Adds an error and a loss: a copy of the movie lacks a track, samples or an edit list.
    mutating func reportLoss(at offset: Int64, _ message: String) {
        report(.error, at: offset, message)
        if map.losses.count < Self.lossLimit, !map.losses.contains(message) { map.losses.append(message) }
    }

    /// Reads a box with `body`; if it reads beyond its data, adds a problem and continues.
    ///
    /// - Parameter isEssential: Whether tracks, samples or edit lists are lost with the rest of the box.
    mutating func read(
        _ name: String, at offset: Int64, isEssential: Bool = true,
        _ body: (inout MovieMapReader) throws(ByteReader.UnexpectedEnd) -> Void
    ) {
        do {
            try body(&self)
        } catch {
            let message = "the \(name) box at byte \(offset) is incomplete: it ends at byte \(error.offset)"
            if isEssential { reportLoss(at: offset, message) } else { report(.error, at: offset, message) }
        }
    }

    /// Counts a sample run before it is added. Memory use is limited in this way, because damaged tables can describe any
    /// number of samples.
    ///
    /// - Returns: False if there are now more runs than `runLimit` or than bytes in the file; the excess is reported as a
    ///   loss.
    mutating func countRun() -> Bool {
        runCount += 1
        let limit = min(Self.runLimit, Int(clamping: map.byteCount))
        if runCount <= limit { return true }
        reportLoss(
            at: 0, "the file of \(map.byteCount) bytes describes more than \(limit) samples; the rest is ignored")
        return false
    }

    // MARK: The top level

    /// Reads the headers of the boxes of the file.
    ///
    /// - Returns: The offset of bytes that are not boxes; nil if the boxes extend to the end of the file.
    private mutating func readTopLevel() throws(StorageError) -> Int64? {
        var offset: Int64 = 0
        while offset < map.byteCount {
            guard map.boxes.count < Self.boxLimit else {
                reportLoss(at: offset, "the file has more than \(Self.boxLimit) boxes; the rest is ignored")
                return offset
            }
            guard let box = try self.box(at: offset, until: map.byteCount), Self.isBoxType(box.type) else {
                let remaining = map.byteCount - offset
                if try isZero(from: offset) {
                    report(.warning, at: offset, "the last \(remaining) bytes of the file are zeros, not a box")
                    return nil
                }
                report(.warning, at: offset, "a box is expected, but the remaining \(remaining) bytes are not a box")
                // An interrupted transfer can end within a header.
                return remaining < 8 ? nil : offset
            }
            offset = box.end
            if let parents = Self.parentTypes[box.type], !parents.contains(Self.fileType) {
                reportLoss(at: box.offset, Self.misplacement(of: box.type, at: box.offset, "at the top level"))
                continue
            }
            map.boxes.append(box)
            if box.isCutOff {
                let isUnused = ["free", "skip", "wide", "uuid"].contains(box.type)
                report(isUnused ? .warning : .error, at: box.offset, "the file ends within its last box, \(box.type)")
            }
            if box.type == "ftyp", map.storedBoxes.fileType == nil, let body = try load(box) { readFileType(body) }
            if includesHiddenBoxes, box.type == "free" { try readHiddenBoxes(in: box) }
        }
        return nil
    }

    /// Whether all bytes from an offset to the end of the file are zero, as in space reserved for a recording.
    private func isZero(from start: Int64) throws(StorageError) -> Bool {
        var offset = start
        while offset < map.byteCount {
            let bytes = try file.bytes(at: offset, count: 1 << 16)
            guard !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) else { return false }
            offset += Int64(bytes.count)
        }
        return true
    }

    /// The maximum number of bytes that are searched for the first box in a `free` box. The space that `MovieFileWriter`
    /// reserves before it is usually smaller.
    private static let hiddenSearchByteCount: Int64 = 1 << 20
    /// The types of the boxes that `MovieFileWriter` writes into a `free` box. A nested `free` box is space reserved
    /// for an index.
    private static let hiddenTypes = ["moov", "moof", "free"]
    /// The maximum number of boxes that `MovieFileWriter` writes into a `free` box: reserved space, the index of the
    /// movie, the index of a fragment, and the remaining space.
    private static let hiddenBoxLimit = 4

    /// Adds the boxes that `MovieFileWriter` wrote into a `free` box.
    private mutating func readHiddenBoxes(in free: MovieMap.Box) throws(StorageError) {
        let start = free.body.lowerBound
        let content = try file.bytes(at: start, count: Int(min(Int64(free.body.count), Self.hiddenSearchByteCount)))
        // Only zeros precede the hidden boxes: space for a larger header and for an index.
        guard let first = content.firstIndex(where: { $0 != 0 }), first < content.count - 8 else { return }
        // The first nonzero byte is in the size or, if the size is 0, at the start of the type.
        for position in max(0, first - 4)...first {
            guard content.count - position >= 16,
                var box = try self.box(at: start + Int64(position), until: free.end),
                Self.hiddenTypes.contains(box.type)
            else { continue }
            for _ in 0..<Self.hiddenBoxLimit {
                guard Self.hiddenTypes.contains(box.type), !box.isCutOff else { return }
                if box.type == "moof" || box.type == "moov" && !map.boxes.contains(where: { $0.type == "moov" }) {
                    map.boxes.append(box)
                }
                guard let next = try self.box(at: box.end, until: free.end) else { return }
                box = next
            }
            return
        }
    }

    /// Reads the header of the box at an offset; returns nil if there is none.
    ///
    /// - Parameter end: The file offset of the end of the file or of the enclosing box.
    private func box(at offset: Int64, until end: Int64) throws(StorageError) -> MovieMap.Box? {
        var reader = ByteReader(try file.bytes(at: offset, count: 16), at: offset)
        // The caller reports an invalid header.
        guard let header = try? BoxHeader(&reader) else { return nil }
        let (available, byteCount) = (end - offset, header.bodyByteCount.map { $0 + header.byteCount })
        return MovieMap.Box(
            type: header.type, offset: offset, headerByteCount: header.byteCount,
            byteCount: min(byteCount ?? available, available), isCutOff: byteCount ?? 0 > available,
            isOpen: byteCount == nil)
    }

    private mutating func readFileType(_ body: ByteReader) {
        var body = body
        map.storedBoxes.fileType = MemoryBox(type: "ftyp", offset: 0, body: body).bytes
        // An incomplete box is read as far as possible.
        map.majorBrand = (try? body.code()) ?? ""
        _ = try? body.skip(4)
        while let brand = try? body.code() {
            if brand != "\0\0\0\0" { map.compatibleBrands.append(brand) }
        }
    }

    /// Loads the contents of a box.
    private mutating func load(_ box: MovieMap.Box) throws(StorageError) -> ByteReader? {
        let range = box.body
        guard Int64(range.count) <= Self.indexByteLimit else {
            reportLoss(
                at: box.offset,
                "the \(box.type) box has \(range.count) bytes, more than the maximum of \(Self.indexByteLimit)")
            return nil
        }
        return ByteReader(try file.bytes(at: range.lowerBound, count: range.count), at: range.lowerBound)
    }
}
