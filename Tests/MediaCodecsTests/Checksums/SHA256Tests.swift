import XCTest

@testable import MediaCodecs

final class SHA256Tests: XCTestCase {
    private func checksum(_ parts: [[UInt8]]) throws -> String {
        let checksum = try XCTUnwrap(SHA256())
        for part in parts { part.withUnsafeBytes { checksum.add($0) } }
        return checksum.hexadecimal()
    }

    /// The examples of FIPS 180-2, appendix B.
    func testChecksumsAreThoseOfTheStandard() throws {
        XCTAssertEqual(
            try checksum([]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        XCTAssertEqual(
            try checksum([Array("abc".utf8)]), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        XCTAssertEqual(
            try checksum([Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)]),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        XCTAssertEqual(
            try checksum([[UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)]),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    func testThePartsDoNotMatter() throws {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let whole = try checksum([bytes])
        for size in [1, 63, 64, 65, 999] {
            let parts = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, 1000)]) }
            XCTAssertEqual(try checksum(parts), whole, "\(size)")
        }
    }
}
