#pragma once

/// Calls `obscura_install_backends` if the module that defines it, `CaptureBackends`, is linked; returns whether it is.
///
/// The function is in C, because the call needs a weak reference: `CaptureHAL` cannot import `CaptureBackends`, and an
/// executable without that module must still link.
int ccapturehal_install_linked_backends(void);

/// Begins real time on the calling thread: its system calls are not simulated, even in a program with simulated
/// worlds. In other programs, the function has no effect.
///
/// The function is in C, because the calls need weak references: `CaptureHAL` cannot import the scheduler of simulated
/// worlds.
void ccapturehal_enter_real_time(void);

/// Ends the real time that `ccapturehal_enter_real_time` has begun.
void ccapturehal_leave_real_time(void);
