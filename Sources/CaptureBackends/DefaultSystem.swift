import CaptureHAL

#if Everything || LinuxDevices
import LinuxDevices
#endif

/// Registers the factory of the default capture system, which uses the devices of `OBSCURA_BACKEND` in real time.
/// Players use ALSA's default audio output.
///
/// `CaptureHAL` calls this function through a weak reference, because it cannot import the backends; see
/// `CCaptureHAL.h`.
@_cdecl("obscura_install_backends")
public func installBackends() {
    CaptureSystem.setDefaultFactory { (text) throws(DeviceError) in
        let clock = HostClock.shared
        return CaptureSystem(hosts: [try Backend(text).makeHost(clock: clock)], clock: clock, speaker: defaultSpeaker())
    }
}

/// Returns ALSA's default audio output; nil without the package trait `LinuxDevices`.
private func defaultSpeaker() -> (any Speaker)? {
    #if Everything || LinuxDevices
    ALSASpeaker()
    #else
    nil
    #endif
}
