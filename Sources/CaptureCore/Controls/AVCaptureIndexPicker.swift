import CaptureHAL
public import Dispatch
import Foundation
import MediaTypes

/// A control that selects one of several values by its index.
///
/// - Important: Thread-safe.
public final class AVCaptureIndexPicker: AVCaptureControl, @unchecked Sendable {
    // SAFETY: all properties are immutable or behind `state`.
    private struct State: Sendable {
        var selectedIndex = 0
        var identifier: String?
        var action: ControlAction<Int>?
    }

    public let localizedTitle: String
    public let symbolName: String
    public let numberOfIndexes: Int
    /// The titles of the values; empty strings if the picker was created without titles.
    public let localizedIndexTitles: [String]
    private let state = Lock(State())

    private init(_ title: String, _ symbolName: String, _ titles: [String], _ parameters: String) {
        localizedTitle = title
        self.symbolName = symbolName
        numberOfIndexes = titles.count
        localizedIndexTitles = titles
        let system = CaptureSystem.current
        super.init(system.reference, system.misuse)
        guard titles.isEmpty else { return }
        misuse.report(
            .invalidArgument,
            "-[AVCaptureIndexPicker initWithLocalizedTitle:symbolName:\(parameters)] the number of indexes must be "
                + "greater than 0")
    }

    /// Creates a picker for a number of values without titles; 0 is misuse and creates a picker without values.
    public convenience init(_ localizedTitle: String, symbolName: String, numberOfIndexes: Int) {
        let titles = Array(repeating: "", count: max(0, numberOfIndexes))
        self.init(localizedTitle, symbolName, titles, "numberOfIndexes:")
    }

    /// Creates a picker for a number of values; 0 is misuse and creates a picker without values.
    ///
    /// - Parameter localizedTitleTransform: Returns the title of the value with an index. Called for all indexes before
    ///   the initializer returns.
    public convenience init(
        _ localizedTitle: String, symbolName: String, numberOfIndexes: Int,
        localizedTitleTransform: (Int) -> String
    ) {
        let titles = (0..<max(0, numberOfIndexes)).map(localizedTitleTransform)
        self.init(localizedTitle, symbolName, titles, "numberOfIndexes:localizedTitleTransform:")
    }

    /// Creates a picker for values with titles; an empty array is misuse.
    public convenience init(_ localizedTitle: String, symbolName: String, localizedIndexTitles: [String]) {
        self.init(localizedTitle, symbolName, localizedIndexTitles, "localizedIndexTitles:")
    }

    /// The index of the selected value, 0 by default; setting an index that does not exist is misuse.
    ///
    /// The action is not called for an index that the client sets.
    public var selectedIndex: Int {
        get {
            observedProperties.access()
            return state.withLock { $0.selectedIndex }
        }
        set {
            guard (0..<numberOfIndexes).contains(newValue) else {
                return misuse.report(
                    .invalidArgument,
                    "-[AVCaptureIndexPicker setSelectedIndex:] \(newValue) is not one of the \(numberOfIndexes) indexes"
                )
            }
            state.withLock { $0.selectedIndex = newValue }
            observedProperties.changed()
        }
    }

    /// Identifies the control in user interface tests; nil by default.
    public var accessibilityIdentifier: String? {
        get { observedProperties.value(\.identifier, in: state) }
        set { observedProperties.set(\.identifier, in: state, to: newValue) }
    }

    /// Sets the action that is called on a queue when the user has selected a value; required before the picker is
    /// added to a session.
    public func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Int) -> Void) {
        let action = ControlAction(actionQueue, action)
        state.withLock { $0.action = action }
    }

    override var title: String { localizedTitle }

    override var rejectionReason: String? {
        guard state.withLock({ $0.action == nil }) else { return nil }
        return "the picker has no action; call setActionQueue:action: before you add it to a session"
    }

    override func adjust(to value: Double) -> Bool {
        // The creation of a picker without indexes was reported as misuse.
        guard numberOfIndexes > 0 else { return false }
        let index = Int(min(max(value.rounded(), 0), Double(numberOfIndexes - 1)))
        let action = state.withLock { state in
            state.selectedIndex = index
            return state.action
        }
        observedProperties.changed("selectedIndex")
        action?.call(index, in: system)
        return true
    }
}
