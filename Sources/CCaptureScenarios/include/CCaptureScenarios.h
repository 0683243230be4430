#pragma once

/// Calls `obscura_install_scenario_library` if the module that defines it, `ScenarioPhotoLibrary`, is linked.
///
/// The function is in C, because the call needs a weak reference: `CaptureScenarios` cannot import the module, and a
/// program without the photo library must still link.
void ccapturescenarios_install_linked_library(void);
