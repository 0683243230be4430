import Foundation
package import MediaStorage
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
    /// The number of sample runs read so far.
    var runCount = 0
    private let file: any StorageFile
    private let includesHiddenBoxes: Bool

    /// - Parameter includesHiddenBoxes: Whether to also read the `moov` and `moof` boxes that `MovieFileWriter` has
    ///   written into a `free` box, but has not yet made part of the movie.
    init(_ file: any StorageFile, includesHiddenBoxes: Bool) throws(StorageError) {
        self.file = file
        self.includesHiddenBoxes = includesHiddenBoxes
        map.byteCount = try file.byteCount()
    }

    mutating func read() throws(StorageError) {
        try readTopLevel()
        let headers = map.boxes.filter { $0.type == "moov" && !$0.isCutOff }
        if headers.isEmpty {
            report(.error, "there is no index (moov box): \(Self.missingIndexReason(map))")
        } else if headers.count > 1 {
            report(.warning, at: headers[1].offset, "there are \(headers.count) moov boxes; only the first is used")
        }
        if let header = headers.first, let body = try load(header) {
            attempt("moov", at: header.offset) { reader throws(ByteReader.UnexpectedEnd) in try reader.readMovie(body) }
        }
        for box in map.boxes where box.type == "moof" && !box.isCutOff {
            guard let body = try load(box) else { continue }
            attempt("moof", at: box.offset) { reader throws(ByteReader.UnexpectedEnd) in
                try reader.readFragment(body, box)
            }
        }
    }

    /// Returns the probable reason why a file has no `moov` box.
    private static func missingIndexReason(_ map: MovieMap) -> String {
        if map.boxes.contains(where: { $0.type == "mdat" }) {
            return "the recording ended before its first fragment was complete, or the file is truncated"
        }
        return "this is not a QuickTime or MPEG-4 file"
    }

    /// Adds a problem, up to a maximum of 500.
    mutating func report(_ severity: MovieProblem.Severity, at offset: Int64? = nil, _ message: String) {
        if map.problems.count < 500 { map.problems.append(MovieProblem(severity, at: offset, message)) }
    }

    /// Runs `body`; if it reads beyond its data, adds a problem and continues.
    mutating func attempt(
        _ name: String, at offset: Int64, _ body: (inout MovieMapReader) throws(ByteReader.UnexpectedEnd) -> Void
    ) {
        do {
            try body(&self)
        } catch {
            report(.error, at: offset, "the \(name) box is incomplete: it ends at byte \(error.offset)")
        }
    }

    /// Adds `count` to the number of sample runs.
    ///
    /// - Returns: False if the number now exceeds `runLimit` or the file's size in bytes.
    mutating func countRuns(_ count: Int) -> Bool {
        runCount += count
        let limit = min(Self.runLimit, Int(clamping: map.byteCount))
        if runCount <= limit { return true }
        report(
            .error, "the file of \(map.byteCount) bytes describes more than \(limit) samples; the rest is ignored")
        return false
    }

    // MARK: The top level

    private mutating func readTopLevel() throws(StorageError) {
        var offset: Int64 = 0
        while offset < map.byteCount {
            guard map.boxes.count < Self.boxLimit else {
                return report(
                    .error, at: offset, "the file has more than \(Self.boxLimit) boxes; the rest is ignored")
            }
            let header = try bytes(at: offset, count: Int(min(16, map.byteCount - offset)))
            guard let box = Self.box(header, at: offset, until: map.byteCount) else {
                let remaining = map.byteCount - offset
                return report(
                    .warning, at: offset, "a box is expected, but the remaining \(remaining) bytes are not a box")
            }
            map.boxes.append(box)
            if box.isCutOff {
                let isUnused = ["free", "skip", "wide", "uuid"].contains(box.type)
                report(isUnused ? .warning : .error, at: offset, "the file ends within its last box, \(box.type)")
            }
            if box.type == "ftyp", offset == 0, let body = try load(box) { readFileType(body) }
            if includesHiddenBoxes, box.type == "free" { try readHiddenBoxes(in: box) }
            offset = box.end
        }
    }

    /// The types of the boxes that `MovieFileWriter` writes into a `free` box. A nested `free` box is space reserved
    /// for an index.
    private static let hiddenTypes = ["moov", "moof", "free"]
    /// The maximum number of boxes that `MovieFileWriter` writes into a `free` box: reserved space, the index of the
    /// movie, the index of a fragment, and the remaining space.
    private static let hiddenBoxLimit = 4

    /// Adds the boxes that `MovieFileWriter` wrote into a `free` box.
    private mutating func readHiddenBoxes(in free: MovieMap.Box) throws(StorageError) {
        let start = free.body.lowerBound
        let content = try bytes(at: start, count: Int(min(Int64(free.body.count), 1 << 20)))
        // Only zeros precede the hidden boxes: space for a larger header and for an index.
        guard let first = content.firstIndex(where: { $0 != 0 }), first < content.count - 8 else { return }
        // The first nonzero byte is in the size or, if the size is 0, at the start of the type.
        for position in max(0, first - 4)...first {
            guard content.count - position >= 16,
                var box = Self.box(
                    Array(content[position..<position + 16]), at: start + Int64(position), until: free.end),
                Self.hiddenTypes.contains(box.type)
            else { continue }
            for _ in 0..<Self.hiddenBoxLimit {
                guard Self.hiddenTypes.contains(box.type), !box.isCutOff else { return }
                if box.type == "moof" || box.type == "moov" && !map.boxes.contains(where: { $0.type == "moov" }) {
                    map.boxes.append(box)
                }
                let header = try bytes(at: box.end, count: 16)
                guard let next = Self.box(header, at: box.end, until: free.end) else { return }
                box = next
            }
            return
        }
    }

    /// Parses a box header; returns nil if it is not valid.
    ///
    /// - Parameter end: The file offset of the end of the file or of the enclosing box.
    private static func box(_ header: [UInt8], at offset: Int64, until end: Int64) -> MovieMap.Box? {
        var reader = ByteReader(header, at: offset)
        guard let size = try? reader.unsigned32(), let type = try? reader.code() else { return nil }
        var box = MovieMap.Box(
            type: type, offset: offset, headerByteCount: 8, byteCount: Int64(size), isCutOff: false, isOpen: false)
        if size == 0 {
            box.isOpen = true
            box.byteCount = end - offset
        } else if size == 1 {
            guard let large = try? reader.unsigned64() else { return nil }
            box.headerByteCount = 16
            box.byteCount = Int64(clamping: large)
        }
        guard box.byteCount >= box.headerByteCount else { return nil }
        if box.byteCount > end - offset {
            box.isCutOff = true
            box.byteCount = end - offset
        }
        return box
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
            report(
                .error, at: box.offset,
                "the \(box.type) box has \(range.count) bytes, more than the maximum of \(Self.indexByteLimit)")
            return nil
        }
        return ByteReader(try bytes(at: range.lowerBound, count: range.count), at: range.lowerBound)
    }

    private func bytes(at offset: Int64, count: Int) throws(StorageError) -> [UInt8] {
        try file.bytes(at: offset, count: count)
    }
}

extension StorageFile {
    /// Reads up to `count` bytes at `offset`; fewer at the end of the file.
    package func bytes(at offset: Int64, count: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { target in
            Result { () throws(StorageError) in try read(into: target, at: offset) }
        }
        bytes.removeLast(count - (try result.get()))
        return bytes
    }
}

extension MovieMap {
    /// Reads the boxes of a file; `problems` contains the errors in them.
    ///
    /// - Parameter includesHiddenBoxes: Whether to also read the `moov` and `moof` boxes that `MovieFileWriter` has
    ///   written into a `free` box, but has not yet made part of the movie.
    package init(reading file: any StorageFile, includesHiddenBoxes: Bool = false) throws(StorageError) {
        var reader = try MovieMapReader(file, includesHiddenBoxes: includesHiddenBoxes)
        try reader.read()
        self = reader.map
    }

    /// Whether the first box of a file is one with which QuickTime and MPEG-4 files begin.
    package static func canRead(_ file: any StorageFile) throws(StorageError) -> Bool {
        let bytes = try file.bytes(at: 0, count: 8)
        guard bytes.count == 8 else { return false }
        let type = String(decoding: bytes[4...], as: UTF8.self)
        return ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof"].contains(type)
    }
}
