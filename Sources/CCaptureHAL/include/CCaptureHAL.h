#pragma once

/// Calls `obscura_install_backends` if a composition root is linked, and returns whether one is.
///
/// In C because the call needs a weak reference: `CaptureHAL` cannot import the composition root, and an executable
/// without one must still link.
int ccapturehal_install_linked_backends(void);
