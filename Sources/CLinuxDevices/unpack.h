// How the samples of a plane are read, for the kernels that unpack them.
#pragma once

#include "CLinuxDevices.h"

// Reads `count` samples of a row from column `first` on, as numbers of `bits` bits.
void clinuxdevices_read_samples(
    const uint8_t *row, int first, int count, enum clinuxdevices_packing packing, int bits, uint16_t *to);
