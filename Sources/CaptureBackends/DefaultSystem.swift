import CaptureHAL

/// Lets `CaptureSystem.current` make the process's own system from `OBSCURA_BACKEND`, in real time.
///
/// Called through a weak reference by `CaptureHAL`, which may not know the backends; see `CCaptureHAL.h`.
@_cdecl("obscura_install_backends")
public func installBackends() {
    CaptureSystem.setDefaultFactory { (words) throws(DeviceError) in
        let clock = HostClock.shared
        return CaptureSystem(hosts: [try Backend(words).makeHost(clock: clock)], clock: clock)
    }
}
