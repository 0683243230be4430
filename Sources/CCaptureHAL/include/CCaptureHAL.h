#pragma once

/// Calls `obscura_install_backends` if a composition root is linked, and returns whether one is.
///
/// In C because the call needs a weak reference: `CaptureHAL` cannot import the composition root, and an executable
/// without one must still link.
int ccapturehal_install_linked_backends(void);

/// Begins calls of the thread that stay real in a program with simulated worlds; does nothing in other programs.
///
/// In C because the calls need weak references: `CaptureHAL` cannot import the scheduler of simulated worlds.
void ccapturehal_enter_real_time(void);

/// Ends the calls begun by `ccapturehal_enter_real_time`.
void ccapturehal_leave_real_time(void);
