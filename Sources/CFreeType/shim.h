#pragma once
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

// The macro is an expression, which Swift cannot import.
static const FT_Int32 cfreetype_load_no_scale = FT_LOAD_NO_SCALE;
