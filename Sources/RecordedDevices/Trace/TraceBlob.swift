import CRecordedDevices
import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels

/// A reference to bytes in a trace's media file.
///
/// As text: coding, offset, stored byte count, byte count and checksum, as in
/// `zlib:4096+1234:3110400:0011223344556677`.
struct TraceBlob: Hashable, Sendable {
    enum Coding: String, Sendable {
        /// Uncompressed.
        case raw
        /// One zlib stream (RFC 1950).
        case zlib
        /// The differences of adjacent pixels in a row, as one zlib stream.
        case delta
    }

    var coding: Coding
    /// The offset of the first byte in the file.
    var offset: Int64
    /// The number of bytes in the file.
    var storedCount: Int
    /// The number of bytes after decoding.
    var count: Int
    /// The XXH64 checksum of the decoded bytes, computed by `PixelChecksum`.
    var checksum: UInt64

    var end: Int64 { offset + Int64(storedCount) }

    /// Larger than any frame; a larger count in a file is an error.
    private static let maximumCount = 1 << 31
    /// A margin above the maximum expansion of deflate, 1032 bytes for one byte: two bits encode up to 258 bytes.
    private static let maximumRatio = 1100
}

extension TraceBlob: TraceValue {
    static var traceSyntax: String { "a reference such as zlib:OFFSET+STORED:COUNT:CHECKSUM" }

    var traceText: String {
        "\(coding.rawValue):\(offset)+\(storedCount):\(count):\(PixelChecksum(value: checksum).description)"
    }

    init?(traceText: String) {
        let parts = traceText.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, let coding = Coding(rawValue: String(parts[0])) else { return nil }
        let range = parts[1].split(separator: "+", omittingEmptySubsequences: false)
        guard range.count == 2, let offset = Int64(range[0]), let storedCount = Int(range[1]),
            let count = Int(parts[2]), let checksum = UInt64(parts[3], radix: 16),
            offset >= 0, offset < Int64.max / 2, (0...Self.maximumCount).contains(storedCount),
            (0...Self.maximumCount).contains(count), coding != .raw || storedCount == count,
            count <= storedCount * Self.maximumRatio + Self.maximumRatio
        else { return nil }
        self.init(coding: coding, offset: offset, storedCount: storedCount, count: count, checksum: checksum)
        if self.traceText != traceText { return nil }
    }
}

/// Bytes encoded for a media file.
struct TracePacking {
    /// The rows of one plane, for `Coding.delta`.
    struct Rows: Hashable, Sendable {
        var byteCount: Int
        var count: Int
        /// The distance in bytes between samples of the same component.
        var step: Int
    }

    var coding: TraceBlob.Coding
    var stored: Data

    /// Encodes bytes.
    ///
    /// - Parameters:
    ///   - rows: The planes of a frame, which together cover all bytes; empty for other data.
    ///   - skipsCompression: Stores the bytes uncompressed.
    init(_ bytes: Data, rows: [Rows], skipsCompression: Bool) {
        let coding: TraceBlob.Coding = rows.isEmpty ? .zlib : .delta
        if !skipsCompression, let packed = Self.deflate(Self.transformed(bytes, rows, Self.deltaEncode)),
            packed.count < bytes.count
        {
            (self.coding, stored) = (coding, packed)
        } else {
            (self.coding, stored) = (.raw, bytes)
        }
    }

    /// Decodes bytes. Returns nil if they are damaged or do not match `rows`.
    static func unpack(_ stored: Data, _ blob: TraceBlob, rows: [Rows]) -> Data? {
        let bytes: Data?
        switch blob.coding {
        case .raw: bytes = stored
        case .zlib: bytes = inflate(stored, blob.count)
        case .delta:
            guard !rows.isEmpty, rows.reduce(0, { $0 + $1.byteCount * $1.count }) == blob.count else { return nil }
            bytes = inflate(stored, blob.count).map { transformed($0, rows, deltaDecode) }
        }
        guard let bytes, bytes.count == blob.count, checksum(bytes) == blob.checksum else { return nil }
        return bytes
    }

    static func checksum(_ bytes: Data) -> UInt64 {
        bytes.withUnsafeBytes { PixelChecksum($0).value }
    }

    private typealias Transform = (UnsafePointer<UInt8>, Rows, UnsafeMutablePointer<UInt8>) -> Void

