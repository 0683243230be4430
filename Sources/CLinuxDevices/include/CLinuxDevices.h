// What LinuxDevices takes from the kernel's and the system libraries' headers.
// Swift imports structs, enums and plain macros by itself; the shims below stand where it cannot.
#pragma once

#include <alsa/asoundlib.h>
#include <errno.h>
#include <fcntl.h>
#include <libudev.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

// ioctl is variadic, which Swift cannot call. Returns the result, or the negative errno.
int clinuxdevices_ioctl(int descriptor, unsigned long request, void *argument);

// An epoll descriptor for some events and a device that others wait for, too; or the negative errno.
// Here and below in C because epoll_event is packed, and each frame waits once.
int clinuxdevices_share(int device, const int *events, int count);
// Takes the device out. Returns 0 or the negative errno.
int clinuxdevices_unshare(int set, int device);
// Puts it in again. Returns 0 or the negative errno.
int clinuxdevices_share_again(int set, int device);
// What came of those two, as the sum of the numbers below, or the negative errno.
int clinuxdevices_wait_shared(int set);
enum { CLINUXDEVICES_EVENT = 1, CLINUXDEVICES_DEVICE_READABLE = 2, CLINUXDEVICES_DEVICE_FAILED = 4 };

// Whether requests of a descriptor wait for what is not there yet. Returns 0 or the negative errno.
int clinuxdevices_set_blocking(int descriptor, int blocks);

// Starts a detached thread of the name (cut to 15 bytes). Returns 0 or an errno.
// pthread_setname_np is not visible to Swift's importer without _GNU_SOURCE.
int clinuxdevices_start_thread(const char *name, void (*body)(void *), void *context);

// Keeps alsa-lib from printing its errors; they come back as results. Its handler is variadic, which Swift cannot write.
void clinuxdevices_silence_alsa(void);

// Kernels for the encodings that nothing above reads. Strides are bytes from one row to the next.

// How the samples of a plane follow each other.
enum clinuxdevices_packing {
    // One byte each.
    clinuxdevices_bytes,
    // Two bytes each, the low one first.
    clinuxdevices_words,
    // Two bytes each, the high one first.
    clinuxdevices_swapped_words,
    // RAW10, RAW12 and RAW14 of MIPI CSI-2: the high bytes of four, two and four samples, then their low bits.
    clinuxdevices_mipi,
};

// Samples of `bits` bits, 8 to 16, to their upper eight.
void clinuxdevices_gray_to_8(
    const uint8_t *from, long from_stride, enum clinuxdevices_packing packing, int bits, uint8_t *to, long to_stride,
    int width, int height);

// Samples of `bits` bits to the upper bits of little-endian words.
void clinuxdevices_gray_to_16(
    const uint8_t *from, long from_stride, enum clinuxdevices_packing packing, int bits, uint8_t *to, long to_stride,
    int width, int height);

// One sample a pixel behind a mosaic of 2x2 filters, to B, G, R, 255: the upper eight bits; missing colours are the
// means of their neighbours. The red filter lies in column red_x (0, 1) and row red_y of each 2x2.
void clinuxdevices_bayer_to_bgra(
    const uint8_t *from, long from_stride, enum clinuxdevices_packing packing, int bits, uint8_t *to, long to_stride,
    int width, int height, int red_x, int red_y);

// Exchanges the two bytes of each pair: Cr Cb becomes Cb Cr.
void clinuxdevices_swap_pairs(
    const uint8_t *from, long from_stride, uint8_t *to, long to_stride, int pair_count, int row_count);

// Where one component of a picture lies.
struct clinuxdevices_component {
    const uint8_t *base;
    long stride;
    // Bytes from one sample to the next.
    int step;
};

// Y', Cb and Cr wherever they lie, to Y' Cb Y' Cr. One chroma sample serves 1 or 2 pixels of its own row; where each
// pixel has its own, a pair takes their mean.
void clinuxdevices_ycbcr_to_yuvs(
    struct clinuxdevices_component y, struct clinuxdevices_component cb, struct clinuxdevices_component cr,
    int pixels_per_chroma, uint8_t *to, long to_stride, int width, int height);

// Where the components lie in a pixel of 16 bits; each has 4 to 8.
struct clinuxdevices_rgb16 {
    int is_big_endian;
    int red_shift, red_bits, green_shift, green_bits, blue_shift, blue_bits;
};

// Pixels of 16 bits to B, G, R, 255.
void clinuxdevices_rgb16_to_bgra(
    const uint8_t *from, long from_stride, struct clinuxdevices_rgb16 format, uint8_t *to, long to_stride, int width,
    int height);

// Pixels of four bytes, one of which holds nothing, to B, G, R, 255; red, green and blue tell their places.
void clinuxdevices_rgb32_to_bgra(
    const uint8_t *from, long from_stride, int red, int green, int blue, uint8_t *to, long to_stride, int width,
    int height);

