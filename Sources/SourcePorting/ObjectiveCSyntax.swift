/// Syntax that needs the Objective-C runtime, with advice for its replacement.
enum ObjectiveCSyntax {
    private static let attributes: [String: String] = [
        "@objc": "remove it; pass a closure where a selector was passed",
        "@IBOutlet": "keep the property in view code that is not built on Linux",
        "@Published": "import OpenCombine, or observe with key paths",
        "@UIApplicationMain": "keep the class in a target that is not built on Linux",
        "@NSApplicationMain": "keep the class in a target that is not built on Linux",
    ]

    /// The advice for attributes that compile on Linux.
    private static let attributesWithoutEffect: [String: String] = [
        "@IBAction": "nothing calls it on Linux: call it from the test or from the app's view code",
        "@IBInspectable": "nothing sets it on Linux: set it in code if its default is not the right one",
        "@IBDesignable": "it has no effect on Linux",
        "@objcMembers": "it has no effect on Linux",
        "@NSManaged": "nothing stores it on Linux: put the store behind a protocol of the app",
    ]

    private static let functions: [String: String] = [
        "objc_sync_enter": "use `NSLock`",
        "objc_sync_exit": "use `NSLock`",
        "objc_getAssociatedObject": "use a stored property, or a dictionary with `ObjectIdentifier` keys",
        "objc_setAssociatedObject": "use a stored property, or a dictionary with `ObjectIdentifier` keys",
        "NSSelectorFromString": "pass a closure",
        "Selector": "pass a closure",
        "class_replaceMethod": "put the method behind a protocol",
        "method_exchangeImplementations": "put the method behind a protocol",
    ]

    private static let keyValueObserving =
        "observe with `observe(\\.property, options:) { object, change in }` and keep the observation; or conform to "
        + "`KeyPathObserver`, without `override` and `super`, and pass the key as a string (docs/compatibility.md)"

    private static let actorWithSuperclass =
        "remove `NSObject` and `super.init()`: an actor with it does not link without the Objective-C runtime, and "
        + "delegates do not have to be Objective-C objects"

    /// The advice for functions and types to which a selector is passed, such as the variant that takes a closure.
    private static let selectorUses: [String: String] = [
        "addObserver": "use `addObserver(forName:object:queue:using:)` and keep the observer",
        "Timer": "use `Timer.scheduledTimer(withTimeInterval:repeats:block:)`",
        "scheduledTimer": "use `Timer.scheduledTimer(withTimeInterval:repeats:block:)`",
        "addTarget": "keep the control in view code that is not built on Linux",
        "UITapGestureRecognizer": "keep the gesture recognizer in view code that is not built on Linux",
        "CADisplayLink": "use `CADisplayLink(handler:)`, or the frames of the camera as the timer",
        "UIImageWriteToSavedPhotosAlbum": "use `UIImageWriteToSavedPhotosAlbum(_:completion:)`",
        "UISaveVideoAtPathToSavedPhotosAlbum": "use `UISaveVideoAtPathToSavedPhotosAlbum(_:completion:)`",
        "perform": "call the method, with `DispatchQueue.main.asyncAfter` for a delay",
    ]

    /// The ends of the names of selectors.
    private static let selectorNames = ["Selector", "selector", "SelectorFromString"]

    /// Finds such syntax; consecutive equal findings on a line are one.
    static func findings(in tokens: [SwiftToken], file: String) -> [PortFinding] {
        var findings: [PortFinding] = []
        for (index, token) in tokens.enumerated() {
            var kind = PortFinding.Kind.objectiveC
            let advice: String?
            switch (token.kind, token.text) {
            case (.attribute, let name) where attributesWithoutEffect[name] != nil:
                kind = .noEffect
                advice = attributesWithoutEffect[name]
            case (.attribute, let name): advice = attributes[name]
            case (.hashKeyword, "#selector"):
                let before = tokens[max(0, index - 40)..<index].reversed().prefix { token.line - $0.line < 4 }
                advice = before.lazy.compactMap { selectorUses[$0.text] }.first ?? "pass a closure"
            case (.hashKeyword, "#keyPath"):
                advice = "write a key path, `\\Type.property`, or the key as a string, without `is`"
            case (.identifier, "actor"):
                // `actor Camera: NSObject, …`: a superclass comes first.
                let declaration = tokens[index...].prefix(4).map(\.text)
                advice = declaration.dropFirst(2) == [":", "NSObject"] ? actorWithSuperclass : nil
            case (.identifier, "observeValue"):
                // `override func observeValue(forKeyPath:of:change:context:)`
                let modifiers = tokens[max(0, index - 3)..<index]
                let isOverride = modifiers.last?.text == "func" && modifiers.contains { $0.text == "override" }
                advice = isOverride ? keyValueObserving : nil
            case (.identifier, "forKeyPath"):
                let call = tokens[max(0, index - 12)..<index].last {
                    ["addObserver", "removeObserver"].contains($0.text)
                }
                // A string is accepted, after the label and the colon.
                let isString = index + 2 < tokens.count && tokens[index + 2].kind == .string
                advice = call == nil || isString ? nil : keyValueObserving
            case (.identifier, "perform"):
                // `perform(_:)` with a selector; other types have methods of this name.
                let argument = tokens[(index + 1)...].prefix(2).map(\.text)
                let isSelector =
                    argument.first == "(" && selectorNames.contains { argument.last?.hasSuffix($0) ?? false }
                advice = isSelector ? selectorUses["perform"] : nil
            case (.identifier, let name): advice = functions[name]
            default: advice = nil
            }
            guard let advice else { continue }
            let finding = PortFinding(kind, file, token.line, token.text, advice)
            if findings.last != finding { findings.append(finding) }
        }
        return findings
    }
}
