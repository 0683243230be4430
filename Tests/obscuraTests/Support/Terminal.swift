import Foundation
import XCTest

/// A pseudo-terminal, to see what a program shows to a person.
final class Terminal {
    private var controller: Int32
    /// What the program gets as its terminal.
    let programSide: FileHandle

    init() throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try XCTSkipIf(controller < 0, "this system gives no pseudo-terminal")
        // TIOCSPTLCK with 0 unlocks the program's side, TIOCGPTN tells its number: ioctl_tty(2).
        var (lock, number) = (Int32(0), Int32(-1))
        XCTAssertEqual(ioctl(controller, 0x4004_5431, &lock), 0)
        XCTAssertEqual(ioctl(controller, 0x8004_5430, &number), 0)
        let name = "/dev/pts/\(number)"
        let descriptor = open(name, O_RDWR | O_NOCTTY)
        XCTAssertGreaterThanOrEqual(descriptor, 0, "cannot open \(name)")
        programSide = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { hangUp() }

    /// Takes the terminal away, as when its window is closed.
    func hangUp() {
        if controller >= 0 { close(controller) }
        controller = -1
    }

    /// Reads until `word` was shown.
    ///
    /// - Returns: All that was shown; without the word where the program ended before.
    func read(until word: String) -> String {
        var shown: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: shown, as: UTF8.self).contains(word) {
            let count = Foundation.read(controller, &bytes, bytes.count)
            guard count > 0 else { break }
            shown += bytes[..<count]
        }
        return String(decoding: shown, as: UTF8.self)
    }
}
