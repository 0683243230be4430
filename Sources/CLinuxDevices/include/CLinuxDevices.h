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

// Starts a detached thread of the name (cut to 15 bytes). Returns 0 or an errno.
// pthread_setname_np is not visible to Swift's importer without _GNU_SOURCE.
int clinuxdevices_start_thread(const char *name, void (*body)(void *), void *context);

// Keeps alsa-lib from printing its errors; they come back as results. Its handler is variadic, which Swift cannot write.
void clinuxdevices_silence_alsa(void);

// Kernels for the encodings that nothing above reads. Strides are bytes from one row to the next.

// Exchanges the two bytes of each pair: Cr Cb becomes Cb Cr.
void clinuxdevices_swap_pairs(
    const uint8_t *from, long from_stride, uint8_t *to, long to_stride, int pair_count, int row_count);

// Little-endian 5:6:5 bits with red on top, to B, G, R, 255.
void clinuxdevices_rgb565_to_bgra(
    const uint8_t *from, long from_stride, uint8_t *to, long to_stride, int width, int height);

// One sample a pixel behind a mosaic of 2x2 filters, to B, G, R, 255; missing colours are the means of their
// neighbours. The red filter lies in column red_x (0, 1) and row red_y of each 2x2. At least 2x2 pixels.
void clinuxdevices_bayer8_to_bgra(
    const uint8_t *from, long from_stride, uint8_t *to, long to_stride, int width, int height, int red_x, int red_y);

// Requests and fourccs are macros with casts or calls, which Swift does not import.
#define CLINUXDEVICES_REQUEST(name) static const unsigned long clinuxdevices_##name = name
#define CLINUXDEVICES_FOURCC(name) static const uint32_t clinuxdevices_##name = name

CLINUXDEVICES_REQUEST(VIDIOC_QUERYCAP);
CLINUXDEVICES_REQUEST(VIDIOC_ENUM_FMT);
CLINUXDEVICES_REQUEST(VIDIOC_G_FMT);
CLINUXDEVICES_REQUEST(VIDIOC_S_FMT);
CLINUXDEVICES_REQUEST(VIDIOC_TRY_FMT);
CLINUXDEVICES_REQUEST(VIDIOC_REQBUFS);
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

CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUYV);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_UYVY);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV12);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV12M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV21);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_NV21M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUV420);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YUV420M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YVU420);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_YVU420M);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGB24);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_BGR24);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_XBGR32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_ABGR32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_ARGB32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGBA32);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_GREY);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_RGB565);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SBGGR8);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGBRG8);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SGRBG8);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_SRGGB8);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_MJPEG);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_JPEG);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_H264);
CLINUXDEVICES_FOURCC(V4L2_PIX_FMT_HEVC);
