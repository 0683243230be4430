// Every zbar function in use, with its declaration as in the library's header and its name without `zbar_`; the
// compiler compares.
//
// Included more than once, each time with a different CZBAR_FUNCTION(result, name, parameters, arguments).

CZBAR_FUNCTION(zbar_image_t *, image_create, (void), ())
CZBAR_FUNCTION(void, image_destroy, (zbar_image_t *image), (image))
CZBAR_FUNCTION(const zbar_symbol_t *, image_first_symbol, (const zbar_image_t *image), (image))
CZBAR_FUNCTION(void, image_set_data,
    (zbar_image_t *image, const void *data, unsigned long byte_count, zbar_image_cleanup_handler_t *cleanup),
    (image, data, byte_count, cleanup))
CZBAR_FUNCTION(void, image_set_format, (zbar_image_t *image, unsigned long format), (image, format))
CZBAR_FUNCTION(void, image_set_size, (zbar_image_t *image, unsigned width, unsigned height), (image, width, height))
CZBAR_FUNCTION(zbar_image_scanner_t *, image_scanner_create, (void), ())
CZBAR_FUNCTION(void, image_scanner_destroy, (zbar_image_scanner_t *scanner), (scanner))
CZBAR_FUNCTION(int, image_scanner_set_config,
    (zbar_image_scanner_t *scanner, zbar_symbol_type_t kind, zbar_config_t config, int value),
    (scanner, kind, config, value))
CZBAR_FUNCTION(int, scan_image, (zbar_image_scanner_t *scanner, zbar_image_t *image), (scanner, image))
CZBAR_FUNCTION(const char *, symbol_get_data, (const zbar_symbol_t *symbol), (symbol))
CZBAR_FUNCTION(unsigned, symbol_get_data_length, (const zbar_symbol_t *symbol), (symbol))
CZBAR_FUNCTION(unsigned, symbol_get_loc_size, (const zbar_symbol_t *symbol), (symbol))
CZBAR_FUNCTION(int, symbol_get_loc_x, (const zbar_symbol_t *symbol, unsigned index), (symbol, index))
CZBAR_FUNCTION(int, symbol_get_loc_y, (const zbar_symbol_t *symbol, unsigned index), (symbol, index))
CZBAR_FUNCTION(zbar_symbol_type_t, symbol_get_type, (const zbar_symbol_t *symbol), (symbol))
CZBAR_FUNCTION(const zbar_symbol_t *, symbol_next, (const zbar_symbol_t *symbol), (symbol))
