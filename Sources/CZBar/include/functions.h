// Every zbar function in use: its name without `zbar_`, and its declaration, which the compiler compares with the one
// in the library's header.
//
// Included more than once, each time with a different LOADED_FUNCTION(result, name, parameters, arguments).

LOADED_FUNCTION(zbar_image_t *, image_create, (void), ())
LOADED_FUNCTION(void, image_destroy, (zbar_image_t *image), (image))
LOADED_FUNCTION(const zbar_symbol_t *, image_first_symbol, (const zbar_image_t *image), (image))
LOADED_FUNCTION(void, image_set_data,
    (zbar_image_t *image, const void *data, unsigned long byte_count, zbar_image_cleanup_handler_t *cleanup),
    (image, data, byte_count, cleanup))
LOADED_FUNCTION(void, image_set_format, (zbar_image_t *image, unsigned long format), (image, format))
LOADED_FUNCTION(void, image_set_size, (zbar_image_t *image, unsigned width, unsigned height), (image, width, height))
LOADED_FUNCTION(zbar_image_scanner_t *, image_scanner_create, (void), ())
LOADED_FUNCTION(void, image_scanner_destroy, (zbar_image_scanner_t *scanner), (scanner))
LOADED_FUNCTION(int, image_scanner_set_config,
    (zbar_image_scanner_t *scanner, zbar_symbol_type_t kind, zbar_config_t config, int value),
    (scanner, kind, config, value))
LOADED_FUNCTION(int, scan_image, (zbar_image_scanner_t *scanner, zbar_image_t *image), (scanner, image))
LOADED_FUNCTION(const char *, symbol_get_data, (const zbar_symbol_t *symbol), (symbol))
LOADED_FUNCTION(unsigned, symbol_get_data_length, (const zbar_symbol_t *symbol), (symbol))
LOADED_FUNCTION(unsigned, symbol_get_loc_size, (const zbar_symbol_t *symbol), (symbol))
LOADED_FUNCTION(int, symbol_get_loc_x, (const zbar_symbol_t *symbol, unsigned index), (symbol, index))
LOADED_FUNCTION(int, symbol_get_loc_y, (const zbar_symbol_t *symbol, unsigned index), (symbol, index))
LOADED_FUNCTION(int, version, (unsigned *major, unsigned *minor, unsigned *patch), (major, minor, patch))
LOADED_FUNCTION(zbar_symbol_type_t, symbol_get_type, (const zbar_symbol_t *symbol), (symbol))
LOADED_FUNCTION(const zbar_symbol_t *, symbol_next, (const zbar_symbol_t *symbol), (symbol))