// Requests and fourccs are macros with casts or calls, which Swift does not import.
#define CLINUXDEVICES_REQUEST(name) static const unsigned long clinuxdevices_##name = name
#define CLINUXDEVICES_FOURCC(name) static const uint32_t clinuxdevices_##name = name

CLINUXDEVICES_REQUEST(VIDIOC_QUERYCAP);
CLINUXDEVICES_REQUEST(VIDIOC_ENUM_FMT);
CLINUXDEVICES_REQUEST(VIDIOC_G_FMT);
CLINUXDEVICES_REQUEST(VIDIOC_S_FMT);
CLINUXDEVICES_REQUEST(VIDIOC_TRY_FMT);
CLINUXDEVICES_REQUEST(VIDIOC_REQBUFS);
CLINUXDEVICES_REQUEST(VIDIOC_CREATE_BUFS);
CLINUXDEVICES_REQUEST(VIDIOC_QUERYBUF);
CLINUXDEVICES_REQUEST(VIDIOC_QBUF);
CLINUXDEVICES_REQUEST(VIDIOC_DQBUF);
CLINUXDEVICES_REQUEST(VIDIOC_STREAMON);
CLINUXDEVICES_REQUEST(VIDIOC_STREAMOFF);
CLINUXDEVICES_REQUEST(VIDIOC_G_PARM);
CLINUXDEVICES_REQUEST(VIDIOC_S_PARM);
CLINUXDEVICES_REQUEST(VIDIOC_QUERY_EXT_CTRL);
CLINUXDEVICES_REQUEST(VIDIOC_QUERYMENU);
CLINUXDEVICES_REQUEST(VIDIOC_G_CTRL);
CLINUXDEVICES_REQUEST(VIDIOC_S_CTRL);
CLINUXDEVICES_REQUEST(VIDIOC_SUBSCRIBE_EVENT);
CLINUXDEVICES_REQUEST(VIDIOC_DQEVENT);
CLINUXDEVICES_REQUEST(VIDIOC_ENUM_FRAMESIZES);
CLINUXDEVICES_REQUEST(VIDIOC_ENUM_FRAMEINTERVALS);

CLINUXDEVICES_REQUEST(VIDIOC_ENUMINPUT);
CLINUXDEVICES_REQUEST(VIDIOC_G_INPUT);
CLINUXDEVICES_REQUEST(VIDIOC_S_INPUT);
CLINUXDEVICES_REQUEST(VIDIOC_QUERYSTD);
CLINUXDEVICES_REQUEST(VIDIOC_S_STD);
CLINUXDEVICES_REQUEST(VIDIOC_QUERY_DV_TIMINGS);
CLINUXDEVICES_REQUEST(VIDIOC_S_DV_TIMINGS);
CLINUXDEVICES_REQUEST(VIDIOC_DV_TIMINGS_CAP);
CLINUXDEVICES_REQUEST(VIDIOC_G_EDID);
CLINUXDEVICES_REQUEST(VIDIOC_S_EDID);
CLINUXDEVICES_REQUEST(VIDIOC_G_TUNER);
CLINUXDEVICES_REQUEST(VIDIOC_G_FREQUENCY);
CLINUXDEVICES_REQUEST(VIDIOC_S_FREQUENCY);

CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUYV);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_UYVY);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YVYU);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_VYUY);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV12);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV12M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV21);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV21M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV16);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV16M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV61);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV61M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV24);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV42);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_P010);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUV420);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUV420M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YVU420);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YVU420M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUV422P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUV422M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YVU422M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUV444M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YVU444M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUV24);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUV32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_AYUV32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_XYUV32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_VUYA32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_VUYX32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUVA32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUVX32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGB24);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_BGR24);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGB32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_BGR32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_ABGR32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_XBGR32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_BGRA32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_BGRX32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGBA32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGBX32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_ARGB32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_XRGB32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGB565);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGB565X);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGB555);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_ARGB555);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_XRGB555);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGB555X);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_ARGB555X);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_XRGB555X);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGBA555);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGBX555);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_ABGR555);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_XBGR555);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_BGRA555);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_BGRX555);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGB444);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_ARGB444);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_XRGB444);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGBA444);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGBX444);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_ABGR444);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_XBGR444);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_BGRA444);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_BGRX444);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_GREY);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_Y10);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_Y10P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_Y12);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_Y14);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_Y16);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_Y16_BE);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SBGGR8);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGBRG8);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGRBG8);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SRGGB8);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SBGGR10);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGBRG10);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGRBG10);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SRGGB10);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SBGGR10P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGBRG10P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGRBG10P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SRGGB10P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SBGGR12);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGBRG12);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGRBG12);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SRGGB12);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SBGGR12P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGBRG12P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGRBG12P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SRGGB12P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SBGGR14);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGBRG14);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGRBG14);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SRGGB14);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SBGGR14P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGBRG14P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGRBG14P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SRGGB14P);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SBGGR16);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGBRG16);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGRBG16);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SRGGB16);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_MJPEG);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_JPEG);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_H264);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_HEVC);
