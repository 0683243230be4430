#include "CCaptureScenarios.h"

extern void obscura_install_scenario_library(void) __attribute__((weak));

void ccapturescenarios_install_linked_library(void) {
    if (obscura_install_scenario_library) obscura_install_scenario_library();
}
