import CaptureHAL
import LinuxDevices

/// Registers the factory of the default capture system, which uses the devices of `OBSCURA_BACKEND` in real time.
/// Players use ALSA's default audio output.
///
/// `CaptureHAL` calls this function through a weak reference, because it cannot import the backends; see
/// `CCaptureHAL.h`.
@_cdecl("obscura_install_backends")
public func installBackends() {
    CaptureSystem.setDefaultFactory { (text) throws(DeviceError) in
        let clock = HostClock.shared
        return CaptureSystem(
            hosts: [try Backend(text).makeHost(clock: clock)], clock: clock, speaker: ALSASpeaker())
    }
}
