// Reading of packed samples, for the conversions.
#pragma once

#include "CLinuxDevices.h"

// Reads `count` samples of a row, starting at column `first`, as numbers of `bits` bits.
void clinuxdevices_read_samples(
    const uint8_t *row, int first, int count, enum clinuxdevices_packing packing, int bits, uint16_t *to);
