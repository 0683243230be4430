// Reads Aztec, Data Matrix and PDF417 codes with ZXing-C++.
//
// In C++ because ZXing is. On some images, assertions in ZXing fail, which would abort the program. The `__assert_fail`
// in this file makes the call return an error instead.

#include "obscura_detectors.h"

// ZXing's API with UTF-8 strings instead of wide strings.
#define ZX_USE_UTF8
#include <ZXing/ReadBarcode.h>

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

/// The `longjmp` target for a failed assertion; NULL outside a call of `obscura_codes_read`.
thread_local std::jmp_buf *on_failed_assertion = nullptr;

obscura_code_kind kind(ZXing::BarcodeFormat format) {
    switch (format) {
    case ZXing::BarcodeFormat::Aztec: return OBSCURA_CODE_AZTEC;
    case ZXing::BarcodeFormat::DataMatrix: return OBSCURA_CODE_DATA_MATRIX;
    default: return OBSCURA_CODE_PDF417;
    }
}

/// A code, and the position in pixels of the cropped part of the image in which it was read.
struct Reading {
    ZXing::Result result;
    int left, top;

    ZXing::PointI corner(int index) const {
        const auto corner = result.position()[index];
        return {left + corner.x, top + corner.y};
    }

    /// Whether two readings are of the same code: their first corners differ by less than half the code's size.
    bool matches(const Reading &other) const {
        const auto a = corner(0), b = other.corner(0), size = corner(2) - a;
        const int distance = std::max(std::abs(a.x - b.x), std::abs(a.y - b.y));
        return result.format() == other.result.format() && 2 * distance < std::max(std::abs(size.x), std::abs(size.y));
    }
};

obscura_code code(const Reading &reading) {
    obscura_code code{kind(reading.result.format()), nullptr, {}};
    const auto content = reading.result.contentType();
    if (content == ZXing::ContentType::Text || content == ZXing::ContentType::GS1
        || content == ZXing::ContentType::ISO15434)
        code.text = strdup(reading.result.text().c_str());
    // ZXing's corners are clockwise from the top left.
    const int counterclockwise[] = {0, 3, 2, 1};
    for (size_t index = 0; index < std::size(counterclockwise); index++) {
        const auto corner = reading.corner(counterclockwise[index]);
        code.corners[2 * index] = corner.x;
        code.corners[2 * index + 1] = corner.y;
    }
    return code;
}

void read(
    const ZXing::ImageView &image, ZXing::BarcodeFormats formats, int left, int top, std::vector<Reading> &readings) {
    for (auto &result : ZXing::ReadBarcodes(image, ZXing::DecodeHints().setFormats(formats))) {
        if (!result.isValid()) continue;
        const Reading reading{std::move(result), left, top};
        if (std::none_of(readings.begin(), readings.end(), [&](const auto &other) { return reading.matches(other); }))
            readings.push_back(reading);
    }
}

/// Reads Aztec codes that are not around the center of the image.
///
/// ZXing searches for an Aztec code only around the center of an image, so this function reads overlapping square parts
/// of the image. It finds codes with a side between an eighth and two thirds of the image's shorter side.
void read_aztec_codes(const ZXing::ImageView &image, std::vector<Reading> &readings) {
    const int shorter = std::min(image.width(), image.height());
    for (const int side : {shorter * 3 / 4, shorter * 3 / 8}) {
        const int step = std::max(1, side / 8);
        for (int top = 0; top + side <= image.height(); top += step)
            for (int left = 0; left + side <= image.width(); left += step)
                read(image.cropped(left, top, side, side), ZXing::BarcodeFormat::Aztec, left, top, readings);
    }
}

ZXing::BarcodeFormats formats(unsigned kinds) {
    using ZXing::BarcodeFormat;
    ZXing::BarcodeFormats formats;
    if (kinds & 1u << OBSCURA_CODE_AZTEC) formats |= BarcodeFormat::Aztec;
    if (kinds & 1u << OBSCURA_CODE_DATA_MATRIX) formats |= BarcodeFormat::DataMatrix;
    if (kinds & 1u << OBSCURA_CODE_PDF417) formats |= BarcodeFormat::PDF417;
    return formats;
}

int read(
    unsigned kinds, const uint8_t *gray, int width, int height, ptrdiff_t stride, obscura_code *codes, int capacity) {
    const ZXing::ImageView image(gray, width, height, ZXing::ImageFormat::Lum, int(stride), 1);
    std::vector<Reading> readings;
    // ZXing reads all formats if none is specified.
    if (formats(kinds).empty()) return 0;
    read(image, formats(kinds), 0, 0, readings);
    if (formats(kinds).testFlag(ZXing::BarcodeFormat::Aztec)) read_aztec_codes(image, readings);
    std::sort(readings.begin(), readings.end(), [](const auto &a, const auto &b) {
        const auto first = a.corner(0), second = b.corner(0);
        return std::make_pair(first.y, first.x) < std::make_pair(second.y, second.x);
    });
    const int count = std::min(int(readings.size()), capacity);
    std::transform(readings.begin(), readings.begin() + count, codes, code);
    return count;
}

}  // namespace

// ZXing calls this function instead of the C library's, because this library is loaded with RTLD_DEEPBIND. `longjmp`
// skips the destructors of the stack frames in between, so their memory leaks. Throwing an exception is not possible,
// because the function is declared `noexcept`.
extern "C" void __assert_fail(const char *, const char *, unsigned, const char *) noexcept {
    if (on_failed_assertion) std::longjmp(*on_failed_assertion, 1);
    std::abort();
}

int obscura_codes_read(
    unsigned kinds, const uint8_t *gray, int width, int height, ptrdiff_t stride, obscura_code *codes, int capacity) {
    std::jmp_buf here;
    int count = -1;
    if (setjmp(here) == 0) {
        on_failed_assertion = &here;
        try {
            count = read(kinds, gray, width, height, stride, codes, capacity);
        } catch (...) {
        }
    }
    on_failed_assertion = nullptr;
    return count;
}
