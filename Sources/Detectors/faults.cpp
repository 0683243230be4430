// A replacement of ZXing-C++ that fails, to test that codes.cpp returns an error when ZXing fails. The test loads it
// instead of ZXing.
//
// The first pixel of an image selects the failure. In C++ because ZXing is.

#undef NDEBUG
#define ZX_USE_UTF8
#include <ZXing/ReadBarcode.h>

#include <atomic>
#include <cassert>
#include <stdexcept>

/// The number of failures so far. A test reads it to check that this library is loaded.
extern "C" {
std::atomic<int> obscura_fault_count{0};
}

namespace ZXing {

Results ReadBarcodes(const ImageView &image, const DecodeHints &) {
    switch (*image.data(0, 0)) {
    case 1:
        obscura_fault_count++;
        assert(!"an assertion fails");
        break;
    case 2:
        obscura_fault_count++;
        throw std::runtime_error("an exception is thrown");
    default: break;
    }
    return {};
}

ContentType Result::contentType() const { return ContentType::Text; }

std::string Result::utf8() const { return {}; }

}  // namespace ZXing
