import Foundation
import XCTest

/// A pseudo-terminal, to test output that appears only on a terminal.
final class Terminal {
    private var controller: Int32
    /// The side of the terminal that the program uses.
    let programSide: FileHandle

    /// Opens a terminal.
    ///
    /// - Parameter columns: The width in characters; 0 if unknown.
    init(columns: UInt16 = 0) throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try XCTSkipIf(controller < 0, "pseudo-terminals are not available")
        // TIOCSPTLCK with 0 unlocks the program's side, TIOCGPTN returns its number: ioctl_tty(2).
        var (lock, number) = (Int32(0), Int32(-1))
        XCTAssertEqual(ioctl(controller, 0x4004_5431, &lock), 0)
        XCTAssertEqual(ioctl(controller, 0x8004_5430, &number), 0)
        let name = "/dev/pts/\(number)"
        let descriptor = open(name, O_RDWR | O_NOCTTY)
        XCTAssertGreaterThanOrEqual(descriptor, 0, "cannot open \(name)")
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        XCTAssertEqual(ioctl(descriptor, UInt(TIOCSWINSZ), &size), 0)
        programSide = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { hangUp() }

    /// Closes the terminal, like closing its window.
    func hangUp() {
        if controller >= 0 { close(controller) }
        controller = -1
    }

    /// Reads until the program ends. The program must be running already.
    ///
    /// - Returns: The complete output.
    func readToEnd() throws -> String {
        // Reading reaches the end only after both processes have closed the program side.
        try programSide.close()
        return read(until: "\u{0}")
    }

    /// Reads until `text` appears or the program ends.
    ///
    /// - Returns: The complete output.
    func read(until text: String) -> String {
        var shown: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: shown, as: UTF8.self).contains(text) {
            let count = Foundation.read(controller, &bytes, bytes.count)
            guard count > 0 else { break }
            shown += bytes[..<count]
        }
        return String(decoding: shown, as: UTF8.self)
    }
}
