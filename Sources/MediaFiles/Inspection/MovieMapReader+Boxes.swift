import Foundation
import MediaCodecs

// The boxes in other boxes. If the size of a box is wrong, the boxes after it are found in wrong places or not at all;
// they are losses.
extension MovieMapReader {
    /// The parent of the boxes at the top level of the file in `parentTypes`.
    static let fileType = "file"

    /// The types of the boxes in which a box of a type can be. Boxes of the types that are not listed can be anywhere.
    static let parentTypes: [String: Set<String>] = [
        "ftyp": [fileType], "moov": [fileType], "moof": [fileType], "mdat": [fileType], "mfra": [fileType],
        "mvhd": ["moov"], "trak": ["moov"], "mvex": ["moov"], "mehd": ["mvex"], "trex": ["mvex"], "tkhd": ["trak"],
        "edts": ["trak"], "elst": ["edts"], "tref": ["trak"], "mdia": ["trak"], "mdhd": ["mdia"], "elng": ["mdia"],
        "minf": ["mdia"], "vmhd": ["minf"], "smhd": ["minf"], "gmhd": ["minf"], "nmhd": ["minf"], "sthd": ["minf"],
        "hmhd": ["minf"], "dinf": ["minf", "meta"], "dref": ["dinf"], "stbl": ["minf"], "stsd": ["stbl"],
        "stts": ["stbl"], "ctts": ["stbl"], "cslg": ["stbl"], "stss": ["stbl"], "stps": ["stbl"], "stsh": ["stbl"],
        "stsc": ["stbl"], "stsz": ["stbl"], "stz2": ["stbl"], "stco": ["stbl"], "co64": ["stbl"], "padb": ["stbl"],
        "stdp": ["stbl"], "sdtp": ["stbl", "traf"], "sgpd": ["stbl", "traf"], "sbgp": ["stbl", "traf"],
        "subs": ["stbl", "traf"], "mfhd": ["moof"], "traf": ["moof"], "tfhd": ["traf"], "tfdt": ["traf"],
        "trun": ["traf"],
    ]

    /// The types of the boxes of which their parent has at most one.
    private static let singleTypes: Set<String> = [
        "mvhd", "mvex", "tkhd", "edts", "elst", "mdia", "mdhd", "minf", "stbl", "stsd", "stts", "ctts", "stss", "stsc",
        "stsz", "stz2", "stco", "co64", "mfhd", "tfhd", "tfdt",
    ]

    /// Whether a four-character code can be the type of a box that contains or describes media: its characters are
    /// printable. The code of a byte sequence at another position usually is not.
    static func isBoxType(_ type: String) -> Bool {
        type.unicodeScalars.allSatisfy { (0x20...0x7e).contains($0.value) || $0.value == 0xa9 }
    }

    /// Describes a box in a wrong place.
    static func misplacement(of type: String, at offset: Int64, _ place: String) -> String {
        let parents = (parentTypes[type] ?? []).sorted().joined(separator: " or ")
        let expected = parents == fileType ? "at the top level" : "in \(parents)"
        return "the \(type) box at byte \(offset) is \(place); it belongs \(expected)"
    }

    /// Returns the boxes in a box of `moov` or `moof`.
    ///
    /// A box whose size exceeds the enclosing one is read up to the end of that one, as players do. Boxes after an invalid
    /// header cannot be found. Boxes in others than their own, and second boxes where there can be only one, are left out.
    /// All of these are losses, since it is not known which size is wrong.
    mutating func children(of box: MemoryBox) -> [MemoryBox] {
        var children: [MemoryBox] = []
        /// The boxes of types that can occur only once.
        var singleBoxes: [String: MemoryBox] = [:]
        for child in allChildren(of: box) {
            if let parents = Self.parentTypes[child.type], !parents.contains(box.type) {
                let place = "in the \(box.type) box at byte \(box.offset)"
                reportLoss(at: child.offset, Self.misplacement(of: child.type, at: child.offset, place))
            } else if let first = singleBoxes[child.type] {
                if first.bytes == child.bytes { continue }
                reportLoss(
                    at: child.offset,
                    "the \(box.type) box at byte \(box.offset) has a second \(child.type) box, at byte \(child.offset)")
            } else {
                children.append(child)
                if Self.singleTypes.contains(child.type) { singleBoxes[child.type] = child }
            }
        }
        return children
    }

    /// Returns the boxes in a box, including those that belong to others.
    private mutating func allChildren(of box: MemoryBox) -> [MemoryBox] {
        var children: [MemoryBox] = []
        var reader = box.body
        while reader.remaining > 0 {
            let start = reader
            // An invalid header is reported below.
            guard let header = try? BoxHeader(&reader), Self.isBoxType(header.type) else {
                // Other writers end lists with zeros. In a sample table, they can be entries after the end of a box.
                var rest = start
                if box.type == "stbl" || rest.rest().contains(where: { $0 != 0 }) { reportRest(of: box, from: start) }
                return children
            }
            let byteCount = header.bodyByteCount.map { Int(clamping: $0) }
            if let byteCount, let body = try? reader.part(byteCount) {
                children.append(MemoryBox(type: header.type, offset: start.fileOffset, body: body))
                continue
            }
            guard Self.knownTypes.contains(header.type) else {
                reportRest(of: box, from: start)
                return children
            }
            reportLoss(
                at: start.fileOffset,
                byteCount == nil
                    ? "the \(header.type) box at byte \(start.fileOffset) has no size"
                    : "the \(header.type) box at byte \(start.fileOffset) is larger than the rest of the \(box.type) "
                        + "box that contains it")
            children.append(MemoryBox(type: header.type, offset: start.fileOffset, body: reader))
            return children
        }
        return children
    }

    private mutating func reportRest(of box: MemoryBox, from start: ByteReader) {
        reportLoss(
            at: start.fileOffset,
            "the \(box.type) box at byte \(box.offset) ends with \(start.remaining) bytes that are not boxes")
    }

    /// The types of the boxes that are read even if they are larger than the box that contains them.
    private static let knownTypes =
        Set(parentTypes.filter { !$0.value.contains(fileType) }.keys)
        .union(["hdlr", "udta", "meta", "free", "skip", "wide"])
}
