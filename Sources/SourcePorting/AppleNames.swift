/// Apple's names that this package does not have.
enum AppleNames {
    /// The prefixes of Apple's names in the frameworks that this package covers, or that camera apps also use.
    private static let prefixes = [
        "AV", "CM", "CV", "PH", "AL", "UI", "CA", "CF", "CG", "CI", "CL", "CT", "MTL", "MTK", "VT", "VN", "SCN", "GL",
        "EAGL", "MK", "MP", "AudioComponent", "AudioOutputUnit", "AudioQueue", "AudioServices", "AudioUnit",
        "kAudio", "kCF", "kCM", "kCT", "kCV", "kCG", "kCI", "kUT", "kVT",
    ]
    /// The prefixes that other packages use too. They are Apple's in apps that import the module.
    private static let modulesOfPrefixes = [
        "AR": "ARKit", "AU": "AudioUnit", "kMultiChannelMixer": "AudioUnit", "ML": "CoreML", "NW": "Network",
        "RP": "ReplayKit", "SK": "SpriteKit", "UN": "UserNotifications",
        "WK": "WebKit", "vImage": "Accelerate", "kvImage": "Accelerate", "vDSP": "Accelerate",
    ]
    /// Names that Foundation has on Linux.
    private static let foundation: Set = ["CGFloat", "CGPoint", "CGSize", "CGRect"]

    /// Finds Apple's names that neither this package nor the app declares; consecutive uses on a line are one finding.
    ///
    /// - Parameters:
    ///   - members: What the app's sources declare and use.
    ///   - imports: The modules that the app's sources import.
    static func findings(
        in tokens: [SwiftToken], file: String, members: MemberUses, imports: Set<String>
    ) -> [PortFinding] {
        let enclosing = DeclaredTypes.enclosingTypes(of: tokens)
        var findings: [PortFinding] = []
        for (index, token) in tokens.enumerated() where token.kind == .identifier {
            if index > 0, tokens[index - 1].text == "import" { continue }
            let advice: String
            if let member = members.missingMember(at: index, of: tokens, enclosing: enclosing) {
                advice =
                    member.name.hasSuffix("Anchor") || member.name.lowercased().contains("constraint")
                    ? noAutoLayout : "\(member.owner) does not have it on Linux: remove the use"
            } else {
                let isMember = index > 0 && tokens[index - 1].text == "."
                guard !isMember, !members.declared.contains(token.text), isMissing(token.text, imports) else {
                    continue
                }
                advice = self.advice(for: token.text)
            }
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
        "CIFilter": "there are no filters: put their use behind a protocol of the app",
        "AudioUnit": noAudioUnits,
        "AudioTimeStamp": noAudioUnits,
        "NSDataAsset": "there are no asset catalogs: load the file from a bundle",
        "NSParagraphStyle": noTextAttributes,
        "NSMutableParagraphStyle": noTextAttributes,
        "NSShadow": noTextAttributes,
    ]
    private static let noAudioUnits = "there are no audio units: put their use behind a protocol of the app"
    private static let noTextAttributes = "there are no attributes of text: set the properties of the label"

    private static func isMissing(_ name: String, _ imports: Set<String>) -> Bool {
        if replacements[name] != nil { return !available.contains(name) }
        let others = modulesOfPrefixes.filter { imports.contains($0.value) }.keys
        guard !available.contains(name), !foundation.contains(name),
            let prefix = (prefixes + others).filter({ name.hasPrefix($0) }).max(by: { $0.count < $1.count })
        else { return false }
        // The constants of `MobileCoreServices` come with that module only.
        if prefix == "kUT", imports.contains("MobileCoreServices") { return false }
        // `AVFoundation` has a prefix of Apple's names; `AVerage`, `UInt8` and `CFG_PATH` do not.
        let rest = name.dropFirst(prefix.count)
        guard let first = rest.first, first.isUppercase || first == "_", rest.contains(where: \.isLowercase) else {
            return false
        }
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
}
