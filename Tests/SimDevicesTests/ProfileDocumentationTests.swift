import Foundation
import XCTest

@testable import SimDevices

/// Compares `docs/profiles.md` and `docs/faults.md` with the profile reader.
final class ProfileDocumentationTests: XCTestCase {
    /// A YAML node.
    private indirect enum Node {
        case scalar(String)
        case list([Node])
        case map([(key: String, value: Node)])

        var text: String {
            switch self {
            case .scalar(let text): text
            case .list(let nodes): "[\(nodes.map(\.text).joined(separator: ", "))]"
            case .map(let pairs): "{\(pairs.map { "\($0.key): \($0.value.text)" }.joined(separator: ", "))}"
            }
        }

        /// A node of another type, which is invalid at the position of this one.
        var invalidReplacement: Node {
            switch self {
            case .scalar: .list([])
            case .list, .map: .scalar("wrong")
            }
        }

        /// Returns the document with a changed mapping at `path`.
        func changing(_ path: [String], _ body: (inout [(key: String, value: Node)]) -> Void) -> Node {
            switch self {
            case .map(var pairs):
                guard let first = path.first else {
                    body(&pairs)
                    return .map(pairs)
                }
                for index in pairs.indices where pairs[index].key == first {
                    pairs[index].value = pairs[index].value.changing(Array(path.dropFirst()), body)
                }
                return .map(pairs)
            case .list(var nodes):
                guard let first = path.first, let index = Int(first) else { return self }
                nodes[index] = nodes[index].changing(Array(path.dropFirst()), body)
                return .list(nodes)
            case .scalar: return self
            }
        }

        func node(_ path: [String]) -> Node? {
            guard let first = path.first else { return self }
            switch self {
            case .map(let pairs): return pairs.first { $0.key == first }?.value.node(Array(path.dropFirst()))
            case .list(let nodes): return Int(first).flatMap { nodes[$0].node(Array(path.dropFirst())) }
            case .scalar: return nil
            }
        }
    }

    private static func depth(_ method: String) -> Node {
        .map([
            ("method", .scalar(method)), ("range", .list([.scalar("200 mm"), .scalar("5 m")])),
            ("noise", .scalar("3 mm")), ("baseline", .scalar("10 mm")),
            (
                "formats",
                .list([
                    .map([
                        ("size", .scalar("320x240")), ("pixelFormats", .list([.scalar("hdis")])),
                        ("frameRates", .list([.scalar("30 fps")])),
                    ])
                ])
            ),
        ])
    }

    private static func camera(_ id: String, _ equivalent: String) -> Node {
        .map([
            ("id", .scalar(id)), ("name", .scalar("C")), ("model", .scalar("m")),
            ("kind", .scalar("builtInWideAngleCamera")), ("position", .scalar("back")),
            ("mountingAngle", .scalar("90")),
            (
                "lens",
                .map([
                    ("aperture", .scalar("2")), ("apertureStops", .list([.scalar("1.8"), .scalar("2.8")])),
                    ("apertureBlades", .scalar("8")),
                    ("focalLength", .scalar("4 mm")),
                    ("equivalentFocalLength", .scalar(equivalent)), ("minimumFocusDistance", .scalar("10 cm")),
                ])
            ),
            (
                "sensor",
                .map([
                    ("fullWell", .scalar("5000 e")), ("readNoise", .scalar("2 e")), ("redResponse", .scalar("0.5")),
                    ("blueResponse", .scalar("0.6")), ("crosstalkA", matrix), ("crosstalkD65", matrix),
                    ("readout", .scalar("10 ms")),
                ])
            ),
            (
                "exposure",
                .map([
                    ("durations", .list([.scalar("1/1000 s"), .scalar("1/10 s")])),
                    ("iso", .list([.scalar("50"), .scalar("800")])), ("bias", .list([.scalar("-2"), .scalar("2")])),
                    ("manual", .scalar("true")), ("lock", .scalar("true")),
                    ("priorities", .list([.scalar("aperture"), .scalar("shutter")])),
                ])
            ),
            (
                "whiteBalance",
                .map([
                    ("temperatures", .list([.scalar("2800 K"), .scalar("6500 K")])), ("maximumGain", .scalar("4")),
                ])
            ),
            (
                "zoom",
                .map([
                    ("maximum", .scalar("4")), ("upscaleThreshold", .scalar("2")), ("native", .list([.scalar("2")])),
                ])
            ),
            (
                "stabilization",
                .map([
                    ("standard", .scalar("0.05")), ("cinematic", .scalar("0.1")),
                    ("cinematicExtended", .scalar("0.15")),
                ])
            ),
            ("torch", .scalar("100 lx")), ("flash", .scalar("5 lx*s")),
            ("lowLightBoost", .scalar("4")), ("highlightHeadroom", .scalar("4")),
            ("colorSpace", .scalar("p3")),
            ("faceDetection", .scalar("true")), ("marker", .scalar("true")),
            ("startLatency", .scalar("0 s")), ("deliveryLatency", .scalar("1 ms")),
            (
                "formats",
                .list([
                    .map([
                        ("size", .scalar("640x480")), ("pixelFormats", .list([.scalar("420v")])),
                        ("frameRates", .list([.scalar("30 fps")])), ("photoSizes", .list([.scalar("640x480")])),
                        ("binned", .scalar("false")), ("hdr", .scalar("true")),
                    ])
                ])
            ),
            (
                "additionalFormats",
                .list([
                    .map([
                        ("size", .scalar("320x240")), ("pixelFormats", .list([.scalar("420v")])),
                        ("frameRates", .list([.scalar("30 fps")])),
                    ])
                ])
            ),
            ("depth", depth("structuredLight")),
            ("faults", .list([.map([("at", .scalar("1 s")), ("do", .scalar("drop-frames"))])])),
        ])
    }

