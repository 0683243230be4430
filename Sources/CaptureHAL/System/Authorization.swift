import Dispatch
import MediaTypes

/// A resource that requires the user's authorization.
public enum ProtectedResource: String, Sendable, Hashable, CaseIterable {
    case video, audio, photoLibrary, photoLibraryAdditions
}

/// The user's decision; the raw values match `AVAuthorizationStatus` and `PHAuthorizationStatus`.
public enum AuthorizationState: Int, Sendable, Hashable, CaseIterable {
    case notDetermined = 0
    case restricted, denied, authorized
    /// The app may read only the items that the user has selected, and may add items. Only the photo library has this
    /// state.
    case limited
}

/// The user's answer to a prompt.
public struct PromptAnswer: Sendable, Hashable {
    /// The resulting state; nil if the user never answers.
    public var state: AuthorizationState?
    /// The time until the user answers.
    public var delay: Duration

    /// Creates an answer.
    public init(_ state: AuthorizationState?, after delay: Duration = .zero) {
        self.state = state
        self.delay = delay
    }

    /// The user grants access immediately.
    public static let grant = PromptAnswer(.authorized)
    /// The user denies access immediately.
    public static let deny = PromptAnswer(.denied)
    /// The user never answers.
    public static let never = PromptAnswer(nil)
}

/// The user's authorization of each resource, and the answers to prompts.
///
/// - Important: Thread-safe. Handlers run outside any lock: on the clock, on a private queue, or on the thread that
///   calls `set(_:for:)`.
public final class Authorization: Sendable {
    private struct State {
        var states: [ProtectedResource: AuthorizationState]
        var answers: [ProtectedResource: PromptAnswer]
        /// The handlers of requests with an open prompt, in order.
        var waiting: [ProtectedResource: [@Sendable (AuthorizationState) -> Void]] = [:]
    }

    private let state: Lock<State>
    private let observers = Observers<(ProtectedResource, AuthorizationState)>()
    private let clock: any CaptureClock
    /// Runs the handlers of requests for resources with an earlier decision.
    private let queue = DispatchQueue(label: "Authorization")

    /// Creates an authorization.
    ///
    /// - Parameters:
    ///   - clock: The clock on which answers to prompts are reported.
    ///   - states: The decisions so far; other resources are authorized.
    ///   - answers: The answers to prompts; by default prompts are granted immediately.
    public init(
        clock: any CaptureClock, states: [ProtectedResource: AuthorizationState] = [:],
        answers: [ProtectedResource: PromptAnswer] = [:]
    ) {
        self.clock = clock
        state = Lock(State(states: states, answers: answers))
    }

    /// The user's decision on a resource.
    public func state(of resource: ProtectedResource) -> AuthorizationState {
        state.withLock { $0.states[resource] ?? .authorized }
    }

    /// Changes the state, like a user in the settings. This also answers an open prompt; its handlers run on the
    /// calling thread.
    public func set(_ newState: AuthorizationState, for resource: ProtectedResource) {
        let waiting = state.withLock { state in
            state.states[resource] = newState
            return state.waiting.removeValue(forKey: resource) ?? []
        }
        observers.notify((resource, newState))
        for handler in waiting { handler(newState) }
    }

    /// Sets the answer to later prompts.
    public func setAnswer(_ answer: PromptAnswer, for resource: ProtectedResource) {
        state.withLock { $0.answers[resource] = answer }
    }

    /// Prompts the user if there is no decision yet, at most once, and reports the resulting state.
    ///
    /// - Parameters:
    ///   - resource: The resource to use.
    ///   - handler: Runs once, when there is a decision, and never inside this call.
    public func request(_ resource: ProtectedResource, handler: @escaping @Sendable (AuthorizationState) -> Void) {
        let (decided, prompt) = state.withLock { state -> (AuthorizationState?, PromptAnswer?) in
            let current = state.states[resource] ?? .authorized
            guard current == .notDetermined else { return (current, nil) }
            let isOpen = state.waiting[resource] != nil
            state.waiting[resource, default: []].append(handler)
            return (nil, isOpen ? nil : state.answers[resource] ?? .grant)
        }
        if let decided { return clock.deliver(on: queue) { handler(decided) } }
        guard let prompt, let answer = prompt.state else { return }
        clock.schedule(at: clock.now + CMTime(nanoseconds: prompt.delay.nanoseconds)) { [weak self] in
            guard let self, self.state(of: resource) == .notDetermined else { return }
            self.set(answer, for: resource)
        }
    }

    /// Calls `handler` after each change until the token is cancelled or released.
    public func observe(
        _ handler: @escaping @Sendable (ProtectedResource, AuthorizationState) -> Void
    ) -> ObserverToken {
        observers.add { handler($0.0, $0.1) }
    }
}
