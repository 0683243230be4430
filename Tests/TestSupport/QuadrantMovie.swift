package import Foundation

/// Movies of ffmpeg in which the quadrants of each frame are red (R), green (G), blue (B) and white (W).
package enum QuadrantMovie {
    /// An orientation, as programs write it to the matrix of a track.
    package struct Orientation: Sendable {
        package let name: String
        /// The numbers a, b, c, d of the matrix.
        package let matrix: [Double]
        /// The colors of the upright image: top left, top right, bottom left, bottom right.
        package let upright: String

        /// Whether the upright image has the height of the frame as its width.
        package var swapsSides: Bool { matrix[0] == 0 }

        /// The translation that places a frame at the origin.
        package func translation(width: Double, height: Double) -> [Double] {
            [
                max(0, -matrix[0] * width, -matrix[2] * height), max(0, -matrix[1] * width, -matrix[3] * height),
            ]
        }
    }

    /// The eight orientations.
    package static let orientations = [
        Orientation(name: "0", matrix: [1, 0, 0, 1], upright: "RGBW"),
        Orientation(name: "90", matrix: [0, 1, -1, 0], upright: "BRWG"),
        Orientation(name: "180", matrix: [-1, 0, 0, -1], upright: "WBGR"),
        Orientation(name: "270", matrix: [0, -1, 1, 0], upright: "GWRB"),
        Orientation(name: "mirrored-0", matrix: [-1, 0, 0, 1], upright: "GRWB"),
        Orientation(name: "mirrored-90", matrix: [0, 1, 1, 0], upright: "RBGW"),
        Orientation(name: "mirrored-180", matrix: [1, 0, 0, -1], upright: "BWRG"),
        Orientation(name: "mirrored-270", matrix: [0, -1, -1, 0], upright: "WGBR"),
    ]

    /// The size of the frames.
    package static let (width, height) = (160, 120)

    /// Writes a movie of half a second at 10 frames per second, or an image.
    ///
    /// - Parameters:
    ///   - filter: Filters that are applied after the quadrants are drawn.
    ///   - options: The options of the encoder and the muxer; by default, H.264.
    package static func write(
        _ url: URL, filter: String = "null",
        _ options: [String] = ["-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p"]
    ) throws {
        let colors = ["red", "lime", "blue", "white"].enumerated().map { index, color in
            "color=\(color):s=\(width / 2)x\(height / 2):r=10:d=0.5[c\(index)];"
        }
        let graph = colors.joined() + "[c0][c1]hstack[t];[c2][c3]hstack[b];[t][b]vstack,\(filter)"
        let outcome = try ExternalTool.run(
            "ffmpeg", ["-v", "error", "-y", "-filter_complex", graph] + options + [url.path])
        guard outcome.status == 0 else {
            throw MissingRequirement("ffmpeg cannot write \(url.path): \(outcome.errors)")
        }
    }

    /// Replaces the matrix of the first track of a QuickTime or MPEG-4 file.
    ///
    /// - Parameter matrix: The numbers a, b, c, d, and optionally tx and ty.
    package static func setMatrix(_ matrix: [Double], of url: URL) throws {
        var data = try Data(contentsOf: url)
        guard let header = data.range(of: Data("tkhd".utf8)) else {
            throw MissingRequirement("\(url.path) has no track header")
        }
        // Version 0 (ISO/IEC 14496-12, 8.3.2): 40 bytes precede the matrix.
        let start = header.upperBound + 40
        let (tx, ty) = matrix.count == 6 ? (matrix[4], matrix[5]) : (0, 0)
        let numbers = [matrix[0], matrix[1], 0, matrix[2], matrix[3], 0, tx, ty].map { Int32(($0 * 65536).rounded()) }
        for (index, number) in (numbers + [1 << 30]).enumerated() {
            withUnsafeBytes(of: number.bigEndian) {
                data.replaceSubrange(start + 4 * index..<start + 4 * index + 4, with: $0)
            }
        }
        try data.write(to: url)
    }

    /// The first frame of a movie or image as ffmpeg decodes it, without its orientation.
    package struct Picture {
        package let width: Int
        package let height: Int
        /// R'G'B' with 8 bits.
        package let bytes: [UInt8]

        /// Decodes a file.
        package init(_ url: URL) throws {
            let sides = try FFprobe.lines(["-select_streams", "v:0", "-show_entries", "stream=width,height"], url)
            guard let line = sides.first, line.count >= 2, let width = Int(line[0]), let height = Int(line[1]) else {
                throw MissingRequirement("ffprobe finds no picture in \(url.path)")
            }
            let outcome = try ExternalTool.run(
                "ffmpeg",
                [
                    "-v", "error", "-noautorotate", "-i", url.path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
                    "rgb24", "-",
                ])
            (self.width, self.height, bytes) = (width, height, Array(outcome.output))
            guard bytes.count == width * height * 3 else {
                throw MissingRequirement("ffmpeg cannot decode \(url.path): \(outcome.errors)")
            }
        }

        /// The colors in the middle of the quadrants, such as `RGBW`; `?` for others.
        package var quadrants: String {
            [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in name(at: x * width / 4, y * height / 4) }.joined()
        }

        private func name(at x: Int, _ y: Int) -> String {
            let start = (y * width + x) * 3
            switch bytes[start..<start + 3].map({ $0 > 128 }) {
            case [true, false, false]: return "R"
            case [false, true, false]: return "G"
            case [false, false, true]: return "B"
            case [true, true, true]: return "W"
            default: return "?"
            }
        }

        /// The color in the middle of the top left quadrant.
        package var firstColor: [Int] {
            let start = (height / 4 * width + width / 4) * 3
            return bytes[start..<start + 3].map(Int.init)
        }
    }
}
