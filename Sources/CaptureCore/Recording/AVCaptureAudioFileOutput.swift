import CaptureHAL
public import Foundation
public import MediaAssets
import MediaCodecs
import MediaTypes

/// Records a session's sound into a file of its own: M4A, CAF or WAV.
///
/// - Important: Thread-safe.
public final class AVCaptureAudioFileOutput: AVCaptureFileOutput, @unchecked Sendable {
    // SAFETY: all state is behind `options` and `lastSoundEnd`.
    private struct Options: @unchecked Sendable {
        // SAFETY: values of a property list.
        var dictionary: [String: Any]?
        var audio: WriterAudioSettings?
        var items: [AVMetadataItem] = []
    }

    private let options = Lock(Options())
    private let lastSoundEnd = Lock(CMTime.invalid)

    public init() { super.init(system: .current, label: "obscura.audiofile") }

    override var acceptedMedia: [AVMediaType] { [.audio] }

    /// The kinds of files that can be written.
    public class func availableOutputFileTypes() -> [AVFileType] { [.m4a, .caf, .wav] }

    /// What the files say beside what the recording knows itself; only M4A files keep it.
    public var metadata: [AVMetadataItem] {
        get { options.withLock { $0.items } }
        set { options.withLock { $0.items = newValue } }
    }

    /// How sound is coded, by the keys of writer inputs of sound; nil, the default, lets the file type choose.
    public var audioSettings: [String: Any]? {
        get { options.withLock { $0.dictionary } }
        set {
            do throws(SettingsDictionary.Refusal) {
                let audio = try newValue.map { (dictionary) throws(SettingsDictionary.Refusal) in
                    try WriterAudioSettings(dictionary, isComplete: false)
                }
                options.withLock { options in
                    options.dictionary = newValue
                    options.audio = audio
                }
            } catch {
                report("setAudioSettings:", error.reason)
            }
        }
    }

    /// Begins a recording with the next sound; a recording that runs ends there.
    ///
    /// - Parameters:
    ///   - outputFileURL: A file that does not exist.
    ///   - fileType: One of `availableOutputFileTypes()` that holds what `audioSettings` ask for.
    ///   - delegate: Kept until its last callback.
    public func startRecording(
        to outputFileURL: URL, outputFileType fileType: AVFileType,
        recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
    ) {
        let method = "startRecordingToOutputFileURL:outputFileType:recordingDelegate:"
        guard outputFileURL.isFileURL else {
            return report(method, "Cannot record to URL \(outputFileURL) because it is not a file URL")
        }
        guard Self.availableOutputFileTypes().contains(fileType), let kind = WriterFileKind(fileType) else {
            return report(method, "Files of type \(fileType.rawValue) cannot be written")
        }
        let connections = connections.filter { $0.isEnabled && $0.isActive }
        guard !connections.isEmpty else { return report(method, "No active/enabled connections") }
        let options = options.withLock { $0 }
        let sound = RecordedSound(kind: kind, settings: options.audio ?? RecordedSound.settings(for: kind))
        if let reason = kind.refusal(of: sound.settings.codec) { return report(method, reason) }
        let now = recordingTime
        // The chunk that is under way belongs to both files: the new one begins where the old one ends.
        let start = isRecording ? lastSoundEnd.withLock { $0.isNumeric ? min(now, $0) : now } : now
        if isRecording { end(.switched(at: start)) }
        let number = updateProgress { progress in
            progress = Progress(number: progress.number + 1, url: outputFileURL)
            return progress.number
        }
        let isRunning = session?.isRunning ?? false
        let follower = RecordingFollower(
            output: self, url: outputFileURL, connections: connections, delegate: delegate, queue: callbackQueue)
        worker.submit {
            self.begin(follower, number, sound, options.items, at: start, isSessionRunning: isRunning)
        }
    }

    public override func stopRecording() { end(.stopped(at: recordingTime)) }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .audio(let chunk) = media.content else { return }
        lastSoundEnd.withLock { $0 = chunk.presentationTime + chunk.duration }
        show(
            CMSampleBuffer(chunk, CMFormatDescription(pcm: chunk.format.streamDescription)),
            at: chunk.presentationTime, from: connection)
        guard isRecording else { return }
        worker.submit {
            if let recording = self.recording { self.give(media, from: connection, to: recording) }
        }
    }

    override func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) {
        worker.submit {
            if let recording = self.recording, recording.sourceDidEnd(connection, at: time) {
                self.complete(recording, .sourceEnded)
            }
        }
    }

    override func sessionDidStop(_ reason: StopReason) {
        lastSoundEnd.withLock { $0 = .invalid }
        end(.sessionEnded(reason, at: system.clock.now))
    }

    private func begin(
        _ follower: RecordingFollower, _ number: Int, _ sound: RecordedSound, _ items: [AVMetadataItem],
        at start: CMTime, isSessionRunning: Bool
    ) {
        let new = MovieRecording(
            follower, number: number, system: system, limits: limits.withLock { $0 },
            options: AVCaptureMovieFileOutput.Options(sound: sound), start: start)
        new.items = items
        begin(new, isSessionRunning: isSessionRunning)
    }

    private func end(_ reason: MovieRecording.EndReason) {
        worker.submit {
            if let recording = self.recording { self.complete(recording, reason) }
        }
    }

    private func report(_ method: String, _ message: String) {
        system.misuse.report(.invalidArgument, "-[AVCaptureAudioFileOutput \(method)] \(message)")
    }
}

/// A file for sound alone, and how the sound is coded in it.
struct RecordedSound: Sendable {
    var kind: WriterFileKind
    var settings: WriterAudioSettings

    /// What a kind of file holds where nothing was chosen.
    static func settings(for kind: WriterFileKind) -> WriterAudioSettings {
        switch kind {
        case .movie: WriterAudioSettings(codec: .aac)
        case .sound: WriterAudioSettings(codec: .pcm)
        }
    }
}