    private static func deltaEncode(_ from: UnsafePointer<UInt8>, _ rows: Rows, _ to: UnsafeMutablePointer<UInt8>) {
        crecorded_delta_encode(from, rows.byteCount, rows.byteCount, rows.count, rows.step, to)
    }

    private static func deltaDecode(_ from: UnsafePointer<UInt8>, _ rows: Rows, _ to: UnsafeMutablePointer<UInt8>) {
        crecorded_delta_decode(from, rows.byteCount, rows.count, rows.step, to, rows.byteCount)
    }

    private static func transformed(_ bytes: Data, _ rows: [Rows], _ transform: Transform) -> Data {
        guard !rows.isEmpty else { return bytes }
        var result = Data(count: bytes.count)
        result.withUnsafeMutableBytes { to in
            bytes.withUnsafeBytes { from in
                guard var source = from.bindMemory(to: UInt8.self).baseAddress,
                    var destination = to.bindMemory(to: UInt8.self).baseAddress
                else { return }
                for plane in rows {
                    transform(source, plane, destination)
                    source += plane.byteCount * plane.count
                    destination += plane.byteCount * plane.count
                }
            }
        }
        return result
    }

    private static func deflate(_ bytes: Data) -> Data? {
        var packed = Data(count: crecorded_deflate_bound(bytes.count))
        let capacity = packed.count
        let count = packed.withUnsafeMutableBytes { to in
            bytes.withUnsafeBytes { from -> Int in
                guard let source = from.bindMemory(to: UInt8.self).baseAddress,
                    let destination = to.bindMemory(to: UInt8.self).baseAddress
                else { return 0 }
                return crecorded_deflate(source, from.count, destination, capacity)
            }
        }
        return count > 0 ? packed.prefix(count) : nil
    }

    private static func inflate(_ stored: Data, _ count: Int) -> Data? {
        var bytes = Data(count: count)
        let result = bytes.withUnsafeMutableBytes { to in
            stored.withUnsafeBytes { from -> Int32 in
                guard let source = from.bindMemory(to: UInt8.self).baseAddress,
                    let destination = to.bindMemory(to: UInt8.self).baseAddress
                else { return -1 }
                return crecorded_inflate(source, from.count, destination, count)
            }
        }
        return result == 0 ? bytes : nil
    }
}

extension PixelFormat {
    /// Returns the layout of an image's visible bytes without padding: planes in order, rows in order.
    func packedRows(width: Int, height: Int) -> [TracePacking.Rows] {
        planes.map { plane in
            TracePacking.Rows(
                byteCount: plane.byteCount(ofColumns: plane.width(ofImage: width)),
                count: plane.height(ofImage: height), step: max(1, plane.bitsPerBlock / 8))
        }
    }
}

extension CVPixelBuffer {
    /// Returns a copy of the visible bytes in the layout of `PixelFormat.packedRows`.
    func packedBytes() -> Data {
        let rows = format.packedRows(width: width, height: height)
        var bytes = Data(count: rows.reduce(0) { $0 + $1.byteCount * $1.count })
        bytes.withUnsafeMutableBytes { to in
            guard var destination = to.bindMemory(to: UInt8.self).baseAddress else { return }
            for (index, shape) in rows.enumerated() {
                withPlane(index) { plane in
                    crecorded_delta_encode(
                        plane.baseAddress.assumingMemoryBound(to: UInt8.self), plane.bytesPerRow, shape.byteCount,
                        shape.count, 0, destination)
                }
                destination += shape.byteCount * shape.count
            }
        }
        return bytes
    }

    /// Overwrites the visible bytes. It has no effect if the byte count does not match.
    func fill(packed bytes: Data) {
        let rows = format.packedRows(width: width, height: height)
        guard rows.reduce(0, { $0 + $1.byteCount * $1.count }) == bytes.count else { return }
        bytes.withUnsafeBytes { from in
            guard var source = from.bindMemory(to: UInt8.self).baseAddress else { return }
            for (index, shape) in rows.enumerated() {
                withPlane(index) { plane in
                    crecorded_delta_decode(
                        source, shape.byteCount, shape.count, 0, plane.baseAddress.assumingMemoryBound(to: UInt8.self),
                        plane.bytesPerRow)
                }
                source += shape.byteCount * shape.count
            }
        }
    }
}
