import CaptureHAL
import Dispatch
public import Foundation
import MediaTypes

/// The app's audio session: what it uses audio for, and the inputs and outputs in use.
///
/// Each capture system has one session. Phone calls interrupt it while it is active, and the route changes when
/// microphones are connected or disconnected.
/// - Note: Unlike Apple, capture sessions do not configure it, and record in any category.
/// - Important: Thread-safe. Notifications are posted on the main thread.
public final class AVAudioSession: NSObject, Sendable {
    /// Settings of the app; a reset of the media services restores the defaults.
    struct Settings: Sendable {
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var policy = RouteSharingPolicy.default
        var isActive = false
        var output = PortOverride.none
        /// The preferred sample rate in Hz, buffer duration in seconds and channel counts; 0 for no preference.
        var sampleRate = 0.0
        var bufferDuration = 0.0
        var inputChannels = 0
        var outputChannels = 0
        var inputGain: Float = 1
        var orientation = StereoOrientation.none
        var inputID: String?
        var allowsHaptics = false
        var prefersNoInterruptions = false
    }

    private struct State {
        var settings = Settings()
        var isInCall = false
        /// Whether the phone call interrupted an active session.
        var isInterrupted = false
        var isObserving = false
        var observations: [ObserverToken] = []
    }

    let hosts: [any HardwareHost]
    let authorization: Authorization
    let reference: SystemReference
    private let interruptions: Interruptions
    private let notifications: NotificationPoster
    /// The preferred data sources by the unique IDs of ports.
    let dataSourceIDs = Lock<[String: String]>([:])
    private let state = Lock(State())
    /// The route of the last notification; before it, the route at the first use of the session.
    private let reportedRoute = Lock<AVAudioSessionRouteDescription?>(nil)

    /// The session of the caller's capture system.
    public class func sharedInstance() -> AVAudioSession {
        let system = CaptureSystem.current
        let session = system.component(AVAudioSession.self) { AVAudioSession(system) }
        session.observe()
        return session
    }

    private init(_ system: CaptureSystem) {
        hosts = system.hosts
        authorization = system.authorization
        reference = system.reference
        interruptions = system.interruptions
        notifications = system.notifications
    }

    var settings: Settings { state.withLock { $0.settings } }

    static func error(_ code: ErrorCode) -> NSError { NSError(domain: "NSOSStatusErrorDomain", code: code.rawValue) }

    // MARK: Category

    public var category: Category { settings.category }
    public var mode: Mode { settings.mode }
    public var categoryOptions: CategoryOptions { settings.options }
    public var routeSharingPolicy: RouteSharingPolicy { settings.policy }

    public var availableCategories: [Category] {
        [.ambient, .soloAmbient, .playback] + (microphones.isEmpty ? [] : [.record, .playAndRecord, .multiRoute])
    }

    public var availableModes: [Mode] {
        [
            .default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat, .spokenAudio,
            .voicePrompt,
        ]
    }

    public func setCategory(_ category: Category) throws { try setCategory(category, mode: mode, options: []) }

