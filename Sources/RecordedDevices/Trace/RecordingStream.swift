import CaptureHAL
import Foundation
import MediaTypes

/// A stream whose events are taken down before the client gets them.
final class RecordingStream: DeviceStream {
    let number: Int
    private let base: any DeviceStream
    private let journal: TraceJournal
    private let isRunning = Lock(false)

    init(_ base: any DeviceStream, _ number: Int, _ journal: TraceJournal) {
        self.base = base
        self.number = number
        self.journal = journal
    }

    deinit { stop() }

    var configuration: StreamConfiguration { base.configuration }

    func start(_ receive: @escaping @Sendable (StreamEvent) -> Void) throws(DeviceError) {
        // An attempt to start what runs is refused by the base; its events must not end up in another run.
        let wasRunning = isRunning.withLock { isRunning in
            defer { isRunning = true }
            return isRunning
        }
        // The start's line stands before what it brings, which may come before the call has returned.
        if !wasRunning { journal.note(.start(number)) }
        do throws(DeviceError) {
            try base.start { [journal, number, isRunning] event in
                switch event {
                case .failed, .ended: isRunning.withLock { $0 = false }
                case .video, .audio, .dropped: break
                }
                journal.note(event, of: number)
                receive(event)
            }
        } catch {
            if wasRunning {
                journal.note(.again(number, error))
            } else {
                isRunning.withLock { $0 = false }
                journal.note(.refused(number, error))
            }
            throw error
        }
    }

    func stop() {
        base.stop()
        let wasRunning = isRunning.withLock { isRunning in
            defer { isRunning = false }
            return isRunning
        }
        if wasRunning { journal.note(.stop(number)) }
    }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        do throws(DeviceError) {
            try base.setFrameDuration(duration)
            journal.note(.rate(stream: number, duration, .success(())))
        } catch {
            journal.note(.rate(stream: number, duration, .failure(error)))
            throw error
        }
    }
}

extension TraceJournal {
    /// Takes down what a stream delivered.
    func note(_ event: StreamEvent, of stream: Int) {
        switch event {
        case .video(let frame): note(frame, of: stream)
        case .audio(let chunk):
            let sound = TraceSound(
                format: chunk.format, frameCount: chunk.frameCount, presentationTime: own(chunk.presentationTime),
                samplePosition: chunk.samplePosition, followsDiscontinuity: chunk.followsDiscontinuity,
                bytes: .tooFast)
            note(.sound(stream: stream, sound), Media(chunk.data, rows: []))
        case .dropped(var drop):
            drop.presentationTime = own(drop.presentationTime)
            note(.dropped(stream: stream, drop))
        case .failed(let error, let time): note(.failed(stream: stream, error, time: own(time)))
        case .ended(let time): note(.ended(stream: stream, time: own(time)))
        }
    }

    private func note(_ frame: VideoFrame, of stream: Int) {
        var traced = TraceFrame(
            shape: .compressed(0), presentationTime: own(frame.presentationTime), duration: frame.duration,
            sequenceNumber: frame.sequenceNumber, settings: frame.settings, bytes: .tooFast)
        let media: Media
        switch frame.payload {
        case .pixels(let pixels):
            traced.shape = .pixels(
                pixels.pixelFormat, CMVideoDimensions(width: Int32(pixels.width), height: Int32(pixels.height)))
            media = Media(bytes: pixels.packedBytes(), rows: traced.rows, look: pixels.attachments)
        case .compressed(let data, let codec):
            traced.shape = .compressed(codec)
            media = Media(data, rows: [])
        }
        note(.frame(stream: stream, traced), media)
    }

    /// A time on the trace's axis.
    private func own(_ time: CMTime) -> CMTime {
        guard time.isNumeric, origin != 0 else { return time }
        return time - CMTime(nanoseconds: origin)
    }
}

extension TraceJournal.Media {
    init(_ data: CMBlockBuffer, rows: [TracePacking.Rows]) {
        self.init(bytes: data.withUnsafeBytes { Data($0) }, rows: rows, look: nil)
    }
}
