/// Apple's names that this package does not have.
enum AppleNames {
    /// The prefixes of Apple's names in the frameworks that this package covers, or that camera apps also use.
    private static let prefixes = [
        "AV", "CM", "CV", "PH", "AL", "UI", "CA", "CG", "CI", "CL", "MTL", "MTK", "VT", "VN", "SCN", "GL", "EAGL", "MK",
        "MP",
        "kCM", "kCV", "kCG", "kCI", "kUT", "kVT",
    ]
    /// Names that Foundation has on Linux.
    private static let foundation: Set = ["CGFloat", "CGPoint", "CGSize", "CGRect"]

    /// Finds Apple's names that neither this package nor the app declares; consecutive uses on a line are one finding.
    ///
    /// - Parameters:
    ///   - declared: The names that the app's sources declare.
    ///   - used: The identifiers in all of the app's sources. A missing member is reported only if they include its class
    ///     or a class of the same family, because other classes have members of the same names: `attach` of an
    ///     `AVAudioEngine` is not that of an `AVAsynchronousVideoCompositionRequest`.
    static func findings(
        in tokens: [SwiftToken], file: String, declared: Set<String>, used: Set<String>
    ) -> [PortFinding] {
        var findings: [PortFinding] = []
        for (index, token) in tokens.enumerated() where token.kind == .identifier && !declared.contains(token.text) {
            let isMember = index > 0 && tokens[index - 1].text == "."
            let advice: String? =
                if isMember {
                    missingMembers[token.text]?.first { isUsed($0, in: used) }
                        .map { "\($0) does not have it on Linux: remove the use" }
                } else {
                    isMissing(token.text) ? advice(for: token.text) : nil
                }
            guard let advice else { continue }
            let finding = PortFinding(.missingName, file, token.line, token.text, advice)
            if findings.last != finding { findings.append(finding) }
        }
        return findings
    }

    private static let noAutoLayout =
        "there is no Auto Layout: set `frame`, or keep the layout in code that is not built on Linux"

    /// The advice for names that apps often use.
    private static let replacements: [String: String] = [
        "NSLayoutConstraint": noAutoLayout,
        "NSLayoutDimension": noAutoLayout,
        "NSLayoutXAxisAnchor": noAutoLayout,
        "NSLayoutYAxisAnchor": noAutoLayout,
        "UIViewPropertyAnimator": "use `UIView.animate(withDuration:animations:completion:)`",
        "CGImageSourceCopyAuxiliaryDataInfoAtIndex":
            "depth and mattes in files are not read: use the `depthData` of the `AVCapturePhoto`",
        "CIFilter": "there are no filters: put their use behind a protocol of the app",
    ]

    private static func isMissing(_ name: String) -> Bool {
        if replacements[name] != nil { return !available.contains(name) }
        guard !available.contains(name), !foundation.contains(name),
            let prefix = prefixes.filter({ name.hasPrefix($0) }).max(by: { $0.count < $1.count })
        else { return false }
        // `AVFoundation` has a prefix of Apple's names; `AVerage` and `UInt8` do not.
        let rest = name.dropFirst(prefix.count)
        guard let first = rest.first, first.isUppercase, rest.count > 1 else { return false }
        return name != "UInt" && LinuxModules.exists(name) == nil
    }

    private static func advice(for name: String) -> String {
        if let replacement = replacements[name] { return replacement }
        if name.hasPrefix("UI") || name.hasPrefix("CA") {
            return "not available on Linux: keep the code that uses it with the views, which are not built on Linux"
        }
        if ["MTL", "MTK", "GL", "EAGL", "SCN"].contains(where: { name.hasPrefix($0) }) {
            return "there is no GPU interface: put rendering behind a protocol of the app"
        }
        return "not available on Linux: put the code that uses it inside `#if !os(Linux)`"
    }

    /// The names of types, functions and constants that `import AVFoundation`, `Photos` and `UIKit` provide.
    private static let available = Set(AvailableNames.globals.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Members of Apple's classes that this package does not have: the classes by the name of the member.
    private static let missingMembers: [String: [String]] = Dictionary(
        AvailableNames.missingMembers.split(whereSeparator: \.isWhitespace).compactMap { path in
            guard let dot = path.lastIndex(of: ".") else { return nil }
            return (String(path[path.index(after: dot)...]), [String(path[..<dot])])
        }, uniquingKeysWith: { $0 + $1 })

    /// Whether an app has objects of a class: it names the class, or another one from which it gets them.
    private static func isUsed(_ type: String, in used: Set<String>) -> Bool {
        used.contains(String(type.prefix { $0 != "." })) || sources[type, default: []].contains(where: used.contains)
    }

    /// The names by which apps get objects of classes that they do not name.
    private static let sources: [String: [String]] = [
        "AVPlayerItem": ["AVPlayer", "AVQueuePlayer"],
        "AVPlayerItemTrack": ["AVPlayer", "AVQueuePlayer"],
        "AVPlayer": ["AVQueuePlayer", "AVPlayerLayer"],
        "AVURLAsset": ["AVAsset"],
        "AVVideoComposition": ["AVMutableVideoComposition"],
        "AVCapturePhotoSettings": ["AVCapturePhotoBracketSettings"],
        "AVAsynchronousVideoCompositionRequest": ["AVVideoCompositing"],
        "AVCompositionTrack": ["AVComposition", "AVMutableComposition", "AVMutableCompositionTrack"],
        "AVMutableCompositionTrack": ["AVMutableComposition"],
        "AVCompositionTrackSegment": ["AVCompositionTrack", "AVMutableComposition", "AVMutableCompositionTrack"],
    ]
}