    public func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, options: options)
    }

    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }

    /// Throws `badParam` for options that the category does not support.
    public func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        let needsInput: CategoryOptions = [.allowBluetooth, .defaultToSpeaker, .overrideMutedMicrophoneInterruption]
        let hasInput = category == .playAndRecord || category == .record
        if !options.isDisjoint(with: needsInput), !hasInput { throw Self.error(.badParam) }
        if options.contains(.defaultToSpeaker), category != .playAndRecord { throw Self.error(.badParam) }
        let mixing: CategoryOptions = [.duckOthers, .interruptSpokenAudioAndMixWithOthers]
        change(.categoryChange) { settings in
            settings.category = category
            settings.mode = mode
            settings.policy = policy
            // Ambient sessions, and those that duck other audio or interrupt speech, always mix.
            let mixes = category == .ambient || !options.isDisjoint(with: mixing)
            settings.options = mixes ? options.union(.mixWithOthers) : options
            settings.output = .none
        }
    }

    public func setMode(_ mode: Mode) throws {
        change(.categoryChange) { $0.mode = mode }
    }

    // MARK: Activation

    /// Activates or deactivates the session.
    ///
    /// - Throws: `cannotInterruptOthers` during a phone call; `cannotStartRecording` in the background in a category
    ///   that records.
    public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        guard active else { return state.withLock { $0.settings.isActive = false } }
        let running = interruptions.active
        if running.contains(.audioInUseByAnotherClient) { throw Self.error(.cannotInterruptOthers) }
        if category.records, running.contains(.notAvailableInBackground) { throw Self.error(.cannotStartRecording) }
        let isActive = state.withLock { state in
            // A call can begin after the check above.
            guard !state.isInCall else { return false }
            state.settings.isActive = true
            state.isInterrupted = false
            return true
        }
        guard isActive else { throw Self.error(.cannotInterruptOthers) }
    }

    /// Activates the session and reports the result on a queue of the library.
    public func activate(
        options: SetActiveOptions = [], completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let result = Result { try setActive(true, options: options) }
        reference.deliver(on: DispatchQueue(label: "AVAudioSession")) {
            switch result {
            case .success: handler(true, nil)
            case .failure(let error): handler(false, error)
            }
        }
    }

    /// Whether another client, such as a phone call, plays audio.
    public var isOtherAudioPlaying: Bool { interruptions.active.contains(.audioInUseByAnotherClient) }
    public var secondaryAudioShouldBeSilencedHint: Bool { isOtherAudioPlaying }
    public var promptStyle: PromptStyle { isOtherAudioPlaying ? .none : .normal }

    // MARK: Changes

    /// Changes settings, and posts a change of the route if the route or the category has changed.
    func change(_ reason: RouteChangeReason, _ body: (inout Settings) -> Void) {
        let isNewCategory = state.withLock { state in
            let old = state.settings.category
            body(&state.settings)
            return state.settings.category != old
        }
        reportRoute(reason, always: isNewCategory)
    }

    /// Changes a setting that does not affect the route.
    func update(_ body: (inout Settings) -> Void) { state.withLock { body(&$0.settings) } }

    private func isSame(_ one: AVAudioSessionRouteDescription, _ other: AVAudioSessionRouteDescription) -> Bool {
        one.inputs == other.inputs && one.outputs == other.outputs
    }

    /// Posts a change of the route, if it differs from the last one.
    ///
    /// - Parameter always: Whether to post it even if the route is the same.
    private func reportRoute(_ reason: RouteChangeReason, always: Bool = false) {
        let current = currentRoute
        let previous = reportedRoute.withLock { route in
            defer { route = current }
            return route ?? current
        }
        guard always || !isSame(previous, current) else { return }
        post(
            Self.routeChangeNotification,
            [
                AVAudioSessionRouteChangeReasonKey: reason.rawValue,
                AVAudioSessionRouteChangePreviousRouteKey: previous,
            ])
    }

    private func post(_ name: Notification.Name, _ userInfo: [String: any Sendable]? = nil) {
        notifications.post(name, userInfo: userInfo) { [weak self] in self }
    }

    /// Starts observing interruptions, resets and microphones, unless they are already observed.
    private func observe() {
        let isFirst = state.withLock { state in
            defer { state.isObserving = true }
            return !state.isObserving
        }
        guard isFirst else { return }
        let route = currentRoute
        reportedRoute.withLock { $0 = route }
        var observations = [
            interruptions.observe { [weak self] in
                self?.setInCall($0.contains(.audioInUseByAnotherClient))
            },
            interruptions.observeResets { [weak self] in self?.reset() },
        ]
        for host in hosts {
            observations.append(
                host.observeDevices { [weak self] change in
                    guard let self, change.device.descriptor.media.contains(.audio) else { return }
                    post(Self.availableInputsChangeNotification)
                    switch change {
                    case .connected: reportRoute(.newDeviceAvailable)
                    case .disconnected: reportRoute(.oldDeviceUnavailable)
                    }
                })
        }
        state.withLock { [observations] in $0.observations = observations }
    }

    private func setInCall(_ isInCall: Bool) {
        let isInterrupted = state.withLock { state -> Bool? in
            guard state.isInCall != isInCall else { return nil }
            state.isInCall = isInCall
            if isInCall, state.settings.isActive {
                state.settings.isActive = false
                state.isInterrupted = true
                return true
            }
            guard !isInCall, state.isInterrupted else { return nil }
            state.isInterrupted = false
            return false
        }
        switch isInterrupted {
        case true?:
            post(
                Self.interruptionNotification,
                [
                    AVAudioSessionInterruptionTypeKey: InterruptionType.began.rawValue,
                    AVAudioSessionInterruptionReasonKey: InterruptionReason.default.rawValue,
                ])
        case false?:
            post(
                Self.interruptionNotification,
                [
                    AVAudioSessionInterruptionTypeKey: InterruptionType.ended.rawValue,
                    AVAudioSessionInterruptionOptionKey:
                        (interruptions.shouldResume ? InterruptionOptions.shouldResume : []).rawValue,
                ])
        case nil: break
        }
    }

    private func reset() {
        state.withLock { state in
            state.settings = Settings()
            state.isInterrupted = false
        }
        dataSourceIDs.withLock { $0 = [:] }
        let route = currentRoute
        reportedRoute.withLock { $0 = route }
        post(Self.mediaServicesWereLostNotification)
        post(Self.mediaServicesWereResetNotification)
    }
}
