import Foundation
import TestSupport
import XCTest

@testable import SimDevices

/// An independent code reader: zbar's `zbarimg`, which the project's setup installs.
enum ZBar {
    /// Reads the codes in each image, as `EAN-13:4012345678901`, sorted. Images are gray with one byte per pixel.
    ///
    /// - Throws: `MissingRequirement` if the tool is not installed.
    static func read(_ images: [GrayImage]) throws -> [[String]] {
        let (text, names) = try output(["--xml"], images)
        var found = [[String]](repeating: [], count: images.count)
        for source in text.components(separatedBy: "<source href='").dropFirst() {
            let name = source.prefix { $0 != "'" }
            guard let index = names.firstIndex(of: String(name)) else { continue }
            for symbol in source.components(separatedBy: "<symbol type='").dropFirst() {
                let kind = symbol.prefix { $0 != "'" }
                let data = symbol.components(separatedBy: "<![CDATA[").dropFirst().first ?? ""
                found[index].append("\(kind):\(data.components(separatedBy: "]]>")[0])")
            }
            found[index].sort()
        }
        return found
    }

    /// Returns the text of the only code in an image with any characters. The XML output of zbar 0.23 garbles non-ASCII
    /// text.
    static func readText(_ image: GrayImage) throws -> String { try output(["--raw"], [image]).text }

    private static func output(_ options: [String], _ images: [GrayImage]) throws -> (text: String, files: [String]) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("zbar-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Failures are ignored; the system cleans up temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        var names: [String] = []
        for (index, image) in images.enumerated() {
            let file = folder.appendingPathComponent("\(index).pgm")
            var data = Data("P5\n\(image.width) \(image.height)\n255\n".utf8)
            data.append(contentsOf: image.bytes)
            try data.write(to: file)
            names.append(file.path)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["zbarimg", "--quiet", "-Supce.enable"] + options + names
        let standardOutput = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = standardOutput
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: standardOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus != 127 else {
            throw MissingRequirement("zbarimg is not installed (Debian: zbar-tools): run CI/setup")
        }
        // Exit status 4: no code was found in some image.
        XCTAssertTrue([0, 4].contains(process.terminationStatus), "zbarimg ended with \(process.terminationStatus)")
        return (text, names)
    }

    struct GrayImage {
        var width: Int
        var height: Int
        var bytes: [UInt8]
    }
}

extension ZBar.GrayImage {
    /// Renders a code with `module` pixels per module, dark on light.
    init(_ symbol: CodeSymbol, module: Int) {
        let zone = symbol.quietZone
        let rowHeight = symbol.isLinear ? 40 : module
        width = (zone.left + symbol.columnCount + zone.right) * module
        height = (zone.top + zone.bottom) * module + symbol.rows.count * rowHeight
        bytes = [UInt8](repeating: 255, count: width * height)
        for (row, modules) in symbol.rows.enumerated() {
            for (column, isDark) in modules.enumerated() where isDark {
                for y in 0..<rowHeight {
                    let start = (zone.top * module + row * rowHeight + y) * width + (zone.left + column) * module
                    for x in start..<start + module { bytes[x] = 0 }
                }
            }
        }
    }
}
