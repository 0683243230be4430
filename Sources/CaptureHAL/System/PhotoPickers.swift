import MediaTypes

/// A picker for photos that the system shows in an app.
public enum PhotoPicker: String, Sendable, Hashable, CaseIterable {
    /// `PHPickerViewController`.
    case photos
    /// The picker of `PHPhotoLibrary.presentLimitedLibraryPicker(from:)`, in which the user selects the assets that the
    /// app may read.
    case limitedLibrary
}

/// What the user does with a picker for photos.
public struct PhotoPickerAnswer: Sendable, Hashable {
    /// What the user chooses.
    public enum Choice: Sendable, Hashable {
        /// The assets with these local identifiers, in this order. In the picker of the limited library, these are all
        /// assets that the app may read from now on.
        case assets([String])
        /// A number of assets: the newest ones in the picker, the newest first.
        case newest(Int)
        /// The user closes the picker without a choice.
        case cancel
    }

    public var choice: Choice
    /// The time until the user answers.
    public var delay: Duration

    /// Creates an answer.
    public init(_ choice: Choice, after delay: Duration = .zero) {
        self.choice = choice
        self.delay = delay
    }

    /// The user immediately selects the assets with these local identifiers, in this order.
    public static func select(_ localIdentifiers: [String]) -> PhotoPickerAnswer {
        PhotoPickerAnswer(.assets(localIdentifiers))
    }

    /// The user immediately selects the newest assets in the picker.
    public static func selectNewest(_ count: Int) -> PhotoPickerAnswer { PhotoPickerAnswer(.newest(count)) }

    /// The user immediately closes the picker.
    public static let cancel = PhotoPickerAnswer(.cancel)
}

/// The pickers for photos that the system shows, and the user's answers to them.
///
/// Without an answer, a picker stays open until the app dismisses it.
/// - Important: Thread-safe. Handlers run on the clock, outside any lock.
public final class PhotoPickers: Sendable {
    private struct OpenPicker {
        let picker: PhotoPicker
        let handler: @Sendable (PhotoPickerAnswer.Choice) -> Void
        /// Whether the user has decided what to do with it.
        var isAnswered = false
    }

    private struct State {
        var answers: [PhotoPicker: PhotoPickerAnswer] = [:]
        /// The pickers on the screen by their numbers.
        var open: [Int: OpenPicker] = [:]
        var lastNumber = 0
    }

    private let state = Lock(State())
    private let clock: any CaptureClock

    init(clock: any CaptureClock) { self.clock = clock }

    /// Sets what the user does with a picker that is open and not answered yet, and with later ones.
    ///
    /// - Parameter answer: Nil if the user does nothing with later pickers.
    public func setAnswer(_ answer: PhotoPickerAnswer?, to picker: PhotoPicker) {
        let open = state.withLock { state in
            state.answers[picker] = answer
            return state.open.filter { $0.value.picker == picker }.keys.sorted()
        }
        for number in open { answerIfPossible(number) }
    }

    /// Returns whether a picker is on the screen and waits for the user.
    public func isOpen(_ picker: PhotoPicker) -> Bool {
        state.withLock { $0.open.values.contains { $0.picker == picker } }
    }

    /// Shows a picker.
    ///
    /// - Parameter handler: Runs at most once, never inside this call, when the user has answered.
    /// - Returns: The number of the picker, for `close(_:)`.
    package func open(
        _ picker: PhotoPicker, handler: @escaping @Sendable (PhotoPickerAnswer.Choice) -> Void
    ) -> Int {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.open[state.lastNumber] = OpenPicker(picker: picker, handler: handler)
            return state.lastNumber
        }
        answerIfPossible(number)
        return number
    }

    /// Removes a picker from the screen. Its handler no longer runs.
    package func close(_ number: Int) { state.withLock { _ = $0.open.removeValue(forKey: number) } }

    private func answerIfPossible(_ number: Int) {
        let answer = state.withLock { state -> PhotoPickerAnswer? in
            guard let open = state.open[number], !open.isAnswered, let answer = state.answers[open.picker] else {
                return nil
            }
            state.open[number]?.isAnswered = true
            return answer
        }
        guard let answer else { return }
        clock.schedule(at: clock.now + CMTime(nanoseconds: answer.delay.nanoseconds)) { [weak self] in
            self?.state.withLock { $0.open.removeValue(forKey: number) }?.handler(answer.choice)
        }
    }
}

extension CaptureSystem {
    /// The pickers for photos that the system shows, and the user's answers to them.
    public var photoPickers: PhotoPickers { component(PhotoPickers.self) { PhotoPickers(clock: clock) } }
}
