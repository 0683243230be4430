/// A fault that teams have reported of their camera code. The app has the faults that its creator passes to it, so that
/// tests can show how each of them is found.
public enum ClipCameraFault: String, CaseIterable, Sendable {
    /// Switching the camera begins a configuration, and commits it after an animation. A start in between is an
    /// exception.
    case startsDuringConfiguration
    /// The app stops its session when it is interrupted, and starts it when the interruption ends, but not if the app
    /// was in the background meanwhile.
    case staysStoppedAfterInterruption
    /// A second tap on the shutter replaces the delegate of the first photo, which then has no result.
    case losesFirstOfTwoPhotos
    /// The camera starts when the user answers the prompt, although its screen was closed meanwhile.
    case startsAfterScreenIsClosed
    /// The torch is turned off by the button that stops the recording, and not when the recording ends with an error.
    case leavesTorchOn
    /// The movie is saved when the recording is asked to stop, before its file is complete.
    case savesUnfinishedMovie
    /// The main thread waits for the session's queue, and the delegate on this queue waits for the main thread.
    case deadlocksWhenClosed
    /// The observer of a notification refers to the camera and is never removed.
    case leavesObserver
}
