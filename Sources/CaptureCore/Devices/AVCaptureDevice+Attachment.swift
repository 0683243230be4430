import CaptureHAL
import MediaTypes

extension AVCaptureDevice {
    /// How the device is attached, as a four-character code: `'bltn'`, `'usb '`, `'pci '`, `'1394'`, `'virt'` for what
    /// software makes, and 0 where that is unknown (`kIOAudioDeviceTransportType…` in IOKit's IOAudioTypes.h).
    public var transportType: Int32 {
        switch hardware.descriptor.transport {
        case .unknown: 0
        case .builtIn: 0x626C_746E
        case .usb: 0x7573_6220
        case .pci: 0x7063_6920
        case .fireWire: 0x3133_3934
        case .virtual: 0x7669_7274
        }
    }

    /// The connected devices in the same housing, as the microphone of a webcam.
    public var linkedDevices: [AVCaptureDevice] {
        guard let housing = hardware.descriptor.housing else { return [] }
        return surroundings.siblings.devices.filter { $0 !== self && $0.hardware.descriptor.housing == housing }
    }
}
