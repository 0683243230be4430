#include "CCaptureHAL.h"

_Thread_local void *ccapturehal_held_delivery;
