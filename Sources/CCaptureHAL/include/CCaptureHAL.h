#pragma once

/// Calls `obscura_install_backends` if a composition root is linked, and returns whether one is.
///
/// In C because the call must go through a weak reference: `CaptureHAL` may not import the composition root,
/// and an executable that has none must still link.
int ccapturehal_install_linked_backends(void);
