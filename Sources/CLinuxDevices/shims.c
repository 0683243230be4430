#include "CLinuxDevices.h"
