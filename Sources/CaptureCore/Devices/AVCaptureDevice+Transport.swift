import CaptureHAL
import MediaTypes

extension AVCaptureDevice {
    /// The connection to the machine as a four-character code (`kIOAudioDeviceTransportType…` in IOKit's
    /// IOAudioTypes.h): `'bltn'`, `'usb '`, `'pci '`, `'1394'`, `'virt'` for software devices, 0 if unknown.
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

    /// The connected devices in the same housing, such as the microphone of a webcam.
    public var linkedDevices: [AVCaptureDevice] {
        guard let housing = hardware.descriptor.housing else { return [] }
        return environment.deviceList.devices.filter { $0 !== self && $0.hardware.descriptor.housing == housing }
    }
}
