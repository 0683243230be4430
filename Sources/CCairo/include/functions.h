// Every cairo function in use, with its declaration as in the library's header and its name without `cairo_`.
// Enumerations are passed as `int`.
//
// Included more than once, each time with a different LOADED_FUNCTION(result, name, parameters, arguments).

LOADED_FUNCTION(cairo_surface_t *, image_surface_create_for_data,
    (unsigned char *data, int format, int width, int height, int stride), (data, format, width, height, stride))
LOADED_FUNCTION(unsigned char *, image_surface_get_data, (cairo_surface_t *surface), (surface))
LOADED_FUNCTION(int, image_surface_get_width, (cairo_surface_t *surface), (surface))
LOADED_FUNCTION(int, image_surface_get_height, (cairo_surface_t *surface), (surface))
LOADED_FUNCTION(int, image_surface_get_stride, (cairo_surface_t *surface), (surface))
LOADED_FUNCTION(void, surface_get_device_offset, (cairo_surface_t *surface, double *x, double *y), (surface, x, y))
LOADED_FUNCTION(void, surface_flush, (cairo_surface_t *surface), (surface))
LOADED_FUNCTION(void, surface_mark_dirty, (cairo_surface_t *surface), (surface))
LOADED_FUNCTION(void, surface_finish, (cairo_surface_t *surface), (surface))
LOADED_FUNCTION(void, surface_destroy, (cairo_surface_t *surface), (surface))
LOADED_FUNCTION(int, surface_status, (cairo_surface_t *surface), (surface))
LOADED_FUNCTION(cairo_t *, create, (cairo_surface_t *target), (target))
LOADED_FUNCTION(void, destroy, (cairo_t *cr), (cr))
LOADED_FUNCTION(void, save, (cairo_t *cr), (cr))
LOADED_FUNCTION(void, restore, (cairo_t *cr), (cr))
LOADED_FUNCTION(void, push_group, (cairo_t *cr), (cr))
LOADED_FUNCTION(cairo_pattern_t *, pop_group, (cairo_t *cr), (cr))
LOADED_FUNCTION(int, pattern_get_surface, (cairo_pattern_t *pattern, cairo_surface_t **surface), (pattern, surface))
LOADED_FUNCTION(void, pattern_destroy, (cairo_pattern_t *pattern), (pattern))
LOADED_FUNCTION(void, pattern_set_filter, (cairo_pattern_t *pattern, int filter), (pattern, filter))
LOADED_FUNCTION(void, pattern_set_extend, (cairo_pattern_t *pattern, int extend), (pattern, extend))
LOADED_FUNCTION(cairo_pattern_t *, get_source, (cairo_t *cr), (cr))
LOADED_FUNCTION(void, set_source, (cairo_t *cr, cairo_pattern_t *source), (cr, source))
LOADED_FUNCTION(void, set_source_rgba, (cairo_t *cr, double red, double green, double blue, double alpha),
    (cr, red, green, blue, alpha))
LOADED_FUNCTION(void, set_source_surface, (cairo_t *cr, cairo_surface_t *surface, double x, double y),
    (cr, surface, x, y))
LOADED_FUNCTION(void, mask_surface, (cairo_t *cr, cairo_surface_t *surface, double x, double y), (cr, surface, x, y))
LOADED_FUNCTION(void, set_operator, (cairo_t *cr, int op), (cr, op))
LOADED_FUNCTION(void, set_antialias, (cairo_t *cr, int antialias), (cr, antialias))
LOADED_FUNCTION(void, set_fill_rule, (cairo_t *cr, int rule), (cr, rule))
LOADED_FUNCTION(void, set_line_width, (cairo_t *cr, double width), (cr, width))
LOADED_FUNCTION(void, set_line_cap, (cairo_t *cr, int cap), (cr, cap))
LOADED_FUNCTION(void, set_line_join, (cairo_t *cr, int join), (cr, join))
LOADED_FUNCTION(void, set_miter_limit, (cairo_t *cr, double limit), (cr, limit))
LOADED_FUNCTION(void, set_dash, (cairo_t *cr, const double *dashes, int count, double offset),
    (cr, dashes, count, offset))
LOADED_FUNCTION(void, set_matrix, (cairo_t *cr, const cairo_matrix_t *matrix), (cr, matrix))
LOADED_FUNCTION(void, new_path, (cairo_t *cr), (cr))
LOADED_FUNCTION(void, move_to, (cairo_t *cr, double x, double y), (cr, x, y))
LOADED_FUNCTION(void, line_to, (cairo_t *cr, double x, double y), (cr, x, y))
LOADED_FUNCTION(void, curve_to, (cairo_t *cr, double x1, double y1, double x2, double y2, double x3, double y3),
    (cr, x1, y1, x2, y2, x3, y3))
LOADED_FUNCTION(void, close_path, (cairo_t *cr), (cr))
LOADED_FUNCTION(void, fill, (cairo_t *cr), (cr))
LOADED_FUNCTION(void, stroke, (cairo_t *cr), (cr))
LOADED_FUNCTION(void, clip, (cairo_t *cr), (cr))
LOADED_FUNCTION(void, reset_clip, (cairo_t *cr), (cr))
LOADED_FUNCTION(void, clip_extents, (cairo_t *cr, double *x1, double *y1, double *x2, double *y2),
    (cr, x1, y1, x2, y2))
LOADED_FUNCTION(void, paint_with_alpha, (cairo_t *cr, double alpha), (cr, alpha))
