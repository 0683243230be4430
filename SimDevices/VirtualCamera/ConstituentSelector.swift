import CaptureHAL

/// Selects the constituent of a virtual camera that delivers frames.
///
/// Among the constituents that cover the frame at the zoom factor, the one with the longest focal length is preferred. A
/// constituent with a shorter focal length replaces it if the subject is too near for its lens, or if there is too little
/// light for it (Apple's header of `activePrimaryConstituent`, and WWDC21, session 10047). Apple publishes no
/// thresholds; those below are our choice.
struct ConstituentSelector: Sendable {
    /// The optical limits of a constituent.
    struct Lens: Sendable, Hashable {
        /// In meters; nil for fixed focus.
        var nearestFocus: Double?
        /// The luminance of the darkest scene that the camera exposes well, on the scale of `Measurement.light`.
        var darkestLight: Double
    }

    /// What the active constituent measures.
    struct Measurement: Sendable, Hashable {
        /// The distance of the subject in meters; nil if unknown.
        var distance: Double?
        /// The luminance of the scene; nil if unknown, as while automatic exposure is adjusting.
        var light: Double?
        /// Whether focus and exposure have converged.
        var isSettled: Bool
    }

    /// The events after which another constituent may replace the preferred one.
    struct Conditions: OptionSet, Sendable, Hashable {
        let rawValue: Int64

        static let zoomChanged = Conditions(rawValue: 1 << 0)
        static let focusModeChanged = Conditions(rawValue: 1 << 1)
        static let exposureModeChanged = Conditions(rawValue: 1 << 2)
    }

    /// The constituents from the widest view to the narrowest.
    let lenses: [Lens]
    /// The index of the constituent that delivers.
    private(set) var active = 0
    /// The index of the constituent that the zoom factor prefers.
    private(set) var preferred = 0
    /// The constituents that may replace the preferred one.
    var fallbacks: Set<Int>
    /// The conditions of replacements; nil if they can happen at any time.
    var conditions: Conditions?
    /// The constituent that the client has locked; nil if there is none.
    private(set) var locked: Int?
    /// The last measurement, with the last known light; nil before the first frame.
    private var measurement: Measurement?
    /// Whether one of the conditions has occurred since the last decision.
    private var isDecisionDue = false
    /// The time since which another constituent than the active one is better, in nanoseconds; nil if it is not.
    private var betterSince: Int64?

    /// The minimum time during which another constituent must be better.
    private static let delayNanoseconds: Int64 = 200_000_000
    /// A lens is left if the subject is nearer than this fraction of its nearest focus, and used again at a distance of
    /// more than `focusReturn`.
    private static let (focusLoss, focusReturn) = (0.98, 1.1)
    /// A camera is used again for light if there is this much more of it than it needs.
    private static let lightReturn = 1.5

    init(lenses: [Lens]) {
        self.lenses = lenses
        fallbacks = Set(Self.supportedFallbacks(hasFocus: lenses.map { $0.nearestFocus != nil }))
    }

    /// Whether the camera has constituents that can replace others, enabled or not.
    var supportsFallbacks: Bool { !Self.supportedFallbacks(hasFocus: lenses.map { $0.nearestFocus != nil }).isEmpty }

    /// Returns the constituents that can replace one with a longer focal length. Those with fixed focus cannot focus on
    /// anything nearer than the others.
    ///
    /// - Parameter hasFocus: Whether each constituent can focus.
    static func supportedFallbacks(hasFocus: [Bool]) -> [Int] { hasFocus.indices.dropLast().filter { hasFocus[$0] } }

    // MARK: Controls

    /// Returns the value of a control of the selection; nil for other controls.
    func value(of control: DeviceControl) -> ControlValue? {
        switch control {
        case .constituent: .integer(Int64(locked ?? -1))
        case .activeConstituent: .integer(Int64(active))
        case .constituentSwitching: .integer(conditions?.rawValue ?? -1)
        case .fallbackConstituents: .integer(fallbacks.reduce(0) { $0 | 1 << Int64($1) })
        default: nil
        }
    }

    /// Sets a control of the selection.
    mutating func set(_ control: DeviceControl, to value: ControlValue) {
        guard case .integer(let number) = value else { return }
        switch control {
        case .constituent: lock(number < 0 ? nil : Int(number))
        case .constituentSwitching: conditions = number < 0 ? nil : Conditions(rawValue: number)
        case .fallbackConstituents: fallbacks = Set(lenses.indices.filter { number & 1 << Int64($0) != 0 })
        default: break
        }
    }

    // MARK: Events

    /// Selects a constituent for a new zoom factor.
    ///
    /// - Parameter index: The constituent that the zoom factor prefers.
    mutating func zoomDidChange(preferred index: Int) {
        note(.zoomChanged)
        // If the active constituent no longer covers the frame, or if one with a longer focal length does now, the choice
        // is free in all modes.
        let isFree = index < active || index > preferred
        preferred = index
        if isFree, locked == nil { activate(best) }
    }

    /// Notes an event that can be a condition of a replacement.
    mutating func note(_ event: Conditions) {
        if let conditions, !conditions.isDisjoint(with: event) { isDecisionDue = true }
    }

    /// Locks a constituent; with nil, unlocks it.
    mutating func lock(_ index: Int?) {
        guard index != locked else { return }
        locked = index
        activate(index ?? best)
    }

    /// Selects a constituent without delay, before the first frame.
    mutating func start(_ new: Measurement) {
        measurement = new
        if locked == nil, conditions == nil { activate(best) }
    }

    /// Decides, after a frame, whether another constituent replaces the active one.
    mutating func update(_ new: Measurement, at nanoseconds: Int64) {
        let lastLight = measurement?.light
        measurement = new
        measurement?.light = new.light ?? lastLight
        guard locked == nil else { return }
        guard conditions == nil else {
            if isDecisionDue, new.isSettled { activate(best) }
            return
        }
        guard best != active else {
            betterSince = nil
            return
        }
        let since = betterSince ?? nanoseconds
        betterSince = since
        if nanoseconds - since >= Self.delayNanoseconds { activate(best) }
    }

    private mutating func activate(_ index: Int) {
        active = index
        betterSince = nil
        isDecisionDue = false
    }

    // MARK: Rules

    /// The preferred constituent, or the one with the longest focal length that can focus on the subject and has enough
    /// light; if there is none, one that can focus.
    private var best: Int {
        let candidates = [preferred] + fallbacks.filter { $0 < preferred }.sorted(by: >)
        let focusing = candidates.filter(canFocus)
        return focusing.first(where: hasLight) ?? focusing.first ?? nearest(candidates)
    }

    private func canFocus(_ index: Int) -> Bool {
        guard let distance = measurement?.distance, let nearest = lenses[index].nearestFocus else { return true }
        return distance >= nearest * (index > active ? Self.focusReturn : Self.focusLoss)
    }

    private func hasLight(_ index: Int) -> Bool {
        guard let light = measurement?.light else { return true }
        return light >= lenses[index].darkestLight * (index > active ? Self.lightReturn : 1)
    }

    /// Returns the candidate with the nearest focus, for a subject that is too near for all of them.
    private func nearest(_ candidates: [Int]) -> Int {
        candidates.min { (lenses[$0].nearestFocus ?? .infinity) < (lenses[$1].nearestFocus ?? .infinity) } ?? preferred
    }
}
