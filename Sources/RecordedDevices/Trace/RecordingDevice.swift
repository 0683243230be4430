import CaptureHAL
import MediaTypes

/// A device that records its openings in a trace.
final class RecordingDevice: HardwareDevice {
    let number: Int
    private let base: any HardwareDevice
    private let journal: TraceJournal
    /// The recorded formats, by number: the formats of the device, followed by others that were requested.
    private let recordedFormats: Lock<[StreamFormat]>

    /// Creates the wrapper of a device and records the device.
    init(_ base: any HardwareDevice, _ number: Int, _ journal: TraceJournal) {
        self.base = base
        self.number = number
        self.journal = journal
        let formats = base.formats
        recordedFormats = Lock(formats)
        journal.record(.device(number, Self.recorded(base.descriptor), formatCount: formats.count))
        for (index, format) in formats.enumerated() {
            journal.record(.format(device: number, number: index, format))
        }
    }

    /// The device's descriptor, without what a trace does not contain: RAW samples and mattes of stills.
    var descriptor: DeviceDescriptor { Self.recorded(base.descriptor) }

    private static func recorded(_ descriptor: DeviceDescriptor) -> DeviceDescriptor {
        var descriptor = descriptor
        descriptor.stills?.deliversRAW = false
        descriptor.stills?.mattes = []
        return descriptor
    }

    var formats: [StreamFormat] { base.formats }
    var isConnected: Bool { base.isConnected }

    var isInUseByAnotherApplication: Bool {
        let isInUse = base.isInUseByAnotherApplication
        journal.record(.inUse(number, isInUse))
        return isInUse
    }

    func open() throws(DeviceError) -> any OpenDevice {
        do throws(DeviceError) {
            let opened = try base.open()
            return RecordingOpenDevice(opened, of: self, journal)
        } catch {
            journal.record(.open(device: number, .failure(error)))
            throw error
        }
    }

    /// Returns the number of a format. A format that the device does not have is recorded.
    func number(of format: StreamFormat) -> Int {
        let (number, isNew) = recordedFormats.withLock { formats in
            if let number = formats.firstIndex(of: format) { return (number, false) }
            formats.append(format)
            return (formats.count - 1, true)
        }
        if isNew { journal.record(.format(device: self.number, number: number, format)) }
        return number
    }
}
