import Dispatch
import MediaTypes
import Synchronization

/// Something for which a process needs the user's consent.
public enum ProtectedResource: String, Sendable, Hashable, CaseIterable {
    case video, audio, photoLibrary, photoLibraryAdditions
}

/// What the user has said; the raw values are those of `AVAuthorizationStatus`.
public enum AuthorizationState: Int, Sendable, Hashable, CaseIterable {
    case notDetermined = 0
    case restricted, denied, authorized
}

/// How a user would answer a prompt.
public struct PromptAnswer: Sendable, Hashable {
    /// What becomes of the state, nil where the user never answers.
    public var state: AuthorizationState?
    /// How long the user thinks.
    public var delay: Duration

    public init(_ state: AuthorizationState?, after delay: Duration = .zero) {
        self.state = state
        self.delay = delay
    }

    public static let grant = PromptAnswer(.authorized)
    public static let deny = PromptAnswer(.denied)
    public static let never = PromptAnswer(nil)
}

/// The consent of the user, resource by resource, and what a prompt will be answered.
///
/// - Important: Thread-safe. Handlers run on the clock, outside any lock.
public final class Authorization: Sendable {
    private struct State {
        var states: [ProtectedResource: AuthorizationState]
        /// The resources of which `states` says other than authorized; most often empty, and looked at for each frame.
        var withheld: [ProtectedResource]
        var answers: [ProtectedResource: PromptAnswer]
        /// Those who wait for the answer of an open prompt, in order.
        var waiting: [ProtectedResource: [@Sendable (AuthorizationState) -> Void]] = [:]
    }

    private let state: Lock<State>
    private let changes = Atomic<UInt64>(0)
    private let observers = Observers<(ProtectedResource, AuthorizationState)>()
    private let clock: any CaptureClock
    /// Where those are told who ask for what is known.
    private let queue = DispatchQueue(label: "Authorization")

    /// - Parameters:
    ///   - states: What the user has said so far; a resource that is not named is authorized.
    ///   - answers: What prompts will be answered; one that is not named is granted at once.
    public init(
        clock: any CaptureClock, states: [ProtectedResource: AuthorizationState] = [:],
        answers: [ProtectedResource: PromptAnswer] = [:]
    ) {
        self.clock = clock
        state = Lock(State(states: states, withheld: Self.withheld(states), answers: answers))
    }

    public func state(of resource: ProtectedResource) -> AuthorizationState {
        state.withLock { $0.withheld.isEmpty ? .authorized : $0.states[resource] ?? .authorized }
    }

    /// Rises with each change of a state; looked at for each frame.
    package var changeCount: UInt64 { changes.load(ordering: .acquiring) }

    private static func withheld(_ states: [ProtectedResource: AuthorizationState]) -> [ProtectedResource] {
        states.filter { $0.value != .authorized }.map(\.key)
    }

    /// Changes the state, as a user does in the settings; an open prompt is answered by it.
    public func set(_ newState: AuthorizationState, for resource: ProtectedResource) {
        let waiting = state.withLock { state in
            state.states[resource] = newState
            state.withheld = Self.withheld(state.states)
            changes.add(1, ordering: .acquiringAndReleasing)
            return state.waiting.removeValue(forKey: resource) ?? []
        }
        observers.notify((resource, newState))
        for handler in waiting { handler(newState) }
    }

    /// Decides how later prompts are answered.
    public func setAnswer(_ answer: PromptAnswer, for resource: ProtectedResource) {
        state.withLock { $0.answers[resource] = answer }
    }

    /// Asks the user where nothing was said yet, at most once, and tells the state that then holds.
    ///
    /// - Parameter handler: Runs once, on the clock, never before the call has returned.
    public func request(_ resource: ProtectedResource, handler: @escaping @Sendable (AuthorizationState) -> Void) {
        let (known, prompt) = state.withLock { state -> (AuthorizationState?, PromptAnswer?) in
            let present = state.states[resource] ?? .authorized
            guard present == .notDetermined else { return (present, nil) }
            let isOpen = state.waiting[resource] != nil
            state.waiting[resource, default: []].append(handler)
            return (nil, isOpen ? nil : state.answers[resource] ?? .grant)
        }
        if let known { return clock.deliver(on: queue) { handler(known) } }
        guard let prompt, let answer = prompt.state else { return }
        clock.schedule(at: clock.now + CMTime(nanoseconds: prompt.delay.nanoseconds)) { [weak self] in
            guard let self, self.state(of: resource) == .notDetermined else { return }
            self.set(answer, for: resource)
        }
    }

    /// Calls `handler` after each change until the observation ends.
    public func observe(
        _ handler: @escaping @Sendable (ProtectedResource, AuthorizationState) -> Void
    ) -> Observation {
        observers.add { handler($0.0, $0.1) }
    }
}
