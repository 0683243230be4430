#include "CTestReporting.h"

extern void obscura_install_test_reporter(void);

__attribute__((constructor)) static void install(void) { obscura_install_test_reporter(); }
