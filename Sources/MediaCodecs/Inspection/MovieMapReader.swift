import Foundation
package import MediaStorage
import MediaTypes

/// Reads a movie file's boxes; what is wrong in them becomes a problem, never an end of the reading.
///
/// The whole file is never in memory: of the media only the place is noted. Names of boxes are those of
/// ISO/IEC 14496-12 and of QTFF, Apple's QuickTime File Format Specification.
struct MovieMapReader {
    /// An index of more bytes than that is refused.
    static let indexByteLimit: Int64 = 1 << 29
    /// So many samples, or runs of alike ones, a file may have.
    static let runLimit = 1 << 24
    private static let boxLimit = 1 << 20

    /// Defaults for the samples of a track in fragments (`trex`, 8.8.3).
    struct Defaults {
        var entry: UInt32 = 1
        var duration: UInt32 = 0
        var size: UInt32 = 0
        var flags: UInt32 = 0
    }

    var map = MovieMap()
    var defaults: [UInt32: Defaults] = [:]
    var runCount = 0
    private let file: any StorageFile
    private let findsHidden: Bool

    /// - Parameter findsHidden: Whether an index counts that was written and not yet brought to light: the recorder
    ///   writes it into a `free` box first.
    init(_ file: any StorageFile, findsHidden: Bool) throws(StorageError) {
        self.file = file
        self.findsHidden = findsHidden
        map.byteCount = try file.byteCount()
    }

    mutating func read() throws(StorageError) {
        try readTopLevel()
        let headers = map.boxes.filter { $0.type == "moov" && !$0.isCutOff }
        if headers.isEmpty {
            problem(.error, "there is no index (moov box): \(Self.hint(map))")
        } else if headers.count > 1 {
            problem(.error, at: headers[1].offset, "there are \(headers.count) moov boxes; the first counts")
        }
        if let header = headers.first, let body = try load(header) {
            attempt("moov", at: header.offset) { reader throws(ByteReader.Shortage) in try reader.readMovie(body) }
        }
        for box in map.boxes where box.type == "moof" && !box.isCutOff {
            guard let body = try load(box) else { continue }
            attempt("moof", at: box.offset) { reader throws(ByteReader.Shortage) in
                try reader.readFragment(body, box)
            }
        }
    }

    private static func hint(_ map: MovieMap) -> String {
        if map.boxes.contains(where: { $0.type == "mdat" }) {
            return "the recording ended before its first fragment was complete, or the file is cut off"
        }
        return "this is no QuickTime or MPEG-4 file"
    }

    mutating func problem(_ severity: MovieProblem.Severity, at offset: Int64? = nil, _ message: String) {
        // A broken file can be wrong in every sample: the first hundreds tell enough.
        if map.problems.count < 500 { map.problems.append(MovieProblem(severity, at: offset, message)) }
    }

    /// Reads a part; where its bytes end too early that is a problem, and the rest goes on.
    mutating func attempt(
        _ name: String, at offset: Int64, _ body: (inout MovieMapReader) throws(ByteReader.Shortage) -> Void
    ) {
        do {
            try body(&self)
        } catch {
            problem(.error, at: offset, "the \(name) box ends before what it must hold, at byte \(error.offset)")
        }
    }

    /// Takes room for samples; false where the file has too many, or tells of more than it has bytes.
    mutating func admit(_ count: Int) -> Bool {
        runCount += count
        let limit = min(Self.runLimit, Int(clamping: map.byteCount))
        if runCount <= limit { return true }
        problem(.error, "the file of \(map.byteCount) bytes tells of more than \(limit) samples; the rest is left out")
        return false
    }

    // MARK: The top level

    private mutating func readTopLevel() throws(StorageError) {
        var offset: Int64 = 0
        while offset < map.byteCount {
            guard map.boxes.count < Self.boxLimit else {
                return problem(
                    .error, at: offset, "the file has more than \(Self.boxLimit) boxes; the rest is left out")
            }
            let header = try bytes(at: offset, count: Int(min(16, map.byteCount - offset)))
            guard let box = Self.box(header, at: offset, in: map.byteCount) else {
                let left = map.byteCount - offset
                return problem(.error, at: offset, "here should be a box, but the \(left) bytes left make none")
            }
            map.boxes.append(box)
            if box.isCutOff { problem(.error, at: offset, "the file ends inside its last box, \(box.type)") }
            if box.type == "ftyp", offset == 0, let body = try load(box) { readFileType(body) }
            if findsHidden, box.type == "free" { try readHidden(box) }
            offset = box.end
        }
    }