    private static let matrix = Node.list([
        .list([.scalar("0.8"), .scalar("0.15"), .scalar("0.05")]),
        .list([.scalar("0.1"), .scalar("0.8"), .scalar("0.1")]),
        .list([.scalar("0"), .scalar("0.3"), .scalar("0.7")]),
    ])

    private static let completeProfile: Node = .map([
        ("profile", .scalar("1")), ("basedOn", .scalar("usb-microphone")),
        ("without", .list([.scalar("microphone")])),
        ("name", .scalar("whole")), ("summary", .scalar("all keys")), ("manufacturer", .scalar("Obscura")),
        ("form", .scalar("tablet")),
        ("screen", .map([("width", .scalar("400")), ("height", .scalar("700")), ("scale", .scalar("2"))])),
        (
            "multiCamera",
            .map([
                ("capacity", .scalar("3")), ("sustained", .scalar("2")),
                ("sets", .list([.list([.scalar("wide"), .scalar("narrow")])])),
            ])
        ),
        ("movieCodec", .scalar("hevc")),
        (
            "processing",
            .map([
                ("videoFrame", .scalar("4 ms")), ("finishing", .scalar("30 ms")), ("photo", .scalar("50 ms")),
                ("starting", .scalar("60 ms")), ("stopping", .scalar("70 ms")),
                ("opening", .scalar("80 ms")), ("output", .scalar("40 ms")),
            ])
        ),
        (
            "devices",
            .list([
                .map([("camera", camera("wide", "24 mm"))]), .map([("camera", camera("narrow", "48 mm"))]),
                .map([
                    (
                        "virtualCamera",
                        .map([
                            ("id", .scalar("both")), ("name", .scalar("B")), ("model", .scalar("b")),
                            ("kind", .scalar("builtInDualCamera")),
                            ("constituents", .list([.scalar("wide"), .scalar("narrow")])),
                            ("switchOver", .list([.scalar("2")])), ("maximumZoom", .scalar("8")),
                            ("depth", depth("stereo")),
                            ("faults", .list([.map([("rate", .scalar("0.1")), ("do", .scalar("tear-frames"))])])),
                        ])
                    )
                ]),
                .map([
                    (
                        "microphone",
                        .map([
                            ("id", .scalar("m")), ("name", .scalar("M")), ("model", .scalar("m")),
                            ("position", .scalar("back")), ("sampleRates", .list([.scalar("48 kHz")])),
                            ("channels", .scalar("1")), ("samples", .list([.scalar("int16")])),
                            ("noiseFloor", .scalar("-60 dBFS")), ("gain", .list([.scalar("0 dB"), .scalar("20 dB")])),
                            ("clipLevel", .scalar("-1 dBFS")), ("channelLevels", .list([.scalar("0 dB")])),
                            ("chunk", .scalar("512")),
                            (
                                "tones",
                                .list([.map([("frequency", .scalar("1 kHz")), ("level", .scalar("-20 dBFS"))])])
                            ),
                            (
                                "sounds",
                                .list([
                                    .map([
                                        ("sweep", .list([.scalar("100 Hz"), .scalar("1 kHz")])),
                                        ("every", .scalar("1 s")),
                                        ("level", .scalar("-20 dBFS")), ("channel", .scalar("0")),
                                    ]),
                                    .map([
                                        ("clicks", .scalar("1 s")), ("flash", .scalar("true")),
                                        ("level", .scalar("-20 dBFS")),
                                    ]),
                                    .map([
                                        ("file", .scalar(#filePath)), ("loop", .scalar("true")),
                                        ("level", .scalar("-20 dBFS")),
                                    ]),
                                ])
                            ),
                            ("startLatency", .scalar("0 s")), ("deliveryLatency", .scalar("0 s")),
                            (
                                "faults",
                                .list([
                                    .map([("frame", .scalar("3")), ("do", .scalar("silence")), ("for", .scalar("1 s"))])
                                ])
                            ),
                        ])
                    )
                ]),
            ])
        ),
    ])

    /// The position in the document of the mapping that each section of the page describes.
    private static let sections: [(title: String, paths: [[String]])] = [
        ("The file", [[]]),
        ("The screen", [["screen"]]),
        ("The cameras that run together", [["multiCamera"]]),
        ("The processing", [["processing"]]),
        ("A device", [["devices", "0"], ["devices", "2"], ["devices", "3"]]),
        ("A camera", [["devices", "0", "camera"]]),
        ("A lens", [["devices", "0", "camera", "lens"]]),
        ("A sensor", [["devices", "0", "camera", "sensor"]]),
        ("The exposure", [["devices", "0", "camera", "exposure"]]),
        ("The white balance", [["devices", "0", "camera", "whiteBalance"]]),
        ("The zoom", [["devices", "0", "camera", "zoom"]]),
        ("The stabilization", [["devices", "0", "camera", "stabilization"]]),
        ("A format", [["devices", "0", "camera", "formats", "0"]]),
        ("The depth", [["devices", "0", "camera", "depth"], ["devices", "2", "virtualCamera", "depth"]]),
        ("A depth format", [["devices", "0", "camera", "depth", "formats", "0"]]),
        ("A virtual camera", [["devices", "2", "virtualCamera"]]),
        ("A microphone", [["devices", "3", "microphone"]]),
        ("A tone", [["devices", "3", "microphone", "tones", "0"]]),
        (
            "A sound",
            (0...2).map { ["devices", "3", "microphone", "sounds", "\($0)"] }
        ),
    ]

    private func page(_ name: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
            .components(separatedBy: "\n")
    }

    /// Returns the words in the first column of a section's tables.
    private func documented(_ title: String, in page: [String]) -> [String] {
        guard let heading = page.firstIndex(of: "## \(title)") else { return [] }
        let section = page[(heading + 1)...].prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("| `") }.flatMap { line -> [String] in
            let first = line.split(separator: "|")[0]
            return first.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
    }

    private func error(_ node: Node) -> ProfileError? {
        do {
            _ = try DeviceProfile(yaml: node.text, file: "whole.yaml")
            return nil
        } catch { return error }
    }

    func testTheCompleteProfileIsValid() {
        XCTAssertNil(error(Self.completeProfile))
    }

    func testThePageDocumentsExactlyTheKnownKeys() throws {
        let page = try page("profiles.md")
        for (title, paths) in Self.sections {
            let keys = documented(title, in: page)
            XCTAssertFalse(keys.isEmpty, title)
            for path in paths {
                let broken = Self.completeProfile.changing(path) {
                    $0.insert(("zzzzzzzzzzzzzzzz", .scalar("1")), at: 0)
                }
                let message = try XCTUnwrap(error(broken), title).message
                let known = try XCTUnwrap(message.components(separatedBy: "valid names are ").last)
                    .components(separatedBy: ", ")
                XCTAssertEqual(Set(keys), Set(known), "\(title): the page and the reader differ")
            }
        }
    }

    func testEachKeyOfThePageIsRead() throws {
        let page = try page("profiles.md")
        for (title, paths) in Self.sections {
            for key in documented(title, in: page) {
                let path = try XCTUnwrap(
                    paths.first { Self.completeProfile.node($0 + [key]) != nil },
                    "the test's document has no \(key) in \(title)")
                let value = try XCTUnwrap(Self.completeProfile.node(path + [key]))
                let broken = Self.completeProfile.changing(path) { pairs in
                    for index in pairs.indices where pairs[index].key == key {
                        pairs[index].value = value.invalidReplacement
                    }
                }
                let error = try XCTUnwrap(error(broken), "\(title): a wrong \(key) was accepted")
                XCTAssertTrue(error.key.hasSuffix(key), "\(title), \(key): \(error.message)")
            }
        }
    }

    func testTheFaultsPageDocumentsExactlyTheKnownFaults() throws {
        let lines = try page("faults.md").filter { $0.hasPrefix("| `") }
        let documentedFaults = lines.map { $0.split(separator: "`")[1] }.map(String.init)
        XCTAssertEqual(Set(documentedFaults), Set(SimFault.Verb.allCases.map(\.rawValue)))
        for line in lines {
            let columns = line.split(separator: "|")
            let verb = try XCTUnwrap(SimFault.Verb(rawValue: String(columns[0].split(separator: "`")[1])))
            for key in verb.keys { XCTAssertTrue(columns[1].contains("`\(key)`"), "\(verb.rawValue) \(key)") }
        }
    }
}
