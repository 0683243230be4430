#pragma once
#include <zbar.h>

// The name is a macro of an expression, which Swift cannot import: grey, one byte a pixel, rows without gaps.
static const unsigned long czbar_grey = zbar_fourcc('Y', '8', '0', '0');
