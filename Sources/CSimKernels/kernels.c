#include "CSimKernels.h"
