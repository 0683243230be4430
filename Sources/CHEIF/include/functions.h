// Every libheif function in use: its name without `heif_`, and its declaration as in the library's header.
//
// Included more than once, each time with a different LOADED_FUNCTION(result, name, parameters, arguments).

LOADED_FUNCTION(CHEIFContext, context_alloc, (void), ())
LOADED_FUNCTION(void, context_free, (CHEIFContext context), (context))
LOADED_FUNCTION(struct cheif_error, context_read_from_memory_without_copy,
    (CHEIFContext context, const void *bytes, size_t byte_count, const void *options),
    (context, bytes, byte_count, options))
LOADED_FUNCTION(struct cheif_error, context_get_primary_image_handle,
    (CHEIFContext context, CHEIFImageHandle *handle), (context, handle))
LOADED_FUNCTION(const char *, get_version, (void), ())
LOADED_FUNCTION(void, image_handle_release, (CHEIFImageHandle handle), (handle))
LOADED_FUNCTION(int, image_handle_get_width, (CHEIFImageHandle handle), (handle))
LOADED_FUNCTION(int, image_handle_get_height, (CHEIFImageHandle handle), (handle))
LOADED_FUNCTION(int, image_handle_has_alpha_channel, (CHEIFImageHandle handle), (handle))
LOADED_FUNCTION(int, image_handle_is_premultiplied_alpha, (CHEIFImageHandle handle), (handle))
LOADED_FUNCTION(int, image_handle_get_list_of_thumbnail_IDs, (CHEIFImageHandle handle, uint32_t *ids, int count),
    (handle, ids, count))
LOADED_FUNCTION(struct cheif_error, image_handle_get_thumbnail,
    (CHEIFImageHandle handle, uint32_t id, CHEIFImageHandle *thumbnail), (handle, id, thumbnail))
LOADED_FUNCTION(struct cheif_error, image_handle_get_auxiliary_image_handle,
    (CHEIFImageHandle handle, uint32_t id, CHEIFImageHandle *auxiliary), (handle, id, auxiliary))
LOADED_FUNCTION(struct cheif_error, decode_image,
    (CHEIFImageHandle handle, CHEIFImage *image, int colorspace, int chroma, const void *options),
    (handle, image, colorspace, chroma, options))
LOADED_FUNCTION(int, image_get_width, (CHEIFImage image, int channel), (image, channel))
LOADED_FUNCTION(int, image_get_height, (CHEIFImage image, int channel), (image, channel))
LOADED_FUNCTION(const uint8_t *, image_get_plane_readonly, (CHEIFImage image, int channel, int *stride),
    (image, channel, stride))
LOADED_FUNCTION(void, image_release, (CHEIFImage image), (image))
