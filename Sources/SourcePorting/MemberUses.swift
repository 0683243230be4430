/// Uses of members of Apple's classes that do not exist on Linux.
///
/// Other classes have members of the same names: `attach` of an `AVAudioEngine` is not that of an
/// `AVAsynchronousVideoCompositionRequest`. A use is a finding if the declarations of the app give its receiver a class
/// that lacks the member. If they do not state the type of the receiver, a name of several words is a finding if the app
/// uses such a class; a single word, such as `attach`, is not.
struct MemberUses {
    /// The names that the app's sources declare.
    let declared: Set<String>
    /// The identifiers in all of the app's sources.
    let used: Set<String>
    let types: DeclaredTypes

    /// Returns the missing member that a token refers to, and its class; nil if it does not.
    ///
    /// - Parameter enclosing: The type whose declaration contains each token.
    func missingMember(at index: Int, of tokens: [SwiftToken], enclosing: [String?]) -> (name: String, owner: String)? {
        let name = tokens[index].text
        guard let owners = Self.owners[name], !declared.contains(name) else { return nil }
        let before = index > 0 ? tokens[index - 1].text : ""
        if before == "." {
            if let receivers = types.receivers(before: index - 1, in: tokens, enclosing: enclosing[index]) {
                return receivers.lazy.compactMap { owner(among: owners, of: $0) }.first.map { (name, $0) }
            }
            if owners.contains(Self.textAttribute), Self.isDictionaryKey(index, tokens) {
                return (name, Self.textAttribute)
            }
            guard Self.isDistinctive(name) else { return nil }
            return owners.first(where: isUsed).map { (name, $0) }
        }
        // A member of the enclosing type, without `self`.
        guard let type = enclosing[index] else { return nil }
        let isDeclaration = before == "func" || before == "var" || before == "let" || before == "case"
        let isLabel = index + 1 < tokens.count && tokens[index + 1].text == ":"
        guard isDeclaration ? Self.isOverride(index, tokens) : Self.isDistinctive(name) && !isLabel else { return nil }
        return owner(among: owners, of: type).map { (name, $0) }
    }

    private static let textAttribute = "NSAttributedString.Key"

    /// Whether a member is a key of a dictionary literal: `[.font: value]`.
    private static func isDictionaryKey(_ index: Int, _ tokens: [SwiftToken]) -> Bool {
        index >= 2 && index + 1 < tokens.count && ["[", ","].contains(tokens[index - 2].text)
            && tokens[index + 1].text == ":"
    }

    /// Whether a name is that of an overridden method or property.
    static func isOverride(_ index: Int, _ tokens: [SwiftToken]) -> Bool {
        guard index > 0, tokens[index - 1].text == "func" || tokens[index - 1].text == "var" else { return false }
        return tokens[max(0, index - 4)..<index].contains { $0.text == "override" }
    }

    /// Returns the class that lacks a member, if it is a type or one of its superclasses.
    private func owner(among owners: [String], of type: String) -> String? {
        types.ancestors(of: type).first(where: owners.contains)
    }

    /// Whether an app has objects of a class: it names the class, a subclass, or a class from which it gets them.
    private func isUsed(_ type: String) -> Bool {
        if used.contains(String(type.prefix { $0 != "." })) { return true }
        return Self.sources[type, default: []].contains(where: used.contains)
            || MissingMembers.superclasses.contains { $0.value == type && isUsed($0.key) }
    }

    /// Whether a name consists of several words, and no class of this package has it.
    private static func isDistinctive(_ name: String) -> Bool {
        name.contains(where: \.isUppercase) && !MissingMembers.ambiguous.contains(name)
    }

    /// The classes that lack a member, by its name.
    private static let owners: [String: [String]] = {
        var owners: [String: [String]] = [:]
        for path in AvailableNames.missingMembers.split(whereSeparator: \.isWhitespace) {
            guard let dot = path.lastIndex(of: ".") else { continue }
            owners[String(path[path.index(after: dot)...]), default: []].append(String(path[..<dot]))
        }
        for (type, members) in MissingMembers.all {
            for member in members { owners[member, default: []].append(type) }
        }
        return owners.mapValues { $0.sorted() }
    }()

    /// The names by which apps get objects of classes that they do not name.
    private static let sources: [String: [String]] = [
        "AVPlayerItem": ["AVPlayer", "AVQueuePlayer"],
        "AVPlayerItemTrack": ["AVPlayer", "AVQueuePlayer"],
        "AVPlayer": ["AVPlayerLayer"],
        "AVURLAsset": ["AVAsset"],
        "AVCapturePhotoSettings": ["AVCapturePhotoBracketSettings"],
        "AVAsynchronousVideoCompositionRequest": ["AVVideoCompositing"],
        "AVCompositionTrack": ["AVComposition", "AVMutableComposition", "AVMutableCompositionTrack"],
        "AVMutableCompositionTrack": ["AVMutableComposition"],
        "AVCompositionTrackSegment": ["AVCompositionTrack", "AVMutableComposition", "AVMutableCompositionTrack"],
        "UIView": ["UIViewController"],
    ]
}
