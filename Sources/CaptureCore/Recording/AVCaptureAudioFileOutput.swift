public import AssetTypes
import CaptureHAL
public import Foundation
import MediaCodecs
import MediaTypes

/// Records a session's audio to an M4A, CAF or WAV file.
///
/// - Important: Thread-safe.
public final class AVCaptureAudioFileOutput: AVCaptureFileOutput, @unchecked Sendable {
    // SAFETY: all state is behind `options` and `lastAudioEnd`.
    private struct Options: @unchecked Sendable {
        // SAFETY: values of a property list.
        var dictionary: [String: Any]?
        var audio: WriterAudioSettings?
        var items: [AVMetadataItem] = []
    }

    private let options = Lock(Options())
    /// The end of the last audio chunk.
    private let lastAudioEnd = Lock(CMTime.invalid)

    public init() { super.init(system: .current, label: "obscura.audiofile") }

    override var acceptedMedia: [AVMediaType] { [.audio] }

    /// Returns the supported file types.
    public class func availableOutputFileTypes() -> [AVFileType] { [.m4a, .caf, .wav] }

    /// Metadata written in addition to the metadata that the output creates; only M4A files support it.
    public var metadata: [AVMetadataItem] {
        get { observedProperties.value(\.items, in: options) }
        set { observedProperties.set(\.items, in: options, to: newValue) }
    }

    /// The encoding, with the keys of audio writer inputs; nil, the default, selects the default encoding of the
    /// file type.
    public var audioSettings: [String: Any]? {
        get {
            observedProperties.access()
            return options.withLock { $0.dictionary }
        }
        set {
            do throws(SettingsDictionary.SettingsError) {
                let audio = try newValue.map { (dictionary) throws(SettingsDictionary.SettingsError) in
                    try WriterAudioSettings(dictionary, isComplete: false)
                }
                options.withLock { options in
                    options.dictionary = newValue?.plainSettings
                    options.audio = audio
                }
                observedProperties.changed()
            } catch {
                report("setAudioSettings:", error.reason)
            }
        }
    }

    /// Starts a recording with the next audio; a running recording ends at that point.
    ///
    /// - Parameters:
    ///   - outputFileURL: A file that does not exist.
    ///   - fileType: One of `availableOutputFileTypes()` that supports the encoding in `audioSettings`.
    ///   - delegate: Not retained: the client retains it until its last callback.
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
        let format = AudioFileFormat(kind: kind, settings: options.audio ?? AudioFileFormat.settings(for: kind))
        if let reason = kind.rejectionReason(for: format.settings.codec) { return report(method, reason) }
        session?.runDeferredStart()
        let now = recordingTime
        // The chunk that is being captured spans both files: the new file starts where the old one ends.
        let start = isRecording ? lastAudioEnd.withLock { $0.isNumeric ? min(now, $0) : now } : now
        if isRecording { end(.switched(at: start)) }
        let number = updateProgress { progress in
            progress = Progress(number: progress.number + 1, url: outputFileURL)
            return progress.number
        }
        let isRunning = session?.isRunning ?? false
        system.reference.lifetimes.add(delegate, "the delegate")
        let notifier = RecordingDelegateNotifier(
            output: self, url: outputFileURL, connections: connections, delegate: delegate, queue: callbackQueue)
        worker.submit {
            self.begin(notifier, number, format, options.items, at: start, isSessionRunning: isRunning)
        }
    }

    public override func stopRecording() { end(.stopped(at: recordingTime)) }

    override func consume(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .audio(let chunk) = media else { return }
        lastAudioEnd.withLock { $0 = chunk.presentationTime + chunk.duration }
        callSampleDelegate(
            with: CMSampleBuffer(chunk, CMFormatDescription(pcm: chunk.format.streamDescription)),
            at: chunk.presentationTime, from: connection)
        guard isRecording else { return }
        _ = submit(media) {
            if let recording = self.recording { self.process(media, from: connection, in: recording) }
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
        lastAudioEnd.withLock { $0 = .invalid }
        end(.sessionEnded(reason, at: system.clock.now))
    }

    private func begin(
        _ notifier: RecordingDelegateNotifier, _ number: Int, _ format: AudioFileFormat, _ items: [AVMetadataItem],
        at start: CMTime, isSessionRunning: Bool
    ) {
        let new = MovieRecording(
            notifier, number: number, system: system, limits: limits.withLock { $0 },
            options: AVCaptureMovieFileOutput.Options(audioFile: format), start: start)
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

/// The type of an audio file and its encoding.
struct AudioFileFormat: Sendable {
    var kind: WriterFileKind
    var settings: WriterAudioSettings

    /// Returns the default encoding of a file type.
    static func settings(for kind: WriterFileKind) -> WriterAudioSettings {
        switch kind {
        case .movie: WriterAudioSettings(codec: .aac)
        case .audio: WriterAudioSettings(codec: .pcm)
        }
    }
}