    /// What can lie in a `free` box; another one of these covers room for an index in front.
    private static let hidden = ["moov", "moof", "free"]

    /// Takes the boxes in for which the recorder set a `free` box aside.
    private mutating func readHidden(_ free: MovieMap.Box) throws(StorageError) {
        let start = free.body.lowerBound
        let content = try bytes(at: start, count: Int(min(Int64(free.body.count), 1 << 20)))
        // Before it lie zeros only: room for a larger header, and for an index in front.
        guard let first = content.firstIndex(where: { $0 != 0 }), first < content.count - 8 else { return }
        for place in max(0, first - 4)...first {
            guard content.count - place >= 16,
                var box = Self.box(Array(content[place..<place + 16]), at: start + Int64(place), in: free.end),
                Self.hidden.contains(box.type)
            else { continue }
            while Self.hidden.contains(box.type), !box.isCutOff {
                if box.type == "moof" || box.type == "moov" && !map.boxes.contains(where: { $0.type == "moov" }) {
                    map.boxes.append(box)
                }
                let header = try bytes(at: box.end, count: 16)
                guard let next = Self.box(header, at: box.end, in: free.end) else { return }
                box = next
            }
            return
        }
    }

    private static func box(_ header: [UInt8], at offset: Int64, in byteCount: Int64) -> MovieMap.Box? {
        var reader = ByteReader(header, at: offset)
        guard let size = try? reader.unsigned32(), let type = try? reader.code() else { return nil }
        var box = MovieMap.Box(
            type: type, offset: offset, headerByteCount: 8, byteCount: Int64(size), isCutOff: false, isOpen: false)
        if size == 0 {
            box.isOpen = true
            box.byteCount = byteCount - offset
        } else if size == 1 {
            guard let large = try? reader.unsigned64() else { return nil }
            box.headerByteCount = 16
            box.byteCount = Int64(clamping: large)
        }
        guard box.byteCount >= box.headerByteCount else { return nil }
        if box.byteCount > byteCount - offset {
            box.isCutOff = true
            box.byteCount = byteCount - offset
        }
        return box
    }

    private mutating func readFileType(_ body: ByteReader) {
        var body = body
        // A short one names what it can.
        map.majorBrand = (try? body.code()) ?? ""
        _ = try? body.skip(4)
        while let brand = try? body.code() {
            if brand != "\0\0\0\0" { map.compatibleBrands.append(brand) }
        }
    }

    /// What is behind a box's header.
    private mutating func load(_ box: MovieMap.Box) throws(StorageError) -> ByteReader? {
        let range = box.body
        guard Int64(range.count) <= Self.indexByteLimit else {
            problem(.error, at: box.offset, "the \(box.type) box has \(range.count) bytes, which no index needs")
            return nil
        }
        return ByteReader(try bytes(at: range.lowerBound, count: range.count), at: range.lowerBound)
    }

    private func bytes(at offset: Int64, count: Int) throws(StorageError) -> [UInt8] {
        try file.bytes(at: offset, count: count)
    }
}

extension StorageFile {
    /// So many bytes from `offset`, fewer at the end of the file.
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
    /// Reads a file's boxes; `problems` tells what is wrong in them.
    ///
    /// - Parameter findsHidden: Whether an index counts that the recorder wrote and could not yet bring to light.
    package init(reading file: any StorageFile, findsHidden: Bool = false) throws(StorageError) {
        var reader = try MovieMapReader(file, findsHidden: findsHidden)
        try reader.read()
        self = reader.map
    }

    /// Whether a file begins as QuickTime and MPEG-4 files do.
    package static func canRead(_ file: any StorageFile) throws(StorageError) -> Bool {
        let bytes = try file.bytes(at: 0, count: 8)
        guard bytes.count == 8 else { return false }
        let type = String(decoding: bytes[4...], as: UTF8.self)
        return ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof"].contains(type)
    }
}
