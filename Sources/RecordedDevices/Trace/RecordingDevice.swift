import CaptureHAL
import MediaTypes

/// A device whose openings are taken down.
final class RecordingDevice: HardwareDevice {
    let number: Int
    private let base: any HardwareDevice
    private let journal: TraceJournal
    /// The device's formats, and behind them others that were asked for.
    private let knownFormats: Lock<[StreamFormat]>

    /// Introduces the device in the trace.
    init(_ base: any HardwareDevice, _ number: Int, _ journal: TraceJournal) {
        self.base = base
        self.number = number
        self.journal = journal
        let formats = base.formats
        knownFormats = Lock(formats)
        journal.note(.device(number, base.descriptor, formatCount: formats.count))
        for (index, format) in formats.enumerated() {
            journal.note(.format(device: number, number: index, format))
        }
    }

    var descriptor: DeviceDescriptor { base.descriptor }
    var formats: [StreamFormat] { base.formats }
    var isConnected: Bool { base.isConnected }

    var isInUseByAnotherApplication: Bool {
        let answer = base.isInUseByAnotherApplication
        journal.note(.inUse(number, answer))
        return answer
    }

    func open() throws(DeviceError) -> any OpenDevice {
        do throws(DeviceError) {
            let opened = try base.open()
            return RecordingOpenDevice(opened, of: self, journal)
        } catch {
            journal.note(.open(device: number, .failure(error)))
            throw error
        }
    }

    /// The number of a format; one that the device does not have is introduced.
    func number(of format: StreamFormat) -> Int {
        let (number, isNew) = knownFormats.withLock { formats in
            if let number = formats.firstIndex(of: format) { return (number, false) }
            formats.append(format)
            return (formats.count - 1, true)
        }
        if isNew { journal.note(.format(device: self.number, number: number, format)) }
        return number
    }
}
